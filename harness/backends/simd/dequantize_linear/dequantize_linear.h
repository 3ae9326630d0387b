// DequantizeLinear by vector instructions, bit for bit.
//
//   y = round_P((x - x_zero_point) * x_scale), where P is the type of y          (1)
//
// ONNX DequantizeLinear, since_version 10, 13, 19, 21, 23, 24, 25, 28: every legal
// combination of types, attributes and granularity. Where the specification is open this
// follows the canonical reading of the clauses DQ-01 to DQ-50 (docs/semantics.md).
//
// Use: ResolveDequantizeLinear turns a node's attributes and operands into arguments, or
// says why the model is invalid; DequantizeLinear computes y.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_

#include <cstdint>
#include <optional>
#include <variant>

#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/core/refusal.h"
#include "harness/backends/simd/core/stores.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// What the operator is asked to compute, all defaults resolved.
struct DequantizeLinearArgs {
  TensorView x;        // integers of at most 16 bits, INT32, float8, float6, FLOAT4E2M1
  TensorView x_scale;  // FLOAT, FLOAT16, BFLOAT16, FLOAT8E8M0
  // Of x's type; absent means 0. Its shape is that of x_scale, or one element that stands
  // for all.
  std::optional<TensorView> x_zero_point;
  // As ScaleShape has them.
  int64_t axis = 1;
  int64_t block_size = 0;
  DataType output_dtype = DataType::kFloat;  // FLOAT, FLOAT16, BFLOAT16
  // Whether the difference and the scale are converted to P before they are multiplied
  // (DQ-04). Otherwise their product is exact until it is rounded. Without effect on
  // INT32 x, which is converted to FLOAT (DQ-05).
  bool converts_operands = false;
};

struct DequantizeLinearOptions {
  int64_t target = 0;               // Target::bit; 0 takes the best
  int threads = 1;                  // at most; the bits of y do not depend on it
  Stores stores = Stores::kBySize;  // nor on this
};

// Writes y, whose type is args.output_dtype and whose shape is x's. Neither the operands
// nor y need be aligned; y must not overlap an operand. The caller's floating-point modes
// (rounding, flush to zero) are without effect, and are kept. An Error, with nothing
// written, where the target cannot run here or the arguments contradict each other.
Status DequantizeLinear(const DequantizeLinearArgs& args, const MutableTensorView& y,
                        const DequantizeLinearOptions& options = {});

// The attributes as the node has them; absent ones have the schema's default.
struct DequantizeLinearAttributes {
  std::optional<int64_t> axis;
  int64_t block_size = 0;
  int64_t output_dtype = 0;
};

// Returns the arguments that the node means. Types and shapes of the operands are read,
// their data is not: it may be empty until DequantizeLinear is called. Models that DQ-14
// and DQ-34 leave open are accepted with their plain meaning.
std::variant<DequantizeLinearArgs, Refusal> ResolveDequantizeLinear(
    int since_version, const DequantizeLinearAttributes& attributes, const TensorView& x,
    const TensorView& x_scale, const std::optional<TensorView>& x_zero_point);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_
