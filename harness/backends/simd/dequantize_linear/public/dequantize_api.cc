#include <cstdint>
#include <new>
#include <string>
#include <variant>

#include "harness/backends/simd/core/public_tensors.h"
#include "harness/backends/simd/dequantize_linear/dequantize_linear.h"
#include "qconform/dequantize_linear.h"

namespace qconform::kernels {
namespace {

// In words of this header: ResolveDequantizeLinear's are those of models.
Error CheckDequantizeTypes(const Input& x, const Input& x_scale,
                           const std::optional<Input>& x_zero_point, Type y_type) {
  using enum Type;
  constexpr uint32_t kX = Set({kUint8, kInt8, kUint16, kInt16, kInt32, kUint4, kInt4,
                               kUint2, kInt2, kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2,
                               kFloat8E5M2FNUZ, kFloat6E2M3, kFloat6E3M2, kFloat4E2M1});
  constexpr uint32_t kY = Set({kFloat, kFloat16, kBfloat16});
  constexpr uint32_t kXScale = kY | Set({kFloat8E8M0});
  if (!IsIn(kX, x.type)) {
    return {
        "x: expected an integer type of at most 16 bits, INT32, a float8 or float6 "
        "type or FLOAT4E2M1, got " +
        Name(x.type)};
  }
  if (!IsIn(kXScale, x_scale.type)) {
    return {"x_scale: expected FLOAT, FLOAT16, BFLOAT16 or FLOAT8E8M0, got " +
            Name(x_scale.type)};
  }
  if (!IsIn(kY, y_type)) {
    return {"y_type: expected FLOAT, FLOAT16 or BFLOAT16, got " + Name(y_type)};
  }
  if (x_zero_point && x_zero_point->type != x.type) {
    return {"x_zero_point: expected x's type, " + Name(x.type) + ", got " +
            Name(x_zero_point->type)};
  }
  return {};
}

Error Dequantize(const Input& x, const Input& x_scale,
                 const std::optional<Input>& x_zero_point, Type y_type,
                 const DequantizeLinearAttributes& attributes, std::span<std::byte> y,
                 int threads) {
  Error bad = CheckDequantizeTypes(x, x_scale, x_zero_point, y_type);
  if (bad) return bad;
  constexpr int kNewest = 28;  // since_version: the others are cases of it
  std::optional<TensorView> zero_point;
  if (x_zero_point) zero_point = ViewOf(*x_zero_point);
  const auto resolved = simd::ResolveDequantizeLinear(
      kNewest, {attributes.axis, attributes.block_size, static_cast<int64_t>(y_type)},
      ViewOf(x), ViewOf(x_scale), zero_point);
  if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
    return {refusal->reason};
  }
  const Status done = simd::DequantizeLinear(
      std::get<simd::DequantizeLinearArgs>(resolved), {TypeOf(y_type), x.shape, y},
      {.target = 0, .threads = threads});
  return done ? Error{} : Error{done.error().message};
}

}  // namespace

Error DequantizeLinear(const Input& x, const Input& x_scale,
                       const std::optional<Input>& x_zero_point, Type y_type,
                       const DequantizeLinearAttributes& attributes,
                       std::span<std::byte> y, int threads) noexcept {
  try {
    return Dequantize(x, x_scale, x_zero_point, y_type, attributes, y, threads);
  } catch (const std::bad_alloc&) {  // by words of an Error; these are short enough
    return {"out of memory"};
  }
}

}  // namespace qconform::kernels
