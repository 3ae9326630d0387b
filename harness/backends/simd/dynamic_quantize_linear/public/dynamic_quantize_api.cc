#include <new>

#include "harness/backends/simd/core/public_tensors.h"
#include "harness/backends/simd/dynamic_quantize_linear/dynamic_quantize_linear.h"
#include "qconform/dynamic_quantize_linear.h"

namespace qconform::kernels {

Error DynamicQuantizeLinear(const Input& x, std::span<std::byte> y, float& y_scale,
                            uint8_t& y_zero_point, int threads) noexcept {
  try {
    const Status done = simd::DynamicQuantizeLinear(
        ViewOf(x),
        {{DataType::kUint8, x.shape, y},
         {DataType::kFloat, {}, std::as_writable_bytes(std::span(&y_scale, 1))},
         {DataType::kUint8, {}, std::as_writable_bytes(std::span(&y_zero_point, 1))}},
        {.target = 0, .threads = threads});
    return done ? Error{} : Error{done.error().message};
  } catch (const std::bad_alloc&) {  // by words of an Error; these are short enough
    return {"out of memory"};
  }
}

}  // namespace qconform::kernels
