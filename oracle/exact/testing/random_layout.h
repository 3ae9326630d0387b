// Random shapes of a tensor and of its scales. For the agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_TESTING_RANDOM_LAYOUT_H_
#define QCONFORM_ORACLE_EXACT_TESTING_RANDOM_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/exact/testing/agreement.h"

namespace qconform::agreement {

enum class Granularity : uint8_t { kPerTensor, kPerAxis, kBlocked };

struct Layout {
  std::vector<int64_t> shape;
  std::vector<int64_t> scale_shape;
  int64_t axis = 1;
  int64_t block_size = 0;
};

// Returns the layout of a legal model of this since_version, or now and then that of an
// open one (QL-33): ranks 0 to 8, dimensions of 0, axes from both ends, partial blocks.
Layout RandomLayout(Granularity granularity, int since_version, Random& random);

// Returns the number of elements of a shape.
size_t CountOf(const std::vector<int64_t>& shape);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_TESTING_RANDOM_LAYOUT_H_
