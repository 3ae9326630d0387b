#include "harness/backends/simd/q_linear_conv/q_linear_conv.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/simd/convolution/check.h"
#include "harness/backends/simd/core/float_at.h"
#include "harness/backends/simd/core/geometry.h"

namespace qconform::simd {
namespace {

Refusal Invalid(std::string clause, std::string reason) {
  return {Refusal::Kind::kInvalid, std::move(clause), std::move(reason)};
}

// A scale and its zero point, for one element or for each of `channels`.
std::optional<Refusal> CheckPair(const char* scale_name, const TensorView& scale,
                                 const char* zero_point_name,
                                 const TensorView& zero_point, int64_t channels) {
  if (scale.type != DataType::kFloat) {
    return Invalid("QC-09", std::string(scale_name) + ": expected FLOAT, got " +
                                std::string(DataTypeName(scale.type)));
  }
  for (const auto& [name, shape] :
       {std::pair{scale_name, scale.shape}, {zero_point_name, zero_point.shape}}) {
    if (auto reason = CheckChannels(name, shape, channels)) {
      return Invalid("QC-09", *std::move(reason));
    }
  }
  if (IsOneElement(scale.shape) != IsOneElement(zero_point.shape)) {
    return Invalid("QC-09", std::string(zero_point_name) + ": expected the shape of " +
                                scale_name + ", " + ShapeToString(scale.shape) +
                                ", got " + ShapeToString(zero_point.shape));
  }
  return std::nullopt;
}

std::optional<Refusal> CheckZeroPointType(const char* name, const TensorView& zero_point,
                                          const TensorView& operand) {
  if (zero_point.type == operand.type) return std::nullopt;
  return Invalid("QC-09", std::string(name) + ": expected its operand's type, " +
                              std::string(DataTypeName(operand.type)) + ", got " +
                              std::string(DataTypeName(zero_point.type)));
}

std::optional<Refusal> CheckParameters(const QLinearConvArgs& args, int64_t channels) {
  for (auto refusal :
       {CheckZeroPointType("x_zero_point", args.x_zero_point, args.x),
        CheckZeroPointType("w_zero_point", args.w_zero_point, args.w),
        CheckPair("x_scale", args.x_scale, "x_zero_point", args.x_zero_point, 1),
        CheckPair("w_scale", args.w_scale, "w_zero_point", args.w_zero_point, channels),
        CheckPair("y_scale", args.y_scale, "y_zero_point", args.y_zero_point, 1)}) {
    if (refusal) return refusal;
  }
  const DataType y = args.y_zero_point.type;
  if (y != DataType::kUint8 && y != DataType::kInt8) {
    return Invalid("QC-09", "y_zero_point: expected UINT8 or INT8, got " +
                                std::string(DataTypeName(y)));
  }
  if (args.bias.type == DataType::kUndefined) return std::nullopt;
  const Shape expected = {channels};
  if (args.bias.type != DataType::kInt32 ||
      !std::ranges::equal(args.bias.shape, expected)) {
    return Invalid("QC-09", "B: expected INT32 of shape " + ShapeToString(expected) +
                                ", got " + std::string(DataTypeName(args.bias.type)) +
                                " of shape " + ShapeToString(args.bias.shape));
  }
  return std::nullopt;
}

}  // namespace

std::variant<ConvolutionGeometry, Refusal> ResolveQLinearConv(
    const ConvolutionAttributes& attributes, const QLinearConvArgs& args) {
  if (auto reason = CheckOperands(args.x, args.w)) {
    return Invalid("QC-09", *std::move(reason));
  }
  auto resolved = ResolveConvolution(attributes, args.x.shape, args.w.shape);
  if (auto* refusal = std::get_if<Refusal>(&resolved)) {
    refusal->clause = "QC-09";
    return resolved;
  }
  const int64_t channels = std::get<ConvolutionGeometry>(resolved).channels();
  if (auto refusal = CheckParameters(args, channels)) return *refusal;
  return resolved;
}

Status QLinearConv(const ConvolutionGeometry& geometry, const QLinearConvArgs& args,
                   const PackedWeights* packed, const MutableTensorView& y,
                   const ProductOptions& options) {
  if (Status status = CheckConvolution(geometry, args.x, args.w, packed,
                                       {{"x_scale", &args.x_scale},
                                        {"x_zero_point", &args.x_zero_point},
                                        {"w_scale", &args.w_scale},
                                        {"w_zero_point", &args.w_zero_point},
                                        {"y_scale", &args.y_scale},
                                        {"y_zero_point", &args.y_zero_point},
                                        {"B", &args.bias}},
                                       args.y_zero_point.type, y, options);
      !status) {
    return status;
  }
  if (geometry.channels() == 0) return Ok();  // and y and w's scales are empty
  ConvolutionJob job;
  job.geometry = geometry;
  job.x = args.x;
  job.w = args.w;
  job.y_type = y.type;
  job.y = y.data.data();
  job.x_zero_point = Codes(args.x_zero_point)[0];
  job.w_zero_point = Codes(args.w_zero_point);
  job.x_scale = FloatAt(args.x_scale, 0);
  job.w_scale.resize(args.w_scale.data.size() / sizeof(float));
  std::memcpy(job.w_scale.data(), args.w_scale.data.data(), args.w_scale.data.size());
  job.y_scale = FloatAt(args.y_scale, 0);
  job.y_zero_point = Codes(args.y_zero_point)[0];
  if (args.bias.type != DataType::kUndefined) {
    job.bias.resize(args.bias.data.size() / sizeof(int32_t));
    std::memcpy(job.bias.data(), args.bias.data.data(), args.bias.data.size());
  }
  Convolve(job, packed, options);
  return Ok();
}

}  // namespace qconform::simd
