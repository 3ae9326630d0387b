// ConvInteger by vector instructions: Y = conv(X - x_zero_point, W - w_zero_point).
//
// ONNX ConvInteger, since_version 10 (CI-01 to CI-08, docs/semantics.md). Sums are exact
// within INT32 and modulo 2^32 beyond.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONV_INTEGER_CONV_INTEGER_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONV_INTEGER_CONV_INTEGER_H_

#include <variant>

#include "harness/backends/simd/convolution/convolution.h"
#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/core/refusal.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// The operands. One whose type is kUndefined is missing; the zero points may be.
struct ConvIntegerArgs {
  TensorView x, w;
  TensorView x_zero_point, w_zero_point;
};

// Returns the geometry of these operands, or why they are refused (CI-03 to CI-07). Types
// and shapes are read, data is not: it may be empty.
std::variant<ConvolutionGeometry, Refusal> ResolveConvInteger(
    const ConvolutionAttributes& attributes, const ConvIntegerArgs& args);

// Writes y, which is INT32 of geometry.YShape(). `geometry` is what ResolveConvInteger
// gives for the operands; `packed`, if it is given, is made of args.w for the same
// target. Neither the operands nor y need be aligned; y must not overlap an operand.
// Returns an Error, with nothing written, if the target cannot run here or the tensors
// are not those.
Status ConvInteger(const ConvolutionGeometry& geometry, const ConvIntegerArgs& args,
                   const PackedWeights* packed, const MutableTensorView& y,
                   const ProductOptions& options = {});

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONV_INTEGER_CONV_INTEGER_H_
