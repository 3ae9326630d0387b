#include <cstdint>
#include <new>
#include <string>
#include <variant>

#include "harness/backends/simd/core/public_tensors.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"
#include "qconform/quantize_linear.h"

namespace qconform::kernels {
namespace {

// In words of this header: ResolveQuantizeLinear's are those of models.
Error CheckTypes(const Input& x, const Input& y_scale,
                 const std::optional<Input>& y_zero_point, Type y_type, Type precision) {
  using enum Type;
  constexpr uint32_t kX = Set({kFloat, kFloat16, kBfloat16, kInt32});
  constexpr uint32_t kYScale = kX | Set({kFloat8E8M0});
  constexpr uint32_t kY = Set({kUint8, kInt8, kUint16, kInt16, kUint4, kInt4, kUint2,
                               kInt2, kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2,
                               kFloat8E5M2FNUZ, kFloat6E2M3, kFloat6E3M2, kFloat4E2M1});
  constexpr uint32_t kPrecision = Set({kUndefined, kFloat, kFloat16, kBfloat16, kDouble});
  if (!IsIn(kX, x.type)) {
    return {"x of type " + Name(x.type) +
            ": FLOAT, FLOAT16, BFLOAT16 or INT32 is needed"};
  }
  if (!IsIn(kYScale, y_scale.type)) {
    return {"y_scale of type " + Name(y_scale.type) +
            ": FLOAT, FLOAT16, BFLOAT16, INT32 or FLOAT8E8M0 is needed"};
  }
  if (!IsIn(kY, y_type)) {
    return {"y_type " + Name(y_type) +
            ": an integer type of at most 16 bits, a float8 or float6 type or FLOAT4E2M1 "
            "is needed"};
  }
  if (y_zero_point && y_zero_point->type != y_type) {
    return {"y_zero_point of type " + Name(y_zero_point->type) + ": y_type, " +
            Name(y_type) + ", is needed"};
  }
  if (!IsIn(kPrecision, precision)) {
    return {"precision " + Name(precision) +
            ": FLOAT, FLOAT16, BFLOAT16, DOUBLE or none is needed"};
  }
  return {};
}

Error Quantize(const Input& x, const Input& y_scale,
               const std::optional<Input>& y_zero_point, Type y_type,
               const QuantizeLinearAttributes& attributes, std::span<std::byte> y,
               int threads) {
  Error bad = CheckTypes(x, y_scale, y_zero_point, y_type, attributes.precision);
  if (bad) return bad;
  constexpr int kNewest = 28;  // since_version: the others are cases of it
  simd::QuantizeLinearAttributes given;
  given.axis = attributes.axis;
  given.block_size = attributes.block_size;
  given.saturate = attributes.saturate ? 1 : 0;
  given.output_dtype = static_cast<int64_t>(y_type);
  given.precision = static_cast<int64_t>(attributes.precision);
  std::optional<TensorView> zero_point;
  if (y_zero_point) zero_point = ViewOf(*y_zero_point);
  const auto resolved =
      simd::ResolveQuantizeLinear(kNewest, given, ViewOf(x), ViewOf(y_scale), zero_point);
  if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
    return {refusal->reason};
  }
  const Status done = simd::QuantizeLinear(std::get<simd::QuantizeLinearArgs>(resolved),
                                           {TypeOf(y_type), x.shape, y},
                                           {.target = 0, .threads = threads});
  return done ? Error{} : Error{done.error().message};
}

}  // namespace

Error QuantizeLinear(const Input& x, const Input& y_scale,
                     const std::optional<Input>& y_zero_point, Type y_type,
                     const QuantizeLinearAttributes& attributes, std::span<std::byte> y,
                     int threads) noexcept {
  try {
    return Quantize(x, y_scale, y_zero_point, y_type, attributes, y, threads);
  } catch (const std::bad_alloc&) {  // by words of an Error; these are short enough
    return {"out of memory"};
  }
}

}  // namespace qconform::kernels
