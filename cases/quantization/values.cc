#include "cases/quantization/values.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "cases/core/exact_value.h"

namespace qconform::generators {
namespace {

// Powers of two at which integer conversions and formats end.
constexpr int kEdges[] = {-1, 0,  1,  2,  3,  4,  7,  8,  11, 15,
                          16, 23, 24, 25, 30, 31, 32, 63, 64};

void AddWithNeighbours(const NumberFormat& x, uint64_t code,
                       std::vector<uint32_t>& codes) {
  for (const uint64_t each : {code, NextUp(x, code), NextDown(x, code)}) {
    codes.push_back(static_cast<uint32_t>(each));
  }
}

void AddValue(const NumberFormat& x, const ExactValue& value,
              std::vector<uint32_t>& codes) {
  for (const bool negative : {false, true}) {
    ExactValue signed_value = value;
    signed_value.negative = negative;
    AddWithNeighbours(x, RoundNearest(x, ToUnrounded(signed_value)), codes);
  }
}

// Where converting x to `narrow` overflows, leaves its normal range, and
// becomes zero.
void AddBoundariesOf(const NumberFormat& narrow, const NumberFormat& x,
                     std::vector<uint32_t>& codes) {
  const ExactValue largest = Decode(narrow, LargestFinite(narrow));
  const ExactValue half_unit = Dyadic(1, largest.exponent - 1);
  AddValue(x, largest, codes);
  AddValue(x, ToExact(Add(ToUnrounded(largest), half_unit)), codes);
  AddValue(x, Decode(narrow, SmallestNormal(narrow)), codes);
  const ExactValue smallest = Decode(narrow, SmallestPositive(narrow));
  AddValue(x, smallest, codes);
  AddValue(x, Dyadic(1, smallest.exponent - 1), codes);
}

std::vector<uint32_t> MakeSpecials(const NumberFormat& x) {
  std::vector<uint32_t> codes{0};
  for (const int edge : kEdges) {
    if (edge <= LargestExponent(x) + 1) AddValue(x, Dyadic(1, edge), codes);
  }
  for (const int64_t value : {3, 5, 65504, 65520, 65535})
    AddValue(x, Dyadic(value, 0), codes);
  AddValue(x, Decode(x, LargestFinite(x)), codes);
  if (x.kind == NumberKind::kFloat) {
    for (const DataType narrow : {DataType::kFloat16, DataType::kBfloat16}) {
      if (narrow != x.type) AddBoundariesOf(FormatOf(narrow), x, codes);
    }
    const uint64_t sign = uint64_t{1} << (x.bits - 1);
    const uint64_t infinity = Infinity(x, false);
    const uint64_t quiet = uint64_t{1} << (x.mantissa_bits - 1);
    for (const uint64_t code :
         {uint64_t{0}, uint64_t{1}, uint64_t{2}, quiet, SmallestNormal(x) - 1,
          SmallestNormal(x), SmallestNormal(x) + 1, infinity, infinity | 1,
          infinity | quiet, infinity | quiet | 1, sign - 1}) {
      codes.push_back(static_cast<uint32_t>(code));
      codes.push_back(static_cast<uint32_t>(code | sign));
    }
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

}  // namespace

Stride::Stride(uint32_t count, CounterRng& rng)
    : count_(count), step_(1), at_(rng.Below(count)) {
  if (count < 3) return;
  step_ = count / 3 + rng.Below(count / 3);
  while (std::gcd(step_, count) != 1) ++step_;
}

std::span<const uint64_t> FloatZeroPoints(const NumberFormat& y) {
  static const auto all = [] {
    std::vector<std::pair<DataType, std::vector<uint64_t>>> lists;
    for (const DataType type : AllDataTypes()) {
      const NumberFormat& format = FormatOf(type);
      if (format.kind != NumberKind::kFloat || format.bits > 8) continue;
      const auto nearest = [&](int64_t significand, int exponent) {
        return RoundNearest(format, ToUnrounded(Dyadic(significand, exponent)));
      };
      std::vector<uint64_t>& codes =
          lists.emplace_back(type, std::vector<uint64_t>{}).second;
      codes = {nearest(3, -1), SmallestPositive(format)};
      if (format.has_negative_zero) codes.push_back(Negated(format, 0));
      codes.push_back(LargestFinite(format));
      codes.push_back(nearest(-3, 0));
      if (format.nan != NanEncoding::kNone) codes.push_back(CanonicalNan(format));
      if (format.has_infinity) codes.push_back(Infinity(format, false));
      codes.push_back(Negated(format, LargestFinite(format)));
      codes.push_back(Negated(format, SmallestPositive(format)));
    }
    return lists;
  }();
  for (const auto& [type, codes] : all) {
    if (type == y.type) return codes;
  }
  return {};
}

std::span<const uint32_t> SpecialCodes(const NumberFormat& x) {
  static const auto all = [] {
    std::array<std::vector<uint32_t>, 4> lists;
    size_t i = 0;
    for (const DataType type :
         {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kInt32}) {
      lists[i++] = MakeSpecials(FormatOf(type));
    }
    return lists;
  }();
  switch (x.type) {
    case DataType::kFloat:
      return all[0];
    case DataType::kFloat16:
      return all[1];
    case DataType::kBfloat16:
      return all[2];
    default:
      return all[3];
  }
}

uint64_t ZeroPointCode(const NumberFormat& format, ZeroPointFamily family,
                       CounterRng& rng) {
  const uint32_t draw =
      rng.Next32();  // always one word: families do not shift the stream
  if (format.kind != NumberKind::kInteger) return 0;
  const int64_t low = IntegerMin(format);
  const int64_t high = IntegerMax(format);
  const int64_t any = low + (draw & (high - low));  // the width is a power of two
  switch (family) {
    case ZeroPointFamily::kZero:
      return 0;
    case ZeroPointFamily::kLow:
      return IntegerCode(format, low);
    case ZeroPointFamily::kHigh:
      return IntegerCode(format, high);
    case ZeroPointFamily::kMiddle:
      return IntegerCode(format, (low + high + 1) / 2);
    case ZeroPointFamily::kOdd:
      return IntegerCode(format, any | 1);
    case ZeroPointFamily::kAny:
      break;
  }
  return IntegerCode(format, any);
}

}  // namespace qconform::generators
