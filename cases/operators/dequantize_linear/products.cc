#include "cases/operators/dequantize_linear/products.h"

#include <algorithm>
#include <bit>

namespace qconform::generators {
namespace {

using enum DataType;
using Rounding = ProductWay::Rounding;

Unrounded Converted(DataType type, const Unrounded& value) {
  if (type == kUndefined) return value;
  return ToUnrounded(RoundTo(FormatOf(type), value));
}

// Whether some difference is not a value of `type`.
bool DifferenceRoundsTo(const DequantizeLinearQuestion& question, DataType type) {
  return BitsOfDifference(question) > PrecisionOf(FormatOf(type));
}

bool ScaleRoundsTo(const DequantizeLinearQuestion& question, DataType type) {
  return !HoldsAllOf(FormatOf(type), question.x_scale);
}

// Whether the product of operands that were converted in this way can have more bits
// than `precision`.
bool ProductHasMoreThan(const DequantizeLinearQuestion& question, const ProductWay& way,
                        int precision) {
  int difference = BitsOfDifference(question);
  int scale = BitsOfScale(question);
  if (way.difference != kUndefined) {
    difference = std::min(difference, PrecisionOf(FormatOf(way.difference)));
  }
  if (way.scale != kUndefined) {
    scale = std::min(scale, PrecisionOf(FormatOf(way.scale)));
  }
  // A factor of one bit adds none.
  return difference + scale - (scale == 1 ? 1 : 0) > precision;
}

}  // namespace

int BitsOfDifference(const DequantizeLinearQuestion& question) {
  const NumberFormat& x = question.x;
  if (x.type == kInt32) return 32;
  if (x.kind == NumberKind::kInteger) {
    const bool one_bit = x.bits == 2 && !question.has_zero_point() && x.is_signed;
    return one_bit ? 1 : x.bits;
  }
  if (!question.has_zero_point()) return PrecisionOf(x);
  const ExactValue largest = Decode(x, LargestFinite(x));
  const ExactValue least = Decode(x, SmallestPositive(x));
  return FloorLog2(largest) - FloorLog2(least) + 1;
}

int BitsOfScale(const DequantizeLinearQuestion& question) {
  if (question.x_scale.kind == NumberKind::kPowerOfTwo) return 1;
  return PrecisionOf(question.x_scale);
}

bool CanRound(const DequantizeLinearQuestion& question) {
  return ProductHasMoreThan(question, {}, PrecisionOf(question.y));
}

bool HasConversionRange(const DequantizeLinearQuestion& question) {
  if (LeavesRange(question.x_scale, question.y)) return true;
  if (!question.has_integer_x()) return false;
  return question.y.type == kFloat16 && question.x.bits >= 16;
}

uint64_t CodeOfWay(const DequantizeLinearQuestion& question,
                   const DequantizeLinearChannel& channel, uint64_t x_code,
                   const ProductWay& way) {
  const PreparedFormat& y = Prepared(question.y);
  ExactValue scale = channel.scale;
  if (way.scale != kUndefined) {
    const PreparedFormat& to = Prepared(FormatOf(way.scale));
    const Unrounded given = ToUnrounded(scale);
    scale = to.decode(way.truncates_scale ? to.to_precision_toward_zero(given).code
                                          : to.to_precision(given).code);
  }
  Unrounded product;
  if (way.distributed) {
    const ExactValue first =
        RoundTo(question.y, Multiply(Prepared(question.x).decode(x_code), scale));
    ExactValue second = RoundTo(question.y, Multiply(channel.zero_point, scale));
    second.negative = !second.negative;
    product = Add(ToUnrounded(first), second);
  } else {
    const Unrounded difference =
        Converted(way.difference, DifferenceOf(question, channel, x_code));
    product = MultiplyWide(difference, scale);
  }
  product = Converted(way.inner, product);
  switch (way.rounding) {
    case Rounding::kAway:
      return Round(question.y, product, RoundingMode::kNearestAway,
                   OverflowPolicy::kNonSaturating);
    case Rounding::kTowardZero:
      return y.to_precision_toward_zero(product).code;
    case Rounding::kNearest:
      break;
  }
  return y.to_precision(product).code;
}

ProductWay CanonicalWay(const DequantizeLinearQuestion& question) {
  const DataType p = question.y.type;
  if (question.x.type == kInt32) return {.difference = kFloat};
  if (question.cell.since_version < 23 || question.x_scale.type == kFloat8E8M0) return {};
  const bool wide = question.x.bits == 16 && p != kFloat;
  if (question.x_scale.type == p && !wide) return {};
  return {.difference = p, .scale = p};
}

std::vector<ProductPair> ProductPairs(const DequantizeLinearQuestion& question) {
  const DataType p = question.y.type;
  // (1) What may happen to each operand and to the product.
  std::vector<DataType> differences{kUndefined};
  std::vector<DataType> scales{kUndefined};
  if (DifferenceRoundsTo(question, kFloat)) differences.push_back(kFloat);
  if (p != kFloat && DifferenceRoundsTo(question, p)) differences.push_back(p);
  if (ScaleRoundsTo(question, p)) scales.push_back(p);
  const auto inners = [&](const ProductWay& way) {
    std::vector<DataType> types{kUndefined};
    if (p != kFloat && ProductHasMoreThan(question, way, 24)) types.push_back(kFloat);
    if (ProductHasMoreThan(question, way, 53)) types.push_back(kDouble);
    return types;
  };
  // (2) Pairs that differ in one of these.
  std::vector<ProductPair> pairs;
  const auto add = [&](const ProductWay& a, const ProductWay& b) {
    pairs.push_back({a, b});
  };
  for (const DataType scale : scales) {
    for (const DataType difference : differences) {
      const ProductWay way{.difference = difference, .scale = scale};
      for (const DataType inner : inners(way)) {
        ProductWay full = way;
        full.inner = inner;
        if (inner != kUndefined) add(way, full);
        if (scale != kUndefined) {
          ProductWay other = full;
          other.scale = kUndefined;
          add(full, other);
        }
        if (difference != kUndefined) {
          ProductWay other = full;
          other.difference = kUndefined;
          add(full, other);
          if (difference == p && differences.size() == 3) {
            other.difference = kFloat;
            add(full, other);
          }
        }
      }
    }
  }
  // (3) Mistakes, beside the canonical way.
  const ProductWay right = CanonicalWay(question);
  const auto mistake = [&](auto change) {
    ProductWay wrong = right;
    change(wrong);
    if (wrong != right) add(right, wrong);
  };
  if (CanRound(question)) {
    mistake([](ProductWay& way) { way.rounding = Rounding::kTowardZero; });
    mistake([](ProductWay& way) { way.rounding = Rounding::kAway; });
    for (const DataType inner : {kFloat16, kBfloat16}) {
      if (inner == p) continue;
      mistake([inner](ProductWay& way) { way.inner = inner; });
    }
  }
  for (const DataType narrow : {kFloat16, kBfloat16}) {
    if (narrow != p && ScaleRoundsTo(question, narrow)) {
      mistake([narrow](ProductWay& way) { way.scale = narrow; });
    }
  }
  if (ScaleRoundsTo(question, p)) {
    mistake([](ProductWay& way) { way.truncates_scale = true; });
  }
  if (question.has_integer_x() && question.has_zero_point() &&
      !question.has_only_zero_as_zero_point() && CanRound(question)) {
    mistake([](ProductWay& way) { way.distributed = true; });
  }
  return pairs;
}

uint64_t FactorOfTie(uint64_t other, int bits, int precision, CounterRng& rng) {
  if (static_cast<int>(std::bit_width(other)) > precision) return 0;
  const uint64_t least = ((uint64_t{1} << precision) + other - 1) / other;
  const uint64_t last =
      std::min(((uint64_t{2} << precision) - 1) / other, (uint64_t{1} << bits) - 1);
  if (least > last) return 0;
  const uint64_t odd = (least + rng.Below(static_cast<uint32_t>(last - least + 1))) | 1;
  return odd > last ? 0 : odd;
}

uint64_t FactorBesideTie(uint64_t other, int bits, int precision, int inner,
                         CounterRng& rng) {
  const int product = static_cast<int>(std::bit_width(other)) + bits - rng.OneIn(2);
  const int dropped = product - precision;
  if (dropped < 1 || dropped > 62 || (other & 1) == 0 || bits < 2) return 0;
  // The inverse modulo 2^64, by Newton's iteration.
  uint64_t inverse = other;
  for (int i = 0; i < 6; ++i) inverse *= 2 - other * inverse;
  const uint64_t mask = (uint64_t{1} << dropped) - 1;
  const uint64_t tie = uint64_t{1} << (dropped - 1);
  const uint64_t top = uint64_t{1} << (bits - 1);
  // Distances from the tie, in turn above and below it.
  constexpr int64_t kMostDistances = 4096;
  const int64_t nearest = std::max<int64_t>(
      product > inner ? int64_t{1} << std::min(product - inner - 1, 40) : 1, 1);
  const int64_t count = std::min(nearest, kMostDistances);
  const int64_t start = rng.Below(static_cast<uint32_t>(count));
  const uint64_t high = rng.Next32();
  for (int64_t i = 0; i < 2 * count; ++i) {
    const int64_t distance = 1 + (start + i / 2) % count;
    const auto beside = static_cast<uint64_t>(i % 2 == 0 ? distance : -distance);
    uint64_t factor = ((tie + beside) * inverse) & mask;
    if (dropped < bits) {
      const uint64_t above = top >> dropped;
      factor |= ((high & (above - 1)) | above) << dropped;
    }
    if (factor >= top && factor < 2 * top) return factor;
  }
  return 0;
}

}  // namespace qconform::generators
