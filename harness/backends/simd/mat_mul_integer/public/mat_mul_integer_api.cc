#include <new>

#include "harness/backends/simd/core/public_tensors.h"
#include "harness/backends/simd/mat_mul_integer/mat_mul_integer.h"
#include "qconform/mat_mul_integer.h"

namespace qconform::kernels {

Error MatMulInteger(const Input& a, const Input& b,
                    const std::optional<Input>& a_zero_point,
                    const std::optional<Input>& b_zero_point, std::span<std::byte> y,
                    int threads) noexcept {
  try {
    simd::MatMulIntegerArgs args;
    args.a = ViewOf(a);
    args.b = ViewOf(b);
    if (a_zero_point) args.a_zero_point = ViewOf(*a_zero_point);
    if (b_zero_point) args.b_zero_point = ViewOf(*b_zero_point);
    if (const auto refusal = simd::CheckMatMulInteger(args)) return {refusal->reason};
    const Shape shape = simd::MatMulIntegerOutputShape(args);
    const Status done = simd::MatMulInteger(args, nullptr, {DataType::kInt32, shape, y},
                                            {.target = 0, .threads = threads});
    return done ? Error{} : Error{done.error().message};
  } catch (const std::bad_alloc&) {  // by words of an Error; these are short enough
    return {"out of memory"};
  }
}

}  // namespace qconform::kernels
