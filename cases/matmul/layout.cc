#include "cases/matmul/layout.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <utility>

namespace qconform::generators {
namespace {

int64_t Count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

Shape Broadcast(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (size_t back = 1; back <= shape.size(); ++back) {
    int64_t& dimension = shape[shape.size() - back];
    if (back <= a.size()) dimension = a[a.size() - back];
    if (back <= b.size() && dimension == 1) dimension = b[b.size() - back];
  }
  return shape;
}

// Of each index of the broadcast dimensions `to`: the index among `from`.
std::vector<int64_t> IndicesOf(const Shape& from, const Shape& to) {
  std::vector<int64_t> indices(static_cast<size_t>(Count(to)), 0);
  for (size_t i = 0; i < indices.size(); ++i) {
    auto rest = static_cast<int64_t>(i);
    int64_t stride = 1;
    for (size_t back = 1; back <= to.size(); ++back) {
      const int64_t size = to[to.size() - back];
      const int64_t at = rest % size;
      rest /= size;
      if (back > from.size()) continue;
      const int64_t own = from[from.size() - back];
      if (own != 1) indices[i] += at * stride;
      stride *= own;
    }
  }
  return indices;
}

}  // namespace

MatMulLayout MakeMatMulLayout(const Cell& cell, MatMulForms forms, MatMulSizes sizes) {
  MatMulLayout layout;
  layout.per_row = IsPerRow(cell);
  layout.per_column = IsPerColumn(cell);
  assert(!(layout.per_row && sizes.a_is_vector));
  assert(!(layout.per_column && sizes.b_is_vector));
  if (sizes.a_is_vector) {
    sizes.a_batch.clear();
    sizes.rows = 1;
  }
  if (sizes.b_is_vector) {
    sizes.b_batch.clear();
    sizes.columns = 1;
  }
  layout.a_shape = sizes.a_batch;
  if (!sizes.a_is_vector) layout.a_shape.push_back(sizes.rows);
  layout.a_shape.push_back(sizes.k);
  layout.b_shape = sizes.b_batch;
  layout.b_shape.push_back(sizes.k);
  if (!sizes.b_is_vector) layout.b_shape.push_back(sizes.columns);

  const Shape batch = Broadcast(sizes.a_batch, sizes.b_batch);
  layout.y_shape = batch;
  if (!sizes.a_is_vector) layout.y_shape.push_back(sizes.rows);
  if (!sizes.b_is_vector) layout.y_shape.push_back(sizes.columns);
  layout.a_of = IndicesOf(sizes.a_batch, batch);
  layout.b_of = IndicesOf(sizes.b_batch, batch);
  layout.a_matrices = Count(sizes.a_batch);
  layout.b_matrices = Count(sizes.b_batch);

  layout.a_parameter_shape = SingleShape(forms.a);
  layout.b_parameter_shape = SingleShape(forms.b);
  if (layout.per_row) {
    const bool full = forms.a == VectorForm::kFull;
    assert(full || sizes.a_batch.empty());
    layout.a_parameter_shape = sizes.a_batch;
    layout.a_parameter_shape.push_back(sizes.rows);
    if (full) layout.a_parameter_shape.push_back(1);
  }
  if (layout.per_column) {
    const bool full = forms.b == VectorForm::kFull;
    assert(full || sizes.b_batch.empty());
    layout.b_parameter_shape = sizes.b_batch;
    if (full) layout.b_parameter_shape.push_back(1);
    layout.b_parameter_shape.push_back(sizes.columns);
  }
  layout.sizes = std::move(sizes);
  return layout;
}

}  // namespace qconform::generators
