#include <new>
#include <variant>

#include "harness/backends/simd/conv_integer/conv_integer.h"
#include "harness/backends/simd/convolution/public_attributes.h"
#include "harness/backends/simd/core/public_tensors.h"
#include "qconform/conv_integer.h"

namespace qconform::kernels {

Error ConvInteger(const Input& x, const Input& w,
                  const std::optional<Input>& x_zero_point,
                  const std::optional<Input>& w_zero_point,
                  const ConvolutionAttributes& attributes, std::span<std::byte> y,
                  int threads) noexcept {
  try {
    simd::ConvIntegerArgs args;
    args.x = ViewOf(x);
    args.w = ViewOf(w);
    if (x_zero_point) args.x_zero_point = ViewOf(*x_zero_point);
    if (w_zero_point) args.w_zero_point = ViewOf(*w_zero_point);
    const auto resolved = simd::ResolveConvInteger(AttributesOf(attributes), args);
    if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
      return {refusal->reason};
    }
    const auto& geometry = std::get<simd::ConvolutionGeometry>(resolved);
    const Status done = simd::ConvInteger(geometry, args, nullptr,
                                          {DataType::kInt32, geometry.YShape(), y},
                                          {.target = 0, .threads = threads});
    return done ? Error{} : Error{done.error().message};
  } catch (const std::bad_alloc&) {  // by words of an Error; these are short enough
    return {"out of memory"};
  }
}

}  // namespace qconform::kernels
