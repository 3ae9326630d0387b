// Where the scales and zero points of a tensor lie (QL-31): per tensor, per axis or
// blocked.
#ifndef QCONFORM_ORACLE_EXACT_SCALE_LAYOUT_H_
#define QCONFORM_ORACLE_EXACT_SCALE_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qconform::exact {

// Returns, for each element of a tensor of this shape, the row-major index of its scale.
// Preconditions: scale_shape is a scalar, [1], [D_axis] (then any axis of a rank-1 tensor
// means axis 0) or that of a blocked scale with blocks of block_size.
std::vector<size_t> ScaleIndices(const std::vector<int64_t>& shape,
                                 const std::vector<int64_t>& scale_shape, int64_t axis,
                                 int64_t block_size);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_SCALE_LAYOUT_H_
