#include "oracle/operators/q_linear_mat_mul/dimensions.h"

#include <optional>
#include <span>
#include <string>

#include "oracle/operators/q_linear_mat_mul/layout.h"

namespace qconform {
namespace {

using Dims = std::span<const int64_t>;

constexpr size_t kA = 0, kAScale = 1, kAZeroPoint = 2;
constexpr size_t kB = 3, kBScale = 4, kBZeroPoint = 5;
constexpr size_t kYScale = 6, kYZeroPoint = 7;

class Builder {
 public:
  Builder(const QLinearMatMulProblem& problem, const QLinearMatMulLayout& layout)
      : problem_(problem), layout_(layout) {}

  Dimensions Run() {
    const Dims a = problem_.a.shape;
    const Dims b = problem_.b.shape;
    const Dims y = layout_.y_shape;
    const size_t y_batch = layout_.y.batch.size();
    for (size_t from_end = 0; from_end < y_batch; ++from_end) {
      const size_t axis = y_batch - 1 - from_end;
      Dimension batch{.name = "batch_" + std::to_string(from_end),
                      .size = y[axis],
                      .operands = {},
                      .outputs = {{0, axis}}};
      AddBatch(kA, a, from_end, batch);
      AddBatch(kB, b, from_end, batch);
      dimensions_.push_back(std::move(batch));
    }
    if (a.size() >= 2) {
      rows_ = dimensions_.size();
      dimensions_.push_back({.name = "m",
                             .size = layout_.a.rows,
                             .is_rows = true,
                             .operands = {{kA, a.size() - 2}},
                             .outputs = {{0, y_batch}}});
    }
    if (b.size() >= 2) {
      columns_ = dimensions_.size();
      dimensions_.push_back({.name = "n",
                             .size = layout_.b.columns,
                             .operands = {{kB, b.size() - 1}},
                             .outputs = {{0, y.size() - 1}}});
    }
    const size_t b_rows = b.size() >= 2 ? b.size() - 2 : 0;
    dimensions_.push_back({.name = "k",
                           .size = layout_.a.columns,
                           .is_summed = true,
                           .operands = {{kA, a.size() - 1}, {kB, b_rows}},
                           .outputs = {}});
    AddParameters(problem_.a_scale, kAScale, rows_);
    AddParameters(problem_.a_zero_point, kAZeroPoint, rows_);
    AddParameters(problem_.b_scale, kBScale, columns_);
    AddParameters(problem_.b_zero_point, kBZeroPoint, columns_);
    AddParameters(problem_.y_scale, kYScale, rows_);
    AddParameters(problem_.y_zero_point, kYZeroPoint, rows_);
    return std::move(dimensions_);
  }

 private:
  // Adds the batch axis of a matrix operand unless it is broadcast.
  static void AddBatch(size_t operand, Dims shape, size_t from_end, Dimension& batch) {
    if (shape.size() < from_end + 3) return;
    const size_t axis = shape.size() - 3 - from_end;
    if (shape[axis] == batch.size) batch.operands.push_back({operand, axis});
  }

  // Adds the axes of a scale or zero point, but for those of size 1. `lines` is the
  // dimension of the rows or columns that it belongs to.
  void AddParameters(const TensorView& tensor, size_t operand,
                     std::optional<size_t> lines) {
    const Dims shape = tensor.shape;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] == 1) continue;
      const size_t from_end = shape.size() - 1 - axis;
      const bool is_batch = shape.size() >= 2 && from_end >= 2;
      dimensions_[is_batch ? from_end - 2 : *lines].operands.push_back({operand, axis});
    }
  }

  const QLinearMatMulProblem& problem_;
  const QLinearMatMulLayout& layout_;
  Dimensions dimensions_;
  std::optional<size_t> rows_;
  std::optional<size_t> columns_;
};

}  // namespace

Result<Dimensions> QLinearMatMulDimensions(const QLinearMatMulProblem& problem) {
  const QLinearMatMulResolution resolution = ResolveWithoutData(problem);
  const ModelValidity& validation = resolution.validation;
  if (validation.kind == ModelValidity::Kind::kInvalid) {
    return Error{"QLinearMatMul, " + validation.clause + ": " + validation.reason};
  }
  return Builder(problem, resolution.layout).Run();
}

}  // namespace qconform
