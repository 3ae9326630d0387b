#include "oracle/exact/operators/dequantize_linear/dequantize_linear.h"

#include <algorithm>

#include "oracle/exact/scale_layout.h"

namespace qconform::exact {
namespace {

using Readings = DequantizeLinearReadings;

struct Types {
  const Format& x;
  const Format& scale;
  const Format& p;
};

// The operands of one element.
struct Operands {
  Value x;
  std::optional<Value> zero_point;
  Value scale;
};

// x - x_zero_point by IEEE 754, without rounding. A missing zero point is not subtracted.
Value ExactDifference(const Operands& operands) {
  return operands.zero_point ? Add(operands.x, Negated(*operands.zero_point))
                             : operands.x;
}

// Step 1.
Value Difference(const Types& types, const Operands& operands, const Value& exact,
                 Readings::Difference reading) {
  // DQ-08 is about other zero points than 0: with one of 0, d is a number of x's type.
  const bool is_offset = operands.zero_point && !operands.zero_point->IsZero();
  switch (reading) {
    case Readings::Difference::kExact:
      break;
    case Readings::Difference::kInFloat:
      return RoundToPrecision(GetFormat(kFloat), exact);
    case Readings::Difference::kInXType:
    case Readings::Difference::kInXTypeSaturating: {
      if (!is_offset || exact.IsNan()) break;
      const bool saturates =
          reading == Readings::Difference::kInXTypeSaturating || !types.x.has_nan;
      return ValueOf(
          types.x,
          Round(types.x, exact, saturates ? Overflow::kSaturate : Overflow::kSpecial));
    }
    case Readings::Difference::kZeroPointIgnored:
      return operands.x;
  }
  return exact;
}

// Steps 2 and 3.
Value Product(const Types& types, Value d, Value s, const Readings& readings) {
  if (readings.difference_in_p) d = RoundToPrecision(types.p, d);
  if (readings.scale_in_p) s = RoundToPrecision(types.p, s);
  const Value product = Multiply(d, s);
  switch (readings.product) {
    case Readings::Product::kExact:
      break;
    case Readings::Product::kInFloat:
      return RoundToPrecision(GetFormat(kFloat), product);
    case Readings::Product::kInDouble:
      return RoundToPrecision(GetFormat(kDouble), product);
  }
  return product;
}

bool LeavesRange(const Value& before, const Value& after) {
  return before.IsNumber() &&
         (after.IsInfinity() || (after.IsZero() && !before.IsZero()));
}

// DQ-09, DQ-13.
Tier TierOf(const Types& types, const Value& d, const Value& s) {
  if (!s.IsNumber() || sgn(s.number) <= 0 || IsSubnormal(types.scale, s)) {
    return Tier::kDegenerateScale;
  }
  const Value d_in_p = RoundToPrecision(types.p, d);
  const Value s_in_p = RoundToPrecision(types.p, s);
  if (LeavesRange(d, d_in_p) || LeavesRange(s, s_in_p)) return Tier::kConversionRange;
  // Products before they are rounded: what rounds to a subnormal or to 0 is among them.
  const bool is_subnormal = IsSubnormal(types.p, s) || IsSubnormal(types.p, s_in_p) ||
                            IsSubnormal(types.p, Multiply(d, s)) ||
                            IsSubnormal(types.p, Multiply(d_in_p, s)) ||
                            IsSubnormal(types.p, Multiply(d, s_in_p)) ||
                            IsSubnormal(types.p, Multiply(d_in_p, s_in_p));
  return is_subnormal ? Tier::kSubnormal : Tier::kRegular;
}

Element Dequantize(const Types& types, const Operands& operands,
                   const Readings& readings) {
  const bool is_integer = types.x.set == Format::Set::kIntegers;
  const Value exact = ExactDifference(operands);
  const Value d = Difference(types, operands, exact, readings.difference);
  const Value product = Product(types, d, operands.scale, readings);
  Element element;
  element.tier = TierOf(types, exact, operands.scale);
  element.code = Round(types.p, product, Overflow::kSpecial);
  const Value y = ValueOf(types.p, element.code);
  if (y.IsNan()) element.freedom = Freedom::kAnyNan;
  // The sign of a zero is open where an integer d is 0 (DQ-10), and of floats (DQ-07).
  if (readings.zero_sign_dropped && y.IsZero() && (!is_integer || exact.IsZero())) {
    element.code = 0;
  }
  const bool is_free = types.x.type == kInt32 && operands.zero_point &&
                       !operands.zero_point->IsZero();  // DQ-06
  if (is_free) element.freedom = Freedom::kAnyCode;
  return element;
}

}  // namespace

int OutputType(const DequantizeLinearInput& input) {
  return input.output_dtype != 0 ? static_cast<int>(input.output_dtype)
                                 : input.x_scale.type;
}

Answer DequantizeLinear(const DequantizeLinearInput& input, const Readings& readings) {
  const Types types = {GetFormat(input.x.type), GetFormat(input.x_scale.type),
                       GetFormat(OutputType(input))};
  const std::vector<size_t> scale_index =
      ScaleIndices(input.x.shape, input.x_scale.shape, input.axis, input.block_size);
  Answer answer;
  answer.type = types.p.type;
  answer.shape = input.x.shape;
  answer.elements.reserve(input.x.codes.size());
  for (size_t i = 0; i < input.x.codes.size(); ++i) {
    Operands operands;
    operands.x = ValueOf(types.x, input.x.codes[i]);
    operands.scale = ValueOf(types.scale, input.x_scale.codes[scale_index[i]]);
    if (input.x_zero_point) {
      const std::vector<uint64_t>& codes = input.x_zero_point->codes;
      operands.zero_point =
          ValueOf(types.x, codes[codes.size() == 1 ? 0 : scale_index[i]]);
    }
    answer.elements.push_back(Dequantize(types, operands, readings));
  }
  return answer;
}

Answer DequantizeLinear(const DequantizeLinearInput& input) {
  return DequantizeLinear(
      input, CanonicalReadings(input.since_version, input.x.type, input.x_scale.type,
                               OutputType(input)));
}

}  // namespace qconform::exact
