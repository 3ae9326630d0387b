// Special values as x.
#include <algorithm>
#include <array>
#include <vector>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"

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

void FillSpecials(QuantizeLinearQuestion& question) {
  using enum ScaleFamily;
  const std::span<const uint32_t> specials = SpecialCodes(question.x);
  const auto count = static_cast<int64_t>(specials.size());
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index, (many ? 2 : 1) * count + 3);
  question.SetChannels({kFull, kPowerOfTwo, kFewBits, kReciprocal, kNearPowerOfTwo},
                       {ZeroPointFamily::kMiddle, ZeroPointFamily::kZero});
  Stride order(static_cast<uint32_t>(count), question.rng);
  for (uint32_t& code : question.x_codes) code = specials[order.Next()];
}

}  // namespace qconform::generators
