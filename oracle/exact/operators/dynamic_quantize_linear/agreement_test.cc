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
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "oracle/core/operator.h"
#include "oracle/exact/format.h"
#include "oracle/exact/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"

namespace qconform {
namespace {

using agreement::Random;
using exact::Codes;
using exact::Format;
using exact::Value;
using Readings = exact::DynamicQuantizeLinearReadings;

constexpr uint64_t kSign = 0x80000000;
constexpr uint64_t kLargest = 0x7f7fffff;
constexpr uint64_t kInfinityCode = 0x7f800000;

const Format& Float() { return exact::GetFormat(exact::kFloat); }

uint64_t CodeOf(const mpq_class& v) {
  return exact::Round(Float(), Value::Number(v), exact::Overflow::kSaturate);
}

// The code that lies at most `distance` FLOATs from v.
uint64_t Near(const mpq_class& v, int distance, Random& random) {
  return agreement::CodeNear(Float(), v, distance, random);
}

enum class Kind : uint8_t {
  kAny,
  kZeroPointTie,  // min / y_scale ends in one half, or nearly so
  kOneSided,
  kFusedTie,   // the exact quotient lies next to a tie of FLOAT
  kSubnormal,  // ranges from the smallest FLOAT on
  kUnderflow,  // scales around the smallest FLOAT
  kOverflow,   // ranges around the largest FLOAT
  kZeros,
  kInfinity,
  kNan,
  kCodes,  // any codes
};
constexpr int kKinds = 11;

struct Range {
  uint64_t least = 0;
  uint64_t largest = 0;
};

mpq_class RandomNumber(int low, int high, Random& random) {
  return (1 + mpq_class(random.Between(0, 0xFFFFFF), 0x1000000)) *
         exact::PowerOfTwo(static_cast<int>(random.Between(low, high)));
}

Range RandomRange(Kind kind, Random& random) {
  switch (kind) {
    case Kind::kZeroPointTie: {
      // min = -(t + 1/2) s, max = (254.5 - t) s: their range is 255 s, exactly if s has
      // few digits.
      const int digits = random.OneIn(2) ? 6 : 24;
      const mpq_class s = mpq_class(random.Between(1, (1 << digits) - 1)) *
                          exact::PowerOfTwo(static_cast<int>(random.Between(-140, 90)));
      const mpq_class t = random.Between(0, 254) + mpq_class(1, 2);
      const int distance = random.OneIn(2) ? 0 : 2;
      return {Near(-t * s, distance, random), Near((255 - t) * s, distance, random)};
    }
    case Kind::kOneSided: {
      const uint64_t one = CodeOf(RandomNumber(-130, 120, random));
      const uint64_t other =
          random.OneIn(3) ? one : CodeOf(RandomNumber(-130, 120, random));
      const uint64_t sign = random.OneIn(2) ? kSign : 0;
      return {one | sign, other | sign};
    }
    case Kind::kFusedTie: {
      // 255 T with T of 25 digits, the last of which is 1: a tie of FLOAT. Less its last
      // 9 digits it is a FLOAT; min has these, and is a few FLOATs off.
      const int64_t rest = 2 * random.Between(0, 7) + 1;
      const int64_t t = 512 * random.Between(33000, 65535) + 255 * rest % 512;
      const mpq_class max = mpq_class(255 * t) - rest;
      const uint64_t min = Near(mpq_class(-rest), 4, random);
      const int shift = static_cast<int>(random.Between(-120, 60));
      const auto shifted = [&](const mpq_class& v) {
        return CodeOf(exact::Scaled(v, shift));
      };
      return {shifted(exact::ValueOf(Float(), min).number), shifted(max)};
    }
    case Kind::kSubnormal:
      return {random.Below(0x01000000) | kSign, random.Below(0x01000000)};
    case Kind::kUnderflow: {
      const uint64_t both = random.Pick<uint64_t>(
          {1, 2, 126, 127, 128, 129, 254, 255, 382, 383, 637, random.Below(1024)});
      const uint64_t part = random.OneIn(3) ? 0 : random.Below(both + 1);
      return random.OneIn(4) ? Range{both | kSign, 0} : Range{part | kSign, both - part};
    }
    case Kind::kOverflow: {
      const uint64_t one = kLargest - random.Below(random.OneIn(2) ? 4 : 0x02000000);
      // Half a step of the largest FLOAT is where a range overflows: 2^103.
      const uint64_t other = random.OneIn(2) ? Near(exact::PowerOfTwo(103), 2, random)
                                             : kLargest - random.Below(0x02000000);
      return random.OneIn(2) ? Range{one | kSign, other} : Range{other | kSign, one};
    }
    case Kind::kZeros:
      return {random.OneIn(2) ? kSign : 0, 0};
    default:
      break;
  }
  if (kind == Kind::kCodes) {
    return {agreement::RandomCode(Float(), random),
            agreement::RandomCode(Float(), random)};
  }
  return {CodeOf(-RandomNumber(-30, 30, random)), CodeOf(RandomNumber(-30, 30, random))};
}

// An element within the range, mostly next to where y changes.
uint64_t RandomElement(const Range& range, const mpq_class& scale, Random& random) {
  switch (random.Below(8)) {
    case 0:
      return range.least;
    case 1:
      return range.largest;
    case 2:
      return random.OneIn(2) ? kSign : 0;
    default:
      break;
  }
  const mpq_class v = (random.Between(-256, 256) + mpq_class(1, 2)) * scale;
  const uint64_t code = Near(v, random.OneIn(2) ? 0 : 2, random);
  const Value value = exact::ValueOf(Float(), code);
  const auto is_within = [&](uint64_t end) {
    const Value limit = exact::ValueOf(Float(), end);
    return limit.IsNumber() && value.IsNumber() && value.negative == limit.negative &&
           abs(value.number) <= abs(limit.number);
  };
  return is_within(range.least) || is_within(range.largest) ? code : range.least;
}

// `reading` is the one whose scale the elements aim at.
Codes MakeQuestion(Kind kind, const Readings& reading, Random& random) {
  Codes x;
  x.type = exact::kFloat;
  size_t count = 0;
  if (random.OneIn(16)) {
    count = 1;  // rank 0
  } else if (random.OneIn(64)) {
    x.shape = {random.Between(0, 3), 0};
  } else {
    x.shape = {random.Between(1, 5), random.Between(1, 9)};
    count = static_cast<size_t>(x.shape[0] * x.shape[1]);
  }
  if (count == 0) return x;
  const Range range = RandomRange(kind, random);
  const Codes ends = {exact::kFloat, {2}, {range.least, range.largest}};
  const Value scale = exact::ValueOf(
      Float(), exact::DynamicQuantizeLinear(ends, reading).y_scale.elements[0].code);
  const mpq_class aim = scale.IsNumber() ? scale.number : exact::PowerOfTwo(100);
  for (size_t i = 0; i < count; ++i) {
    if (kind == Kind::kZeros) {
      x.codes.push_back(random.OneIn(2) ? range.least : 0);
    } else if (kind == Kind::kCodes) {
      x.codes.push_back(agreement::RandomCode(Float(), random));
    } else {
      x.codes.push_back(RandomElement(range, aim, random));
    }
  }
  // The range is that of the elements only if both ends are among them.
  x.codes.front() = range.least;
  if (count > 1)
    x.codes[random.Between(1, static_cast<int64_t>(count) - 1)] = range.largest;
  uint64_t& any = x.codes[random.Below(count)];
  if (kind == Kind::kInfinity) any = kInfinityCode | (random.OneIn(2) ? kSign : 0);
  if (kind == Kind::kNan) any = kInfinityCode + 1 + random.Below(0x7fffff);
  return x;
}

Readings JudgeReadings(const ReadingSet& readings) {
  Readings judge;
  for (const Reading& reading : readings.readings) {
    const std::string name = reading.clause + ":" + reading.name;
    if (name == "DYN-01:fused_range") {
      judge.range = Readings::Range::kFused;
    } else if (name == "DYN-01:fused_range_in_double") {
      judge.range = Readings::Range::kFusedInDouble;
    } else if (name == "DYN-04:one_255th") {
      judge.zero_scale = Readings::ZeroScale::kUnit;
    } else if (name == "DYN-04:one") {
      judge.zero_scale = Readings::ZeroScale::kOne;
    } else {
      std::fprintf(stderr, "the judge does not know the reading %s\n", name.c_str());
      std::abort();
    }
  }
  return judge;
}

const BoundOperator& Oracle() {
  static const auto bound = FindOperator("DynamicQuantizeLinear")->Bind({}, 11);
  return **bound;
}

std::vector<ReadingSet> OracleReadings(const Codes& x) {
  const Tensor tensor = agreement::Pack(x);
  const auto readings = Oracle().Readings({tensor.view()});
  return readings.ok() ? *readings : std::vector<ReadingSet>();
}

// The first difference of the three outputs; empty if they agree.
std::string Difference(const exact::DynamicQuantizeLinearAnswers& judge, const Codes& x,
                       const ReadingSet& readings) {
  const Tensor tensor = agreement::Pack(x);
  const auto answers = Oracle().Evaluate({tensor.view()}, readings);
  if (!answers.ok()) return "the oracle refuses: " + answers.error().message;
  if (answers->size() != 3) return "the oracle has not three outputs";
  const std::array<std::pair<const char*, const exact::Answer*>, 3> outputs = {
      {{"y", &judge.y},
       {"y_scale", &judge.y_scale},
       {"y_zero_point", &judge.y_zero_point}}};
  for (size_t i = 0; i < outputs.size(); ++i) {
    // 0 / 0 is converted to any code of UINT8, and nobody says which is canonical.
    const std::string difference =
        agreement::Difference(*outputs[i].second, (*answers)[i], true);
    if (!difference.empty()) return std::string(outputs[i].first) + difference;
  }
  const bool repeats = std::any_of(judge.y.elements.begin(), judge.y.elements.end(),
                                   [](const exact::Element& element) {
                                     return element.freedom == exact::Freedom::kSameCode;
                                   });
  const auto& same = answers->front().same_code_as;
  const bool is_zero_point = same && same->output == 2 && same->index == 0;
  if (repeats && !is_zero_point) return "y repeats no zero point";
  return "";
}

TEST(DynamicQuantizeLinearAgreement, Readings_AreThoseOfTheClauses) {
  std::vector<Readings> expected;
  for (const auto range : {Readings::Range::kInFloat, Readings::Range::kFused,
                           Readings::Range::kFusedInDouble}) {
    for (const auto zero : {Readings::ZeroScale::kZero, Readings::ZeroScale::kUnit,
                            Readings::ZeroScale::kOne}) {
      expected.push_back({range, zero});
    }
  }
  const std::vector<ReadingSet> oracle = OracleReadings({exact::kFloat, {}, {0}});
  ASSERT_FALSE(oracle.empty());
  EXPECT_TRUE(oracle.front().is_canonical());
  for (const ReadingSet& readings : oracle) {
    const auto found =
        std::find(expected.begin(), expected.end(), JudgeReadings(readings));
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

void AskBoth(Kind kind, Random& random, const std::vector<ReadingSet>& all,
             Counts& counts, agreement::Findings& findings) {
  const ReadingSet& other = all[1 + random.Below(all.size() - 1)];
  const bool aims_at_other = random.OneIn(2);
  const Codes x =
      MakeQuestion(kind, aims_at_other ? JudgeReadings(other) : Readings{}, random);
  uint64_t canonical_scale = 0;
  for (const ReadingSet* readings : {&all.front(), &other}) {
    const auto judged = exact::DynamicQuantizeLinear(x, JudgeReadings(*readings));
    const std::string difference = Difference(judged, x, *readings);
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
  const std::vector<ReadingSet> all = OracleReadings({exact::kFloat, {}, {0}});
  ASSERT_GT(all.size(), 1u);
  Counts counts;
  for (const ReadingSet& readings : all) {
    for (const Reading& reading : readings.readings) {
      counts.other_scales[reading.clause + ":" + reading.name] = 0;
    }
  }
  agreement::Findings findings;
  for (int64_t round = 0; counts.elements < wanted; ++round) {
    agreement::InParallel(kKinds, [&](int64_t kind) {
      Random random(static_cast<uint64_t>(round * kKinds + kind));
      for (int question = 0; question < 100; ++question) {
        AskBoth(static_cast<Kind>(kind), random, all, counts, findings);
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
