// Oracle and judge agree on DynamicQuantizeLinear: ranges of many kinds, with elements
// around the ties of y, canonical and in every reading. QCONFORM_JUDGE_CASES sets the
// number of elements.
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

#include "oracle/exact/format.h"
#include "oracle/exact/operators/dynamic_quantize_linear/testing/questions.h"

namespace qconform {
namespace {

using agreement::DynamicRangeKind;
using agreement::Random;
using exact::Codes;
using exact::Format;
using exact::Value;
using Readings = exact::DynamicQuantizeLinearReadings;

const Format& Float() { return exact::GetFormat(exact::kFloat); }

TEST(DynamicQuantizeLinearAgreement, Readings_AreThoseOfTheClauses) {
  std::vector<Readings> expected;
  for (const auto range : {Readings::Range::kInFloat, Readings::Range::kFused,
                           Readings::Range::kFusedInDouble}) {
    for (const auto zero : {Readings::ZeroScale::kZero, Readings::ZeroScale::kUnit,
                            Readings::ZeroScale::kOne}) {
      expected.push_back({range, zero});
    }
  }
  const std::vector<ReadingSet> oracle =
      agreement::OracleReadings({exact::kFloat, {}, {0}});
  ASSERT_FALSE(oracle.empty());
  EXPECT_TRUE(oracle.front().is_canonical());
  for (const ReadingSet& readings : oracle) {
    const auto found =
        std::find(expected.begin(), expected.end(), agreement::JudgeReadings(readings));
    ASSERT_NE(found, expected.end()) << Spell(readings);
    expected.erase(found);
  }
  EXPECT_TRUE(expected.empty()) << "the oracle leaves out " << expected.size();
}

struct Counts {
  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> other_readings = 0;
  std::array<std::atomic<int64_t>, kTierCount> tiers = {};
  std::atomic<int64_t> free = 0;
  std::atomic<int64_t> zero_point_ties = 0;
  std::atomic<int64_t> double_ties = 0;  // the two kinds of fused ranges differ
  // Questions whose scale differs from the canonical one.
  std::map<std::string, std::atomic<int64_t>> other_scales = {};
};

bool IsTie(const Codes& x) {
  mpq_class least = 0;
  for (uint64_t code : x.codes) {
    const Value value = exact::ValueOf(Float(), code);
    if (!value.IsNumber()) return false;
    least = std::min(least, value.number);
  }
  const auto answers = exact::DynamicQuantizeLinear(x);
  const Value scale = exact::ValueOf(Float(), answers.y_scale.elements[0].code);
  if (!scale.IsNumber() || scale.IsZero()) return false;
  const mpq_class quotient =
      exact::RoundToPrecision(Float(), Value::Number(least / scale.number)).number;
  return quotient.get_den() == 2;
}

bool HasDoubleTie(const Codes& x) {
  const auto scale_of = [&](Readings::Range range) {
    return exact::DynamicQuantizeLinear(x, {.range = range}).y_scale.elements[0].code;
  };
  return scale_of(Readings::Range::kFused) != scale_of(Readings::Range::kFusedInDouble);
}

void AskBoth(DynamicRangeKind kind, Random& random, const std::vector<ReadingSet>& all,
             Counts& counts, agreement::Findings& findings) {
  const ReadingSet& other = all[1 + random.Below(all.size() - 1)];
  const bool aims_at_other = random.OneIn(2);
  const Codes x = agreement::MakeQuestion(
      kind, aims_at_other ? agreement::JudgeReadings(other) : Readings{}, random);
  uint64_t canonical_scale = 0;
  for (const ReadingSet* readings : {&all.front(), &other}) {
    const auto judged =
        exact::DynamicQuantizeLinear(x, agreement::JudgeReadings(*readings));
    const std::string difference = agreement::Difference(judged, x, *readings);
    if (!difference.empty()) {
      findings.Add(difference + "\n  " + Spell(*readings) + ", x " +
                   agreement::ToString(x));
    }
    const auto elements = static_cast<int64_t>(judged.y.elements.size()) + 2;
    const uint64_t scale = judged.y_scale.elements[0].code;
    if (readings == &other) {
      counts.other_readings += elements;
      if (scale == canonical_scale) continue;
      for (const Reading& reading : other.readings) {
        ++counts.other_scales.at(reading.clause + ":" + reading.name);
      }
      continue;
    }
    canonical_scale = scale;
    counts.elements += elements;
    if (!x.codes.empty() && IsTie(x)) ++counts.zero_point_ties;
    if (HasDoubleTie(x)) ++counts.double_ties;
    for (const exact::Answer* answer :
         {&judged.y, &judged.y_scale, &judged.y_zero_point}) {
      for (const exact::Element& element : answer->elements) {
        ++counts.tiers[static_cast<size_t>(element.tier)];
        if (element.freedom == exact::Freedom::kAnyCode) ++counts.free;
      }
    }
  }
}

TEST(DynamicQuantizeLinearAgreement, DirectedRanges) {
  const int64_t wanted = agreement::CaseCount(1'000'000);
  const std::vector<ReadingSet> all = agreement::OracleReadings({exact::kFloat, {}, {0}});
  ASSERT_GT(all.size(), 1u);
  Counts counts;
  for (const ReadingSet& readings : all) {
    for (const Reading& reading : readings.readings) {
      counts.other_scales[reading.clause + ":" + reading.name] = 0;
    }
  }
  agreement::Findings findings;
  for (int64_t round = 0; counts.elements < wanted; ++round) {
    agreement::InParallel(agreement::kDynamicRangeKinds, [&](int64_t kind) {
      Random random(static_cast<uint64_t>(round * agreement::kDynamicRangeKinds + kind));
      for (int question = 0; question < 100; ++question) {
        AskBoth(static_cast<DynamicRangeKind>(kind), random, all, counts, findings);
      }
    });
  }
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GT(counts.zero_point_ties.load(), wanted / 1000);
  EXPECT_GT(counts.double_ties.load(), wanted / 100'000);
  EXPECT_GT(counts.free.load(), wanted / 20);
  for (const Tier tier : {Tier::kRegular, Tier::kSubnormal, Tier::kDegenerateScale}) {
    EXPECT_GT(counts.tiers[static_cast<size_t>(tier)].load(), wanted / 1000)
        << TierName(tier);
  }
  std::printf("elements %lld, in other readings %lld\n",
              static_cast<long long>(counts.elements),
              static_cast<long long>(counts.other_readings));
  std::printf(
      "  regular %lld, subnormal %lld, degenerate_scale %lld, any code %lld\n",
      static_cast<long long>(counts.tiers[0]), static_cast<long long>(counts.tiers[1]),
      static_cast<long long>(counts.tiers[3]), static_cast<long long>(counts.free));
  std::printf("  ties of the zero point %lld, scales that DOUBLE rounds to a tie %lld\n",
              static_cast<long long>(counts.zero_point_ties),
              static_cast<long long>(counts.double_ties));
  for (const auto& [name, questions] : counts.other_scales) {
    std::printf("  scales unlike the canonical one in %s: %lld\n", name.c_str(),
                static_cast<long long>(questions));
    EXPECT_GT(questions.load(), 0) << name;
  }
}

}  // namespace
}  // namespace qconform
