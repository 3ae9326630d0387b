#include "harness/backends/simd/conv_integer/conv_integer.h"

#include <optional>
#include <string>
#include <utility>

#include "harness/backends/simd/convolution/check.h"
#include "harness/backends/simd/core/geometry.h"

namespace qconform::simd {
namespace {

Refusal Invalid(std::string clause, std::string reason) {
  return {Refusal::Kind::kInvalid, std::move(clause), std::move(reason)};
}

std::optional<Refusal> CheckZeroPoint(const char* name, const TensorView& zero_point,
                                      const TensorView& operand, int64_t channels) {
  if (zero_point.type == DataType::kUndefined) return std::nullopt;
  if (zero_point.type != operand.type) {
    return Invalid("CI-06", std::string(name) + ": expected its operand's type, " +
                                std::string(DataTypeName(operand.type)) + ", got " +
                                std::string(DataTypeName(zero_point.type)));
  }
  if (auto reason = CheckChannels(name, zero_point.shape, channels)) {
    return Invalid("CI-03", *std::move(reason));
  }
  return std::nullopt;
}

}  // namespace

std::variant<ConvolutionGeometry, Refusal> ResolveConvInteger(
    const ConvolutionAttributes& attributes, const ConvIntegerArgs& args) {
  if (auto reason = CheckOperands(args.x, args.w)) {
    return Invalid("CI-06", *std::move(reason));
  }
  auto resolved = ResolveConvolution(attributes, args.x.shape, args.w.shape);
  if (auto* refusal = std::get_if<Refusal>(&resolved)) {
    refusal->clause = "CI-06";
    return resolved;
  }
  const int64_t channels = std::get<ConvolutionGeometry>(resolved).channels();
  if (auto refusal = CheckZeroPoint("x_zero_point", args.x_zero_point, args.x, 1)) {
    return *refusal;
  }
  if (auto refusal =
          CheckZeroPoint("w_zero_point", args.w_zero_point, args.w, channels)) {
    return *refusal;
  }
  return resolved;
}

Status ConvInteger(const ConvolutionGeometry& geometry, const ConvIntegerArgs& args,
                   const PackedWeights* packed, const MutableTensorView& y,
                   const ProductOptions& options) {
  if (Status status = CheckConvolution(
          geometry, args.x, args.w, packed,
          {{"x_zero_point", &args.x_zero_point}, {"w_zero_point", &args.w_zero_point}},
          DataType::kInt32, y, options);
      !status) {
    return status;
  }
  ConvolutionJob job;
  job.geometry = geometry;
  job.x = args.x;
  job.w = args.w;
  job.y = y.data.data();
  if (!args.x_zero_point.data.empty()) job.x_zero_point = Codes(args.x_zero_point)[0];
  if (!args.w_zero_point.data.empty()) job.w_zero_point = Codes(args.w_zero_point);
  Convolve(job, packed, options);
  return Ok();
}

}  // namespace qconform::simd
