#include "oracle/exact/scale_layout.h"

#include <functional>
#include <numeric>

namespace qconform::exact {

// Counts the indices of the tensor up like an odometer.
std::vector<size_t> ScaleIndices(const std::vector<int64_t>& shape,
                                 const std::vector<int64_t>& scale_shape, int64_t axis,
                                 int64_t block_size) {
  const int64_t count =
      std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>());
  std::vector<size_t> indices(static_cast<size_t>(count), 0);
  if (scale_shape.empty() || (scale_shape.size() == 1 && scale_shape[0] == 1)) {
    return indices;
  }
  const int64_t rank = static_cast<int64_t>(shape.size());
  const int64_t counted = axis < 0 ? axis + rank : axis;
  const size_t along = rank == 1 ? 0 : static_cast<size_t>(counted);
  const bool per_axis = scale_shape.size() == 1 && scale_shape[0] == shape[along];
  std::vector<int64_t> at(shape.size(), 0);
  for (size_t& index : indices) {
    if (per_axis) {
      index = static_cast<size_t>(at[along]);
    } else {
      int64_t sum = 0;
      for (size_t d = 0; d < shape.size(); ++d) {
        sum = sum * scale_shape[d] + (d == along ? at[d] / block_size : at[d]);
      }
      index = static_cast<size_t>(sum);
    }
    for (size_t d = shape.size(); d-- > 0;) {
      if (++at[d] < shape[d]) break;
      at[d] = 0;
    }
  }
  return indices;
}

}  // namespace qconform::exact
