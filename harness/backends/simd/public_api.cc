#include <variant>

#include "harness/backends/simd/quantize_linear.h"
#include "harness/backends/simd/targets.h"
#include "qconform/quantize_linear.h"

namespace qconform::kernels {
namespace {

DataType TypeOf(Type type) { return static_cast<DataType>(type); }

TensorView ViewOf(const Input& input) {
  return {TypeOf(input.type), input.shape, input.data};
}

}  // namespace

size_t ByteSize(Type type, int64_t count) { return PackedByteSize(TypeOf(type), count); }

Error QuantizeLinear(const Input& x, const Input& y_scale,
                     const std::optional<Input>& y_zero_point, Type y_type,
                     const QuantizeLinearAttributes& attributes, std::span<std::byte> y,
                     int threads) {
  constexpr int kNewest = 25;  // since_version: the others are cases of it
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
    return {refusal->clause + ": " + refusal->reason};
  }
  const Status done = simd::QuantizeLinear(std::get<simd::QuantizeLinearArgs>(resolved),
                                           {TypeOf(y_type), x.shape, y},
                                           {.target = 0, .threads = threads});
  return done ? Error{} : Error{done.error().message};
}

std::string_view InstructionSet() {
  const auto target = simd::FindTarget(int64_t{0});
  return target ? target->name : "none";
}

}  // namespace qconform::kernels
