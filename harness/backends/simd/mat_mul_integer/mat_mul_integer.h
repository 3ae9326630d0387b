// MatMulInteger by vector instructions: Y = (A - a_zero_point) x (B - b_zero_point) with
// numpy.matmul's shapes.
//
// ONNX MatMulInteger, since_version 10 (MI-01 to MI-08, docs/semantics.md). Sums are
// exact within INT32 and modulo 2^32 beyond.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_

#include <optional>

#include "harness/backends/simd/core/refusal.h"
#include "harness/backends/simd/matmul/packed_b.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// The operands. One whose type is kUndefined is missing; the zero points may be.
struct MatMulIntegerArgs {
  TensorView a, b;
  TensorView a_zero_point, b_zero_point;
};

// Returns why these operands are refused (MI-04 to MI-08), or nothing. Types and shapes
// are read, data is not: it may be empty. Zero points with a plain meaning are accepted,
// except vectors with operands of rank 1.
std::optional<Refusal> CheckMatMulInteger(const MatMulIntegerArgs& args);

// Returns y's shape. Precondition: CheckMatMulInteger accepts the operands.
Shape MatMulIntegerOutputShape(const MatMulIntegerArgs& args);

// Writes y, which is INT32. `packed`, if it is given, is made of args.b with the same
// target and dot_product. Neither the operands nor y need be aligned; y must not overlap
// an operand. Returns an Error, with nothing written, if the target cannot run here or
// the arguments are not those of a valid node.
Status MatMulInteger(const MatMulIntegerArgs& args, const PackedB* packed,
                     const MutableTensorView& y, const ProductOptions& options = {});

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_
