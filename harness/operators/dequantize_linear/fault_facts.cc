#include "harness/operators/dequantize_linear/fault_facts.h"

#include <algorithm>

#include "harness/operators/dequantize_linear/fault_model.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

// The values of `from`, rounded to a float type.
DigitsOfOperand InType(const DigitsOfOperand& from, const DigitsOfOperand& to) {
  return {std::min(from.digits, to.digits), std::max(from.unit, to.unit),
          std::min(from.top, to.top)};
}

// Differences of two values of a type.
DigitsOfOperand Difference(DataType x) {
  const NumberFormat& format = FormatOf(x);
  DigitsOfOperand d = DigitsOf(x);
  if (format.kind == NumberKind::kInteger) {
    d.digits = format.bits;  // 2^bits - 1 of either sign
    d.top = format.bits - 1;
    return d;
  }
  d.top += 1;
  d.digits = d.top - d.unit + 1;
  return d;
}

}  // namespace

DigitsOfOperand DigitsOf(DataType type) {
  const NumberFormat& format = FormatOf(type);
  switch (format.kind) {
    case NumberKind::kInteger: {
      const int digits = format.bits - (format.is_signed ? 1 : 0);
      return {digits, 0, digits - 1};
    }
    case NumberKind::kPowerOfTwo:
      return {1, -127, 127};
    case NumberKind::kFloat:
      break;
  }
  return {format.mantissa_bits + 1, TopOf(Decode(format, SmallestPositive(format))),
          TopOf(Decode(format, LargestFinite(format)))};
}

DequantizeLinearFacts::DequantizeLinearFacts(const Cell& cell)
    : since_version(cell.since_version),
      x(cell.types[0]),
      x_scale(cell.types[1]),
      y(cell.types[2]),
      per_tensor(cell.granularity == "per_tensor"),
      blocked(cell.granularity == "blocked"),
      integer(IsInteger(x) && x != DataType::kInt32),
      int32(x == DataType::kInt32),
      is_float(!IsInteger(x)),
      power_of_two(x_scale == DataType::kFloat8E8M0),
      half(BitWidth(y) == 16),
      x_bits(BitWidth(x)),
      d_without(DigitsOf(x)),
      d(Difference(x)),
      s(DigitsOf(x_scale)) {
  const DequantizeLinearSteps steps = StepsOf({}, since_version, x, x_scale, y);
  if (integer) d_without = d;
  if (int32) {  // there is no zero point other than 0
    d_without = InType(d_without, DigitsOf(DataType::kFloat));
    d = d_without;
  }
  const DigitsOfOperand p = DigitsOf(y);
  if (steps.difference_in_p) {
    d_without = InType(d_without, p);
    d = InType(d, p);
  }
  if (steps.scale_in_p) s = InType(s, p);
}

bool DequantizeLinearFacts::Rounds(const DigitsOfOperand& difference) const {
  const DigitsOfOperand p = DigitsOf(y);
  return difference.digits + s.digits > p.digits + (s.digits == 1 ? 1 : 0) ||
         difference.unit + s.unit < p.unit;
}

}  // namespace qconform
