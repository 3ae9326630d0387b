// The inputs of a convolution as panels of a product: one column for each pixel of y, one
// row for each channel and tap (im2col). Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PANEL_MAKER_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PANEL_MAKER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/convolution/kernels.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Lays out panels, for one thread. Padded positions have x's zero point.
class PanelMaker {
 public:
  // `geometry` and x outlive this.
  PanelMaker(const ConvolutionGeometry& geometry, const TensorView& x, uint8_t zero_point,
             const ConvolutionKernels& kernels, WordForm form);

  // Matrix n * groups + g is group g of image n. The rest is as MakePanel has it.
  void LayOut(int64_t matrix, size_t column, size_t valid, size_t width, uint32_t* words);

 private:
  // Elements of x that neighbours in a row of the panel are, of one channel.
  struct Copy {
    size_t to = 0;
    size_t count = 0;
    int64_t from = 0;
  };
  // The pixels of the panel that lie in one row of y.
  struct Run {
    size_t begin = 0;
    size_t count = 0;
    std::vector<int64_t> at;  // the first one's coordinates
  };

  void FindRuns(size_t column, size_t valid);
  void FindKept(size_t width);
  void FindCopies();
  const uint8_t* FlatRow(int64_t position, size_t width, uint8_t* scratch) const;
  const uint8_t* CopiedRow(int64_t channel, size_t tap, uint8_t* scratch) const;

  const ConvolutionGeometry& g_;
  const std::span<const uint8_t> x_;
  const bool is_signed_;
  const uint8_t zero_point_;
  const ConvolutionKernels& kernels_;
  const WordForm form_;
  // Whether neighbours in a row of the panel are neighbours in x, beyond the ends of
  // rows, too: those there are padded positions.
  bool is_flat_ = true;
  std::vector<int64_t> steps_;              // of x's spatial axes, in elements
  std::vector<std::vector<int64_t>> taps_;  // coordinates in the kernel
  std::vector<int64_t> flat_offsets_;       // of taps, if is_flat_

  std::vector<Run> runs_;
  bool keeps_all_ = true;
  std::vector<uint8_t> keep_;       // kMaxColumns for each tap
  std::vector<Copy> copies_;        // of all taps
  std::vector<size_t> copies_end_;  // of each tap
  // Of a block of rows.
  std::vector<uint8_t> scratch_;
  std::vector<const uint8_t*> rows_, keep_rows_;
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PANEL_MAKER_H_
