#include "cases/profiles/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "cases/lattice/lattice.h"
#include "oracle/base/glob.h"
#include "oracle/base/node.h"

namespace qconform {
namespace {

// Operators, without the families of graphs.
std::vector<std::string> SingleOperators() {
  std::vector<std::string> operators = JudgedOperators();
  std::erase_if(operators, IsGraphFamily);
  return operators;
}

// Cells of graphs are selected only by patterns that begin with "graphs".
std::set<std::string> IdsOf(const Profile& profile) {
  std::set<std::string> ids;
  for (const std::string& op_type : JudgedOperators()) {
    for (const Cell& cell : CellsOf(op_type)) {
      for (const std::string& pattern : profile.cells) {
        if (IsGraphFamily(op_type) && !pattern.starts_with("graphs")) continue;
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

// Counted by hand from the types that ONNX's schemas list for QuantizeLinear.
TEST(Profiles, SelectTheCellsThatTheyName) {
  std::map<std::string, size_t> counts;
  for (const Profile& profile : Profiles()) {
    counts[profile.name] = 0;
    for (const std::string& id : IdsOf(profile)) {
      counts[profile.name] += id.starts_with("QuantizeLinear/") ? 1 : 0;
    }
  }
  EXPECT_EQ(counts.size(), 10u);
  const size_t since_28 = NewestOpsetVersion() >= 28 ? 60 : 0;  // of each type
  EXPECT_EQ(counts["full"], 2148u + 15 * since_28);
  EXPECT_EQ(counts["microscaling"], 32u + (since_28 > 0 ? 16 : 0));
  EXPECT_EQ(counts["int16"], 2u * (12 + 48 + 60 + 60 + since_28));
  EXPECT_EQ(counts["float6"], 2u * since_28);
  EXPECT_EQ(counts["sub-byte"], 2u * (12 + 48 + 60 + 60 + since_28) +
                                    2u * (60 + since_28) + (48 + 60 + 60 + since_28));
}

// These have every cell in which one of their types takes part, of every operator.
TEST(Profiles, OfATypesWidth_HaveEveryCellOfTheTypes) {
  using enum DataType;
  const std::map<std::string, std::set<DataType>> kTypes = {
      {"int16", {kInt16, kUint16}},
      {"sub-byte", {kInt4, kUint4, kInt2, kUint2, kFloat4E2M1}},
      {"float8", {kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ}},
      {"float6", {kFloat6E2M3, kFloat6E3M2}}};
  for (const auto& [name, types] : kTypes) {
    std::set<std::string> expected;
    for (const std::string& op_type : SingleOperators()) {
      for (const Cell& cell : CellsOf(op_type)) {
        if (std::ranges::any_of(cell.types,
                                [&](DataType t) { return types.contains(t); }))
          expected.insert(CellId(cell));
      }
    }
    EXPECT_EQ(IdsOf(*FindProfile(name)), expected) << name;
  }
}

TEST(Profiles, Microscaling_HasTheBlocksWithPowersOfTwo) {
  using enum DataType;
  const std::set<DataType> elements = {kFloat8E4M3FN, kFloat8E5M2, kFloat4E2M1, kInt8};
  std::set<std::string> expected;
  for (const std::string& op_type : SingleOperators()) {
    for (const Cell& cell : CellsOf(op_type)) {
      if (cell.granularity == "blocked" &&
          std::ranges::count(cell.types, kFloat8E8M0) == 1 &&
          std::ranges::any_of(cell.types,
                              [&](DataType t) { return elements.contains(t); })) {
        expected.insert(CellId(cell));
      }
    }
  }
  EXPECT_EQ(IdsOf(*FindProfile("microscaling")), expected);
}

TEST(Profiles, Full_HasEveryCell) {
  size_t cells = 0;
  for (const std::string& op_type : SingleOperators()) cells += CellsOf(op_type).size();
  EXPECT_EQ(IdsOf(*FindProfile("full")).size(), cells);
}

TEST(Profiles, Graphs_HasEveryCellOfTheFamilies) {
  std::set<std::string> expected;
  for (const std::string& op_type : JudgedOperators()) {
    if (!IsGraphFamily(op_type)) continue;
    for (const Cell& cell : CellsOf(op_type)) expected.insert(CellId(cell));
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(IdsOf(*FindProfile("graphs")), expected);
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

// The text of the profile full with other words in it.
std::string Changed(std::initializer_list<std::pair<std::string, std::string>> changes) {
  std::string text = FindProfile("full")->text;
  for (const auto& [from, to] : changes) text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(ParseOwnProfile, IsNotTakenForABuiltInOne) {
  const auto own = ParseOwnProfile(
      Changed({{"\"full\"", "\"mine-2\""}, {"\"Everything\"", "\"Mine\""}}), "p.json");
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_FALSE(IsBuiltIn(*own));
  EXPECT_EQ(SelectionName(*own), "own:mine-2");
  const auto built_in = ParseOwnProfile(Changed({}), "p.json");
  ASSERT_TRUE(built_in);
  EXPECT_TRUE(IsBuiltIn(*built_in));
  EXPECT_EQ(SelectionName(*built_in), "full");

  const struct {
    std::string name;
    std::string title;
    std::string words;
  } kRows[] = {
      {"full", "Mine", "p.json: name: expected another name than those of the built-in "},
      {"mine", "Everything", "p.json: title: expected another title than those of the "},
      {"Full", "Mine", "p.json: name: expected words of lower-case letters"},
      {"full ", "Mine", "got 'full '"},
      {"-full", "Mine", "got '-full'"},
      {"full-", "Mine", "got 'full-'"},
      {"", "Mine", "got ''"},
      {"f\xd1\x83ll", "Mine", "got other characters"},
      {std::string(65, 'a'), "Mine", "at most 64 characters"},
      {"mine", "Mine\\nVERIFIED", "p.json: title: expected one line of at most 80 "},
      {"mine", "A\\\" (\\\"B", "got 'A\" (\"B'"},
      {"mine", "  ", "got '  '"},
      {"mine", std::string(81, 'a'), "at most 80 printable"},
  };
  for (const auto& row : kRows) {
    const auto parsed =
        ParseOwnProfile(Changed({{"\"full\"", "\"" + row.name + "\""},
                                 {"\"Everything\"", "\"" + row.title + "\""}}),
                        "p.json");
    ASSERT_FALSE(parsed) << row.name << row.title;
    EXPECT_NE(parsed.error().message.find(row.words), std::string::npos)
        << parsed.error().message;
  }
}

TEST(ParseProfile, WithoutAVerdictThatPasses_IsRefused) {
  std::string text = FindProfile("full")->text;
  const size_t begin = text.find('[', text.find("\"passes\""));
  text.replace(begin, text.find(']', begin) + 1 - begin, "[]");
  const auto parsed = ParseProfile(text, "p");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message,
            "p: passes: expected conformant, admissible or both, got none");
}

TEST(FindOrReadProfile, TakesANameOrAFile) {
  EXPECT_EQ(FindOrReadProfile("int16", "--profile")->name, "int16");
  const auto neither = FindOrReadProfile("int7", "--profile");
  ASSERT_FALSE(neither);
  EXPECT_TRUE(neither.error().message.starts_with(
      "--profile: expected a FILE, or one of int8-core, "))
      << neither.error().message;
  const auto missing = FindOrReadProfile("./none.json", "--profile");
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().message.starts_with("./none.json: "));
}

TEST(PartOfProfile, IsOneOfOnesOwnThatReadsBack) {
  Profile whole = *FindProfile("int16");
  whole.refuse = {"bound_only"};
  const std::vector<std::string> cells = {"QuantizeLinear/21/*-INT16/*"};
  const Profile part = PartOfProfile(whole, cells);
  const auto read = ParseOwnProfile(part.text, "p");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(SelectionName(*read), "own:int16-part");
  EXPECT_EQ(read->cells, cells);
  EXPECT_EQ(read->passes, whole.passes);
  EXPECT_EQ(read->refuse, whole.refuse);
  EXPECT_EQ(read->digest, part.digest);
  whole.name = std::string(64, 'a');
  EXPECT_TRUE(ParseOwnProfile(PartOfProfile(whole, cells).text, "p"));
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
