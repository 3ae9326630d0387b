// QLinearConv by vector instructions, bit for bit.
//
//   C = conv(x - x_zero_point, w - w_zero_point) + B
//   y = saturate(rne(C * x_scale * w_scale / y_scale) + y_zero_point)
//
// ONNX QLinearConv, since_version 10, by the canonical readings of the clauses QC-01 to
// QC-09 (docs/semantics.md): C modulo 2^32, y by one rounding of the exact quotient.
// docs/requantization.md says why fast arithmetic gives these bits.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_CONV_Q_LINEAR_CONV_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_CONV_Q_LINEAR_CONV_H_

#include <variant>

#include "harness/backends/simd/convolution/convolution.h"
#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/core/refusal.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// The operands. One whose type is kUndefined is missing; the bias may be.
struct QLinearConvArgs {
  TensorView x, x_scale, x_zero_point;
  TensorView w, w_scale, w_zero_point;
  TensorView y_scale, y_zero_point;  // y is of y_zero_point's type
  TensorView bias;
};

// Returns the geometry of these operands, or why they are refused (QC-06, QC-09). Types
// and shapes are read, data is not: it may be empty.
std::variant<ConvolutionGeometry, Refusal> ResolveQLinearConv(
    const ConvolutionAttributes& attributes, const QLinearConvArgs& args);

// Writes y, of y_zero_point's type and geometry.YShape(). `geometry` is what
// ResolveQLinearConv gives for the operands; `packed`, if it is given, is made of args.w
// for the same target. Neither the operands nor y need be aligned; y must not overlap an
// operand. The caller's floating-point modes are without effect, and are kept. Returns an
// Error, with nothing written, if the target cannot run here or the tensors are not
// those.
Status QLinearConv(const ConvolutionGeometry& geometry, const QLinearConvArgs& args,
                   const PackedWeights* packed, const MutableTensorView& y,
                   const ProductOptions& options = {});

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_CONV_Q_LINEAR_CONV_H_
