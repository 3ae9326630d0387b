#include "harness/backends/simd/convolution/read_attributes.h"

#include <utility>

namespace qconform::simd {

Result<ConvolutionAttributes> ReadConvolutionAttributes(
    std::span<const Attribute> attributes) {
  ConvolutionAttributes read;
  auto auto_pad = StringAttribute(attributes, "auto_pad");
  if (!auto_pad) return auto_pad.error();
  if (*auto_pad) read.auto_pad = **std::move(auto_pad);
  const auto group = IntegerAttribute(attributes, "group");
  if (!group) return group.error();
  if (*group) read.group = **group;
  for (const auto& [name, numbers] : {std::pair{"dilations", &read.dilations},
                                      {"kernel_shape", &read.kernel_shape},
                                      {"pads", &read.pads},
                                      {"strides", &read.strides}}) {
    auto given = IntegersAttribute(attributes, name);
    if (!given) return given.error();
    *numbers = *std::move(given);
  }
  return read;
}

}  // namespace qconform::simd
