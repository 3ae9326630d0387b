#include "oracle/matmul/dimensions.h"

#include <optional>
#include <string>
#include <utility>

namespace qconform {
namespace {

// Adds the batch axis of a matrix operand unless it is broadcast.
void AddBatch(const MatMulOperandPlace& place, size_t from_end, Dimension& batch) {
  if (place.shape.size() < from_end + 3) return;
  const size_t axis = place.shape.size() - 3 - from_end;
  if (place.shape[axis] == batch.size) batch.operands.push_back({place.operand, axis});
}

}  // namespace

Dimensions MatMulDimensions(const MatMulLayout& layout, const MatMulOperandPlace& a,
                            const MatMulOperandPlace& b,
                            std::span<const MatMulParameterPlace> parameters) {
  const Shape& y = layout.y_shape;
  const size_t y_batch = layout.y.batch.size();
  Dimensions dimensions;
  for (size_t from_end = 0; from_end < y_batch; ++from_end) {
    const size_t axis = y_batch - 1 - from_end;
    Dimension batch{.name = "batch_" + std::to_string(from_end),
                    .size = y[axis],
                    .operands = {},
                    .outputs = {{0, axis}}};
    AddBatch(a, from_end, batch);
    AddBatch(b, from_end, batch);
    dimensions.push_back(std::move(batch));
  }
  std::optional<size_t> rows;
  if (a.shape.size() >= 2) {
    rows = dimensions.size();
    dimensions.push_back({.name = "m",
                          .size = layout.a.rows,
                          .is_rows = true,
                          .operands = {{a.operand, a.shape.size() - 2}},
                          .outputs = {{0, y_batch}}});
  }
  std::optional<size_t> columns;
  if (b.shape.size() >= 2) {
    columns = dimensions.size();
    dimensions.push_back({.name = "n",
                          .size = layout.b.columns,
                          .operands = {{b.operand, b.shape.size() - 1}},
                          .outputs = {{0, y.size() - 1}}});
  }
  const size_t b_rows = b.shape.size() >= 2 ? b.shape.size() - 2 : 0;
  dimensions.push_back(
      {.name = "k",
       .size = layout.terms(),
       .is_summed = true,
       .operands = {{a.operand, a.shape.size() - 1}, {b.operand, b_rows}},
       .outputs = {}});
  for (const auto& [operand, shape, by_row] : parameters) {
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] == 1) continue;
      const size_t from_end = shape.size() - 1 - axis;
      const bool is_batch = shape.size() >= 2 && from_end >= 2;
      dimensions[is_batch ? from_end - 2
                 : by_row ? *rows
                          : *columns]
          .operands.push_back({operand, axis});
    }
  }
  return dimensions;
}

}  // namespace qconform
