// Oracle and judge agree on QuantizeLinear: random questions over all cells,
// canonical and in every reading. QCONFORM_JUDGE_CASES sets the number of
// elements.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "oracle/exact/agreement_test_util.h"
#include "oracle/exact/quantize_linear.h"
#include "oracle/exact/quantize_linear_questions.h"
#include "oracle/scalar/quantize_linear.h"

namespace qconform {
namespace {

using agreement::QuantizeLinearCell;

std::vector<QuantizeLinearReadings> OracleReadings(const QuantizeLinearCell& cell,
                                                   int64_t precision) {
  return ReadingCombinations(cell.since_version, static_cast<DataType>(cell.x),
                             static_cast<DataType>(cell.y_scale),
                             static_cast<DataType>(cell.y), precision);
}

TEST(QuantizeLinearAgreement, Cells_AreAsManyAsTheSchemasAllow) {
  std::map<int, int> count;
  for (const QuantizeLinearCell& cell : agreement::QuantizeLinearCells()) {
    ++count[cell.since_version];
  }
  const std::map<int, int> expected = {{10, 4},   {13, 8},   {19, 48}, {21, 120},
                                       {23, 528}, {24, 660}, {25, 780}};
  EXPECT_EQ(count, expected);
}

// Both derive from the clauses which readings there are.
TEST(QuantizeLinearAgreement, ReadingCombinations_AreTheSame) {
  for (const QuantizeLinearCell& cell : agreement::QuantizeLinearCells()) {
    for (int64_t precision : {0, 1, 10, 11, 16}) {
      if (precision != 0 && cell.since_version < 23) continue;
      std::vector<exact::QuantizeLinearReadings> judge = exact::AllowedReadings(
          cell.since_version, cell.x, cell.y_scale, cell.y, precision);
      const std::vector<QuantizeLinearReadings> oracle = OracleReadings(cell, precision);
      ASSERT_FALSE(oracle.empty());
      EXPECT_EQ(oracle.front(), QuantizeLinearReadings{});
      for (const QuantizeLinearReadings& readings : oracle) {
        const exact::QuantizeLinearReadings wanted = agreement::JudgeReadings(readings);
        const auto found = std::find(judge.begin(), judge.end(), wanted);
        // The judge proves these equal to converted operands: a second name.
        const bool is_second_name = cell.x == exact::kInt32 &&
                                    cell.y_scale == exact::kFloat8E8M0 &&
                                    wanted.unconverted_operands;
        if (found == judge.end() && is_second_name) continue;
        if (found == judge.end()) {
          ADD_FAILURE() << "the oracle alone has "
                        << ReadingsName(readings, cell.since_version,
                                        static_cast<DataType>(cell.x),
                                        static_cast<DataType>(cell.y_scale))
                        << " for since_version " << cell.since_version << " types "
                        << cell.x << " " << cell.y_scale << " " << cell.y << " precision "
                        << precision;
          return;
        }
        judge.erase(found);
      }
      if (!judge.empty()) {
        ADD_FAILURE() << "the judge alone has " << judge.size()
                      << " readings, the first with "
                      << "division " << static_cast<int>(judge[0].division)
                      << " unconverted " << judge[0].unconverted_operands
                      << " zero point "
                      << static_cast<int>(judge[0].target.float_zero_point) << " added "
                      << judge[0].target.zero_point_added << " nan "
                      << judge[0].target.fnuz_infinity_nan << " dropped "
                      << judge[0].target.zero_sign_dropped << " for since_version "
                      << cell.since_version << " types " << cell.x << " " << cell.y_scale
                      << " " << cell.y << " precision " << precision;
        return;
      }
    }
  }
}

struct Counts {
  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> other_readings = 0;
  std::array<std::atomic<int64_t>, kTierCount> tiers = {};
  std::array<std::atomic<int64_t>, 3> freedoms = {};
  std::array<std::atomic<int64_t>, 26> since_versions = {};
};

// Asks both the canonical answer, and one other reading; returns what differs.
void AskBoth(const QuantizeLinearCell& cell, agreement::Random& random, Counts& counts,
             agreement::Findings& findings) {
  const exact::QuantizeLinearInput input = agreement::MakeQuestion(cell, random);
  const agreement::OracleProblem oracle(input);
  const std::vector<QuantizeLinearReadings> all = OracleReadings(cell, input.precision);
  const size_t asked = all.size() > 1 ? 2 : 1;
  for (size_t i = 0; i < asked; ++i) {
    const QuantizeLinearReadings readings =
        i == 0 ? QuantizeLinearReadings{} : all[1 + random.Below(all.size() - 1)];
    const exact::Answer judged =
        exact::QuantizeLinear(input, agreement::JudgeReadings(readings));
    const Result<Answer> answered = EvaluateQuantizeLinear(oracle.problem(), readings);
    const std::string difference =
        answered.ok() ? agreement::Difference(judged, *answered)
                      : "the oracle refuses: " + answered.error().message;
    if (!difference.empty()) {
      findings.Add(difference + "\n  " +
                   ReadingsName(readings, cell.since_version,
                                static_cast<DataType>(cell.x),
                                static_cast<DataType>(cell.y_scale)) +
                   ", " + agreement::ToString(input));
    }
    const auto elements = static_cast<int64_t>(judged.elements.size());
    if (i > 0) {
      counts.other_readings += elements;
      continue;
    }
    counts.elements += elements;
    counts.since_versions[static_cast<size_t>(cell.since_version)] += elements;
    for (const exact::Element& element : judged.elements) {
      ++counts.tiers[static_cast<size_t>(element.tier)];
      ++counts.freedoms[element.freedom == exact::Freedom::kNone     ? 0
                        : element.freedom == exact::Freedom::kAnyNan ? 1
                                                                     : 2];
    }
  }
}

TEST(QuantizeLinearAgreement, RandomQuestions_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(1'000'000);
  const std::vector<QuantizeLinearCell> cells = agreement::QuantizeLinearCells();
  Counts counts;
  agreement::Findings findings;
  // A round asks every cell once; rounds are told apart by their seeds.
  int64_t rounds = 0;
  while (counts.elements < wanted) {
    agreement::InParallel(16, [&](int64_t chunk) {
      agreement::Random random(static_cast<uint64_t>(rounds * 16 + chunk));
      for (size_t i = static_cast<size_t>(chunk); i < cells.size(); i += 16) {
        AskBoth(cells[i], random, counts, findings);
      }
    });
    ++rounds;
  }
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GE(counts.elements.load(), wanted);
  for (int tier = 0; tier < 4; ++tier) {
    EXPECT_GT(counts.tiers[static_cast<size_t>(tier)].load(), wanted / 100)
        << TierName(static_cast<Tier>(tier));
  }
  for (size_t freedom = 0; freedom < 3; ++freedom) {
    EXPECT_GT(counts.freedoms[freedom].load(), wanted / 200) << freedom;
  }
  std::printf("elements %lld in %lld rounds of %zu cells, in other readings %lld\n",
              static_cast<long long>(counts.elements), static_cast<long long>(rounds),
              cells.size(), static_cast<long long>(counts.other_readings));
  for (int tier = 0; tier < 4; ++tier) {
    std::printf("  %s %lld\n", std::string(TierName(static_cast<Tier>(tier))).c_str(),
                static_cast<long long>(counts.tiers[static_cast<size_t>(tier)]));
  }
  std::printf("  exact bits %lld, any NaN %lld, any code %lld\n",
              static_cast<long long>(counts.freedoms[0]),
              static_cast<long long>(counts.freedoms[1]),
              static_cast<long long>(counts.freedoms[2]));
}

}  // namespace
}  // namespace qconform
