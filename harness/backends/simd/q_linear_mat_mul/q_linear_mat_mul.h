// QLinearMatMul by vector instructions, bit for bit.
//
//   C = (a - a_zero_point) x (b - b_zero_point)      numpy.matmul's shapes    (1)
//   y = saturate(rne(C * a_scale * b_scale / y_scale) + y_zero_point)         (2)
//
// ONNX QLinearMatMul, since_version 10 and 21: every legal combination of types
// and granularities. This follows the canonical reading of the clauses MM-01 to
// MM-20 (docs/semantics.md): C of integers modulo 2^32, of float8 operands
// exact; (2) exact with one rounding. Float8 y: v + y_zero_point rounded once,
// saturating. docs/requantization.md says why fast arithmetic gives these bits.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_

#include <cstdint>
#include <optional>

#include "harness/backends/simd/core/refusal.h"
#include "harness/backends/simd/matmul/packed_b.h"
#include "harness/backends/simd/matmul/requantization.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// The operands. One whose type is kUndefined is missing.
struct QLinearMatMulArgs {
  TensorView a, a_scale, a_zero_point;
  TensorView b, b_scale, b_zero_point;
  TensorView y_scale, y_zero_point;  // y is of y_zero_point's type
};

// Returns why these operands are refused (MM-04 to MM-07), or nothing. Types and
// shapes are read, data is not: it may be empty. Of the forms that MM-06 leaves
// open those with a plain meaning are accepted; y_scale of other than one
// element (MM-05) is declined.
std::optional<Refusal> CheckQLinearMatMul(int since_version,
                                          const QLinearMatMulArgs& args);

// Returns y's shape, or what a check for since_version 21 would say.
Result<Shape> QLinearMatMulOutputShape(const QLinearMatMulArgs& args);

struct QLinearMatMulStats {
  // Elements of y that lay too close to a boundary for fast arithmetic, and
  // were computed again in integers.
  int64_t repaired = 0;
};

struct QLinearMatMulOptions {
  int64_t target = 0;  // Target::bit; 0 takes the best
  int threads = 1;     // at most; the bits of y do not depend on it
  Requantization requantization = Requantization::kExact;  // how (2) is computed
  // Whether dot-product instructions of the CPU may be used that Highway does
  // not count to the target (VNNI in addition to AVX3).
  bool dot_product = true;
  QLinearMatMulStats* stats = nullptr;  // added to, where given

  // Those by which b is laid out.
  operator ProductOptions() const {  // NOLINT(google-explicit-constructor)
    return {.target = target, .threads = threads, .dot_product = dot_product};
  }
};

// Writes y. `packed`, where given, is made of args.b with the same target and
// dot_product. Neither the operands nor y need be aligned; y must not overlap an
// operand. The caller's floating-point modes are without effect, and are kept.
// An Error, with nothing written, where the target cannot run here or the
// arguments are not those of a valid node of since_version 21.
Status QLinearMatMul(const QLinearMatMulArgs& args, const PackedB* packed,
                     const MutableTensorView& y,
                     const QLinearMatMulOptions& options = {});

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_
