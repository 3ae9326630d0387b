// The inputs of a convolution as panels of a product: one column for each pixel of y, one
// row for each channel and tap (im2col). Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PANEL_MAKER_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PANEL_MAKER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/convolution/kernels.h"
#include "harness/backends/simd/convolution/phases.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Lays out panels, for one thread. Padded positions have x's zero point.
class PanelMaker {
 public:
  // `phases` are those of x, or nullptr if it has none. What is given outlives this.
  PanelMaker(const ConvolutionGeometry& geometry, const TensorView& x,
             const Phases* phases, uint8_t zero_point, const ConvolutionKernels& kernels,
             WordForm form);

  PanelMaker(PanelMaker&&) = default;  // no copies: keep_rows_ points into keep_

  // Chooses the pixels of the next panels: `valid` from `column` on, in `width` columns.
  void Choose(size_t column, size_t valid, size_t width);
  // Matrix n * groups + g is group g of image n.
  void LayOut(int64_t matrix, uint32_t* words);

 private:
  // Neighbours in a row of the panel: `count` elements of a channel of x.
  struct Copy {
    size_t to = 0;
    size_t count = 0;
    int64_t from = 0;
  };
  // The pixels of the panel that lie in one row of y.
  struct Run {
    size_t begin = 0;
    size_t count = 0;
  };

  void FindRuns(size_t column, size_t valid);
  void FindCopies();
  void FindKept();
  void FindRows(int64_t channel, const uint8_t** rows, uint8_t* scratch) const;
  const uint8_t* FlatRow(int64_t position, uint8_t* scratch) const;
  const uint8_t* CopiedRow(const uint8_t* channel, size_t tap, uint8_t* scratch) const;

  const ConvolutionGeometry& g_;
  const uint8_t* const x_;
  const Phases* const phases_;
  const bool is_signed_;
  const uint8_t zero_point_;
  const ConvolutionKernels& kernels_;
  const WordForm form_;
  bool has_padding_ = false;    // some pixel reads a padded position
  std::vector<int64_t> steps_;  // of x's spatial axes, in elements
  std::vector<int64_t> taps_;   // coordinates in the kernel, of each tap

  size_t column_ = 0, width_ = 0;
  std::vector<Run> runs_;
  std::vector<int64_t> starts_;  // coordinates of the first pixel of each run
  bool keeps_all_ = true;
  std::vector<uint8_t> keep_;                   // kMaxColumns for each tap
  std::vector<Copy> copies_;                    // of all taps
  std::vector<size_t> copies_end_;              // of each tap
  int64_t least_offset_ = 0, most_offset_ = 0;  // of the taps
  // Rows that are laid out at once.
  const size_t channels_at_once_;
  std::vector<uint8_t> scratch_;
  std::vector<const uint8_t*> rows_, keep_rows_;
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PANEL_MAKER_H_
