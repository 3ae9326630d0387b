#include "cases/convolution/generators.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "cases/convolution/covered_sizes.h"
#include "cases/convolution/sizes.h"
#include "cases/convolution/values.h"

namespace qconform::generators {
namespace {

const ConvolutionSizes& Of(std::span<const ConvolutionSizes> sizes, int index) {
  return sizes[static_cast<size_t>(index) % sizes.size()];
}

// Uniform codes. A zero point of x that is not 0 shows what padding contributes.
void FillAny(ConvolutionQuestion& question, const ConvolutionSizes& sizes) {
  question.SetSizes(sizes);
  question.SetZeroPoints(static_cast<uint32_t>(question.index) + question.rng.Below(6));
  question.FillAny();
}

void FillPadded(ConvolutionQuestion& question, const ConvolutionSizes& sizes) {
  FillAny(question, sizes);
  const int64_t zero = ValueOf(question.x_type, question.x_zero_point);
  constexpr int64_t kFar = 16;
  if (-kFar < zero && zero < kFar) {
    question.x_zero_point = question.EndOf(
        question.x_type, question.rng.OneIn(2) || question.x_type == DataType::kUint8);
  }
}

void FillWindows(ConvolutionQuestion& question) {
  FillAny(question, Of(WindowSizes(), question.index));
}
void FillPadding(ConvolutionQuestion& question) {
  FillPadded(question, Of(PaddingSizes(), question.index));
}
void FillAutoPad(ConvolutionQuestion& question) {
  FillPadded(question, Of(AutoPadSizes(), question.index));
}
void FillGroups(ConvolutionQuestion& question) {
  FillAny(question, Of(GroupSizes(), question.index));
}
void FillEqualSizes(ConvolutionQuestion& question) {
  FillAny(question, Of(EqualSizes(), question.index));
}
void FillChannels(ConvolutionQuestion& question) {
  FillAny(question, Of(ChannelSizes(), question.index));
}
void FillLongSums(ConvolutionQuestion& question) {
  question.SetSizes(Of(LongSizes(), question.index));
  FillSmallProducts(question);
}
void FillRandom(ConvolutionQuestion& question) {
  FillAny(question, RandomConvolution(question.rng));
}

// Sizes so small that zero points are most of a sum, each pair of their kinds once.
void FillZeroPoints(ConvolutionQuestion& question) {
  static const ConvolutionSizes kSizes[] = {
      {1, 1, 1, 5, {3, 4}, {1, 1}},
      {2, 1, 2, 7, {5}, {3}},
      {1, 3, 1, 2, {3, 3}, {2, 2}, {}, {}, {1, 0, 0, 1}},
      {1, 1, 3, 4, {2, 2, 3}, {1, 2, 1}},
      {1, 2, 2, 4, {4, 3}, {3, 2}, {}, {}, {1, 1, 1, 1}},
  };
  question.SetSizes(kSizes[static_cast<size_t>(question.index) % std::size(kSizes)]);
  question.SetZeroPoints(static_cast<uint32_t>(question.index));
  question.FillAny();
  // Codes that are the zero point, and those at the ends.
  for (size_t i = 0; i < question.x.size(); i += 3) {
    const bool is_end = question.rng.OneIn(2);
    question.x[i] = is_end ? question.EndOf(question.x_type, question.rng.OneIn(2))
                           : question.x_zero_point;
  }
}

void FillSizes(ConvolutionQuestion& question) {
  FillAny(question, CoveredConvolution(question.index));
}

void FillHuge(ConvolutionQuestion& question) {
  FillPadded(question, Of(HugeSizes(), question.index));
}

}  // namespace

std::span<const ConvolutionGenerator> ConvolutionGenerators() {
  static const std::array<ConvolutionGenerator, 12> all{
      {{.name = "windows",
        .sentence = "One to three spatial axes, kernels with unequal sides, strides, "
                    "dilations and both, kernels as large as the input and larger, 1x1.",
        .fill = FillWindows,
        .count = static_cast<int>(WindowSizes().size())},
       {.name = "padding",
        .sentence = "Pads that differ at each end of each axis, windows of padding only, "
                    "a zero point of x far from 0.",
        .fill = FillPadding,
        .count = static_cast<int>(PaddingSizes().size()),
        .has_zero_points = true},
       {.name = "auto_pad",
        .sentence = "SAME_UPPER, SAME_LOWER and VALID with odd totals, strides and "
                    "dilations, a zero point of x far from 0.",
        .fill = FillAutoPad,
        .count = static_cast<int>(AutoPadSizes().size()),
        .has_zero_points = true},
       {.name = "groups",
        .sentence = "Groups and depthwise convolutions, with channels around vectors, "
                    "strides, dilations and pads.",
        .fill = FillGroups,
        .count = static_cast<int>(GroupSizes().size())},
       {.name = "equal_sizes",
        .sentence = "As many output channels as channels of a group, batches, rows or "
                    "columns: a vector of them could be taken for one along that axis.",
        .fill = FillEqualSizes,
        .count = static_cast<int>(EqualSizes().size())},
       {.name = "channels",
        .sentence = "Input channels, output channels and output elements around the "
                    "lengths of vectors and tiles.",
        .fill = FillChannels,
        .count = static_cast<int>(ChannelSizes().size())},
       {.name = "extremes",
        .sentence =
            "x of the upper quarter of its type and weights at both ends, in runs "
            "whose pairs exceed 16 bits.",
        .fill = FillConvolutionExtremes,
        .count = kExtremeConvolutions,
        .has_zero_points = true},
       {.name = "zero_points",
        .sentence = "Zero points of x and w at both ends, odd, in the middle and 0, in "
                    "sums of few products.",
        .fill = FillZeroPoints,
        .count = 12,
        .has_zero_points = true},
       {.name = "long_sums",
        .sentence = "More than 256 products for each element, all so small that each of "
                    "them counts.",
        .fill = FillLongSums,
        .count = static_cast<int>(LongSizes().size()),
        .has_zero_points = true},
       {.name = "random",
        .sentence = "Random sizes and attributes, uniform codes.",
        .fill = FillRandom,
        .count = 12},
       {.name = "sizes",
        .sentence = "Sums of every number of products to 64, and around multiples of 16 "
                    "to 257, and 1 to 64 output elements, with ranks, groups, channels, "
                    "kernels and opset_versions by a covering array; more than 1024 "
                    "channels or output elements, and more than 16 batches.",
        .fill = FillSizes},
       {.name = "huge",
        .sentence = "Convolutions that kernels cut into parts for threads and caches; at "
                    "level exhaustive.",
        .fill = FillHuge,
        .count = 0,
        .has_zero_points = true}}};
  return all;
}

const ConvolutionGenerator* FindConvolutionGenerator(std::string_view name) {
  const auto all = ConvolutionGenerators();
  const auto found = std::ranges::find(all, name, &ConvolutionGenerator::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace qconform::generators
