#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "oracle/convolution/parameters.h"
#include "oracle/core/validation.h"
#include "oracle/operators/q_linear_conv/q_linear_conv.h"

namespace qconform::q_linear_conv {
namespace {

constexpr int kSinceVersions[] = {10};
constexpr ConvolutionClauses kClauses{.auto_pad = "QC-05", .empty = "QC-05"};

class Resolver {
 public:
  Resolver(const Problem& problem, bool has_data)
      : problem_(problem), validation_("QC-09", problem.since_version, has_data) {}

  Resolution Run() {
    if (ResolveTypes() && ResolveShapes()) ResolveParameters();
    return {validation_.validity(), std::move(geometry_)};
  }

 private:
  bool ResolveTypes() {
    const Problem& p = problem_;
    return validation_.CheckDefinition("QLinearConv", kSinceVersions) &&
           CheckData("x", p.x) && CheckScale("x_scale", p.x_scale) &&
           CheckZeroPoint("x_zero_point", p.x_zero_point, "x", p.x) &&
           CheckData("w", p.w) && CheckScale("w_scale", p.w_scale) &&
           CheckZeroPoint("w_zero_point", p.w_zero_point, "w", p.w) &&
           CheckScale("y_scale", p.y_scale) &&
           CheckData("y_zero_point", p.y_zero_point) &&
           (!p.bias ||
            CheckType("B", *p.bias, p.bias->type == DataType::kInt32, "INT32"));
  }

  bool CheckType(const char* name, const TensorView& tensor, bool is_allowed,
                 const std::string& expected) {
    if (tensor.type == DataType::kUndefined) {
      return validation_.Invalid(std::string(name) +
                                 " is missing: only B may be left out");
    }
    if (!is_allowed) {
      return validation_.Invalid(std::string(name) + ": expected " + expected + ", got " +
                                 std::string(DataTypeName(tensor.type)));
    }
    return validation_.CheckSize(name, tensor);
  }

  bool CheckData(const char* name, const TensorView& tensor) {
    const bool is_allowed =
        tensor.type == DataType::kInt8 || tensor.type == DataType::kUint8;
    return CheckType(name, tensor, is_allowed, "INT8 or UINT8");
  }

  bool CheckScale(const char* name, const TensorView& tensor) {
    return CheckType(name, tensor, tensor.type == DataType::kFloat, "FLOAT");
  }

  bool CheckZeroPoint(const char* name, const TensorView& tensor, const char* owner_name,
                      const TensorView& owner) {
    return CheckType(name, tensor, tensor.type == owner.type,
                     "the type of " + std::string(owner_name) + ", " +
                         std::string(DataTypeName(owner.type)));
  }

  bool ResolveShapes() {
    auto geometry = ResolveConvolution(problem_.attributes, problem_.x.shape,
                                       problem_.w.shape, kClauses, validation_);
    if (!geometry) return false;
    geometry_ = *std::move(geometry);
    return true;
  }

  bool ResolveParameters() {
    const Problem& p = problem_;
    const int64_t m = geometry_.output_channels;
    return ResolvePair("x_scale", p.x_scale, "x_zero_point", p.x_zero_point,
                       std::nullopt) &&
           ResolvePair("w_scale", p.w_scale, "w_zero_point", p.w_zero_point, m) &&
           ResolvePair("y_scale", p.y_scale, "y_zero_point", p.y_zero_point,
                       std::nullopt) &&
           ResolveBias(m);
  }

  bool ResolvePair(const char* scale_name, const TensorView& scale, const char* zero_name,
                   const TensorView& zero_point, std::optional<int64_t> channels) {
    const ChannelFit scale_fit = FitChannels(scale.shape, channels);
    const ChannelFit zero_fit = FitChannels(zero_point.shape, channels);
    const std::string got = std::string(scale_name) + " has shape " +
                            ShapeToString(scale.shape) + ", " + zero_name + " " +
                            ShapeToString(zero_point.shape);
    const std::string expected =
        channels ? ": expected scalars or [M] with M = " + std::to_string(*channels)
                 : std::string(": expected scalars");
    if (scale_fit == ChannelFit::kNone || zero_fit == ChannelFit::kNone) {
      return validation_.Invalid(got + expected);
    }
    if (!std::ranges::equal(scale.shape, zero_point.shape)) {
      // A scalar and [1] have the same one element.
      const bool both_are_one =
          *ElementCount(scale.shape) == 1 && *ElementCount(zero_point.shape) == 1;
      if (both_are_one) return validation_.Open("QC-09", got + ": expected equal shapes");
      return validation_.Invalid(got + ": expected equal shapes");
    }
    if (scale_fit == ChannelFit::kOne) return validation_.Open("QC-06", got + expected);
    return true;
  }

  bool ResolveBias(int64_t channels) {
    if (!problem_.bias) return true;
    const std::span<const int64_t> shape = problem_.bias->shape;
    if (shape.size() == 1 && shape[0] == channels) return true;
    return validation_.Invalid(
        "B: expected the shape [M] with M = " + std::to_string(channels) + ", got " +
        ShapeToString(shape));
  }

  const Problem& problem_;
  Validation validation_;
  ConvolutionGeometry geometry_;
};

}  // namespace

Problem ProblemOf(int since_version, const ConvolutionAttributes& attributes,
                  const Operands& operands) {
  Problem problem{.since_version = since_version, .attributes = attributes};
  const std::array<TensorView*, 8> into{
      &problem.x,       &problem.x_scale,     &problem.x_zero_point,
      &problem.w,       &problem.w_scale,     &problem.w_zero_point,
      &problem.y_scale, &problem.y_zero_point};
  for (size_t i = 0; i < into.size(); ++i) {
    if (const auto operand = OperandAt(operands, i)) *into[i] = *operand;
  }
  problem.bias = OperandAt(operands, into.size());
  return problem;
}

Resolution Resolve(const Problem& problem) {
  return Resolver(problem, /*has_data=*/true).Run();
}

Resolution ResolveWithoutData(const Problem& problem) {
  return Resolver(problem, /*has_data=*/false).Run();
}

Result<ConvolutionGeometry> ValidGeometry(Resolution resolution) {
  const ModelValidity& validity = resolution.validity;
  if (validity.kind == ModelValidity::Kind::kInvalid) {
    return Error{"QLinearConv, " + validity.clause + ": " + validity.reason};
  }
  return std::move(resolution.geometry);
}

}  // namespace qconform::q_linear_conv
