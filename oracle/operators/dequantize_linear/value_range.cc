#include "oracle/operators/dequantize_linear/value_range.h"

#include <algorithm>

#include "oracle/formats/prepared.h"

namespace qconform::dequantize_linear {

ValueRange ValuesOf(const NumberFormat& format) {
  switch (format.kind) {
    case NumberKind::kInteger: {
      // The smallest value of a signed type, -2^(bits - 1), has one digit.
      const int digits = format.bits - (format.is_signed ? 1 : 0);
      return {digits, 0, format.bits - 1};
    }
    case NumberKind::kPowerOfTwo:
      return {1, Decode(format, 0).exponent, Decode(format, 0xfe).exponent};
    case NumberKind::kFloat:
      break;
  }
  return {format.mantissa_bits + 1, SmallestNormalExponent(format) - format.mantissa_bits,
          TopOf(Decode(format, LargestFinite(format)))};
}

ValueRange DifferencesOf(const NumberFormat& x) {
  const ValueRange values = ValuesOf(x);
  if (x.type == DataType::kInt32) return values;
  // From -(2^bits - 1) to 2^bits - 1.
  if (x.kind == NumberKind::kInteger) return {x.bits, 0, x.bits - 1};
  const int highest = values.highest + 1;
  return {highest - values.lowest + 1, values.lowest, highest};
}

bool Holds(const NumberFormat& format, const ValueRange& values) {
  const ValueRange own = ValuesOf(format);
  return values.digits <= own.digits && values.lowest >= own.lowest &&
         values.highest <= own.highest;
}

ValueRange RangeAfterRounding(const NumberFormat& format, const ValueRange& values) {
  const ValueRange own = ValuesOf(format);
  return {std::min(values.digits, own.digits), std::max(values.lowest, own.lowest),
          std::min(values.highest + 1, own.highest)};
}

int ProductDigits(const ValueRange& a, const ValueRange& b) {
  if (a.digits == 1 || b.digits == 1) return std::max(a.digits, b.digits);
  return a.digits + b.digits;
}

}  // namespace qconform::dequantize_linear
