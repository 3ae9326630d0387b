// Scales and zero points of a convolution: one for a tensor, or one for each output
// channel.
#ifndef QCONFORM_ORACLE_CONVOLUTION_PARAMETERS_H_
#define QCONFORM_ORACLE_CONVOLUTION_PARAMETERS_H_

#include <cstdint>
#include <optional>
#include <span>

namespace qconform {

enum class ChannelFit : uint8_t {
  kScalar,    // rank 0
  kChannels,  // [M]
  kOne,       // [1], and that is not [M]
  kNone,      // it does not fit
};

// How the shape of a scale or zero point fits. `output_channels`: M; nothing for
// parameters that belong to a whole tensor.
ChannelFit FitChannels(std::span<const int64_t> shape,
                       std::optional<int64_t> output_channels);

// Returns the index of the parameter of an output channel. Precondition: it fits.
int64_t IndexOfChannel(std::span<const int64_t> shape, int64_t output_channel);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CONVOLUTION_PARAMETERS_H_
