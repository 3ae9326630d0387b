// How far the values of a format, or their differences, reach, and which roundings
// therefore change none of them.
#ifndef QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_VALUE_RANGE_H_
#define QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_VALUE_RANGE_H_

#include "oracle/formats/number_format.h"

namespace qconform::dequantize_linear {

// Bounds of finite values other than zero. A value has its first bit at 2^highest or
// below, its last at 2^lowest or above, and at most `digits` from the first to the last
// that is 1.
struct ValueRange {
  int digits = 0;
  int lowest = 0;
  int highest = 0;
};

ValueRange ValuesOf(const NumberFormat& format);

// Of x - zp, both of this format; of INT32 x only, whose zero points are 0 (DQ-06).
ValueRange DifferencesOf(const NumberFormat& x);

// Whether rounding them to `format` changes none. Precondition: a float format.
bool Holds(const NumberFormat& format, const ValueRange& values);

// The range of what is left of `values` after they are rounded to `format`.
ValueRange RangeAfterRounding(const NumberFormat& format, const ValueRange& values);

// The digits of a product.
int ProductDigits(const ValueRange& a, const ValueRange& b);

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_VALUE_RANGE_H_
