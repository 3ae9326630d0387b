#include "harness/backends/simd/matmul/exact.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace qconform::simd {
namespace {

struct Significand {
  uint32_t bits = 0;
  int exponent = 0;
};

// |value| as an integer and a power of two. Precondition: value is finite.
Significand Split(float value) {
  const auto code = std::bit_cast<uint32_t>(value);
  const uint32_t fraction = code & 0x7FFFFF;
  const auto exponent = static_cast<int>(code >> 23 & 0xFF);
  if (exponent == 0) return {fraction, -149};
  return {fraction | 0x800000, exponent - 150};
}

struct Float8Layout {
  int mantissa_bits;
  int bias;
  bool fnuz;
  bool has_infinity;
};

Float8Layout LayoutOf(DataType type) {
  switch (type) {
    case DataType::kFloat8E4M3FN:
      return {3, 7, false, false};
    case DataType::kFloat8E4M3FNUZ:
      return {3, 8, true, false};
    case DataType::kFloat8E5M2:
      return {2, 15, false, true};
    default:  // FLOAT8E5M2FNUZ
      return {2, 16, true, false};
  }
}

// Returns the sign of |v| - t * 2^-18. Precondition: t < 2^40.
int CompareMagnitude(const Quotient& v, uint64_t t) {
  const auto sign = [](auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; };
  // |v| = n 2^exponent / divisor is compared with t 2^-18 as n with
  // d = t divisor (below 2^64), each with a power of two.
  const Uint128 low_part = Uint128{static_cast<uint64_t>(v.sum)} * v.product;
  const Uint128 high = Uint128{static_cast<uint64_t>(v.sum >> 64)} * v.product +
                       static_cast<uint64_t>(low_part >> 64);
  const auto low = static_cast<uint64_t>(low_part);  // n = high 2^64 + low
  const uint64_t d = t * v.divisor;
  if (d == 0 || (high | low) == 0) return sign(high | low, Uint128{d});

  const int n_length = high != 0 ? 64 + BitLength(high) : BitLength(low);
  const int d_length = BitLength(d);
  const int order = sign(n_length + v.exponent, d_length - kBoundaryBits);
  if (order != 0) return order;
  // Both have their highest bit in the same place: compare from there down.
  const int shift = n_length - d_length;
  if (shift <= 0) return sign(low << -shift, d);
  uint64_t top;
  bool rest;
  if (shift < 64) {
    top = static_cast<uint64_t>(high << (64 - shift)) | low >> shift;
    rest = low << (64 - shift) != 0;
  } else {
    top = static_cast<uint64_t>(high >> (shift - 64));
    rest = low != 0 || (shift > 64 && high << (192 - shift) != 0);
  }
  return top != d ? sign(top, d) : rest ? 1 : 0;
}

}  // namespace

ExactMultiplier::ExactMultiplier(float a_scale, float b_scale, float y_scale)
    : a_(a_scale),
      b_(b_scale),
      y_(y_scale),
      finite_(std::isfinite(a_scale) && std::isfinite(b_scale) &&
              std::isfinite(y_scale) && y_scale != 0) {
  if (!finite_) return;
  const Significand a = Split(a_scale);
  const Significand b = Split(b_scale);
  const Significand y = Split(y_scale);
  negative_ = std::signbit(a_scale) ^ std::signbit(b_scale) ^ std::signbit(y_scale);
  product_ = uint64_t{a.bits} * b.bits;
  divisor_ = y.bits;
  exponent_ = a.exponent + b.exponent - y.exponent;
}

Quotient ExactMultiplier::Times(bool negative, Uint128 sum, int exponent) const {
  return {negative != negative_, sum, product_, divisor_, exponent + exponent_};
}

Quotient ExactMultiplier::Times(int32_t sum) const {
  const bool negative = sum < 0;
  const auto bits = static_cast<uint32_t>(sum);
  return Times(negative, negative ? 0u - bits : bits, 0);
}

double ExactMultiplier::Special(double sum) const { return sum * a_ * b_ / y_; }

int Compare(const Quotient& v, int64_t boundary) {
  if (v.sum == 0 || v.product == 0) return boundary < 0 ? 1 : boundary > 0 ? -1 : 0;
  const bool below_zero = boundary < 0;
  if (v.negative != below_zero) return v.negative ? -1 : 1;
  const auto t = static_cast<uint64_t>(below_zero ? -boundary : boundary);
  const int order = CompareMagnitude(v, t);
  return v.negative ? -order : order;
}

Value8 DecodeValue8(DataType type, uint8_t code) {
  using Kind = Value8::Kind;
  if (type == DataType::kUint8) return {Kind::kFinite, int64_t{code} << 17};
  if (type == DataType::kInt8) {
    return {Kind::kFinite, int64_t{static_cast<int8_t>(code)} * (1 << 17)};
  }
  const Float8Layout layout = LayoutOf(type);
  const int magnitude = code & 0x7F;
  const bool negative = (code & 0x80) != 0;
  const int exponent = magnitude >> layout.mantissa_bits;
  const int fraction = magnitude & ((1 << layout.mantissa_bits) - 1);
  if (layout.fnuz) {
    if (code == 0x80) return {Kind::kNan, 0};
  } else if (layout.has_infinity) {
    if (exponent == 31) {
      return fraction != 0 ? Value8{Kind::kNan, 0}
                           : Value8{Kind::kInfinite, negative ? -1 : 1};
    }
  } else if (magnitude == 0x7F) {
    return {Kind::kNan, 0};
  }
  const int64_t significand =
      exponent == 0 ? fraction : fraction + (1 << layout.mantissa_bits);
  const int power = std::max(exponent, 1) - layout.bias - layout.mantissa_bits;
  const int64_t units = significand << (power - kValue8Exponent);
  return {Kind::kFinite, negative ? -units : units};
}

Value8 Subtract(const Value8& a, const Value8& b) {
  using Kind = Value8::Kind;
  if (a.kind == Kind::kFinite && b.kind == Kind::kFinite) {
    return {Kind::kFinite, a.units - b.units};
  }
  if (a.kind == Kind::kNan || b.kind == Kind::kNan) return {Kind::kNan, 0};
  if (b.kind == Kind::kFinite) return a;
  if (a.kind == Kind::kInfinite && a.units == b.units) return {Kind::kNan, 0};
  return {Kind::kInfinite, -b.units};
}

Ladder::Ladder(DataType type, uint8_t zero_point) {
  const Value8 offset = DecodeValue8(type, zero_point);
  if (IsInteger(type)) {
    const int smallest = type == DataType::kInt8 ? -128 : 0;
    const auto zero = static_cast<int>(offset.units >> 17);
    for (int code = smallest; code <= smallest + 255; ++code) {
      codes_.push_back(static_cast<uint8_t>(code));
      const int below = code - 1 - zero;  // rne(v) on the lower side
      if (code == smallest) continue;
      boundaries_.push_back((2 * int64_t{below} + 1) * (1 << (kBoundaryBits - 1)));
      tie_goes_up_.push_back(below % 2 != 0);
    }
    nan_ = codes_.front();  // QL-12
    plus_infinity_ = codes_.back();
    minus_infinity_ = codes_.front();
  } else {
    struct Step {
      int64_t units;
      uint8_t code;
    };
    std::vector<Step> steps;
    for (int code = 0; code < 256; ++code) {
      const Value8 value = DecodeValue8(type, static_cast<uint8_t>(code));
      if (value.kind == Value8::Kind::kNan) nan_ = static_cast<uint8_t>(code);
      if (value.kind != Value8::Kind::kFinite) continue;
      if (code == 0x80) continue;  // -0: zero is +0 (MM-12)
      steps.push_back({value.units, static_cast<uint8_t>(code)});
    }
    std::sort(steps.begin(), steps.end(),
              [](const Step& a, const Step& b) { return a.units < b.units; });
    plus_infinity_ = steps.back().code;  // MM-11b
    minus_infinity_ = steps.front().code;
    // QL-22, as since 21.
    if (LayoutOf(type).fnuz) plus_infinity_ = minus_infinity_ = nan_;
    if (offset.kind == Value8::Kind::kNan) {
      codes_ = {nan_};
      plus_infinity_ = minus_infinity_ = nan_;
    } else if (offset.kind == Value8::Kind::kInfinite) {
      (offset.units > 0 ? minus_infinity_ : plus_infinity_) = nan_;
      codes_ = {offset.units > 0 ? plus_infinity_ : minus_infinity_};
    } else {
      for (const Step& step : steps) {
        codes_.push_back(step.code);
        if (codes_.size() == 1) continue;
        // The middle of two neighbours, one of which is even.
        const Step& lower = steps[codes_.size() - 2];
        boundaries_.push_back(lower.units + step.units - 2 * offset.units);
        tie_goes_up_.push_back(step.code % 2 == 0);
      }
    }
  }
  for (const int64_t boundary : boundaries_) {
    values_.push_back(std::ldexp(static_cast<double>(boundary), -kBoundaryBits));
  }
}

uint8_t Ladder::Round(const Quotient& v) const {
  const double magnitude =
      std::ldexp(static_cast<double>(v.sum) * static_cast<double>(v.product) / v.divisor,
                 v.exponent);
  const double estimate = v.negative ? -magnitude : magnitude;
  auto index = static_cast<size_t>(
      std::upper_bound(values_.begin(), values_.end(), estimate) - values_.begin());
  // Whether v lies above the boundary, or on it and belongs above.
  const auto is_above = [&](size_t i) {
    const int order = Compare(v, boundaries_[i]);
    return order > 0 || (order == 0 && tie_goes_up_[i]);
  };
  // The estimate is right, or off by one step where v is close to a boundary.
  while (index > 0 && !is_above(index - 1)) --index;
  while (index < boundaries_.size() && is_above(index)) ++index;
  return codes_[index];
}

uint8_t Ladder::RoundSpecial(double v) const {
  if (std::isnan(v)) return nan_;
  if (v == 0) return Round({});
  return v > 0 ? plus_infinity_ : minus_infinity_;
}

uint8_t Ladder::RoundFloat(float v) const {
  if (!std::isfinite(v)) return RoundSpecial(v);
  const Significand s = Split(v);
  return Round({std::signbit(v), s.bits, 1, 1, s.exponent});
}

}  // namespace qconform::simd
