// Small sizes of operands with a scale per tensor, per axis or per block, chosen by a
// covering array: every length from 0 to kMostLength, in every rank, about every axis, in
// each way to write it.
#ifndef QCONFORM_CASES_QUANTIZATION_COVERED_SIZES_H_
#define QCONFORM_CASES_QUANTIZATION_COVERED_SIZES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "cases/core/covering_array.h"
#include "cases/lattice/cell.h"
#include "cases/quantization/channel_layout.h"

namespace qconform::generators {

inline constexpr int kMostLength = 64;

// An index with 66013 elements: kernels that use threads do so from 65536 elements on.
inline constexpr int kSplitSize = 900'000;
// Whether a cell is asked it, once: one of many is.
bool IsAskedSplitSize(const Cell& cell);

// The layout of the index of a content of the generator `sizes`. The index holds length,
// rank, axis, how the axis is written, block size, and where the length lies.
ChannelLayout CoveredLayout(ScaleGranularity granularity, int index);

// Chooses the rows of a cell. An operator adds factors of its own, such as attributes.
class CoveredSizes {
 public:
  // `own` has the number of levels of each of the operator's factors.
  CoveredSizes(const Cell& cell, const std::vector<int>& own);

  struct Row {
    int index = 0;  // of the content
    std::vector<int> own;
    CoveringRow levels;  // ContentName::levels
  };
  // Returns the row of a length. `allows` looks at the levels of the operator's factors,
  // of which some are kFreeLevel.
  Row Next(int length, const std::function<bool(const std::vector<int>&)>& allows);
  // Returns the levels of an index that no row has: it too is asked once.
  CoveringRow LevelsOfOther() const { return CoveringRow(array_.factors(), 0); }

 private:
  ScaleGranularity granularity_;
  CoveringArray array_;
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_QUANTIZATION_COVERED_SIZES_H_
