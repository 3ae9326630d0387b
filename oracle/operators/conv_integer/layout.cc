#include <string>
#include <utility>

#include "oracle/convolution/parameters.h"
#include "oracle/core/validation.h"
#include "oracle/operators/conv_integer/conv_integer.h"

namespace qconform::conv_integer {
namespace {

constexpr int kSinceVersions[] = {10};
constexpr ConvolutionClauses kClauses{.auto_pad = "CI-05", .empty = "CI-07"};

class Resolver {
 public:
  Resolver(const Problem& problem, bool has_data)
      : problem_(problem), validation_("CI-06", problem.since_version, has_data) {}

  Resolution Run() {
    if (ResolveTypes() && ResolveShapes()) ResolveZeroPoints();
    return {validation_.validity(), std::move(geometry_)};
  }

 private:
  bool ResolveTypes() {
    const Problem& p = problem_;
    return validation_.CheckDefinition("ConvInteger", kSinceVersions) &&
           CheckOperand("x", p.x) && CheckOperand("w", p.w) &&
           CheckZeroPoint("x_zero_point", p.x_zero_point, "x", p.x.type) &&
           CheckZeroPoint("w_zero_point", p.w_zero_point, "w", p.w.type);
  }

  bool CheckOperand(const char* name, const TensorView& tensor) {
    if (tensor.type == DataType::kUndefined) {
      return validation_.Invalid(std::string(name) +
                                 " is missing: only zero points may be left out");
    }
    if (!validation_.CheckOperand(name, tensor)) return false;
    if (tensor.type == DataType::kInt8 || tensor.type == DataType::kUint8) return true;
    return validation_.Invalid(std::string(name) + ": expected INT8 or UINT8, got " +
                               std::string(DataTypeName(tensor.type)));
  }

  bool CheckZeroPoint(const char* name, const std::optional<TensorView>& zero_point,
                      const char* owner_name, DataType owner) {
    if (!zero_point) return true;
    if (!validation_.CheckOperand(name, *zero_point)) return false;
    if (zero_point->type == owner) return true;
    return validation_.Invalid(std::string(name) + ": expected the type of " +
                               owner_name + ", " + std::string(DataTypeName(owner)) +
                               ", got " + std::string(DataTypeName(zero_point->type)));
  }

  bool ResolveShapes() {
    auto geometry = ResolveConvolution(problem_.attributes, problem_.x.shape,
                                       problem_.w.shape, kClauses, validation_);
    if (!geometry) return false;
    geometry_ = *std::move(geometry);
    return true;
  }

  bool ResolveZeroPoints() {
    return ResolveZeroPoint("x_zero_point", problem_.x_zero_point, std::nullopt) &&
           ResolveZeroPoint("w_zero_point", problem_.w_zero_point,
                            geometry_.output_channels);
  }

  bool ResolveZeroPoint(const char* name, const std::optional<TensorView>& zero_point,
                        std::optional<int64_t> output_channels) {
    if (!zero_point) return true;
    const std::string got = ", got the shape " + ShapeToString(zero_point->shape);
    const std::string expected =
        output_channels
            ? ": expected a scalar or [M] with M = " + std::to_string(*output_channels)
            : std::string(": expected a scalar");
    switch (FitChannels(zero_point->shape, output_channels)) {
      case ChannelFit::kScalar:
      case ChannelFit::kChannels:
        return true;
      case ChannelFit::kOne:
        return validation_.Open("CI-03", name + expected + got);
      case ChannelFit::kNone:
        break;
    }
    return validation_.Invalid(name + expected + got);
  }

  const Problem& problem_;
  Validation validation_;
  ConvolutionGeometry geometry_;
};

}  // namespace

Resolution Resolve(const Problem& problem) {
  return Resolver(problem, /*has_data=*/true).Run();
}

Resolution ResolveWithoutData(const Problem& problem) {
  return Resolver(problem, /*has_data=*/false).Run();
}

Result<ConvolutionGeometry> ValidGeometry(Resolution resolution) {
  const ModelValidity& validity = resolution.validity;
  if (validity.kind == ModelValidity::Kind::kInvalid) {
    return Error{"ConvInteger, " + validity.clause + ": " + validity.reason};
  }
  return std::move(resolution.geometry);
}

}  // namespace qconform::conv_integer
