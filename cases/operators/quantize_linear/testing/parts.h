// A QuantizeLinear problem by value: for properties, whose problems come from no
// id, and for making one smaller while it still fails.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_PARTS_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_PARTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "cases/core/counter_rng.h"
#include "cases/quantization/channel_layout.h"
#include "cases/operators/quantize_linear/variant.h"

namespace qconform::generators {

struct QuantizeLinearParts {
  Cell cell;
  int opset_version = 0;
  OperandForm form = OperandForm::kInputs;
  QuantizeLinearVariant variant;
  Shape shape;
  int64_t axis = 0;  // where the granularity has one; 0 <= axis < rank
  AxisForm axis_form = AxisForm::kPositive;
  int64_t block_size = 0;             // blocked: above 0
  std::vector<uint32_t> x;            // codes, row-major
  std::vector<uint64_t> scales;       // one for each element of y_scale
  std::vector<uint64_t> zero_points;  // the same; without effect where left out

  friend bool operator==(const QuantizeLinearParts&,
                         const QuantizeLinearParts&) = default;
};

ChannelLayout LayoutOf(const QuantizeLinearParts& parts);

// Returns the model and its operands. Its key names no case of a list: the
// generator is "property".
OpCase ToCase(const QuantizeLinearParts& parts);

// Returns valid problems that are simpler by one step, the boldest first: fewer
// elements and dimensions, plain attributes, scales of 1, zero points of 0, x of
// 0 or 1 or of fewer bits. Repeated, it ends.
std::vector<QuantizeLinearParts> Simpler(const QuantizeLinearParts& parts);

// Returns a problem of about `size` elements: any legal shape of any rank up to
// 8, any variant, scales and x directed, special and random by turns.
QuantizeLinearParts RandomParts(const Cell& cell, int opset_version, int64_t size,
                                CounterRng rng);

// "QuantizeLinear/21@21/FLOAT-FLOAT-INT4/blocked/inputs/saturate=1 [2,3] axis=1
// block_size=2 x=[0x3f800000 (0x1p+0), ...] y_scale=[...] y_zero_point=[...]"
std::string ToString(const QuantizeLinearParts& parts);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_PARTS_H_
