// The contents of DynamicQuantizeLinear's cell: lengths, ranks, zero points and tiers;
// and that they tell its readings apart.
#include "cases/core/testing/asked.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/operators/dynamic_quantize_linear/cases.h"
#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {
namespace {

Cell OneCell() {
  const auto cells = CellsOf("DynamicQuantizeLinear");
  EXPECT_EQ(cells.size(), 1u);
  return cells.front();
}

std::vector<OpCase> CasesAt(Level level) {
  std::vector<OpCase> all;
  for (const CaseKey& key : ContentsOf(OneCell(), level)) {
    auto made = MakeCase(key, kTestSeed);
    EXPECT_TRUE(made.ok()) << CaseId(key);
    if (made) all.push_back(*std::move(made));
  }
  return all;
}

// The answers of a case by a set of readings: one for each output.
std::vector<Answer> AnswersBy(const OpCase& made, const ReadingSet& readings) {
  const auto bound =
      FindOperator("DynamicQuantizeLinear")->Bind({}, made.key.cell.since_version);
  const Operands operands = OperandsOf(made);
  auto answers = (*bound)->Evaluate(operands, readings);
  EXPECT_TRUE(answers.ok()) << CaseId(made.key);
  return answers ? *std::move(answers) : std::vector<Answer>(3);
}

TEST(DynamicQuantizeAsked, Standard_HasEachLengthAndRank) {
  std::set<int64_t> lengths;
  std::set<size_t> ranks;
  for (const OpCase& made : CasesAt(Level::kStandard)) {
    const Shape& shape = made.operands[0].shape;
    lengths.insert(ElementCount(shape).value());
    ranks.insert(shape.size());
  }
  for (int64_t n = 1; n <= 64; ++n) EXPECT_TRUE(lengths.contains(n)) << n;
  for (const int64_t block : {128, 256, 512, 1024, 2048, 4096}) {
    EXPECT_TRUE(lengths.contains(block + 1)) << block;
  }
  EXPECT_GT(*lengths.rbegin(), 100'000);
  for (size_t rank = 0; rank <= 8; ++rank) EXPECT_TRUE(ranks.contains(rank)) << rank;
}

TEST(DynamicQuantizeAsked, Standard_HasEachKindOfZeroPointAndScale) {
  const NumberFormat& scale_format = FormatOf(DataType::kFloat);
  std::set<uint64_t> zero_points;
  std::set<std::string> kinds;
  for (const OpCase& made : CasesAt(Level::kStandard)) {
    const std::vector<Answer> answers = AnswersBy(made, {});
    const ElementAnswer& scale = answers[1].elements[0];
    const ElementAnswer& zero_point = answers[2].elements[0];
    if (zero_point.freedom == Freedom::kNone) zero_points.insert(zero_point.code);
    const ExactValue value = Decode(scale_format, scale.code);
    if (value.value_class == ValueClass::kInfinity) kinds.insert("infinite scale");
    if (IsSubnormal(scale_format, scale.code)) kinds.insert("subnormal scale");
    if (value.value_class == ValueClass::kZero && scale.freedom == Freedom::kNone) {
      const auto codes = ReadCodes(made.operands[0].view());
      const bool all_zero = std::ranges::all_of(
          codes, [&](uint64_t code) { return IsZero(scale_format, code); });
      kinds.insert(all_zero ? "scale 0 of zeros" : "scale 0 of an underflow");
    }
    for (const Answer& answer : answers) {
      for (const ElementAnswer& element : answer.elements) {
        kinds.insert(std::string(TierName(element.tier)));
        if (element.freedom != Freedom::kNone) kinds.insert("free");
      }
    }
  }
  EXPECT_GE(zero_points.size(), 100u);
  for (const uint64_t code : {0, 1, 126, 127, 128, 254, 255}) {
    EXPECT_TRUE(zero_points.contains(code)) << code;
  }
  for (const char* kind :
       {"infinite scale", "subnormal scale", "scale 0 of zeros",
        "scale 0 of an underflow", "regular", "degenerate_scale", "free"}) {
    EXPECT_TRUE(kinds.contains(kind)) << kind;
  }
}

bool Tell(const std::vector<Answer>& a, const std::vector<Answer>& b) {
  for (size_t output = 0; output < a.size(); ++output) {
    for (size_t i = 0; i < a[output].elements.size(); ++i) {
      const ElementAnswer& one = a[output].elements[i];
      const ElementAnswer& other = b[output].elements[i];
      const bool is_free =
          one.freedom != Freedom::kNone && other.freedom != Freedom::kNone;
      if (!is_free && one.code != other.code) return true;
    }
  }
  return false;
}

TEST(DynamicQuantizeReadings, EachLevel_TellsThemApart) {
  for (const Level level : {Level::kSmoke, Level::kStandard}) {
    const std::vector<OpCase> cases = CasesAt(level);
    const auto bound = FindOperator("DynamicQuantizeLinear")->Bind({}, 11);
    const auto sets = (*bound)->Readings(OperandsOf(cases.front()));
    ASSERT_TRUE(sets.ok());
    EXPECT_EQ(sets->size(), 9u);
    std::set<std::pair<size_t, size_t>> left;
    for (size_t a = 0; a < sets->size(); ++a) {
      for (size_t b = a + 1; b < sets->size(); ++b) left.emplace(a, b);
    }
    for (const OpCase& made : cases) {
      if (left.empty()) break;
      std::vector<std::vector<Answer>> answers;
      for (const ReadingSet& set : *sets) answers.push_back(AnswersBy(made, set));
      std::erase_if(left, [&](const std::pair<size_t, size_t>& pair) {
        return Tell(answers[pair.first], answers[pair.second]);
      });
    }
    for (const auto& [a, b] : left) {
      ADD_FAILURE() << LevelName(level) << ": '" << Spell((*sets)[a]) << "' and '"
                    << Spell((*sets)[b]) << "'";
    }
  }
}

// The ends of x decide scale and zero point: each stands once in each place of a loop.
TEST(DynamicQuantizeAsked, Standard_HasBothEndsInEachPlaceOfALoop) {
  std::set<int64_t> lowest;
  std::set<int64_t> highest;
  for (const OpCase& made : CasesAt(Level::kStandard)) {
    if (made.key.generator != "end_places") continue;
    const NumberFormat& format = FormatOf(DataType::kFloat);
    const auto codes = ReadCodes(made.operands[0].view());
    const auto below = [&](uint64_t a, uint64_t b) {
      return ValueOrder(format, a) < ValueOrder(format, b);
    };
    lowest.insert((std::ranges::min_element(codes, below) - codes.begin()) % kEndPlaces);
    highest.insert((std::ranges::max_element(codes, below) - codes.begin()) % kEndPlaces);
  }
  EXPECT_EQ(lowest.size(), static_cast<size_t>(kEndPlaces));
  EXPECT_EQ(highest.size(), static_cast<size_t>(kEndPlaces));
}

}  // namespace
}  // namespace qconform::generators
