// Oracle and judge agree on QuantizeLinear: random questions over all cells,
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
#include <memory>
#include <string>
#include <vector>

#include "oracle/exact/operators/quantize_linear/quantize_linear.h"
#include "oracle/exact/operators/quantize_linear/testing/questions.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

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
  const std::map<int, int> expected = {{10, 4},   {13, 8},   {19, 48},  {21, 120},
                                       {23, 528}, {24, 660}, {25, 780}, {28, 900}};
  EXPECT_EQ(count, expected);
}

// Calls `check` for each choice of types and precision, by a cell per axis or,
// before since_version 13, per tensor.
template <typename Check>
void ForEachTypesAndPrecision(const Check& check) {
  for (const QuantizeLinearCell& cell : agreement::QuantizeLinearCells()) {
    const bool is_first =
        cell.since_version < 13 || cell.granularity == agreement::Granularity::kPerAxis;
    for (int64_t precision : {0, 1, 10, 11, 16}) {
      if (is_first && (precision == 0 || cell.since_version >= 23))
        check(cell, precision);
    }
  }
}

std::string Describe(const QuantizeLinearCell& cell, int64_t precision) {
  return "since_version " + std::to_string(cell.since_version) + ", types " +
         std::to_string(cell.x) + " " + std::to_string(cell.y_scale) + " " +
         std::to_string(cell.y) + ", precision " + std::to_string(precision);
}

std::string Describe(const exact::QuantizeLinearReadings& readings) {
  return "division " + std::to_string(static_cast<int>(readings.division)) +
         (readings.unconverted_operands ? ", unconverted_operands" : "") +
         ", zero point " +
         std::to_string(static_cast<int>(readings.target.float_zero_point)) +
         ", zero point of zero " +
         std::to_string(static_cast<int>(readings.target.zero_point_of_zero)) +
         (readings.target.other_fnuz_infinity ? ", other_fnuz_infinity" : "") +
         (readings.target.zero_sign_dropped ? ", zero_sign_dropped" : "");
}

// Once left out: FLOAT16 and BFLOAT16 quotients that are 0 where the one in
// FLOAT is tiny, and a zero point of zero that takes the sign of a zero alone.
TEST(QuantizeLinearAgreement, ReadingCombinations_KeepTheSignOfTinyQuotients) {
  for (int x : {exact::kFloat16, exact::kBfloat16}) {
    const std::vector<QuantizeLinearReadings> all =
        OracleReadings({24, x, exact::kFloat8E8M0, exact::kFloat8E4M3FN,
                        agreement::Granularity::kPerAxis},
                       0);
    const auto count = std::count_if(all.begin(), all.end(), [&](const auto& readings) {
      const exact::QuantizeLinearReadings judge = agreement::JudgeReadings(readings);
      return judge.division == exact::DivisionPrecision::kXTypeDivision &&
             judge.unconverted_operands == (x == exact::kFloat16) &&
             judge.target.zero_point_of_zero != exact::ZeroPointOfZero::kNotAdded;
    });
    EXPECT_GT(count, 0) << x;
  }
}

TEST(QuantizeLinearAgreement, ReadingCombinations_AreAmongThoseOfTheClauses) {
  ForEachTypesAndPrecision([](const QuantizeLinearCell& cell, int64_t precision) {
    const std::vector<exact::QuantizeLinearReadings> judge = exact::AllowedReadings(
        cell.since_version, cell.x, cell.y_scale, cell.y, precision);
    const std::vector<QuantizeLinearReadings> oracle = OracleReadings(cell, precision);
    ASSERT_FALSE(oracle.empty());
    EXPECT_EQ(oracle.front(), QuantizeLinearReadings{});
    for (const QuantizeLinearReadings& readings : oracle) {
      // JudgeReadings does not know the since_version (QL-22).
      EXPECT_FALSE(cell.since_version < 24 ? readings.fnuz_infinity_nan
                                           : readings.fnuz_infinity_largest);
      const exact::QuantizeLinearReadings wanted = agreement::JudgeReadings(readings);
      EXPECT_NE(std::find(judge.begin(), judge.end(), wanted), judge.end())
          << "no clause has " << Describe(wanted) << " for " << Describe(cell, precision);
    }
  });
}

bool SameCodes(const exact::Answer& one, const exact::Answer& other) {
  const exact::Format& format = exact::GetFormat(one.type);
  for (size_t i = 0; i < one.elements.size(); ++i) {
    const uint64_t code = one.elements[i].code;
    if (one.elements[i].freedom == exact::Freedom::kAnyCode) continue;
    const bool is_nan = exact::IsNanCode(format, code);
    if (is_nan && exact::IsNanCode(format, other.elements[i].code)) continue;
    if (code != other.elements[i].code) return false;
  }
  return true;
}

// The oracle leaves out what it holds to be one function with another reading:
// one that it keeps must then answer all questions alike.
TEST(QuantizeLinearAgreement, ReadingsThatTheOracleLeavesOut_AreOthersByAnotherName) {
  const int64_t questions =
      std::max<int64_t>(agreement::CaseCount(1'000'000) / 50'000, 1);
  struct Work {
    QuantizeLinearCell cell;
    int64_t precision;
  };
  std::vector<Work> works;
  ForEachTypesAndPrecision([&](const QuantizeLinearCell& cell, int64_t precision) {
    works.push_back({cell, precision});
  });
  agreement::Findings findings;
  std::atomic<int64_t> left_out = 0;
  agreement::InParallel(static_cast<int64_t>(works.size()), [&](int64_t index) {
    const auto& [cell, precision] = works[static_cast<size_t>(index)];
    std::vector<exact::QuantizeLinearReadings> kept;
    for (const QuantizeLinearReadings& readings : OracleReadings(cell, precision)) {
      kept.push_back(agreement::JudgeReadings(readings));
    }
    // Each with those of `kept` that have answered like it so far.
    struct LeftOut {
      exact::QuantizeLinearReadings readings;
      std::vector<bool> is_like;
    };
    std::vector<LeftOut> others;
    for (const exact::QuantizeLinearReadings& readings : exact::AllowedReadings(
             cell.since_version, cell.x, cell.y_scale, cell.y, precision)) {
      if (std::find(kept.begin(), kept.end(), readings) != kept.end()) continue;
      others.push_back({readings, std::vector<bool>(kept.size(), true)});
    }
    left_out += static_cast<int64_t>(others.size());
    agreement::Random random(static_cast<uint64_t>(index));
    for (int64_t i = 0; i < questions && !others.empty(); ++i) {
      exact::QuantizeLinearInput input = agreement::MakeQuestion(cell, random);
      input.precision = precision;
      std::vector<exact::Answer> answers;
      for (const exact::QuantizeLinearReadings& readings : kept) {
        answers.push_back(exact::QuantizeLinear(input, readings));
      }
      for (LeftOut& other : others) {
        const exact::Answer answer = exact::QuantizeLinear(input, other.readings);
        for (size_t k = 0; k < kept.size(); ++k) {
          other.is_like[k] = other.is_like[k] && SameCodes(answer, answers[k]);
        }
      }
    }
    for (const LeftOut& other : others) {
      if (std::count(other.is_like.begin(), other.is_like.end(), true) > 0) continue;
      findings.Add("left out, but like no other: " + Describe(other.readings) + " for " +
                   Describe(cell, precision));
    }
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  std::printf("readings left out %lld, each asked %lld questions\n",
              static_cast<long long>(left_out), static_cast<long long>(questions));
}

struct Counts {
  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> other_readings = 0;
  std::array<std::atomic<int64_t>, kTierCount> tiers = {};
  std::array<std::atomic<int64_t>, 3> freedoms = {};
  std::array<std::atomic<int64_t>, 29> since_versions = {};
  // Elements that a reading answers otherwise than the canonical one.
  std::atomic<int64_t> double_division_matters = 0;  // QL-02, QL-04
  std::atomic<int64_t> missing_zero_point_matters = 0;
  std::atomic<int64_t> fnuz_infinity_matters = 0;
  std::atomic<int64_t> float6_zero_sign_matters = 0;  // QL-28
};

// Does it divide FLOAT, FLOAT16 or BFLOAT16 of one type in DOUBLE?
bool DividesInDouble(const QuantizeLinearCell& cell,
                     const exact::QuantizeLinearReadings& readings) {
  return cell.x == cell.y_scale &&
         readings.division == exact::DivisionPrecision::kF64Division;
}

void CountDifferences(const QuantizeLinearCell& cell,
                      const exact::QuantizeLinearReadings& readings,
                      const exact::QuantizeLinearInput& input,
                      const exact::Answer& canonical, const exact::Answer& answer,
                      Counts& counts) {
  int64_t differences = 0;
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    differences += answer.elements[i].code != canonical.elements[i].code ? 1 : 0;
  }
  if (DividesInDouble(cell, readings)) counts.double_division_matters += differences;
  if (!input.y_zero_point &&
      readings.target.zero_point_of_zero == exact::ZeroPointOfZero::kAlwaysAdded) {
    counts.missing_zero_point_matters += differences;
  }
  if (readings.target.other_fnuz_infinity) counts.fnuz_infinity_matters += differences;
  const bool is_float6 = cell.y == exact::kFloat6E2M3 || cell.y == exact::kFloat6E3M2;
  if (is_float6 && readings.target.zero_sign_dropped) {
    counts.float6_zero_sign_matters += differences;
  }
}

// Asks both the canonical answer, and one other reading; returns what differs.
void AskBoth(const QuantizeLinearCell& cell, agreement::Random& random, Counts& counts,
             agreement::Findings& findings) {
  const exact::QuantizeLinearInput input = agreement::MakeQuestion(cell, random);
  const agreement::OracleProblem oracle(input);
  const std::vector<QuantizeLinearReadings> all = OracleReadings(cell, input.precision);
  const size_t asked = all.size() > 1 ? 2 : 1;
  exact::Answer canonical;
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
                                static_cast<DataType>(cell.y_scale),
                                static_cast<DataType>(cell.y)) +
                   ", " + agreement::ToString(input));
    }
    const auto elements = static_cast<int64_t>(judged.elements.size());
    if (i > 0) {
      counts.other_readings += elements;
      CountDifferences(cell, agreement::JudgeReadings(readings), input, canonical, judged,
                       counts);
      continue;
    }
    canonical = judged;
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
  EXPECT_GT(counts.double_division_matters.load(), wanted / 5000);
  EXPECT_GT(counts.missing_zero_point_matters.load(), wanted / 5000);
  EXPECT_GT(counts.fnuz_infinity_matters.load(), wanted / 5000);
  EXPECT_GT(counts.float6_zero_sign_matters.load(), wanted / 5000);
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
  std::printf(
      "  differ from canonical: f64_division %lld, missing_zero_point_added %lld, "
      "other FNUZ infinity %lld, zero_sign_dropped of FLOAT6 %lld\n",
      static_cast<long long>(counts.double_division_matters),
      static_cast<long long>(counts.missing_zero_point_matters),
      static_cast<long long>(counts.fnuz_infinity_matters),
      static_cast<long long>(counts.float6_zero_sign_matters));
  std::printf("  exact bits %lld, any NaN %lld, any code %lld\n",
              static_cast<long long>(counts.freedoms[0]),
              static_cast<long long>(counts.freedoms[1]),
              static_cast<long long>(counts.freedoms[2]));
}

}  // namespace
}  // namespace qconform
