#include "harness/convolution/convolution_faults.h"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/core/common_faults.h"

namespace qconform {
namespace {

namespace common = common_faults;

using M = ConvolutionMistakes;

void AddGeometry(std::vector<ConvolutionFault>& faults) {
  const auto add = [&](FaultText text, M mistakes) {
    faults.push_back({text, mistakes});
  };
  add({"kernel_flipped", "The kernel is turned around on all axes.",
       "convolutions of signal processing, which ONNX's Conv is not"},
      {.kernel = M::Kernel::kFlipped});
  add({"kernel_axes_reversed", "The axes of the kernel are reversed, H and W swapped.",
       "weights that were transposed for another layout"},
      {.kernel = M::Kernel::kReversedAxes});
  add({"last_tap_lost", "The last position of the kernel does not count.",
       "loops over the kernel that end one too early"},
      {.kernel = M::Kernel::kLastTapLost});
  add({"strides_ignored", "Strides are taken as 1; y keeps its shape."},
      {.strides = M::Axes::kIgnored});
  add({"stride_axes_reversed", "The strides of the axes are reversed, H and W swapped."},
      {.strides = M::Axes::kReversed});
  add({"first_stride_for_all", "All axes take the first stride.",
       "kernels with one stride"},
      {.strides = M::Axes::kFirstForAll});
  add({"dilations_ignored", "Dilations are taken as 1; y keeps its shape.",
       "kernels without dilation that do not check for one"},
      {.dilations = M::Axes::kIgnored});
  add({"dilation_axes_reversed",
       "The dilations of the axes are reversed, H and W swapped."},
      {.dilations = M::Axes::kReversed});
  add({"first_dilation_for_all", "All axes take the first dilation.",
       "kernels with one dilation"},
      {.dilations = M::Axes::kFirstForAll});
  add({"strides_and_dilations_swapped",
       "Strides are taken as dilations, and these as "
       "strides."},
      {.strides_and_dilations_swapped = true});
  add({"pads_interleaved", "pads are read as begin and end of each axis in turn.",
       "frameworks that list pads by axis"},
      {.pads = M::Pads::kInterleaved});
  add({"pads_begin_and_end_swapped", "The pads of the ends are taken as beginnings."},
      {.pads = M::Pads::kBeginAndEndSwapped});
  add({"pad_axes_reversed", "The pads of the axes are reversed, H and W swapped.",
       "frameworks that list pads from the last axis on"},
      {.pads = M::Pads::kReversedAxes});
  add({"first_pad_for_all", "All axes take the first of pads.", "kernels with one pad"},
      {.pads = M::Pads::kFirstForAll});
  add({"pads_ignored", "pads are taken as 0; y keeps its shape."},
      {.pads = M::Pads::kIgnored});
  add({"auto_pad_without_dilation",
       "auto_pad pads for a kernel that is not dilated; y keeps its shape."},
      {.auto_pad = M::AutoPad::kWithoutDilation});
  add({"auto_pad_without_stride", "auto_pad pads for strides of 1; y keeps its shape.",
       "padding by half the kernel"},
      {.auto_pad = M::AutoPad::kWithoutStride});
  add({"same_upper_and_lower_swapped",
       "SAME_UPPER is taken as SAME_LOWER, and this as SAME_UPPER."},
      {.auto_pad = M::AutoPad::kSwapped});
  add({"auto_pad_all_at_end", "auto_pad pads only the ends."},
      {.auto_pad = M::AutoPad::kAllAtEnd});
  add({"auto_pad_all_at_beginning", "auto_pad pads only the beginnings."},
      {.auto_pad = M::AutoPad::kAllAtBeginning});
  add({"group_reads_first_channels", "Every group reads the input channels of the first.",
       "kernels without groups that do not check for them"},
      {.groups = M::Groups::kFirstInputs});
  add({"input_channels_interleaved",
       "The input channels of the groups are interleaved: c * group + g.",
       "channel shuffles"},
      {.groups = M::Groups::kInputsInterleaved});
  add({"output_channels_interleaved",
       "The output channels of the groups are interleaved: m belongs to group m % "
       "group."},
      {.groups = M::Groups::kOutputsInterleaved});
  add({"first_image_for_all", "Every y of a batch is made of the first x.",
       "batch strides of zero"},
      {.first_batch = true});
}

void AddPadding(std::vector<ConvolutionFault>& faults) {
  const auto add = [&](FaultText text, M::Padding padding) {
    faults.push_back({text, {.padding = padding}});
  };
  add({"padding_with_raw_zero", "Padded positions have the code 0, not the zero point's.",
       "buffers that are cleared before x is copied into them"},
      M::Padding::kRawZero);
  add({"padding_in_cross_term",
       "The correction of both zero points counts padded positions, too.",
       "corrections by the number of terms of a whole kernel"},
      M::Padding::kCrossTerm);
  add({"padding_in_weight_sum",
       "The correction by x's zero point sums the weights of padded positions, too.",
       "sums of weights that are made once for all windows"},
      M::Padding::kWeightSum);
  add({"padding_reads_neighbours",
       "Padded positions read what lies there in memory: the end of the row before, or "
       "the beginning of the next.",
       "flat indices without a check of each axis"},
      M::Padding::kNeighbour);
}

void AddZeroPoints(std::vector<ConvolutionFault>& faults) {
  const auto add = [&](FaultText text, M mistakes) {
    faults.push_back({text, mistakes});
  };
  add({"x_zero_point_missing", "x_zero_point is not subtracted."},
      {.no_x_zero_point = true});
  add({"w_zero_point_missing", "w_zero_point is not subtracted.",
       "kernels for symmetric weights alone"},
      {.no_w_zero_point = true});
  add(common::kCrossTermMissing, {.no_cross_term = true});
  add({"x_of_other_sign", "x and its zero point are read as signed, or as unsigned.",
       "one kernel for both types"},
      {.x_of_other_sign = true});
  add({"w_of_other_sign", "w and its zero point are read as signed, or as unsigned.",
       "one kernel for both types"},
      {.w_of_other_sign = true});
  add({"x_alone_of_other_sign",
       "x is read as signed, or as unsigned, but not its zero point.",
       "one kernel for both types"},
      {.x_alone_of_other_sign = true});
  add({"w_alone_of_other_sign",
       "w is read as signed, or as unsigned, but not its zero points.",
       "one kernel for both types"},
      {.w_alone_of_other_sign = true});
  const auto of_channels = [&](FaultText text, M::Channel place) {
    faults.push_back({text, {.w_zero_point = place}, true});
  };
  of_channels({"first_w_zero_point_for_all",
               "Every output channel takes the first zero point of w.",
               "kernels for per-tensor weights alone"},
              M::Channel::kFirst);
  of_channels({"next_w_zero_point",
               "Every output channel takes the zero point after its "
               "own."},
              M::Channel::kNext);
  of_channels({"w_zero_point_within_group",
               "The zero point of w is chosen by the channel's index within its group.",
               "loops over groups that restart the index"},
              M::Channel::kWithinGroup);
  of_channels({"w_zero_point_of_group", "The zero point of w is chosen by the group."},
              M::Channel::kGroup);
  of_channels({"w_zero_point_of_input_channel",
               "The zero point of w is chosen by the input channel."},
              M::Channel::kInput);
}

void AddSums(std::vector<ConvolutionFault>& faults) {
  const auto add = [&](FaultText text, M mistakes) {
    faults.push_back({text, mistakes});
  };
  add(common::kInt16SaturatingProducts, {.sum = M::Sum::kPairsSaturate16});
  add(common::kInt16WrappingProducts, {.sum = M::Sum::kWrap16});
  add(common::kWrappingSubtraction, {.sum = M::Sum::kWrapDifferences});
  add(common::kInt8SaturatingSubtraction, {.sum = M::Sum::kSaturateDifferences8});
  add(common::kInt24Accumulator, {.sum = M::Sum::kWrap24});
  add(common::kInt16Accumulator, {.sum = M::Sum::kSaturate16});
  add(common::kTermTailLost4, {.lost_tail = 4});
  add(common::kTermTailLost16, {.lost_tail = 16});
  add({"term_tail_uncorrected_8",
       "Behind the last multiple of 8 terms zero points are not subtracted.",
       "a scalar loop behind the vectors"},
      {.uncorrected_tail = 8});
  add({"depthwise_tail_uncorrected_8",
       "In depthwise convolutions, channels behind the last multiple of 8 keep their "
       "zero "
       "points.",
       "a scalar loop behind the vectors of channels"},
      {.depthwise_tail = 8});
}

}  // namespace

std::vector<ConvolutionFault> ConvolutionFaults() {
  std::vector<ConvolutionFault> faults;
  AddSums(faults);
  AddZeroPoints(faults);
  AddPadding(faults);
  AddGeometry(faults);
  return faults;
}

Patterns ConvolutionPatterns(
    std::span<const EvidenceCase> cases,
    const std::function<const DecodedConvolution&(const EvidenceCase&)>& decoded_of) {
  Patterns patterns;
  const auto add = [&](std::string words,
                       std::function<bool(const DecodedConvolution&, int64_t)> holds) {
    patterns.push_back(
        {"only " + std::move(words),
         [decoded_of, holds = std::move(holds)](const EvidenceCase& one, int64_t i) {
           return holds(decoded_of(one), i);
         }});
  };
  using D = DecodedConvolution;
  const auto is_other = [](const Shape& shape, int64_t usual) {
    return std::ranges::any_of(shape, [usual](int64_t value) { return value != usual; });
  };
  add("windows with padded positions", [](const D& d, int64_t i) {
    return d.padded[static_cast<size_t>(i % d.positions())] > 0;
  });
  add("windows without padded positions", [](const D& d, int64_t i) {
    return d.padded[static_cast<size_t>(i % d.positions())] == 0;
  });
  add("convolutions with groups", [](const D& d, int64_t) { return d.groups > 1; });
  add("groups behind the first",
      [](const D& d, int64_t i) { return d.ChannelOf(i) >= d.outputs_of_group(); });
  add("convolutions with a dilation above 1",
      [is_other](const D& d, int64_t) { return is_other(d.dilations, 1); });
  add("convolutions with a stride above 1",
      [is_other](const D& d, int64_t) { return is_other(d.strides, 1); });
  add("convolutions with auto_pad",
      [](const D& d, int64_t) { return d.auto_pad != D::AutoPad::kNotSet; });
  add("images behind the first of a batch",
      [](const D& d, int64_t i) { return i >= d.positions() * d.outputs; });
  const auto first = std::ranges::find_if(
      cases, [](const EvidenceCase& one) { return !one.deviating.empty(); });
  if (first != cases.end()) {
    const int64_t channel = decoded_of(*first).ChannelOf(first->deviating.front());
    add("output channel " + std::to_string(channel),
        [channel](const D& d, int64_t i) { return d.ChannelOf(i) == channel; });
    constexpr int64_t kChannels = 64;
    patterns.back().alternatives = kChannels;
  }
  add("output channels behind the first",
      [](const D& d, int64_t i) { return d.ChannelOf(i) > 0; });
  for (const int64_t lanes : {4, 8, 16, 32}) {
    add("output channels behind the last multiple of " + std::to_string(lanes),
        [lanes](const D& d, int64_t i) {
          return d.ChannelOf(i) >= d.outputs / lanes * lanes;
        });
  }
  for (const int64_t of : {64, 32, 16, 8, 4, 2}) {
    add("sums of a multiple of " + std::to_string(of) + " terms",
        [of](const D& d, int64_t) { return d.terms() % of == 0; });
    add("sums of no multiple of " + std::to_string(of) + " terms",
        [of](const D& d, int64_t) { return d.terms() % of != 0; });
  }
  const auto add_quantity = [&](std::string name, int64_t (*of)(const D&, int64_t)) {
    Append(patterns,
           PatternsOf({.name = std::move(name),
                       .of = [decoded_of, of](const EvidenceCase& one,
                                              int64_t i) -> std::optional<double> {
                         return static_cast<double>(of(decoded_of(one), i));
                       },
                       .has_remainders = true},
                      cases));
  };
  add_quantity("the number of terms of a sum",
               [](const D& d, int64_t) -> int64_t { return d.terms(); });
  add_quantity("the output channel",
               [](const D& d, int64_t i) { return d.ChannelOf(i); });
  return patterns;
}

}  // namespace qconform
