// QuantizeLinear by vector instructions, bit for bit.
//
//   y = saturate(round_half_even(round_P(x / y_scale)) + y_zero_point)      (1)
//
// ONNX QuantizeLinear, since_version 10, 13, 19, 21, 23, 24, 25, 28: every legal
// combination of types, attributes and granularity. Where the specification is
// open this follows the canonical reading of the clauses QL-01 to QL-52
// (docs/semantics.md): NaN gives the lowest integer, FLOAT4E2M1's +6, float6's -0,
// or NaN; a float target's zero point is added exactly, before the one rounding.
//
// Use: ResolveQuantizeLinear turns a node's attributes and operands into
// arguments, or says why the model is invalid; QuantizeLinear computes y.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_QUANTIZE_LINEAR_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_QUANTIZE_LINEAR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/core/refusal.h"
#include "harness/backends/simd/core/stores.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// What the operator is asked to compute, all defaults resolved.
struct QuantizeLinearArgs {
  TensorView x;        // FLOAT, FLOAT16, BFLOAT16, INT32
  TensorView y_scale;  // these and FLOAT8E8M0
  // Of type output_dtype; absent means 0. Its shape is that of y_scale, or one
  // element that stands for all.
  std::optional<TensorView> y_zero_point;
  // Used where y_scale is not one element, in [-rank, rank - 1].
  int64_t axis = 1;
  // 0: y_scale is one element or a vector along `axis`. Otherwise y_scale has
  // x's rank, and ceil(size / block_size) or more elements along `axis`.
  int64_t block_size = 0;
  bool saturate = true;  // float8 targets only
  // QL-22: before 24 infinite quotients become NaN in FNUZ formats, where it saturates.
  bool fnuz_infinity_is_nan = false;
  DataType output_dtype = DataType::kUint8;
  // P: FLOAT, FLOAT16, BFLOAT16 or DOUBLE. x and y_scale are rounded to it, and
  // so is their quotient. kUndefined: the exact quotient, rounded only to y
  // (QL-06); then y_scale is INT32.
  DataType division_precision = DataType::kFloat;
};

// Returns how y_scale lies along x, or an Error if their shapes contradict each other
// (QL-31). Precondition: x has at least one element.
Result<Geometry> GeometryOf(const QuantizeLinearArgs& args);

struct QuantizeLinearOptions {
  int64_t target = 0;               // Target::bit; 0 takes the best
  int threads = 1;                  // at most; the bits of y do not depend on it
  Stores stores = Stores::kBySize;  // nor on this
};

// Writes y, whose type is args.output_dtype and whose shape is x's. Neither the
// operands nor y need be aligned; y must not overlap an operand. The caller's
// floating-point modes (rounding, flush to zero) are without effect, and are
// kept. An Error, with nothing written, where the target cannot run here or the
// arguments contradict each other.
Status QuantizeLinear(const QuantizeLinearArgs& args, const MutableTensorView& y,
                      const QuantizeLinearOptions& options = {});

// The attributes as the node has them; absent ones have the schema's default.
struct QuantizeLinearAttributes {
  std::optional<int64_t> axis;
  int64_t block_size = 0;
  int64_t saturate = 1;
  int64_t output_dtype = 0;
  int64_t precision = 0;
};

// Returns the arguments that the node means. Types and shapes of the operands
// are read, their data is not: it may be empty until QuantizeLinear is called.
// Models that QL-33 leaves open are accepted with their plain meaning.
std::variant<QuantizeLinearArgs, Refusal> ResolveQuantizeLinear(
    int since_version, const QuantizeLinearAttributes& attributes, const TensorView& x,
    const TensorView& y_scale, const std::optional<TensorView>& y_zero_point);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_QUANTIZE_LINEAR_H_
