#include <new>
#include <variant>

#include "harness/backends/simd/convolution/public_attributes.h"
#include "harness/backends/simd/core/public_tensors.h"
#include "harness/backends/simd/q_linear_conv/q_linear_conv.h"
#include "qconform/q_linear_conv.h"

namespace qconform::kernels {

Error QLinearConv(const Input& x, const Quantization& x_quantization, const Input& w,
                  const Quantization& w_quantization, const Quantization& y_quantization,
                  const std::optional<Input>& bias,
                  const ConvolutionAttributes& attributes, std::span<std::byte> y,
                  int threads) noexcept {
  try {
    simd::QLinearConvArgs args;
    args.x = ViewOf(x);
    args.x_scale = ViewOf(x_quantization.scale);
    args.x_zero_point = ViewOf(x_quantization.zero_point);
    args.w = ViewOf(w);
    args.w_scale = ViewOf(w_quantization.scale);
    args.w_zero_point = ViewOf(w_quantization.zero_point);
    args.y_scale = ViewOf(y_quantization.scale);
    args.y_zero_point = ViewOf(y_quantization.zero_point);
    if (bias) args.bias = ViewOf(*bias);
    const auto resolved = simd::ResolveQLinearConv(AttributesOf(attributes), args);
    if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
      return {refusal->reason};
    }
    const auto& geometry = std::get<simd::ConvolutionGeometry>(resolved);
    const Status done = simd::QLinearConv(geometry, args, nullptr,
                                          {args.y_zero_point.type, geometry.YShape(), y},
                                          {.target = 0, .threads = threads});
    return done ? Error{} : Error{done.error().message};
  } catch (const std::bad_alloc&) {  // by words of an Error; these are short enough
    return {"out of memory"};
  }
}

}  // namespace qconform::kernels
