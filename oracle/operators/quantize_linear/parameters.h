// The one evaluation of QuantizeLinear, as numbered stages with parameters. A
// reading of an open clause is a choice of parameters, and so is a wrong model
// of the operator: neither is a second evaluation.
//
//   (1) operands    x and y_scale, converted to P or as they are
//   (2) quotient    q = round_P(x / y_scale), or exact
//   (3) zero point  integers: round(q) + zp;  floats: q + zp, by QL-24
//   (4) overflow    to the range of y, and the codes of special values
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_PARAMETERS_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_PARAMETERS_H_

#include <array>

#include "oracle/core/answer.h"
#include "oracle/core/target.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {

struct QuantizeLinearParameters {
  // (1), (2): P; kUndefined leaves the quotient exact (QL-06).
  DataType precision = DataType::kUndefined;
  bool convert_operands = true;  // to P before the division (QL-09)
  RoundingMode conversion_rounding = RoundingMode::kNearestEven;
  RoundingMode quotient_rounding = RoundingMode::kNearestEven;
  // (3), (4)
  TargetParameters target{};

  // The types whose range decides the tier (G-02); kUndefined: none. They do
  // not follow the reading: the tier belongs to the question. The first is the
  // canonical P, or FLOAT for a float x over an INT32 scale, which has no P.
  // The second is the type of x where `x_type_division` is admissible (QL-06,
  // QL-07): what overflows or is subnormal there is contested as well.
  std::array<DataType, 2> tier_precisions{DataType::kUndefined, DataType::kUndefined};
};

// Returns the parameters of a reading for these types. `precision` and
// `saturate` as in the node. A reading that does not apply to the types acts
// as the canonical one.
QuantizeLinearParameters ParametersOf(const QuantizeLinearReadings& readings,
                                      int since_version, DataType x, DataType y_scale,
                                      DataType y, int64_t precision, int64_t saturate);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_PARAMETERS_H_
