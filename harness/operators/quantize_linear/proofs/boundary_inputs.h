// The inputs of `prove all-scales`: both sides of every boundary of y, for any positive
// scale.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_BOUNDARY_INPUTS_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_BOUNDARY_INPUTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cases/exhaustive/chunks.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "oracle/operators/quantize_linear/thresholds.h"

namespace qconform::quantize_linear {

// A boundary by magnitudes of q: y is `inner` nearer to zero, `outer` beyond.
struct Boundary {
  double midpoint = 0;
  ElementAnswer inner, outer;
};

// Boundaries of one sign, for one zero point: the x of a scale are `width` on the
// inner side, then the same number on the outer; after the boundaries of each side lie
// special values, which do not depend on the scale.
struct BoundaryGroup {
  size_t list = 0;  // of zero points
  bool negative = false;
  // All boundaries of the sign, by magnitude; the group has `count` from `begin`.
  std::shared_ptr<const std::vector<Boundary>> side;
  size_t begin = 0;
  size_t count = 0;
  ElementAnswer infinity;  // y of the infinity of this sign
  size_t width = 0;
  std::vector<double> midpoints;       // padded to width
  std::vector<ElementAnswer> answers;  // 2 * width
  std::vector<uint8_t> codes;          // of the answers, as Subject writes them
  struct Special {
    size_t at = 0;
    uint32_t x = 0;
  };
  std::vector<Special> specials;
  size_t inputs = 0;  // of the 2 * width; the others are repetitions
};

struct BoundaryInputs {
  std::vector<QuantizeLinearLine> lists;  // one for each zero point
  std::vector<BoundaryGroup> groups;
  std::vector<ChunkedRange> scales;  // one after the other; chunks number all of them
  uint64_t inputs_per_scale = 0;
};

int64_t ChunkCount(const BoundaryInputs& inputs);
uint64_t ScaleCount(const BoundaryInputs& inputs);
// Precondition: 0 <= chunk < ChunkCount.
CodeRange ScalesOf(const BoundaryInputs& inputs, int64_t chunk);

// Adds the groups of one zero point.
Status AddGroups(const QuantizeLinearLine& line, BoundaryInputs& inputs);

// Writes the code of y's element `at`, as Subject does.
void StoreCode(DataType y, uint32_t code, size_t at, std::vector<uint8_t>& codes);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_BOUNDARY_INPUTS_H_
