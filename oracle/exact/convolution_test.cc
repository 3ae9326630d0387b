#include "oracle/exact/convolution.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace qconform::exact {
namespace {

using Dims = std::vector<int64_t>;
using Terms = std::vector<std::pair<size_t, size_t>>;

Terms TermsOf(const ConvolutionElement& element) {
  Terms terms;
  for (const ConvolutionTerm& term : element.terms) terms.emplace_back(term.x, term.w);
  return terms;
}

TEST(ExactConvolution, OneAxis_IsACrossCorrelation) {
  // y[o] = x[o] w[0] + x[o + 1] w[1]: the kernel is not flipped.
  const Convolution one = Convolve({1, 1, 3}, {1, 1, 2}, {});
  EXPECT_EQ(one.shape, (Dims{1, 1, 2}));
  EXPECT_EQ(one.products, 2);
  EXPECT_EQ(TermsOf(one.elements.at(0)), (Terms{{0, 0}, {1, 1}}));
  EXPECT_EQ(TermsOf(one.elements.at(1)), (Terms{{1, 0}, {2, 1}}));
}

TEST(ExactConvolution, PaddingAtBothEnds_LeavesTermsOut) {
  // Positions -2 to 3 of an x with positions 0 to 2.
  const Convolution one = Convolve({1, 1, 3}, {1, 1, 2}, {.pads = {2, 1}});
  ASSERT_EQ(one.shape, (Dims{1, 1, 5}));
  EXPECT_EQ(TermsOf(one.elements.at(0)), Terms{});
  EXPECT_EQ(TermsOf(one.elements.at(1)), (Terms{{0, 1}}));
  EXPECT_EQ(TermsOf(one.elements.at(4)), (Terms{{2, 0}}));
  EXPECT_EQ(one.products, 2);
}

TEST(ExactConvolution, PadsOfTwoAxes_AllBeginningsComeFirst) {
  // One row above, two columns at the right: y is 3 x 4 for an x of 2 x 2, w 1 x 1.
  const Convolution one = Convolve({1, 1, 2, 2}, {1, 1, 1, 1}, {.pads = {1, 0, 0, 2}});
  ASSERT_EQ(one.shape, (Dims{1, 1, 3, 4}));
  EXPECT_EQ(TermsOf(one.elements.at(3)), Terms{});
  EXPECT_EQ(TermsOf(one.elements.at(4)), (Terms{{0, 0}}));
  EXPECT_EQ(TermsOf(one.elements.at(9)), (Terms{{3, 0}}));
  EXPECT_EQ(TermsOf(one.elements.at(10)), Terms{});
}

TEST(ExactConvolution, StridesAndDilations_OfEachAxis) {
  // Rows: 5, 2 taps, stride 2: windows at 0 and 2. Columns: 5, 2 taps that lie 3 apart,
  // stride 1: windows at 0 and 1.
  const Convolution one =
      Convolve({1, 1, 5, 5}, {1, 1, 2, 2}, {.dilations = {1, 3}, .strides = {2, 1}});
  ASSERT_EQ(one.shape, (Dims{1, 1, 2, 2}));
  EXPECT_EQ(TermsOf(one.elements.at(1)), (Terms{{1, 0}, {4, 1}, {6, 2}, {9, 3}}));
  EXPECT_EQ(TermsOf(one.elements.at(2)), (Terms{{10, 0}, {13, 1}, {15, 2}, {18, 3}}));
}

TEST(ExactConvolution, SameUpperAndLower_SplitAnOddPaddingDifferently) {
  // ceil(5 / 2) = 3 outputs need 2 * 2 + (2 - 1) * 3 + 1 = 8 positions: 3 are missing.
  ConvolutionAttributes attributes = {
      .auto_pad = AutoPad::kSameUpper, .dilations = {3}, .strides = {2}};
  Convolution one = Convolve({1, 1, 5}, {1, 1, 2}, attributes);
  ASSERT_EQ(one.shape, (Dims{1, 1, 3}));  // windows start at -1, 1 and 3
  EXPECT_EQ(TermsOf(one.elements.at(0)), (Terms{{2, 1}}));
  EXPECT_EQ(TermsOf(one.elements.at(1)), (Terms{{1, 0}, {4, 1}}));
  EXPECT_EQ(TermsOf(one.elements.at(2)), (Terms{{3, 0}}));
  attributes.auto_pad = AutoPad::kSameLower;
  one = Convolve({1, 1, 5}, {1, 1, 2}, attributes);
  ASSERT_EQ(one.shape, (Dims{1, 1, 3}));  // windows start at -2, 0 and 2
  EXPECT_EQ(TermsOf(one.elements.at(0)), (Terms{{1, 1}}));
  EXPECT_EQ(TermsOf(one.elements.at(1)), (Terms{{0, 0}, {3, 1}}));
  EXPECT_EQ(TermsOf(one.elements.at(2)), (Terms{{2, 0}}));
  // A stride beyond the kernel needs no padding: ceil(5 / 3) = 2 windows, at 0 and 3.
  attributes = {.auto_pad = AutoPad::kSameLower, .strides = {3}};
  one = Convolve({1, 1, 5}, {1, 1, 1}, attributes);
  ASSERT_EQ(one.shape, (Dims{1, 1, 2}));
  EXPECT_EQ(TermsOf(one.elements.at(1)), (Terms{{3, 0}}));
}

TEST(ExactConvolution, Valid_HasNoPadding) {
  const Convolution one =
      Convolve({1, 1, 6}, {1, 1, 3}, {.auto_pad = AutoPad::kValid, .strides = {2}});
  EXPECT_EQ(one.shape, (Dims{1, 1, 2}));
}

TEST(ExactConvolution, KernelLargerThanInput) {
  EXPECT_EQ(Convolve({1, 1, 2}, {1, 1, 3}, {}).shape, (Dims{1, 1, 0}));
  const Convolution one = Convolve({1, 1, 2}, {1, 1, 5}, {.pads = {2, 1}});
  ASSERT_EQ(one.shape, (Dims{1, 1, 1}));
  EXPECT_EQ(TermsOf(one.elements.at(0)), (Terms{{0, 2}, {1, 3}}));
}

TEST(ExactConvolution, Groups_HaveTheirOwnChannels) {
  // C = 4, M = 6, two groups: outputs 0 to 2 see x's channels 0 and 1, 3 to 5 see 2, 3.
  const Convolution one = Convolve({1, 4, 1}, {6, 2, 1}, {.group = 2});
  ASSERT_EQ(one.shape, (Dims{1, 6, 1}));
  EXPECT_EQ(one.products, 2);
  EXPECT_EQ(TermsOf(one.elements.at(2)), (Terms{{0, 4}, {1, 5}}));
  EXPECT_EQ(TermsOf(one.elements.at(3)), (Terms{{2, 6}, {3, 7}}));
  EXPECT_EQ(one.elements.at(5).channel, 5u);
}

TEST(ExactConvolution, BatchesAndThreeAxes) {
  const Convolution one = Convolve({2, 1, 1, 2, 3}, {1, 1, 1, 2, 2}, {});
  ASSERT_EQ(one.shape, (Dims{2, 1, 1, 1, 2}));
  EXPECT_EQ(TermsOf(one.elements.at(1)), (Terms{{1, 0}, {2, 1}, {4, 2}, {5, 3}}));
  EXPECT_EQ(TermsOf(one.elements.at(2)), (Terms{{6, 0}, {7, 1}, {9, 2}, {10, 3}}));
}

}  // namespace
}  // namespace qconform::exact
