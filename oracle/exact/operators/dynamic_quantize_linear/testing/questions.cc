#include "oracle/exact/operators/dynamic_quantize_linear/testing/questions.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "oracle/core/operator.h"
#include "oracle/exact/format.h"

namespace qconform::agreement {
namespace {

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
  return CodeNear(Float(), v, distance, random);
}

struct Range {
  uint64_t least = 0;
  uint64_t largest = 0;
};

mpq_class RandomNumber(int low, int high, Random& random) {
  return (1 + mpq_class(random.Between(0, 0xFFFFFF), 0x1000000)) *
         exact::PowerOfTwo(static_cast<int>(random.Between(low, high)));
}

Range RandomRange(DynamicRangeKind kind, Random& random) {
  switch (kind) {
    case DynamicRangeKind::kZeroPointTie: {
      // min = -(t + 1/2) s, max = (254.5 - t) s: their range is 255 s, exactly if s has
      // few digits.
      const int digits = random.OneIn(2) ? 6 : 24;
      const mpq_class s = mpq_class(random.Between(1, (1 << digits) - 1)) *
                          exact::PowerOfTwo(static_cast<int>(random.Between(-140, 90)));
      const mpq_class t = random.Between(0, 254) + mpq_class(1, 2);
      const int distance = random.OneIn(2) ? 0 : 2;
      return {Near(-t * s, distance, random), Near((255 - t) * s, distance, random)};
    }
    case DynamicRangeKind::kOneSided: {
      const uint64_t one = CodeOf(RandomNumber(-130, 120, random));
      const uint64_t other =
          random.OneIn(3) ? one : CodeOf(RandomNumber(-130, 120, random));
      const uint64_t sign = random.OneIn(2) ? kSign : 0;
      return {one | sign, other | sign};
    }
    case DynamicRangeKind::kFusedTie: {
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
    case DynamicRangeKind::kSubnormal:
      return {random.Below(0x01000000) | kSign, random.Below(0x01000000)};
    case DynamicRangeKind::kUnderflow: {
      const uint64_t both = random.Pick<uint64_t>(
          {1, 2, 126, 127, 128, 129, 254, 255, 382, 383, 637, random.Below(1024)});
      const uint64_t part = random.OneIn(3) ? 0 : random.Below(both + 1);
      return random.OneIn(4) ? Range{both | kSign, 0} : Range{part | kSign, both - part};
    }
    case DynamicRangeKind::kOverflow: {
      const uint64_t one = kLargest - random.Below(random.OneIn(2) ? 4 : 0x02000000);
      // Half a step of the largest FLOAT is where a range overflows: 2^103.
      const uint64_t other = random.OneIn(2) ? Near(exact::PowerOfTwo(103), 2, random)
                                             : kLargest - random.Below(0x02000000);
      return random.OneIn(2) ? Range{one | kSign, other} : Range{other | kSign, one};
    }
    case DynamicRangeKind::kZeros:
      return {random.OneIn(2) ? kSign : 0, 0};
    default:
      break;
  }
  if (kind == DynamicRangeKind::kCodes) {
    return {RandomCode(Float(), random), RandomCode(Float(), random)};
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

}  // namespace

Codes MakeQuestion(DynamicRangeKind kind, const Readings& reading, Random& random) {
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
    if (kind == DynamicRangeKind::kZeros) {
      x.codes.push_back(random.OneIn(2) ? range.least : 0);
    } else if (kind == DynamicRangeKind::kCodes) {
      x.codes.push_back(RandomCode(Float(), random));
    } else {
      x.codes.push_back(RandomElement(range, aim, random));
    }
  }
  // The range is that of the elements only if both ends are among them.
  x.codes.front() = range.least;
  if (count > 1)
    x.codes[random.Between(1, static_cast<int64_t>(count) - 1)] = range.largest;
  uint64_t& any = x.codes[random.Below(count)];
  if (kind == DynamicRangeKind::kInfinity)
    any = kInfinityCode | (random.OneIn(2) ? kSign : 0);
  if (kind == DynamicRangeKind::kNan) any = kInfinityCode + 1 + random.Below(0x7fffff);
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

namespace {

const BoundOperator& Oracle() {
  static const auto bound = FindOperator("DynamicQuantizeLinear")->Bind({}, 11);
  return **bound;
}

}  // namespace

std::vector<ReadingSet> OracleReadings(const Codes& x) {
  const Tensor tensor = Pack(x);
  const auto readings = Oracle().Readings({tensor.view()});
  return readings.ok() ? *readings : std::vector<ReadingSet>();
}

std::string Difference(const exact::DynamicQuantizeLinearAnswers& judge, const Codes& x,
                       const ReadingSet& readings) {
  const Tensor tensor = Pack(x);
  const auto answers = Oracle().Evaluate({tensor.view()}, readings);
  if (!answers.ok()) return "the oracle refuses: " + answers.error().message;
  if (answers->size() != 3) return "the oracle has not three outputs";
  const std::array<std::pair<const char*, const exact::Answer*>, 3> outputs = {
      {{"y", &judge.y},
       {"y_scale", &judge.y_scale},
       {"y_zero_point", &judge.y_zero_point}}};
  for (size_t i = 0; i < outputs.size(); ++i) {
    // 0 / 0 is converted to any code of UINT8, and nobody says which is canonical.
    const std::string difference = Difference(*outputs[i].second, (*answers)[i], true);
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

}  // namespace qconform::agreement
