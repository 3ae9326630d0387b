#include "cases/profiles/profile.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/lattice/lattice.h"
#include "oracle/base/glob.h"

namespace qconform {
namespace {

std::set<std::string> IdsOf(const Profile& profile) {
  std::set<std::string> ids;
  for (const std::string& op_type : JudgedOperators()) {
    for (const Cell& cell : CellsOf(op_type)) {
      for (const std::string& pattern : profile.cells) {
        if (GlobMatches(pattern, CellId(cell))) ids.insert(CellId(cell));
      }
    }
  }
  return ids;
}

TEST(Profiles, EveryPattern_MatchesCells) {
  size_t patterns = 0;
  for (const Profile& profile : Profiles()) {
    for (const std::string& pattern : profile.cells) {
      Profile one = profile;
      one.cells = {pattern};
      const bool too_new = profile.name == "float6" && NewestOpsetVersion() < 28;
      EXPECT_EQ(IdsOf(one).empty(), too_new) << profile.name << ": " << pattern;
      ++patterns;
    }
  }
  EXPECT_GE(patterns, 20u);
}

// Counted by hand from the types that ONNX's schemas list.
TEST(Profiles, SelectTheCellsThatTheyName) {
  std::map<std::string, size_t> counts;
  for (const Profile& profile : Profiles()) counts[profile.name] = IdsOf(profile).size();
  EXPECT_EQ(counts.size(), 7u);
  const size_t since_28 = NewestOpsetVersion() >= 28 ? 60 : 0;  // of each type
  EXPECT_EQ(counts["full"], 4772u + 15 * since_28);
  EXPECT_EQ(counts["int16"], 2u * (12 + 48 + 60 + 60 + since_28));
  EXPECT_EQ(counts["float6"], 2u * since_28);
  EXPECT_EQ(counts["sub-byte"], 2u * (12 + 48 + 60 + 60 + since_28) +
                                    2u * (60 + since_28) + (48 + 60 + 60 + since_28));
}

TEST(Profiles, Int8Core_HasFloatScalesAndEightBitOutputsOnly) {
  const auto cells = IdsOf(*FindProfile("int8-core"));
  EXPECT_TRUE(cells.contains("QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor"));
  EXPECT_TRUE(
      cells.contains("QLinearMatMul/21/FLOAT-INT8-UINT8-INT8/per_row-per_column"));
  for (const std::string& cell : cells) {
    EXPECT_EQ(cell.find("FLOAT16"), std::string::npos) << cell;
    EXPECT_EQ(cell.find("FLOAT8"), std::string::npos) << cell;
    EXPECT_EQ(cell.find("INT16"), std::string::npos) << cell;
  }
}

TEST(FindProfile, Unknown_NamesThoseThatThereAre) {
  const auto found = FindProfile("int7");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("int8-core"), std::string::npos);
}

TEST(ParseProfile, Mistakes_AreNamed) {
  const std::string good = FindProfile("full")->text;
  ASSERT_TRUE(ParseProfile(good, "p"));
  for (const auto& [from, to] :
       std::map<std::string, std::string>{{"\"cells\"", "\"cels\""},
                                          {"\"conformant\"", "\"nonconformant\""},
                                          {"\"1.0.0\"", "\"1.0\""},
                                          {"\"full\"", "7"},
                                          {"{", "["}}) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    const auto parsed = ParseProfile(bad, "p");
    ASSERT_FALSE(parsed) << to;
    EXPECT_TRUE(parsed.error().message.starts_with("p: ")) << parsed.error().message;
  }
}

TEST(ParseProfile, Refuse_IsOptional) {
  std::string text = FindProfile("full")->text;
  EXPECT_TRUE(ParseProfile(text, "p")->refuse.empty());
  const auto with = [&](const std::string& list) {
    std::string changed = text;
    changed.replace(changed.find("\"declinable\""), 0, "\"refuse\": " + list + ", ");
    return ParseProfile(changed, "p");
  };
  const auto given = with("[\"mixed_by_M\", \"bound_only\"]");
  ASSERT_TRUE(given) << given.error().message;
  EXPECT_EQ(given->refuse, (std::vector<std::string>{"mixed_by_M", "bound_only"}));
  EXPECT_EQ(with("[\"mixed\"]").error().message,
            "p: refuse: expected mixed_by_operand_form, mixed_by_M or bound_only, "
            "got 'mixed'");
}

TEST(ProfileSchema, DescribesEveryField) {
  const auto schema = nlohmann::json::parse(ProfileSchema());
  for (const Profile& profile : Profiles()) {
    const auto document = nlohmann::json::parse(profile.text);
    for (const auto& [key, value] : document.items()) {
      EXPECT_TRUE(schema["properties"][key].contains("description")) << key;
    }
    EXPECT_EQ(document.size(), schema["required"].size());
  }
}

}  // namespace
}  // namespace qconform
