// Oracle and judge agree on DequantizeLinear: random questions over all cells, canonical
// and in every reading. QCONFORM_JUDGE_CASES sets the number of elements.
#include "oracle/exact/testing/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracle/exact/operators/dequantize_linear/dequantize_linear.h"
#include "oracle/exact/operators/dequantize_linear/testing/questions.h"

namespace qconform {
namespace {

using agreement::DequantizeLinearCell;
using agreement::DequantizeLinearProblem;

TEST(DequantizeLinearAgreement, Cells_AreAsManyAsTheSchemasAllow) {
  std::map<int, int> count;
  for (const DequantizeLinearCell& cell : agreement::DequantizeLinearCells()) {
    ++count[cell.since_version];
  }
  const std::map<int, int> expected = {{10, 3},   {13, 6},   {19, 42},  {21, 99},
                                       {23, 324}, {24, 432}, {25, 504}, {28, 576}};
  EXPECT_EQ(count, expected);
}

std::string Describe(const DequantizeLinearCell& cell) {
  return "since_version " + std::to_string(cell.since_version) + ", types " +
         std::to_string(cell.x) + " " + std::to_string(cell.x_scale) + " " +
         std::to_string(cell.y);
}

std::string Describe(const exact::DequantizeLinearReadings& readings) {
  return "difference " + std::to_string(static_cast<int>(readings.difference)) +
         (readings.difference_in_p ? ", difference in P" : "") +
         (readings.scale_in_p ? ", scale in P" : "") + ", product " +
         std::to_string(static_cast<int>(readings.product)) +
         (readings.zero_sign_dropped ? ", zero_sign_dropped" : "");
}

// One cell of each choice of types, with the readings of both.
struct CellOfTypes {
  DequantizeLinearCell cell;
  std::vector<ReadingSet> oracle;
  std::vector<exact::DequantizeLinearReadings> judge;
};

// A model of the cell for which the oracle has every reading: with a zero point.
std::vector<ReadingSet> ReadingsOf(const DequantizeLinearCell& cell) {
  exact::DequantizeLinearInput input;
  input.since_version = cell.since_version;
  input.x = {cell.x, {1}, {0}};
  input.x_scale = {cell.x_scale, {}, {exact::kFloat8E8M0 == cell.x_scale ? 127u : 0u}};
  input.x_zero_point = exact::Codes{cell.x, {}, {cell.x == exact::kInt32 ? 0u : 1u}};
  if (cell.y != cell.x_scale) input.output_dtype = cell.y;
  return DequantizeLinearProblem(input).Readings();
}

std::vector<CellOfTypes> AllTypes() {
  std::vector<CellOfTypes> all;
  for (const DequantizeLinearCell& cell : agreement::DequantizeLinearCells()) {
    if (cell.granularity != agreement::Granularity::kPerTensor) continue;
    all.push_back(
        {cell, ReadingsOf(cell),
         exact::AllowedReadings(cell.since_version, cell.x, cell.x_scale, cell.y)});
  }
  return all;
}

TEST(DequantizeLinearAgreement, Readings_AreAmongThoseOfTheClauses) {
  for (const auto& [cell, oracle, judge] : AllTypes()) {
    ASSERT_FALSE(oracle.empty()) << Describe(cell);
    EXPECT_TRUE(oracle.front().is_canonical());
    std::set<std::string> spelled;
    for (const ReadingSet& readings : oracle) {
      const exact::DequantizeLinearReadings wanted =
          agreement::JudgeReadings(readings, cell);
      EXPECT_NE(std::find(judge.begin(), judge.end(), wanted), judge.end())
          << "no clause has " << Spell(readings) << ", which is " << Describe(wanted)
          << ", for " << Describe(cell);
      EXPECT_TRUE(spelled.insert(Spell(readings)).second) << Spell(readings);
    }
  }
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

// The oracle leaves out what it holds to be one function with another reading: one that
// it keeps must then answer all questions alike.
TEST(DequantizeLinearAgreement, ReadingsThatTheOracleLeavesOut_AreOthersByAnotherName) {
  const int64_t questions =
      std::max<int64_t>(agreement::CaseCount(1'000'000) / 40'000, 1);
  const std::vector<CellOfTypes> works = AllTypes();
  agreement::Findings findings;
  std::atomic<int64_t> left_out = 0;
  agreement::InParallel(static_cast<int64_t>(works.size()), [&](int64_t index) {
    const auto& [cell, oracle, judge] = works[static_cast<size_t>(index)];
    std::vector<exact::DequantizeLinearReadings> kept;
    for (const ReadingSet& readings : oracle) {
      kept.push_back(agreement::JudgeReadings(readings, cell));
    }
    // Each with those of `kept` that have answered like it so far.
    struct LeftOut {
      exact::DequantizeLinearReadings readings;
      std::vector<bool> is_like;
    };
    std::vector<LeftOut> others;
    for (const exact::DequantizeLinearReadings& readings : judge) {
      if (std::find(kept.begin(), kept.end(), readings) != kept.end()) continue;
      others.push_back({readings, std::vector<bool>(kept.size(), true)});
    }
    left_out += static_cast<int64_t>(others.size());
    agreement::Random random(static_cast<uint64_t>(index));
    for (int64_t i = 0; i < questions && !others.empty(); ++i) {
      const exact::DequantizeLinearInput input = agreement::MakeQuestion(cell, random);
      std::vector<exact::Answer> answers;
      for (const exact::DequantizeLinearReadings& readings : kept) {
        answers.push_back(exact::DequantizeLinear(input, readings));
      }
      for (LeftOut& other : others) {
        const exact::Answer answer = exact::DequantizeLinear(input, other.readings);
        for (size_t k = 0; k < kept.size(); ++k) {
          other.is_like[k] = other.is_like[k] && SameCodes(answer, answers[k]);
        }
      }
    }
    for (const LeftOut& other : others) {
      if (std::count(other.is_like.begin(), other.is_like.end(), true) > 0) continue;
      findings.Add("left out, but like no other: " + Describe(other.readings) + " for " +
                   Describe(cell));
    }
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  std::printf("readings left out %lld, each asked %lld questions\n",
              static_cast<long long>(left_out), static_cast<long long>(questions));
}

struct Counts {
  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> other_readings = 0;
  std::atomic<int64_t> differences = 0;
  std::array<std::atomic<int64_t>, kTierCount> tiers = {};
  std::array<std::atomic<int64_t>, 4> freedoms = {};
  std::array<std::atomic<int64_t>, 29> since_versions = {};
  std::map<std::string, std::atomic<int64_t>> by_reading = {};  // elements that differ
};

// Asks both the canonical answer, and one other reading.
void AskBoth(const DequantizeLinearCell& cell, agreement::Random& random, Counts& counts,
             agreement::Findings& findings) {
  const exact::DequantizeLinearInput input = agreement::MakeQuestion(cell, random);
  const DequantizeLinearProblem oracle(input);
  const std::vector<ReadingSet> all = oracle.Readings();
  if (all.empty()) {
    findings.Add("the oracle refuses\n  " + agreement::ToString(input));
    return;
  }
  exact::Answer canonical;
  for (size_t i = 0; i < (all.size() > 1 ? 2 : 1); ++i) {
    const ReadingSet& readings = all[i == 0 ? 0 : 1 + random.Below(all.size() - 1)];
    const exact::Answer judged =
        exact::DequantizeLinear(input, agreement::JudgeReadings(readings, cell));
    const std::string difference = oracle.Difference(judged, readings);
    if (!difference.empty()) {
      findings.Add(difference + "\n  " + Spell(readings) + ", " + Describe(cell) + ", " +
                   agreement::ToString(input));
    }
    const auto elements = static_cast<int64_t>(judged.elements.size());
    if (i > 0) {
      counts.other_readings += elements;
      if (SameCodes(canonical, judged)) continue;
      ++counts.differences;
      for (const Reading& reading : readings.readings) {
        const auto found = counts.by_reading.find(reading.clause + ":" + reading.name);
        if (found != counts.by_reading.end()) ++found->second;
      }
      continue;
    }
    canonical = judged;
    counts.elements += elements;
    counts.since_versions[static_cast<size_t>(cell.since_version)] += elements;
    for (const exact::Element& element : judged.elements) {
      ++counts.tiers[static_cast<size_t>(element.tier)];
      ++counts.freedoms[static_cast<size_t>(element.freedom)];
    }
  }
}

TEST(DequantizeLinearAgreement, RandomQuestions_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(1'000'000);
  const std::vector<DequantizeLinearCell> cells = agreement::DequantizeLinearCells();
  Counts counts;
  for (const CellOfTypes& types : AllTypes()) {
    for (const ReadingSet& readings : types.oracle) {
      for (const Reading& reading : readings.readings) {
        counts.by_reading[reading.clause + ":" + reading.name] = 0;
      }
    }
  }
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
  for (const exact::Freedom freedom :
       {exact::Freedom::kNone, exact::Freedom::kAnyNan, exact::Freedom::kAnyCode}) {
    EXPECT_GT(counts.freedoms[static_cast<size_t>(freedom)].load(), wanted / 1000);
  }
  std::printf("elements %lld in %lld rounds of %zu cells, in other readings %lld\n",
              static_cast<long long>(counts.elements), static_cast<long long>(rounds),
              cells.size(), static_cast<long long>(counts.other_readings));
  for (int tier = 0; tier < 4; ++tier) {
    std::printf("  %s %lld\n", std::string(TierName(static_cast<Tier>(tier))).c_str(),
                static_cast<long long>(counts.tiers[static_cast<size_t>(tier)]));
  }
  // Each reading is told from the canonical one by some questions, or it is not checked.
  for (const auto& [name, differences] : counts.by_reading) {
    std::printf("  answers unlike the canonical one in %s: %lld\n", name.c_str(),
                static_cast<long long>(differences));
    EXPECT_GT(differences.load(), 0) << name;
  }
}

// A difference of many digits, times a power of two: random questions seldom meet the few
// whose product in FLOAT is a tie of FLOAT16 that the exact one is not. 512 + 2^-16 in
// 2^-34 is one of them.
TEST(DequantizeLinearAgreement, ProductInFloat_DiffersFromTheExactOne) {
  const DequantizeLinearCell cell{25, exact::kFloat8E5M2, exact::kFloat8E8M0,
                                  exact::kFloat16};
  exact::DequantizeLinearInput input;
  input.since_version = cell.since_version;
  input.output_dtype = cell.y;
  input.x = {cell.x, {1}, {0x60}};
  input.x_scale = {cell.x_scale, {}, {0x5D}};
  input.x_zero_point = exact::Codes{cell.x, {}, {0x81}};
  const DequantizeLinearProblem oracle(input);
  const exact::Answer canonical = exact::DequantizeLinear(
      input, agreement::JudgeReadings(oracle.Readings().front(), cell));
  int differ = 0;
  for (const ReadingSet& readings : oracle.Readings()) {
    const exact::Answer judged =
        exact::DequantizeLinear(input, agreement::JudgeReadings(readings, cell));
    EXPECT_EQ(oracle.Difference(judged, readings), "") << Spell(readings);
    if (Spell(readings) == "DQ-11:f32_product") differ += !SameCodes(canonical, judged);
  }
  EXPECT_EQ(differ, 1);
}

}  // namespace
}  // namespace qconform
