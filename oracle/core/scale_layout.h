// Which scale and which zero point belong to an element, for operators that compute each
// element of y from one element of x, its scale and its zero point: granularity by the
// scale's shape, `axis` and `block_size`.
#ifndef QCONFORM_ORACLE_CORE_SCALE_LAYOUT_H_
#define QCONFORM_ORACLE_CORE_SCALE_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "oracle/core/dimensions.h"
#include "oracle/core/operator.h"
#include "oracle/core/validation.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// x seen as [outer, axis, inner]; a blocked scale is [outer, blocks, inner].
struct ScaleLayout {
  enum class Granularity : uint8_t { kPerTensor, kPerAxis, kBlocked };
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

// The inputs of such an operator, in the order of its schema.
struct ScaledOperands {
  TensorView x{};
  TensorView scale{};
  std::optional<TensorView> zero_point{};
};

// Their names in the schema.
struct ScaledNames {
  std::string_view x;
  std::string_view scale;
  std::string_view zero_point;
};

// What one definition of an operator says about scales.
struct ScaleRules {
  ScaledNames names;
  bool has_axis = true;  // otherwise scales are scalars
  bool has_blocks = true;
  // Whether the text says of x of rank 1 that per tensor is applied. Then nobody has to
  // take a 1-D scale of several elements, or blocks.
  bool rank_1_is_per_tensor = false;
  std::string_view open_clause;              // models that are open by their shapes
  std::string_view zero_point_shape_clause;  // a zero point of another shape
};

// Finds the layout. Open models get their plain meaning. Returns false if the model is
// invalid; the layout has no meaning then. `axis` as the node has it, default 1.
// Precondition: the operands passed Validation::CheckSize.
bool ResolveScales(const ScaleRules& rules, const ScaledOperands& operands,
                   std::optional<int64_t> axis, int64_t block_size,
                   Validation& validation, ScaleLayout& layout);

// Returns BoundOperator::OperandsOfElement of a valid problem.
std::vector<ElementOperand> OperandsOfScaledElement(const ScaledNames& names,
                                                    const ScaledOperands& operands,
                                                    const ScaleLayout& layout,
                                                    int64_t index);

// Returns BoundOperator::IsolateElement of the operands of an element.
std::vector<Tensor> IsolateScaledElement(const std::vector<ElementOperand>& elements);

// Returns BoundOperator::DimensionsOf. It reads only types and shapes.
Dimensions DimensionsOfScaled(const ScaledOperands& operands, const ScaleLayout& layout);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_SCALE_LAYOUT_H_
