#include "oracle/matmul/layout.h"

#include <algorithm>
#include <utility>

namespace qconform {
namespace {

using Dims = std::span<const int64_t>;

// More rows, columns or elements than the oracle could hold the answers of: dimensions
// of 0 make tensors without a byte whose other dimensions are as large as they like.
constexpr int64_t kMostLines = int64_t{1} << 28;

// Returns whether a count of matrices with `lines` each stays below that.
bool IsTooMany(int64_t matrices, int64_t lines) {
  return lines > 0 ? matrices > kMostLines / lines : matrices > kMostLines;
}

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

MatMulStack StackOf(Dims shape, bool is_left) {
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

}  // namespace

std::optional<MatMulLayout> ResolveMatMul(std::string_view a_name, Dims a,
                                          std::string_view b_name, Dims b,
                                          Validation& validation) {
  const std::string a_text(a_name);
  const std::string b_text(b_name);
  const auto invalid = [&](std::string reason) {
    validation.Invalid(std::move(reason));
    return std::nullopt;
  };
  if (a.empty() || b.empty()) {
    return invalid((a.empty() ? a_text : b_text) +
                   " is a scalar: its rank must be at least 1");
  }
  MatMulLayout layout;
  layout.a = StackOf(a, true);
  layout.b = StackOf(b, false);
  const std::string shapes = a_text + " has shape " + ShapeToString(a) + ", " + b_text +
                             " has shape " + ShapeToString(b);
  const auto too_large = [&] {
    return invalid(shapes +
                   ": more than 2^28 rows, columns or elements of y are not judged");
  };
  if (IsTooMany(layout.a.matrices, layout.a.rows) ||
      IsTooMany(layout.b.matrices, layout.b.columns)) {
    return too_large();
  }
  if (layout.a.columns != layout.b.rows) {
    return invalid(shapes + ": the last dimension of " + a_text +
                   " must be the last but one of " + b_text);
  }
  const std::optional<Shape> batch = Broadcast(layout.a.batch, layout.b.batch);
  if (!batch) return invalid(shapes + ": their batch dimensions must broadcast");
  layout.y_shape = *batch;
  if (a.size() > 1) layout.y_shape.push_back(layout.a.rows);
  if (b.size() > 1) layout.y_shape.push_back(layout.b.columns);
  const std::optional<int64_t> count = ElementCount(layout.y_shape);
  const std::optional<int64_t> matrices = ElementCount(*batch);
  if (!count || *count > kMostLines || !matrices || IsTooMany(*matrices, layout.a.rows)) {
    return too_large();
  }
  layout.y = {.batch = *batch,
              .matrices = *matrices,
              .rows = layout.a.rows,
              .columns = layout.b.columns};
  layout.a_matrix = BroadcastIndices(layout.a.batch, *batch);
  layout.b_matrix = BroadcastIndices(layout.b.batch, *batch);
  return layout;
}

bool BroadcastsTo(Dims from, Dims to) {
  const std::optional<Shape> shape = Broadcast(from, to);
  return shape && std::ranges::equal(*shape, to);
}

LineFit FitLines(std::string_view name, Dims shape, const MatMulLines& lines) {
  using Kind = LineFit::Kind;
  if (IsSingle(shape)) return {};
  const MatMulStack& stack = *lines.stack;
  const int64_t count = lines.by_row ? stack.rows : stack.columns;
  const std::string what = std::string(name) + " has shape " + ShapeToString(shape);
  const auto none = [&](const std::string& reason) {
    return LineFit{.kind = Kind::kNone, .reason = what + reason};
  };
  const auto wrong_lines = [&] {
    return none(lines.by_row
                    ? ": it must be [M] or [...,M,1] with M = " + std::to_string(count)
                    : ": it must be [N] or [...,1,N] with N = " + std::to_string(count));
  };
  if (lines.is_vector) return none(": a 1-D operand takes a scalar");

  // (1) The dimensions of the lines, and those of the batch before them.
  Dims batch;
  int64_t own_lines = 0;
  if (shape.size() == 1) {
    own_lines = shape[0];
  } else {
    const int64_t rows = shape[shape.size() - 2];
    const int64_t columns = shape[shape.size() - 1];
    if ((lines.by_row ? columns : rows) != 1) return wrong_lines();
    own_lines = lines.by_row ? rows : columns;
    batch = shape.first(shape.size() - 2);
  }
  if (own_lines != count && (own_lines != 1 || shape.size() == 1)) return wrong_lines();
  if (batch.size() > stack.batch.size() || !BroadcastsTo(batch, stack.batch)) {
    return none(": its batch dimensions must be those of the operand, " +
                ShapeToString(stack.batch));
  }
  LineFit fit{.kind = Kind::kOwn};
  if (!std::ranges::equal(batch, stack.batch) || own_lines != count) {
    fit.kind = Kind::kBroadcast;
    fit.reason =
        what + ": the batch dimensions of the operand are " + ShapeToString(stack.batch);
  }
  // (2) Line by line.
  const std::vector<int64_t> matrices = BroadcastIndices(batch, stack.batch);
  fit.indices.reserve(matrices.size() * static_cast<size_t>(count));
  for (const int64_t matrix : matrices) {
    for (int64_t line = 0; line < count; ++line) {
      fit.indices.push_back(matrix * own_lines + (own_lines == 1 ? 0 : line));
    }
  }
  return fit;
}

MatMulElement::MatMulElement(const MatMulLayout& layout, int64_t index)
    : layout_(layout), column_(index % layout.y.columns) {
  const MatMulStack& y = layout.y;
  const int64_t row = index / y.columns % y.rows;
  const auto matrix = static_cast<size_t>(index / y.columns / y.rows);
  a_line_ = layout.a_matrix[matrix] * layout.a.rows + row;
  b_matrix_ = layout.b_matrix[matrix];
  y_line_ = static_cast<int64_t>(matrix) * y.rows + row;
}

}  // namespace qconform
