#include "cases/convolution/sizes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace qconform::generators {
namespace {

using enum AutoPad;

}  // namespace

// Below: batch, groups, input and output channels of a group; input, kernel, strides,
// dilations, pads, auto_pad.

std::span<const ConvolutionSizes> WindowSizes() {
  static const std::vector<ConvolutionSizes> all{
      {1, 1, 3, 5, {7, 9}, {3, 2}},
      {2, 1, 2, 7, {8, 5}, {2, 3}, {2, 1}, {1, 2}},
      {1, 1, 5, 4, {23}, {5}, {2}, {3}},
      {1, 1, 2, 3, {5, 4, 6}, {2, 3, 2}, {2, 1, 3}, {1, 1, 2}},
      {3, 1, 4, 6, {5, 6}, {1, 1}},
      {2, 1, 3, 5, {6, 7}, {1, 1}, {2, 3}},
      {1, 1, 2, 3, {1, 1}, {1, 1}},
      {1, 1, 4, 3, {3, 4}, {3, 4}},
      {2, 1, 3, 4, {2, 3}, {5, 4}, {}, {}, {2, 1, 2, 3}},
      {1, 1, 2, 5, {3}, {7}, {}, {}, {3, 4}},
      {1, 1, 2, 3, {2, 1, 3}, {3, 2, 4}, {}, {}, {1, 1, 1, 1, 0, 2}},
      {1, 1, 3, 8, {9, 10}, {3, 4}, {2, 1}, {2, 2}},
      {1, 1, 3, 5, {4, 11}, {1, 7}},
      {1, 1, 3, 5, {11, 4}, {7, 1}},
      {1, 1, 1, 2, {11, 13}, {5, 3}, {3, 4}, {2, 3}},
      {4, 1, 3, 3, {5}, {3}},
      {1, 1, 2, 4, {6, 7, 6}, {3, 2, 3}, {2, 3, 1}},
      {2, 1, 3, 2, {3, 4, 5}, {1, 1, 1}},
      {1, 1, 3, 4, {13, 10}, {2, 2}, {5, 4}},
      {1, 1, 2, 3, {12}, {2}, {1}, {11}},
      {1, 1, 2, 3, {40}, {9}, {4}, {4}},
      {2, 1, 1, 1, {9}, {4}, {3}},
      {1, 1, 7, 2, {6, 1}, {4, 1}},
      {1, 1, 3, 3, {4, 5, 6}, {2, 2, 3}, {}, {2, 3, 1}},
      // More output elements than tiles and buffers of columns have.
      {1, 1, 2, 3, {33, 31}, {3, 2}, {}, {}, {1, 1, 1, 0}},
      {1, 1, 1, 2, {1030}, {3}},
  };
  return all;
}

std::span<const ConvolutionSizes> PaddingSizes() {
  static const std::vector<ConvolutionSizes> all{
      {1, 1, 3, 4, {5, 6}, {3, 3}, {}, {}, {1, 1, 1, 1}},
      {2, 1, 2, 5, {6, 5}, {3, 2}, {2, 1}, {}, {2, 0, 1, 3}},
      {1, 1, 3, 3, {7, 8}, {3, 3}, {2, 2}, {2, 2}, {2, 3, 1, 4}},
      {1, 1, 4, 5, {11}, {4}, {1}, {2}, {5, 2}},
      {1, 1, 2, 3, {4, 3, 5}, {2, 3, 2}, {1, 2, 1}, {2, 1, 1}, {1, 0, 2, 0, 3, 1}},
      {1, 1, 3, 4, {4, 5}, {2, 3}, {}, {}, {1, 2, 0, 0}},
      {1, 1, 3, 4, {4, 5}, {2, 3}, {}, {}, {0, 0, 1, 2}},
      // Windows of nothing but padding.
      {1, 1, 2, 4, {3, 4}, {2, 2}, {}, {}, {3, 4, 4, 3}},
      {1, 1, 3, 5, {3, 4}, {1, 1}, {}, {}, {1, 2, 2, 1}},
      {1, 1, 3, 5, {5, 4}, {1, 1}, {2, 2}, {}, {1, 1, 2, 1}},
      {1, 1, 3, 4, {8, 9}, {3, 3}, {4, 3}, {1, 2}, {2, 1, 3, 3}},
      {1, 4, 1, 1, {6, 5}, {3, 3}, {}, {}, {1, 2, 2, 1}},
      {2, 2, 3, 2, {5, 7}, {3, 2}, {2, 1}, {1, 2}, {1, 0, 2, 3}},
      {1, 1, 4, 3, {9}, {3}, {2}, {3}, {0, 5}},
  };
  return all;
}

std::span<const ConvolutionSizes> AutoPadSizes() {
  static const std::vector<ConvolutionSizes> all{
      {1, 1, 2, 3, {5, 6}, {2, 4}, {}, {}, {}, kSameUpper},
      {1, 1, 2, 3, {5, 6}, {2, 4}, {}, {}, {}, kSameLower},
      {1, 1, 2, 3, {6, 8}, {3, 3}, {2, 2}, {}, {}, kSameUpper},
      {1, 1, 2, 3, {6, 8}, {3, 3}, {2, 2}, {}, {}, kSameLower},
      {1, 1, 2, 3, {8, 7}, {3, 2}, {2, 2}, {2, 3}, {}, kSameUpper},
      {1, 1, 2, 3, {8, 7}, {3, 2}, {2, 2}, {2, 3}, {}, kSameLower},
      {2, 1, 3, 4, {10}, {4}, {3}, {}, {}, kSameUpper},
      {2, 1, 3, 4, {10}, {4}, {3}, {}, {}, kSameLower},
      {1, 1, 4, 3, {7}, {2}, {}, {3}, {}, kSameUpper},
      {1, 1, 4, 3, {7}, {2}, {}, {3}, {}, kSameLower},
      {1, 1, 2, 3, {4, 5, 6}, {2, 3, 2}, {1, 2, 1}, {1, 1, 3}, {}, kSameUpper},
      {1, 1, 2, 3, {4, 5, 6}, {2, 3, 2}, {1, 2, 1}, {1, 1, 3}, {}, kSameLower},
      {1, 1, 3, 2, {9, 10}, {2, 2}, {4, 3}, {}, {}, kSameUpper},
      {1, 1, 3, 2, {9, 10}, {2, 2}, {4, 3}, {}, {}, kSameLower},
      {1, 1, 2, 3, {12, 10}, {5, 4}, {3, 4}, {}, {}, kSameUpper},
      {1, 1, 2, 3, {12, 10}, {5, 4}, {3, 4}, {}, {}, kSameLower},
      // No padding at all.
      {1, 1, 3, 4, {9, 8}, {1, 1}, {2, 3}, {}, {}, kSameUpper},
      {1, 1, 3, 4, {8, 9}, {1, 1}, {3, 2}, {}, {}, kSameLower},
      // Kernels larger than the input.
      {1, 1, 2, 4, {3, 2}, {5, 4}, {}, {}, {}, kSameUpper},
      {1, 1, 2, 4, {3, 2}, {4, 5}, {}, {}, {}, kSameLower},
      {1, 4, 1, 1, {7, 9}, {2, 3}, {2, 2}, {3, 2}, {}, kSameUpper},
      {1, 4, 1, 1, {7, 8}, {2, 3}, {2, 2}, {3, 2}, {}, kSameLower},
      {2, 2, 2, 3, {6, 5}, {2, 2}, {}, {}, {}, kSameLower},
      {2, 2, 2, 3, {6, 5}, {4, 2}, {}, {1, 5}, {}, kSameUpper},
      {1, 1, 3, 4, {9, 8}, {3, 2}, {2, 3}, {}, {}, kValid},
      {1, 1, 2, 3, {8, 9}, {2, 3}, {1, 2}, {3, 2}, {}, kValid},
      {1, 1, 3, 2, {14}, {3}, {4}, {2}, {}, kValid},
      {1, 2, 2, 2, {4, 5, 4}, {2, 2, 3}, {}, {2, 1, 1}, {}, kValid},
  };
  return all;
}

std::span<const ConvolutionSizes> GroupSizes() {
  static const std::vector<ConvolutionSizes> all{
      {1, 2, 2, 3, {5, 6}, {2, 3}},
      {2, 3, 2, 2, {5, 6}, {3, 3}, {2, 1}, {1, 2}},
      {1, 8, 1, 1, {6, 7}, {3, 3}},
      {1, 5, 1, 2, {6, 5}, {3, 2}, {2, 1}, {}, {1, 0, 1, 2}},
      {1, 4, 1, 3, {9}, {3}, {2}, {2}},
      {2, 3, 1, 1, {4, 5, 4}, {2, 2, 3}},
      {1, 2, 4, 1, {4, 4}, {1, 1}},
      {2, 4, 3, 3, {3, 4}, {1, 1}},
      {1, 16, 1, 1, {5, 4}, {3, 3}, {}, {}, {1, 1, 1, 1}},
      {1, 17, 1, 1, {4, 5}, {3, 3}, {}, {}, {1, 1, 1, 1}},
      {1, 33, 1, 1, {4, 4}, {2, 3}},
      {1, 64, 1, 1, {3, 4}, {3, 3}, {}, {}, {1, 1, 1, 1}},
      {1, 9, 1, 1, {7, 8}, {3, 3}, {2, 2}, {2, 2}, {2, 1, 1, 2}},
      {1, 6, 1, 1, {8, 7}, {5, 4}, {1, 2}, {}, {2, 2, 2, 2}},
      {1, 3, 5, 4, {11}, {4}, {3}, {2}, {2, 1}},
      {1, 2, 9, 8, {3, 4}, {2, 2}},
      {1, 2, 16, 17, {3, 3}, {1, 1}},
      {1, 24, 1, 1, {13}, {3}, {1}, {}, {1, 1}},
      {1, 7, 1, 3, {5, 5}, {3, 3}, {2, 2}, {}, {1, 1, 1, 1}},
      {3, 2, 1, 5, {3, 3, 3}, {2, 1, 2}},
      {1, 31, 1, 1, {7, 7}, {7, 7}, {}, {}, {3, 3, 3, 3}},
      {1, 32, 1, 1, {6, 5}, {5, 5}, {2, 2}, {}, {2, 2, 2, 2}},
      {1, 5, 1, 1, {29, 27}, {3, 3}, {}, {}, {1, 1, 1, 1}},
      {1, 3, 1, 1, {31}, {5}, {2}, {3}, {6, 5}},
  };
  return all;
}

std::span<const ConvolutionSizes> EqualSizes() {
  static const std::vector<ConvolutionSizes> all{
      {1, 2, 6, 3, {4, 5}, {2, 2}},  // M = C / group
      {6, 2, 2, 3, {3, 4}, {2, 1}},  // M = batch
      {1, 3, 2, 2, {4, 7}, {2, 2}},  // M = the output's width
      {1, 2, 3, 2, {5, 6}, {2, 3}},  // M = the output's height and width
      {3, 1, 3, 3, {5, 5}, {3, 3}},  // M = all others
      {3, 3, 1, 1, {5, 5}, {3, 3}},  // the same, depthwise
      {4, 2, 4, 2, {5}, {2}},        // 1-D: M = batch, C / group, the output's length
      {1, 1, 2, 4, {7, 9}, {4, 3}},  // M = the kernel's height, and the output's
      {2, 1, 2, 5, {4, 5, 3}, {2, 5, 1}},  // 3-D: M = the input's and the kernel's height
      {1, 2, 8, 4, {3, 8}, {1, 1}},        // M = C / group and the width
      {5, 1, 4, 5, {4}, {4}},              // M = batch, one output position
      {1, 1, 6, 6, {6, 6, 6}, {1, 2, 1}},  // M = C = the depth and width
  };
  return all;
}

std::span<const ConvolutionSizes> ChannelSizes() {
  static const std::vector<ConvolutionSizes> all{
      {1, 1, 1, 17, {4, 5}, {1, 1}},   {1, 1, 2, 33, {3, 5}, {1, 1}},
      {1, 1, 3, 16, {5, 5}, {3, 3}},   {1, 1, 4, 15, {1, 31}, {1, 1}},
      {1, 1, 5, 9, {4, 10}, {2, 3}},   {1, 1, 7, 8, {4, 8}, {1, 1}},
      {1, 1, 8, 7, {33}, {1}},         {1, 1, 9, 65, {3, 3}, {2, 2}},
      {1, 1, 15, 4, {1, 17}, {1, 1}},  {1, 1, 16, 64, {3, 5}, {1, 1}},
      {1, 1, 17, 1, {63}, {1}},        {1, 1, 31, 3, {5, 13}, {1, 1}},
      {1, 1, 32, 31, {7}, {1}},        {1, 1, 33, 32, {1, 9}, {1, 1}},
      {1, 1, 63, 2, {4, 4}, {1, 1}},   {1, 1, 64, 5, {2, 4}, {1, 2}},
      {1, 1, 65, 63, {3}, {1}},        {1, 1, 127, 3, {1, 3}, {1, 1}},
      {1, 1, 128, 8, {2, 2}, {1, 1}},  {1, 1, 129, 4, {2}, {1}},
      {2, 1, 255, 2, {1, 2}, {1, 1}},  {1, 1, 256, 3, {5}, {1}},
      {1, 1, 257, 5, {1, 1}, {1, 1}},  {1, 1, 6, 12, {8, 8}, {1, 1}},
      {1, 1, 10, 18, {2, 33}, {1, 1}}, {1, 1, 12, 24, {1, 16}, {1, 2}},
      {1, 1, 3, 48, {6, 6}, {3, 3}},   {1, 1, 4, 129, {3}, {1}},
      {1, 1, 11, 66, {1, 7}, {1, 3}},  {1, 1, 2, 2, {1, 130}, {1, 2}},
      {1, 1, 1, 1, {257}, {1}},        {2, 1, 4, 6, {17, 15}, {1, 1}},
      {1, 1, 5, 255, {2, 3}, {1, 1}},
  };
  return all;
}

std::span<const ConvolutionSizes> LongSizes() {
  static const std::vector<ConvolutionSizes> all{
      {1, 1, 263, 3, {2, 3}, {1, 1}},                            // K = 263
      {1, 1, 64, 16, {3, 4}, {2, 2}},                            // 256
      {1, 1, 29, 5, {4, 3}, {3, 3}},                             // 261
      {1, 1, 1031, 2, {1, 2}, {1, 1}},                           // 1031
      {1, 1, 57, 4, {3, 4}, {3, 3}},                             // 513
      {1, 1, 43, 2, {5, 6}, {5, 5}},                             // 1075
      {1, 1, 128, 7, {6}, {3}, {2}, {}, {1, 1}},                 // 384
      {1, 1, 89, 3, {7}, {3}},                                   // 267
      {1, 1, 320, 9, {1, 3}, {1, 1}},                            // 320, five tiles
      {1, 1, 10, 4, {3, 3, 4}, {3, 3, 3}},                       // 270
      {1, 2, 67, 3, {2, 4}, {2, 2}},                             // 268 in each group
      {1, 1, 269, 2, {5}, {1}},                                  // 269
      {1, 1, 37, 6, {4, 7}, {1, 7}},                             // 259
      {1, 1, 775, 1, {1, 3}, {1, 1}},                            // 775
      {1, 1, 6, 5, {7, 7}, {7, 7}, {}, {}, {2, 1, 1, 2}},        // 294
      {1, 1, 448, 4, {2, 2}, {1, 1}},                            // 448, seven tiles
      {1, 1, 515, 2, {3}, {1}},                                  // 515
      {1, 1, 192, 33, {1, 2}, {1, 2}},                           // 384
      {1, 1, 32, 17, {5, 4}, {3, 3}, {2, 1}, {}, {1, 1, 1, 1}},  // 288
      {1, 1, 1537, 1, {2}, {1}},                                 // 1537
  };
  return all;
}

std::span<const ConvolutionSizes> HugeSizes() {
  static const std::vector<ConvolutionSizes> all{
      {1, 1, 64, 32, {14, 15}, {3, 3}, {}, {}, {1, 1, 1, 1}},
      {1, 96, 1, 1, {31, 30}, {3, 3}, {}, {}, {1, 1, 1, 1}},
      {1, 1, 3, 32, {57, 55}, {7, 7}, {2, 2}, {}, {3, 3, 3, 3}},
      {1, 1, 160, 192, {7, 7}, {1, 1}},
      {1, 1, 2048, 67, {3, 3}, {1, 1}},
      {2, 4, 16, 16, {9, 11}, {3, 3}, {}, {}, {1, 1, 1, 1}},
      {1, 1, 24, 40, {203}, {9}, {2}, {2}, {8, 8}},
      {1, 1, 8, 16, {9, 9, 9}, {3, 3, 3}, {}, {}, {1, 1, 1, 1, 1, 1}},
  };
  return all;
}

ConvolutionSizes RandomConvolution(CounterRng& rng) {
  ConvolutionSizes sizes;
  const int rank = static_cast<int>(rng.Between(1, 3));
  const int64_t longest = rank == 1 ? 30 : rank == 2 ? 9 : 5;
  const int64_t most_pad = rank == 1 ? 9 : rank == 2 ? 3 : 1;
  sizes.batch = rank < 3 && rng.OneIn(3) ? 2 : 1;
  sizes.group = rng.OneIn(3) ? rng.Between(2, rank < 3 ? 5 : 2) : 1;
  sizes.channels = rng.OneIn(4) ? 1 : rng.Between(1, 12);
  sizes.outputs = rng.OneIn(4) ? 1 : rng.Between(1, rank < 3 ? 9 : 5);
  const bool has_strides = rng.OneIn(2);
  const bool has_dilations = rng.OneIn(2);
  const bool has_auto_pad = rng.OneIn(3);
  if (has_auto_pad) {
    constexpr AutoPad kAll[] = {kSameUpper, kSameLower, kValid, kSameUpper};
    sizes.auto_pad = rng.Pick(kAll);
  }
  const bool is_padded = sizes.auto_pad == kNotSet && rng.OneIn(2);
  Shape begin;
  Shape end;
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t kernel = rng.Between(1, 4);
    const int64_t dilation = has_dilations ? rng.Between(1, 3) : 1;
    const int64_t reach = (kernel - 1) * dilation + 1;
    const int64_t most = is_padded ? std::min(reach, most_pad) : 0;
    begin.push_back(rng.Between(0, most));
    end.push_back(rng.Between(0, most));
    const int64_t least = std::max<int64_t>(reach - begin.back() - end.back(), 1);
    sizes.input.push_back(rng.Between(least, std::max(least, longest)));
    sizes.kernel.push_back(kernel);
    if (has_strides) sizes.strides.push_back(rng.Between(1, 3));
    if (has_dilations) sizes.dilations.push_back(dilation);
  }
  if (is_padded) {
    sizes.pads = std::move(begin);
    sizes.pads.insert(sizes.pads.end(), end.begin(), end.end());
  }
  return sizes;
}

}  // namespace qconform::generators
