#include "harness/backends/simd/convolution/public_attributes.h"

#include <new>
#include <variant>

namespace qconform::kernels {

Error ConvolutionOutputShape(std::span<const int64_t> x, std::span<const int64_t> w,
                             const ConvolutionAttributes& attributes,
                             std::vector<int64_t>& y) noexcept {
  try {
    const auto resolved = simd::ResolveConvolution(AttributesOf(attributes), x, w);
    if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
      return {refusal->reason};
    }
    y = std::get<simd::ConvolutionGeometry>(resolved).YShape();
    return {};
  } catch (const std::bad_alloc&) {  // by words of an Error; these are short enough
    return {"out of memory"};
  }
}

}  // namespace qconform::kernels
