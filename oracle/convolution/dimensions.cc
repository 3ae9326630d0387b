#include "oracle/convolution/dimensions.h"

#include <string>

namespace qconform {

Dimensions ConvolutionDimensions(const ConvolutionGeometry& geometry, size_t x, size_t w,
                                 std::span<const ChannelParameterPlace> parameters) {
  // Of several groups, channels go with the attribute `group`.
  const bool is_whole = geometry.group != 1;
  Dimension m{.name = "m",
              .size = geometry.output_channels,
              .is_whole = is_whole,
              .operands = {{w, 0}},
              .outputs = {{0, 1}}};
  for (const ChannelParameterPlace& parameter : parameters) {
    if (parameter.shape.size() == 1 && parameter.shape[0] != 1) {
      m.operands.push_back({parameter.operand, 0});
    }
  }
  Dimension c{.name = "c",
              .size = geometry.channels_of_group(),
              .is_summed = true,
              .is_whole = is_whole,
              .operands = {{w, 1}},
              .outputs = {}};
  if (!is_whole) c.operands.push_back({x, 1});
  Dimensions dimensions{
      {.name = "n", .size = geometry.batches, .operands = {{x, 0}}, .outputs = {{0, 0}}},
      std::move(m),
      std::move(c)};
  if (is_whole) {
    dimensions.push_back({.name = "channels",
                          .size = geometry.channels,
                          .is_whole = true,
                          .operands = {{x, 1}},
                          .outputs = {}});
  }
  for (size_t i = 0; i < geometry.axes.size(); ++i) {
    const ConvolutionAxis& axis = geometry.axes[i];
    const std::string number = std::to_string(i);
    const size_t place = 2 + i;
    dimensions.push_back({.name = "in_" + number,
                          .size = axis.in,
                          .is_whole = true,
                          .operands = {{x, place}},
                          .outputs = {}});
    dimensions.push_back({.name = "k_" + number,
                          .size = axis.kernel,
                          .is_summed = true,
                          .is_whole = true,
                          .operands = {{w, place}},
                          .outputs = {}});
    dimensions.push_back({.name = "out_" + number,
                          .size = axis.out,
                          .is_whole = true,
                          .operands = {},
                          .outputs = {{0, place}}});
  }
  return dimensions;
}

}  // namespace qconform
