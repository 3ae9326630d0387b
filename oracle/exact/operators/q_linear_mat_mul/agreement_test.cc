// Oracle and judge agree on QLinearMatMul: random questions over all cells,
// canonical and in every reading. QCONFORM_JUDGE_CASES sets the number of
// elements.
#include "oracle/exact/testing/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "oracle/exact/operators/q_linear_mat_mul/bounds.h"
#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/exact/operators/q_linear_mat_mul/testing/questions.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {
namespace {

using agreement::QLinearMatMulCell;

std::vector<QLinearMatMulReadings> OracleReadings(const QLinearMatMulCell& cell) {
  return ReadingCombinations(static_cast<DataType>(cell.scale),
                             static_cast<DataType>(cell.y));
}

TEST(QLinearMatMulAgreement, Cells_AreAsManyAsTheSchemasAllow) {
  std::map<int, int> count;
  for (const QLinearMatMulCell& cell : agreement::QLinearMatMulCells()) {
    ++count[cell.since_version];
  }
  EXPECT_EQ(count, (std::map<int, int>{{10, 32}, {21, 2592}}));
}

// Both derive from the clauses which readings there are.
TEST(QLinearMatMulAgreement, ReadingCombinations_AreTheSame) {
  for (const QLinearMatMulCell& cell : agreement::QLinearMatMulCells()) {
    std::vector<exact::QLinearMatMulReadings> judge =
        exact::AllowedReadings(cell.scale, cell.y);
    const std::vector<QLinearMatMulReadings> oracle = OracleReadings(cell);
    ASSERT_FALSE(oracle.empty());
    EXPECT_EQ(oracle.front(), QLinearMatMulReadings{});
    for (const QLinearMatMulReadings& readings : oracle) {
      const auto found =
          std::find(judge.begin(), judge.end(), agreement::JudgeReadings(readings));
      ASSERT_NE(found, judge.end()) << "no clause has " << ReadingsName(readings)
                                    << " for TS " << cell.scale << " T3 " << cell.y;
      judge.erase(found);
    }
    EXPECT_TRUE(judge.empty()) << "the oracle leaves out " << judge.size() << " for TS "
                               << cell.scale << " T3 " << cell.y;
  }
}

struct Counts {
  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> other_readings = 0;
  std::array<std::atomic<int64_t>, kTierCount> tiers = {};
  std::array<std::atomic<int64_t>, 4> freedoms = {};
};

// Asks both the canonical answer, and some other readings.
void AskBoth(const QLinearMatMulCell& cell, const exact::QLinearMatMulInput& input,
             agreement::Random& random, Counts& counts, agreement::Findings& findings) {
  const agreement::OracleMatMulProblem oracle(cell.since_version, input);
  const std::vector<exact::Accumulator> accumulators = exact::Accumulate(input);
  const std::vector<QLinearMatMulReadings> all = OracleReadings(cell);
  for (int i = 0; i < 3; ++i) {
    const QLinearMatMulReadings readings =
        i == 0 ? QLinearMatMulReadings{} : all[random.Below(all.size())];
    const exact::Answer judged =
        exact::QLinearMatMul(input, accumulators, agreement::JudgeReadings(readings));
    const Result<Answer> answered = EvaluateQLinearMatMul(oracle.problem(), readings);
    const std::string difference =
        answered.ok() ? agreement::Difference(judged, *answered)
                      : "the oracle refuses: " + answered.error().message;
    if (!difference.empty()) {
      findings.Add(difference + "\n  " + ReadingsName(readings) +
                   agreement::ToString(input));
    }
    const auto elements = static_cast<int64_t>(judged.elements.size());
    if (i > 0) {
      counts.other_readings += elements;
      continue;
    }
    counts.elements += elements;
    for (const exact::Element& element : judged.elements) {
      ++counts.tiers[static_cast<size_t>(element.tier)];
      ++counts.freedoms[static_cast<size_t>(element.freedom)];
    }
  }
}

TEST(QLinearMatMulAgreement, RandomQuestions_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(250'000);
  const std::vector<QLinearMatMulCell> cells = agreement::QLinearMatMulCells();
  Counts counts;
  agreement::Findings findings;
  int64_t rounds = 0;
  while (counts.elements < wanted) {
    agreement::InParallel(16, [&](int64_t chunk) {
      agreement::Random random(static_cast<uint64_t>(rounds * 16 + chunk));
      for (size_t i = static_cast<size_t>(chunk); i < cells.size(); i += 16) {
        AskBoth(cells[i], agreement::MakeQuestion(cells[i], random), random, counts,
                findings);
      }
    });
    ++rounds;
  }
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GE(counts.elements.load(), wanted);
  EXPECT_GT(counts.tiers[static_cast<size_t>(Tier::kDegenerateScale)].load(),
            wanted / 50);
  for (exact::Freedom freedom : {exact::Freedom::kNone, exact::Freedom::kAnyNan,
                                 exact::Freedom::kAnyZero, exact::Freedom::kAnyCode}) {
    EXPECT_GT(counts.freedoms[static_cast<size_t>(freedom)].load(), wanted / 200);
  }
  std::printf("elements %lld in %lld rounds of %zu cells, in other readings %lld\n",
              static_cast<long long>(counts.elements), static_cast<long long>(rounds),
              cells.size(), static_cast<long long>(counts.other_readings));
  std::printf("  regular %lld, degenerate_scale %lld\n",
              static_cast<long long>(counts.tiers[0]),
              static_cast<long long>(counts.tiers[3]));
  std::printf("  exact bits %lld, any NaN %lld, any zero %lld, any code %lld\n",
              static_cast<long long>(counts.freedoms[0]),
              static_cast<long long>(counts.freedoms[1]),
              static_cast<long long>(counts.freedoms[2]),
              static_cast<long long>(counts.freedoms[3]));
}

// Empty where the bounds agree. Where a way leads to NaN the oracle admits all
// numbers: there it is enough that its bounds hold the judge's. Its `reduced` may
// be narrower, for MM-10 does not say whether the readings of MM-02 add to it.
std::string BoundsDifference(int y_type, const std::vector<exact::CodeBounds>& judge,
                             const std::vector<CodeBounds>& oracle) {
  if (judge.size() != oracle.size()) return "counts of bounds differ";
  const auto type = static_cast<DataType>(y_type);
  const auto holds = [&](uint64_t low, uint64_t high, uint64_t part_low,
                         uint64_t part_high) {
    return IsWithin(type, part_low, low, high) && IsWithin(type, part_high, low, high);
  };
  for (size_t i = 0; i < judge.size(); ++i) {
    const exact::CodeInterval& one = judge[i].admissible;
    const exact::CodeInterval& reduced = judge[i].reduced;
    const CodeBounds& other = oracle[i];
    const bool is_nan = exact::IsNanCode(exact::GetFormat(y_type), one.low);
    if (is_nan && other.low == other.high) continue;
    bool agree = holds(other.low, other.high, one.low, one.high) &&
                 holds(other.wider_low, other.wider_high, other.low, other.high);
    if (!judge[i].may_be_nan) {
      agree = agree && holds(one.low, one.high, other.low, other.high) &&
              holds(reduced.low, reduced.high, other.wider_low, other.wider_high);
    }
    if (agree) continue;
    std::array<char, 160> text;
    std::snprintf(
        text.data(), text.size(),
        "[%zu]: judge [%llx, %llx] reduced [%llx, %llx], oracle [%x, %x] reduced "
        "[%x, %x]",
        i, static_cast<unsigned long long>(one.low),
        static_cast<unsigned long long>(one.high),
        static_cast<unsigned long long>(reduced.low),
        static_cast<unsigned long long>(reduced.high), other.low, other.high,
        other.wider_low, other.wider_high);
    return text.data();
  }
  return "";
}

// MM-10 and float_matmul: the codes that rounded sums may lead to.
TEST(QLinearMatMulAgreement, Bounds_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(250'000) / 10;
  const std::vector<QLinearMatMulCell> cells = agreement::QLinearMatMulCells();
  agreement::Findings findings;
  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> wide = 0;
  for (int64_t round = 0; elements < wanted; ++round) {
    agreement::InParallel(16, [&](int64_t chunk) {
      agreement::Random random(static_cast<uint64_t>(1'000'000 + round * 16 + chunk));
      for (size_t i = static_cast<size_t>(chunk); i < cells.size(); i += 16) {
        const QLinearMatMulCell& cell = cells[i];
        const exact::QLinearMatMulInput input = agreement::MakeQuestion(cell, random);
        const std::vector<QLinearMatMulReadings> all = OracleReadings(cell);
        QLinearMatMulReadings readings = all[random.Below(all.size())];
        readings.requantization = {};
        readings.order = {};
        readings.product_in_double = false;
        const exact::QLinearMatMulReadings judge = agreement::JudgeReadings(readings);
        const std::vector<exact::Accumulator> accumulators = exact::Accumulate(input);
        const std::vector<exact::CodeBounds> judged =
            exact::Bounds(input, accumulators, judge.target);
        const agreement::OracleMatMulProblem oracle(cell.since_version, input);
        const Result<Answer> answered =
            EvaluateQLinearMatMul(oracle.problem(), readings, MatMulBounds::kAll);
        const std::string difference =
            answered.ok() ? BoundsDifference(cell.y, judged, answered->bounds)
                          : answered.error().message;
        if (!difference.empty()) {
          findings.Add(difference + "\n  " + ReadingsName(readings) +
                       agreement::ToString(input));
        }
        elements += static_cast<int64_t>(judged.size());
        wide +=
            std::count_if(judged.begin(), judged.end(), [](const exact::CodeBounds& one) {
              return one.admissible.low != one.admissible.high;
            });
      }
    });
  }
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GT(wide.load(), elements / 50);
  std::printf("bounds of %lld elements, %lld of more than one code\n",
              static_cast<long long>(elements), static_cast<long long>(wide));
}

// The v of float_matmul is a FLOAT: added to in P it overflows as one.
TEST(QLinearMatMulAgreement, Bounds_FloatMatMulAddsInFloat) {
  const auto scalar = [](int type, uint64_t code) {
    return exact::Codes{type, {}, {code}};
  };
  exact::QLinearMatMulInput input;
  input.a = {exact::kInt8, {1, 1}, {100}};
  input.b = {exact::kInt8, {1, 1}, {0x9c}};  // -100
  input.a_zero_point = input.b_zero_point = scalar(exact::kInt8, 0);
  input.a_scale = input.b_scale = scalar(exact::kFloat, 0x3f800000);
  input.y_scale = scalar(exact::kFloat, 0x00400000);  // 2^-127
  input.y_zero_point = scalar(exact::kFloat8E5M2, 0xfb);
  const agreement::OracleMatMulProblem oracle(21, input);
  const QLinearMatMulReadings readings{.float_zero_point = FloatZeroPoint::kAddedInP,
                                       .e5m2_infinity = true};
  const Result<Answer> answer =
      EvaluateQLinearMatMul(oracle.problem(), readings, MatMulBounds::kAll);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->bounds.at(0).low, 0xfcu);  // -Inf
  EXPECT_EQ(answer->bounds.at(0).high, 0xfbu);
  const std::vector<exact::CodeBounds> judged = exact::Bounds(
      input, exact::Accumulate(input), agreement::JudgeReadings(readings).target);
  EXPECT_EQ(BoundsDifference(exact::kFloat8E5M2, judged, answer->bounds), "");
}

// MM-01, MM-01b: sums of the largest products around both ends of INT32.
TEST(QLinearMatMulAgreement, LongSums_WrapAlike) {
  const std::vector<QLinearMatMulCell> cells = agreement::QLinearMatMulCells();
  Counts counts;
  agreement::Findings findings;
  const int64_t rounds = std::max<int64_t>(agreement::CaseCount(250'000) / 250'000, 1);
  agreement::InParallel(static_cast<int64_t>(cells.size()), [&](int64_t index) {
    const QLinearMatMulCell& cell = cells[static_cast<size_t>(index)];
    const auto is_integer = [](int type) {
      return exact::GetFormat(type).set == exact::Format::Set::kIntegers;
    };
    if (cell.per_row || cell.per_column || !is_integer(cell.a) || !is_integer(cell.b))
      return;
    agreement::Random random(static_cast<uint64_t>(index));
    for (int64_t i = 0; i < rounds; ++i) {
      AskBoth(cell, agreement::MakeLongSum(cell, random), random, counts, findings);
    }
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  const int64_t beyond = counts.tiers[static_cast<size_t>(Tier::kAccumulatorOverflow)];
  EXPECT_EQ(counts.elements.load(), rounds * (8 + 3 * 4 * 6));
  EXPECT_GT(beyond, 0);
  EXPECT_LT(beyond, counts.elements.load());
  std::printf("long sums %lld, beyond INT32 %lld\n",
              static_cast<long long>(counts.elements), static_cast<long long>(beyond));
}

}  // namespace
}  // namespace qconform
