// Small convolutions, chosen by a covering array: every number of products in a sum of
// CoveredSum but 0, every number of output elements of a channel from 1 to 64, with
// ranks, groups, output channels and kernels.
#ifndef QCONFORM_CASES_CONVOLUTION_COVERED_SIZES_H_
#define QCONFORM_CASES_CONVOLUTION_COVERED_SIZES_H_

#include <cstdint>
#include <vector>

#include "cases/convolution/geometry.h"
#include "cases/core/covering_array.h"
#include "cases/lattice/cell.h"

namespace qconform::generators {

// The sizes of the index of a content of the generator `sizes`.
ConvolutionSizes CoveredConvolution(int index);

// Indices of larger ones: more than 1024 output elements or channels, more than 16
// batches, and more than 65536 elements of y, from which on kernels use threads.
inline constexpr int kFirstLargeConvolution = 950'000;
inline constexpr int kLargeConvolutions = 4;

// Chooses the rows of a cell. An operator adds one factor of its own.
class CoveredConvolutions {
 public:
  // `variants` is the number of levels of the operator's factor.
  CoveredConvolutions(const Cell& cell, int variants);

  struct Row {
    int index = 0;  // of the content
    int variant = 0;
    CoveringRow levels;  // ContentName::levels
  };
  // Returns the row of a place of CoveredSum. Precondition: that is no sum of 0.
  Row Next(int place);

 private:
  uint64_t turn_;
  CoveringArray array_;
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CONVOLUTION_COVERED_SIZES_H_
