#include "oracle/operators/q_linear_mat_mul/layout.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "oracle/core/validation.h"

namespace qconform {
namespace {

constexpr int kSinceVersions[] = {10, 21};

bool AllowsOperand(int since_version, DataType type) {
  if (type == DataType::kInt8 || type == DataType::kUint8) return true;
  return since_version >= 21 && IsFloat8(type);
}

bool AllowsScale(int since_version, DataType type) {
  if (type == DataType::kFloat) return true;
  return since_version >= 21 &&
         (type == DataType::kFloat16 || type == DataType::kBfloat16);
}

bool IsSingle(std::span<const int64_t> shape) {
  return shape.empty() || (shape.size() == 1 && shape[0] == 1);
}

class Resolver {
 public:
  Resolver(const QLinearMatMulProblem& problem, bool has_data)
      : problem_(problem), validation_("MM-07", problem.since_version, has_data) {}

  QLinearMatMulResolution Run() {
    if (ResolveTypes() && ResolveShapes()) ResolveLines();
    return {validation_.validity(), std::move(layout_)};
  }

 private:
  // Whose lines a scale or zero point belongs to.
  struct Owner {
    MatMulLines lines;
    bool is_y;  // MM-05
  };

  bool Invalid(std::string reason) { return validation_.Invalid(std::move(reason)); }
  bool Open(std::string_view clause, std::string reason) {
    return validation_.Open(clause, std::move(reason));
  }

  std::string Since() const { return validation_.since(); }

  bool CheckTensor(const char* name, const TensorView& tensor, bool allowed) {
    if (tensor.type == DataType::kUndefined) {
      return Invalid(std::string(name) + " is missing: all eight inputs are required");
    }
    if (!allowed) {
      return Invalid(std::string(name) + " has type " +
                     std::string(DataTypeName(tensor.type)) + ", which " + Since() +
                     " does not allow");
    }
    return validation_.CheckSize(name, tensor);
  }

  bool CheckSameType(const char* name, const TensorView& tensor, const char* other_name,
                     const TensorView& other) {
    if (tensor.type == other.type) return true;
    return Invalid(std::string(name) + " has type " +
                   std::string(DataTypeName(tensor.type)) + ": it must be that of " +
                   other_name + ", " + std::string(DataTypeName(other.type)));
  }

  bool ResolveTypes() {
    const QLinearMatMulProblem& p = problem_;
    const int since = p.since_version;
    if (!validation_.CheckDefinition("QLinearMatMul", kSinceVersions)) return false;
    const auto operand = [&](const char* name, const TensorView& tensor) {
      return CheckTensor(name, tensor, AllowsOperand(since, tensor.type));
    };
    const auto scale = [&](const char* name, const TensorView& tensor) {
      return CheckTensor(name, tensor, AllowsScale(since, tensor.type));
    };
    return operand("a", p.a) && scale("a_scale", p.a_scale) &&
           operand("a_zero_point", p.a_zero_point) && operand("b", p.b) &&
           scale("b_scale", p.b_scale) && operand("b_zero_point", p.b_zero_point) &&
           scale("y_scale", p.y_scale) && operand("y_zero_point", p.y_zero_point) &&
           CheckSameType("a_zero_point", p.a_zero_point, "a", p.a) &&
           CheckSameType("b_zero_point", p.b_zero_point, "b", p.b) &&
           CheckSameType("b_scale", p.b_scale, "a_scale", p.a_scale) &&
           CheckSameType("y_scale", p.y_scale, "a_scale", p.a_scale);
  }

  bool ResolveShapes() {
    auto layout =
        ResolveMatMul("a", problem_.a.shape, "b", problem_.b.shape, validation_);
    if (!layout) return false;
    static_cast<MatMulLayout&>(layout_) = *std::move(layout);
    return true;
  }

  bool ResolveLines() {
    const QLinearMatMulProblem& p = problem_;
    QLinearMatMulLayout& l = layout_;
    const bool a_is_vector = p.a.shape.size() == 1;
    const Owner a{{&l.a, true, a_is_vector}, false};
    const Owner b{{&l.b, false, p.b.shape.size() == 1}, false};
    const Owner y{{&l.y, true, a_is_vector}, true};
    return ResolvePair("a_scale", p.a_scale, l.a_scale, "a_zero_point", p.a_zero_point,
                       l.a_zero_point, a) &&
           ResolvePair("b_scale", p.b_scale, l.b_scale, "b_zero_point", p.b_zero_point,
                       l.b_zero_point, b) &&
           ResolvePair("y_scale", p.y_scale, l.y_scale, "y_zero_point", p.y_zero_point,
                       l.y_zero_point, y);
  }

  bool ResolvePair(const char* scale_name, const TensorView& scale,
                   LineIndices& scale_lines, const char* zero_name,
                   const TensorView& zero_point, LineIndices& zero_lines,
                   const Owner& owner) {
    if (!ResolveOne(scale_name, scale, owner, scale_lines) ||
        !ResolveOne(zero_name, zero_point, owner, zero_lines)) {
      return false;
    }
    if (std::ranges::equal(scale.shape, zero_point.shape)) return true;
    const std::string shapes = std::string(scale_name) + " has shape " +
                               ShapeToString(scale.shape) + ", " + zero_name + " " +
                               ShapeToString(zero_point.shape);
    // Scalar against [1], and a vector scale with one zero point.
    if (IsSingle(zero_point.shape))
      return Open("MM-06", shapes + ": the text asks for equal shapes");
    return Invalid(shapes + ": they must be equal");
  }

  bool ResolveOne(const char* name, const TensorView& tensor, const Owner& owner,
                  LineIndices& indices) {
    LineFit fit = FitLines(name, tensor.shape, owner.lines);
    switch (fit.kind) {
      case LineFit::Kind::kNone:
        return Invalid(std::move(fit.reason));
      case LineFit::Kind::kOne:
        return true;
      case LineFit::Kind::kOwn:
      case LineFit::Kind::kBroadcast:
        break;
    }
    // Legal, except that the text knows no such scale of y, or none without its own
    // batch.
    if (owner.is_y) {
      Open("MM-05", std::string(name) + " has shape " + ShapeToString(tensor.shape) +
                        ": the text knows y_scale per tensor alone");
    } else if (fit.kind == LineFit::Kind::kBroadcast) {
      Open("MM-06", std::move(fit.reason));
    }
    indices = std::move(fit.indices);
    return true;
  }

  const QLinearMatMulProblem& problem_;
  Validation validation_;
  QLinearMatMulLayout layout_;
};

}  // namespace

QLinearMatMulResolution Resolve(const QLinearMatMulProblem& problem) {
  return Resolver(problem, /*has_data=*/true).Run();
}

QLinearMatMulResolution ResolveWithoutData(const QLinearMatMulProblem& problem) {
  return Resolver(problem, /*has_data=*/false).Run();
}

ModelValidity Validate(const QLinearMatMulProblem& problem) {
  return Resolve(problem).validation;
}

}  // namespace qconform
