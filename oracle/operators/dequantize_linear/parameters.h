// The one evaluation of DequantizeLinear, as numbered stages with parameters. A reading
// of an open clause is a choice of parameters.
//
//   (1) difference  d = x - x_zero_point, exact or rounded
//   (2) operands    d and x_scale, converted or as they are
//   (3) product     exact, or rounded to an inner type
//   (4) y           the product rounded to P, the type of y
#ifndef QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_PARAMETERS_H_
#define QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_PARAMETERS_H_

#include "oracle/formats/number_format.h"
#include "oracle/operators/dequantize_linear/dequantize_linear.h"

namespace qconform::dequantize_linear {

// A type of kUndefined: nothing is rounded.
struct Parameters {
  // (1)
  bool zero_point_ignored = false;
  DataType difference = DataType::kUndefined;
  OverflowPolicy difference_overflow = OverflowPolicy::kNonSaturating;
  // (2)
  DataType multiplicand = DataType::kUndefined;  // d
  DataType multiplier = DataType::kUndefined;    // x_scale
  // (3)
  DataType product = DataType::kUndefined;
  // (4) +0 for -0: of integers where d is 0, of floats everywhere.
  bool zero_sign_dropped = false;

  friend bool operator==(const Parameters&, const Parameters&) = default;
};

// Returns the parameters of a reading for these types. A reading that does not apply to
// the types acts as the canonical one.
Parameters ParametersOf(const Readings& readings, const Types& types);

// Returns parameters without the roundings that change no y of these types.
Parameters Reduced(const Parameters& parameters, const Types& types);

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_PARAMETERS_H_
