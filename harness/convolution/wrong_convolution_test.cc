// Wrong sums of convolutions, against values that were computed by hand.
#include "harness/convolution/wrong_convolution.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/convolution/convolution_faults.h"

namespace qconform {
namespace {

using M = ConvolutionMistakes;
using Sums = std::vector<int64_t>;

Tensor Bytes(DataType type, Shape shape, const std::vector<int>& values) {
  Tensor tensor{type, std::move(shape), {}};
  for (const int value : values) tensor.data.push_back(static_cast<std::byte>(value));
  return tensor;
}

// x of UINT8 and w of INT8, with zero points.
struct Problem {
  std::vector<Attribute> attributes;
  Tensor x, w, x_zero_point, w_zero_point;

  Sums By(const M& mistakes) const {
    const auto decoded = DecodeConvolution(attributes, x.view(), w.view(),
                                           x_zero_point.view(), w_zero_point.view());
    if (!decoded.ok()) return {};
    const WrongSums sums(*decoded, mistakes);
    Sums all;
    for (size_t i = 0; i < decoded->sums.size(); ++i) {
      all.push_back(sums.Of(static_cast<int64_t>(i)));
    }
    return all;
  }
};

// x - 1 = 1 2 3, w = 1 10 100, one position of padding at the beginning.
Problem OneAxis() {
  return {{{"pads", std::vector<int64_t>{1, 0}}},
          Bytes(DataType::kUint8, {1, 1, 3}, {2, 3, 4}),
          Bytes(DataType::kInt8, {1, 1, 3}, {2, 11, 101}),
          Bytes(DataType::kUint8, {}, {1}),
          Bytes(DataType::kInt8, {}, {1})};
}

TEST(WrongConvolution, Padding) {
  const Problem one = OneAxis();
  EXPECT_EQ(one.By({}), (Sums{210, 321}));
  // The padded position is x = 0: (0 - 1) * 1.
  EXPECT_EQ(one.By({.padding = M::Padding::kRawZero}), (Sums{209, 321}));
  EXPECT_EQ(one.By({.padding = M::Padding::kCrossTerm}), (Sums{211, 321}));
  EXPECT_EQ(one.By({.padding = M::Padding::kWeightSum}), (Sums{208, 321}));
  // No pad at the beginning, and none at the end of the shape that y has.
  EXPECT_EQ(one.By({.pads = M::Pads::kBeginAndEndSwapped}), (Sums{321, 32}));
  EXPECT_EQ(one.By({.pads = M::Pads::kIgnored}), (Sums{321, 32}));
}

TEST(WrongConvolution, Kernel) {
  const Problem one = OneAxis();
  EXPECT_EQ(one.By({.kernel = M::Kernel::kFlipped}), (Sums{12, 123}));
  EXPECT_EQ(one.By({.kernel = M::Kernel::kLastTapLost}), (Sums{10, 21}));
}

TEST(WrongConvolution, ZeroPointsAndSigns) {
  const Problem one = OneAxis();
  EXPECT_EQ(one.By({.no_x_zero_point = true}),
            (Sums{2 * 10 + 3 * 100, 2 * 1 + 3 * 10 + 4 * 100}));
  EXPECT_EQ(one.By({.no_w_zero_point = true}), (Sums{11 + 2 * 101, 2 + 22 + 303}));
  EXPECT_EQ(one.By({.no_cross_term = true}), (Sums{207, 318}));
  Problem large = OneAxis();
  large.x = Bytes(DataType::kUint8, {1, 1, 3}, {2, 3, 255});  // -1 as INT8
  EXPECT_EQ(large.By({.x_of_other_sign = true}), (Sums{210, 1 + 20 - 200}));
  EXPECT_EQ(large.By({.x_alone_of_other_sign = true}), (Sums{210, 1 + 20 - 200}));
  large.x_zero_point = Bytes(DataType::kUint8, {}, {255});
  // The zero point becomes -1, or stays.
  EXPECT_EQ(large.By({.x_of_other_sign = true})[1] -
                large.By({.x_alone_of_other_sign = true})[1],
            256 * (1 + 10 + 100));
}

TEST(WrongConvolution, Sums16) {
  // Raw products (x - 0) * w: 200 * 127 * 2 is 50800, which saturates to 32767.
  Problem one = {{},
                 Bytes(DataType::kUint8, {1, 2, 1}, {200, 200}),
                 Bytes(DataType::kInt8, {1, 2, 1}, {127, 127}),
                 Bytes(DataType::kUint8, {}, {0}),
                 Bytes(DataType::kInt8, {}, {0})};
  EXPECT_EQ(one.By({}), (Sums{50800}));
  EXPECT_EQ(one.By({.sum = M::Sum::kPairsSaturate16}), (Sums{32767}));
  EXPECT_EQ(one.By({.sum = M::Sum::kSaturate16}), (Sums{32767}));
  EXPECT_EQ(one.By({.sum = M::Sum::kWrap16}), (Sums{50800}));
  // By its zero point 100 the sum is 25400, and the pair saturates all the same.
  one.x_zero_point = Bytes(DataType::kUint8, {}, {100});
  EXPECT_EQ(one.By({}), (Sums{25400}));
  EXPECT_EQ(one.By({.sum = M::Sum::kPairsSaturate16}), (Sums{25400 - 50800 + 32767}));
}

TEST(WrongConvolution, Groups) {
  // C = M = 4 in two groups: x = 1 10 100 1000, w = 1 2 for all.
  Problem one = {{{"group", int64_t{2}}},
                 Bytes(DataType::kUint8, {1, 4, 1}, {1, 10, 100, 200}),
                 Bytes(DataType::kInt8, {4, 2, 1}, {1, 2, 1, 2, 1, 2, 1, 2}),
                 Bytes(DataType::kUint8, {}, {0}),
                 Bytes(DataType::kInt8, {4}, {0, 1, 0, 2})};
  EXPECT_EQ(one.By({}), (Sums{21, 10, 500, -100}));
  EXPECT_EQ(one.By({.groups = M::Groups::kFirstInputs}), (Sums{21, 10, 21, -1}));
  EXPECT_EQ(one.By({.groups = M::Groups::kInputsInterleaved}),
            (Sums{201, 100, 410, -10}));
  EXPECT_EQ(one.By({.groups = M::Groups::kOutputsInterleaved}),
            (Sums{21, 200, 21, -100}));
  EXPECT_EQ(one.By({.w_zero_point = M::Channel::kWithinGroup}), (Sums{21, 10, 500, 200}));
  EXPECT_EQ(one.By({.w_zero_point = M::Channel::kGroup}), (Sums{21, 21, 200, 200}));
  EXPECT_EQ(one.By({.w_zero_point = M::Channel::kFirst}), (Sums{21, 21, 500, 500}));
  EXPECT_EQ(one.By({.w_zero_point = M::Channel::kInput}),
            (Sums{1 + 10, 1 + 10, 100 + 0, 100 + 0}));
}

TEST(WrongConvolution, AutoPad) {
  // Five positions, two taps that lie three apart, stride 2: windows at -1, 1 and 3 by
  // SAME_UPPER, at -2, 0 and 2 by SAME_LOWER. Without the dilation one position is
  // missing, and the windows are at 0, 2 and 4.
  Problem one = {{{"auto_pad", std::string("SAME_UPPER")},
                  {"dilations", std::vector<int64_t>{3}},
                  {"strides", std::vector<int64_t>{2}}},
                 Bytes(DataType::kUint8, {1, 1, 5}, {1, 2, 3, 4, 5}),
                 Bytes(DataType::kInt8, {1, 1, 2}, {1, 10}),
                 Bytes(DataType::kUint8, {}, {0}),
                 Bytes(DataType::kInt8, {}, {0})};
  EXPECT_EQ(one.By({}), (Sums{30, 52, 4}));
  EXPECT_EQ(one.By({.auto_pad = M::AutoPad::kSwapped}), (Sums{20, 41, 3}));
  EXPECT_EQ(one.By({.auto_pad = M::AutoPad::kWithoutDilation}), (Sums{41, 3, 5}));
  EXPECT_EQ(one.By({.auto_pad = M::AutoPad::kAllAtEnd}), (Sums{41, 3, 5}));
  EXPECT_EQ(one.By({.auto_pad = M::AutoPad::kAllAtBeginning}), (Sums{10, 30, 52}));
}

TEST(WrongConvolution, Tails) {
  // Nine terms of 1 * 1: the last one is behind a multiple of 4 and of 8.
  Problem one = {{{"group", int64_t{1}}},
                 Bytes(DataType::kUint8, {1, 9, 1}, std::vector<int>(9, 2)),
                 Bytes(DataType::kInt8, {1, 9, 1}, std::vector<int>(9, 2)),
                 Bytes(DataType::kUint8, {}, {1}),
                 Bytes(DataType::kInt8, {}, {1})};
  EXPECT_EQ(one.By({.lost_tail = 4}), (Sums{8}));
  EXPECT_EQ(one.By({.uncorrected_tail = 8}), (Sums{12}));
  one.attributes = {{"group", int64_t{9}}};
  one.w = Bytes(DataType::kInt8, {9, 1, 1}, std::vector<int>(9, 2));
  EXPECT_EQ(one.By({.depthwise_tail = 8}), (Sums{1, 1, 1, 1, 1, 1, 1, 1, 4}));
}

TEST(WrongConvolution, Faults_HaveNamesOfTheirOwn) {
  const std::vector<ConvolutionFault> faults = ConvolutionFaults();
  for (size_t i = 0; i < faults.size(); ++i) {
    EXPECT_NE(faults[i].mistakes, M{});
    EXPECT_NE(FirstChanged(faults[i].mistakes), ConvolutionStep::kNone);
    for (size_t j = 0; j < i; ++j) {
      EXPECT_NE(faults[i].text.name, faults[j].text.name);
      EXPECT_NE(faults[i].mistakes, faults[j].mistakes);
    }
  }
}

}  // namespace
}  // namespace qconform
