// Codes of x and w for operators that convolve, and sums that are made to measure.
#ifndef QCONFORM_CASES_CONVOLUTION_VALUES_H_
#define QCONFORM_CASES_CONVOLUTION_VALUES_H_

#include <cstdint>

#include "cases/convolution/question.h"

namespace qconform::generators {

// Zero points, then codes as large as can be: x of the upper quarter of its type, weights
// of both ends in runs whose pairs exceed 16 bits. The index says which sizes.
inline constexpr int kExtremeConvolutions = 10;
void FillConvolutionExtremes(ConvolutionQuestion& question);

// Codes next to their zero points, none of them equal to it: each product is small, and
// each of them shows in the sum.
void FillSmallProducts(ConvolutionQuestion& question);

// Weights that leave each output channel of a group a segment of its products to itself,
// in windows that do not overlap. So the sum of each output element can be chosen freely,
// through x; elsewhere weights are their zero point.
//
// A segment holds digits: large values, then a middle one, then 1 (or -1).
class DirectedWindows {
 public:
  // Sets sizes, zero points and w. Preconditions: no two windows have an element of x in
  // common, and none has padding; segment >= 3; at least outputs * segment products.
  DirectedWindows(ConvolutionQuestion& question, ConvolutionSizes sizes, int64_t segment,
                  uint32_t zero_points);
  // For zero points that are set already.
  DirectedWindows(ConvolutionQuestion& question, int64_t segment);

  // floor(log2) of the largest sum that any output channel can have, and whether sums can
  // have a sign.
  int sum_exponent() const { return sum_exponent_; }
  bool can_be_positive() const { return positive_; }
  bool can_be_negative() const { return negative_; }

  // Chooses x so that the sum of an output element is `wanted`, or the nearest that
  // digits reach, and returns what it is.
  int64_t Choose(int64_t batch, int64_t m, int64_t position, int64_t wanted);

 private:
  void SetWeights();

  ConvolutionQuestion& question_;
  int64_t segment_;
  int sum_exponent_ = 0;
  bool positive_ = false;
  bool negative_ = false;
};

// Returns sizes for it by turn: 1x1 kernels, windows of their own size, groups,
// depthwise, 1-D and 3-D; with `segment` products for each output channel.
inline constexpr int kDirectedConvolutions = 8;
ConvolutionSizes DirectedConvolution(int turn, int64_t& segment);

// Sums at the ends of INT32 and beyond: all are positive, or negative if `negative`. The
// digits of x are those of DirectedWindows.
void FillConvolutionOverflow(ConvolutionQuestion& question, bool negative);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CONVOLUTION_VALUES_H_
