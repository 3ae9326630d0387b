#include <string>
#include <utility>

#include "oracle/core/validation.h"
#include "oracle/operators/mat_mul_integer/mat_mul_integer.h"

namespace qconform::mat_mul_integer {
namespace {

constexpr int kSinceVersions[] = {10};

class Resolver {
 public:
  Resolver(const Problem& problem, bool has_data)
      : problem_(problem), validation_("MI-07", problem.since_version, has_data) {}

  Resolution Run() {
    if (ResolveTypes() && ResolveShapes()) ResolveZeroPoints();
    return {validation_.validity(), std::move(layout_)};
  }

 private:
  bool CheckOperand(const char* name, const TensorView& tensor) {
    if (tensor.type == DataType::kUndefined) {
      return validation_.Invalid(std::string(name) +
                                 " is missing: only zero points may be left out");
    }
    if (!validation_.CheckOperand(name, tensor)) return false;
    if (tensor.type == DataType::kInt8 || tensor.type == DataType::kUint8) return true;
    return validation_.Invalid(std::string(name) + " has type " +
                               std::string(DataTypeName(tensor.type)) +
                               ": it must be INT8 or UINT8");
  }

  bool CheckZeroPoint(const char* name, const std::optional<TensorView>& zero_point,
                      const char* owner_name, DataType owner) {
    if (!zero_point) return true;
    if (!validation_.CheckOperand(name, *zero_point)) return false;
    if (zero_point->type == owner) return true;
    return validation_.Invalid(
        std::string(name) + " has type " + std::string(DataTypeName(zero_point->type)) +
        ": it must be that of " + owner_name + ", " + std::string(DataTypeName(owner)));
  }

  bool CheckAttributes() {
    if (problem_.unknown_attribute.empty()) return true;
    return validation_.Invalid("attribute " + problem_.unknown_attribute +
                               " does not exist: the operator has none");
  }

  bool ResolveTypes() {
    const Problem& p = problem_;
    return validation_.CheckDefinition("MatMulInteger", kSinceVersions) &&
           CheckAttributes() && CheckOperand("A", p.a) && CheckOperand("B", p.b) &&
           CheckZeroPoint("a_zero_point", p.a_zero_point, "A", p.a.type) &&
           CheckZeroPoint("b_zero_point", p.b_zero_point, "B", p.b.type);
  }

  bool ResolveShapes() {
    auto layout =
        ResolveMatMul("A", problem_.a.shape, "B", problem_.b.shape, validation_);
    if (!layout) return false;
    static_cast<MatMulLayout&>(layout_) = *std::move(layout);
    return true;
  }

  bool ResolveZeroPoints() {
    const Problem& p = problem_;
    return ResolveZeroPoint("a_zero_point", p.a_zero_point, p.a.shape,
                            {&layout_.a, true, p.a.shape.size() == 1},
                            layout_.a_zero_point) &&
           ResolveZeroPoint("b_zero_point", p.b_zero_point, p.b.shape,
                            {&layout_.b, false, p.b.shape.size() == 1},
                            layout_.b_zero_point);
  }

  bool ResolveZeroPoint(const char* name, const std::optional<TensorView>& zero_point,
                        std::span<const int64_t> owner, const MatMulLines& lines,
                        LineIndices& indices) {
    if (!zero_point) return true;
    LineFit fit = FitLines(name, zero_point->shape, lines);
    switch (fit.kind) {
      case LineFit::Kind::kOne:
        return true;
      case LineFit::Kind::kBroadcast:
        validation_.Open("MI-05", std::move(fit.reason));
        [[fallthrough]];
      case LineFit::Kind::kOwn:
        indices = std::move(fit.indices);
        return true;
      case LineFit::Kind::kNone:
        break;
    }
    // One value, or a shape that broadcasts though not by rows or columns.
    if (ElementCount(zero_point->shape) == 1) {
      return validation_.Open("MI-05", std::move(fit.reason));
    }
    if (BroadcastsTo(zero_point->shape, owner)) {
      layout_.is_free = true;
      return validation_.Open("MI-05", std::move(fit.reason));
    }
    return validation_.Invalid(std::move(fit.reason));
  }

  const Problem& problem_;
  Validation validation_;
  Layout layout_;
};

}  // namespace

Resolution Resolve(const Problem& problem) {
  return Resolver(problem, /*has_data=*/true).Run();
}

Resolution ResolveWithoutData(const Problem& problem) {
  return Resolver(problem, /*has_data=*/false).Run();
}

Result<Layout> ValidLayout(Resolution resolution) {
  const ModelValidity& validation = resolution.validation;
  if (validation.kind == ModelValidity::Kind::kInvalid) {
    return Error{"MatMulInteger, " + validation.clause + ": " + validation.reason};
  }
  return std::move(resolution.layout);
}

}  // namespace qconform::mat_mul_integer
