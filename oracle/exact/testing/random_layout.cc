#include "oracle/exact/testing/random_layout.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace qconform::agreement {
namespace {

std::vector<int64_t> RandomShape(int min_rank, int max_rank, Random& random) {
  const int64_t rank = random.Between(min_rank, max_rank);
  // Few elements: many small questions see more than few large ones.
  const int64_t longest = rank <= 1 ? 24 : rank == 2 ? 7 : rank <= 4 ? 4 : 2;
  std::vector<int64_t> shape;
  for (int64_t d = 0; d < rank; ++d) {
    shape.push_back(random.OneIn(40) ? 0 : random.Between(1, longest));
  }
  return shape;
}

}  // namespace

size_t CountOf(const std::vector<int64_t>& shape) {
  return static_cast<size_t>(std::accumulate(shape.begin(), shape.end(), int64_t{1},
                                             std::multiplies<int64_t>()));
}

Layout RandomLayout(Granularity granularity, int since_version, Random& random) {
  Layout layout;
  const bool old = since_version < 21;
  switch (granularity) {
    case Granularity::kPerTensor: {
      layout.shape = RandomShape(0, 8, random);
      if (random.OneIn(8))
        layout.scale_shape = {1};  // QL-33 (or per axis, if D_axis is 1)
      const auto rank = static_cast<int64_t>(layout.shape.size());
      if (rank >= 2 && since_version >= 13) layout.axis = random.Between(-rank, rank - 1);
      return layout;
    }
    case Granularity::kPerAxis:
    case Granularity::kBlocked:
      break;
  }
  const bool may_be_a_vector = old || random.OneIn(8);  // QL-32, QL-33
  layout.shape = RandomShape(may_be_a_vector ? 1 : 2, 5, random);
  const int64_t rank = static_cast<int64_t>(layout.shape.size());
  layout.axis = random.Between(-rank, rank - 1);
  const size_t axis =
      static_cast<size_t>(layout.axis < 0 ? layout.axis + rank : layout.axis);
  const int64_t length = layout.shape[axis];
  if (granularity == Granularity::kPerAxis) {
    layout.scale_shape = {length};
    return layout;
  }
  layout.block_size = random.Between(1, std::max<int64_t>(length, 1));
  layout.scale_shape = layout.shape;
  layout.scale_shape[axis] = (length + layout.block_size - 1) / layout.block_size;
  return layout;
}

}  // namespace qconform::agreement
