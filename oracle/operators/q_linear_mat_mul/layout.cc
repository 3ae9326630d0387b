#include "oracle/operators/q_linear_mat_mul/layout.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "oracle/core/validation.h"

namespace qconform {
namespace {

using Dims = std::span<const int64_t>;

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

// More rows, columns or elements than the oracle could hold the answers of: dimensions
// of 0 make tensors without a byte whose other dimensions are as large as they like.
constexpr int64_t kMostLines = int64_t{1} << 28;

// Returns whether a count of matrices with `lines` each stays below that.
bool IsTooMany(int64_t matrices, int64_t lines) {
  return lines > 0 ? matrices > kMostLines / lines : matrices > kMostLines;
}

bool Equal(Dims a, Dims b) { return std::ranges::equal(a, b); }

bool IsSingle(Dims shape) {
  return shape.empty() || (shape.size() == 1 && shape[0] == 1);
}

// The broadcast of two lists of batch dimensions, or nothing.
std::optional<Shape> Broadcast(Dims a, Dims b) {
  if (a.size() < b.size()) std::swap(a, b);
  Shape shape(a.begin(), a.end());
  const size_t missing = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t& dimension = shape[missing + i];
    if (dimension == 1) dimension = b[i];
    if (b[i] != dimension && b[i] != 1) return std::nullopt;
  }
  return shape;
}

// Whether dimensions `from` broadcast to exactly `to`.
bool BroadcastsTo(Dims from, Dims to) {
  const std::optional<Shape> shape = Broadcast(from, to);
  return shape && Equal(*shape, to);
}

// For each index of the dimensions `to`, row-major, the index among `from`,
// which broadcasts to it.
std::vector<int64_t> BroadcastIndices(Dims from, Dims to) {
  const auto count = static_cast<size_t>(*ElementCount(to));
  std::vector<int64_t> indices(count);
  const size_t missing = to.size() - from.size();
  for (size_t i = 0; i < count; ++i) {
    auto rest = static_cast<int64_t>(i);
    int64_t stride = 1;
    for (size_t d = to.size(); d-- > 0;) {
      const int64_t at = rest % to[d];
      rest /= to[d];
      if (d < missing) continue;
      const int64_t size = from[d - missing];
      if (size != 1) indices[i] += at * stride;
      stride *= size;
    }
  }
  return indices;
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
    const MatMulStack* stack;
    bool by_row;
    bool is_vector;  // a 1-D operand: per tensor only
    bool is_y;       // MM-05
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

  static MatMulStack StackOf(Dims shape, bool is_left) {
    MatMulStack stack;
    if (shape.size() == 1) {
      (is_left ? stack.columns : stack.rows) = shape[0];
      return stack;
    }
    stack.batch.assign(shape.begin(), shape.end() - 2);
    stack.rows = shape[shape.size() - 2];
    stack.columns = shape[shape.size() - 1];
    stack.matrices = *ElementCount(stack.batch);
    return stack;
  }

  bool ResolveShapes() {
    const Dims a = problem_.a.shape;
    const Dims b = problem_.b.shape;
    if (a.empty() || b.empty()) {
      return Invalid(std::string(a.empty() ? "a" : "b") +
                     " is a scalar: its rank must be at least 1");
    }
    QLinearMatMulLayout& layout = layout_;
    layout.a = StackOf(a, true);
    layout.b = StackOf(b, false);
    const std::string shapes =
        "a has shape " + ShapeToString(a) + ", b has shape " + ShapeToString(b);
    const auto too_large = [&] {
      return Invalid(shapes +
                     ": more than 2^28 rows, columns or elements of y are not judged");
    };
    if (IsTooMany(layout.a.matrices, layout.a.rows) ||
        IsTooMany(layout.b.matrices, layout.b.columns)) {
      return too_large();
    }
    if (layout.a.columns != layout.b.rows) {
      return Invalid(shapes + ": the last dimension of a must be the last but one of b");
    }
    const std::optional<Shape> batch = Broadcast(layout.a.batch, layout.b.batch);
    if (!batch) return Invalid(shapes + ": their batch dimensions must broadcast");
    layout.y_shape = *batch;
    if (a.size() > 1) layout.y_shape.push_back(layout.a.rows);
    if (b.size() > 1) layout.y_shape.push_back(layout.b.columns);
    const std::optional<int64_t> count = ElementCount(layout.y_shape);
    const std::optional<int64_t> matrices = ElementCount(*batch);
    if (!count || *count > kMostLines || !matrices ||
        IsTooMany(*matrices, layout.a.rows)) {
      return too_large();
    }
    layout.y = {.batch = *batch,
                .matrices = *matrices,
                .rows = layout.a.rows,
                .columns = layout.b.columns};
    layout.a_matrix = BroadcastIndices(layout.a.batch, *batch);
    layout.b_matrix = BroadcastIndices(layout.b.batch, *batch);
    return true;
  }

  bool ResolveLines() {
    const QLinearMatMulProblem& p = problem_;
    QLinearMatMulLayout& l = layout_;
    const bool a_is_vector = p.a.shape.size() == 1;
    const Owner a{&l.a, true, a_is_vector, false};
    const Owner b{&l.b, false, p.b.shape.size() == 1, false};
    const Owner y{&l.y, true, a_is_vector, true};
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
    if (Equal(scale.shape, zero_point.shape)) return true;
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
    const Dims shape = tensor.shape;
    if (IsSingle(shape)) return true;
    const int64_t lines = owner.by_row ? owner.stack->rows : owner.stack->columns;
    const std::string what = std::string(name) + " has shape " + ShapeToString(shape);
    const std::string right = owner.by_row
                                  ? "[M] or [...,M,1] with M = " + std::to_string(lines)
                                  : "[N] or [...,1,N] with N = " + std::to_string(lines);
    if (owner.is_vector) return Invalid(what + ": a 1-D operand takes a scalar");

    // (1) The dimensions of the lines, and those of the batch before them.
    Dims batch;
    int64_t own_lines = 0;
    if (shape.size() == 1) {
      own_lines = shape[0];
    } else {
      const int64_t rows = shape[shape.size() - 2];
      const int64_t columns = shape[shape.size() - 1];
      if ((owner.by_row ? columns : rows) != 1)
        return Invalid(what + ": it must be " + right);
      own_lines = owner.by_row ? rows : columns;
      batch = shape.first(shape.size() - 2);
    }
    if (own_lines != lines && (own_lines != 1 || shape.size() == 1)) {
      return Invalid(what + ": it must be " + right);
    }
    const Shape& stack_batch = owner.stack->batch;
    if (batch.size() > stack_batch.size() || !BroadcastsTo(batch, stack_batch)) {
      return Invalid(what + ": its batch dimensions must be those of the operand, " +
                     ShapeToString(stack_batch));
    }
    // (2) What is legal but for being asked of y, or without its own batch.
    if (owner.is_y) {
      Open("MM-05", what + ": the text knows y_scale per tensor alone");
    } else if (!Equal(batch, stack_batch) || own_lines != lines) {
      Open("MM-06", what + ": the batch dimensions of the operand are " +
                        ShapeToString(stack_batch));
    }
    // (3) Line by line.
    const std::vector<int64_t> matrices = BroadcastIndices(batch, stack_batch);
    indices.reserve(matrices.size() * static_cast<size_t>(lines));
    for (const int64_t matrix : matrices) {
      for (int64_t line = 0; line < lines; ++line) {
        indices.push_back(matrix * own_lines + (own_lines == 1 ? 0 : line));
      }
    }
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
