// Which model a QuantizeLinear problem is: types (QL-30), granularity (QL-31 to
// QL-34), and where the scale of an element lies.
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_LAYOUT_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_LAYOUT_H_

#include <cstddef>
#include <cstdint>

#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {

// x seen as [outer, axis, inner]; a blocked y_scale is [outer, blocks, inner].
struct QuantizeLinearLayout {
  enum class Granularity : uint8_t { kPerTensor, kPerAxis, kBlocked };
  DataType y = DataType::kUndefined;
  Granularity granularity = Granularity::kPerTensor;
  int64_t outer = 1;
  int64_t axis = 1;  // D_axis
  int64_t inner = 1;
  size_t axis_of_x = 0;               // which dimension of x D_axis is
  int64_t block = 1;                  // B
  int64_t blocks = 1;                 // S_axis
  bool zero_point_is_scalar = false;  // one zero point for all scales

  // Returns the row-major index of the scale of element (o, i, j).
  int64_t ScaleIndex(int64_t o, int64_t i, int64_t j) const {
    switch (granularity) {
      case Granularity::kPerTensor:
        return 0;
      case Granularity::kPerAxis:
        return i;
      case Granularity::kBlocked:
        return (o * blocks + i / block) * inner + j;
    }
    return 0;
  }
};

struct QuantizeLinearResolution {
  ModelValidity validation;
  QuantizeLinearLayout layout;  // meaningless where the model is invalid
};

// Resolves types, attributes and shapes. Open models get their plain meaning.
QuantizeLinearResolution Resolve(const QuantizeLinearProblem& problem);

// The same of operands whose data may be missing.
QuantizeLinearResolution ResolveWithoutData(const QuantizeLinearProblem& problem);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_LAYOUT_H_
