#include "oracle/convolution/parameters.h"

namespace qconform {

ChannelFit FitChannels(std::span<const int64_t> shape,
                       std::optional<int64_t> output_channels) {
  if (shape.empty()) return ChannelFit::kScalar;
  if (shape.size() > 1) return ChannelFit::kNone;
  if (output_channels && shape[0] == *output_channels) return ChannelFit::kChannels;
  return shape[0] == 1 ? ChannelFit::kOne : ChannelFit::kNone;
}

int64_t IndexOfChannel(std::span<const int64_t> shape, int64_t output_channel) {
  return shape.empty() || shape[0] == 1 ? 0 : output_channel;
}

}  // namespace qconform
