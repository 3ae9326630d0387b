// Which elements of x and w meet in an element of a convolution, by the judge (CI-02,
// CI-04, CI-05, CI-08):
//
//   y[n, m, o] = sum over c, t of x[n, g C/group + c, o stride + t dilation - begin]
//                                 w[m, c, t]
//
// where g is the group of m; o, t, stride, dilation and begin have one component for
// each spatial axis. Positions outside of x contribute nothing.
#ifndef QCONFORM_ORACLE_EXACT_CONVOLUTION_H_
#define QCONFORM_ORACLE_EXACT_CONVOLUTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/exact/answer.h"

namespace qconform::exact {

enum class AutoPad : uint8_t { kNotSet, kSameUpper, kSameLower, kValid };

// Lists that are empty are absent: ones, or pads of zero.
struct ConvolutionAttributes {
  AutoPad auto_pad = AutoPad::kNotSet;
  std::vector<int64_t> dilations = {};
  int64_t group = 1;
  std::vector<int64_t> pads = {};  // of all beginnings, then of all ends
  std::vector<int64_t> strides = {};
};

// One product: row-major indices in x and w.
struct ConvolutionTerm {
  size_t x = 0;
  size_t w = 0;
};

struct ConvolutionElement {
  size_t channel = 0;  // m
  std::vector<ConvolutionTerm> terms;
};

struct Convolution {
  std::vector<int64_t> shape;  // of y
  std::vector<ConvolutionElement> elements;
  int64_t products = 0;  // C / group * kernel volume: terms and padded positions
};

// Returns it for an x of shape [N, C, D1, ...] and a w of shape [M, C / group, k1, ...].
// `pads` are ignored unless auto_pad is kNotSet. Precondition: a valid model.
Convolution Convolve(const std::vector<int64_t>& x, const std::vector<int64_t>& w,
                     const ConvolutionAttributes& attributes);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_CONVOLUTION_H_
