// Shapes of a convolution's operands, the attributes that lay it out, and which elements
// of x and w meet in an element of y. This index arithmetic only directs values; it
// shares nothing with the oracle's.
#ifndef QCONFORM_CASES_CONVOLUTION_GEOMETRY_H_
#define QCONFORM_CASES_CONVOLUTION_GEOMETRY_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "oracle/base/attribute.h"
#include "oracle/tensor/tensor.h"

namespace qconform::generators {

enum class AutoPad : uint8_t { kNotSet, kSameUpper, kSameLower, kValid };
std::string_view AutoPadName(AutoPad auto_pad);  // "NOTSET", "SAME_UPPER", ...

// x is [batch, group * channels, input...], w [group * outputs, channels, kernel...].
struct ConvolutionSizes {
  int64_t batch = 1;
  int64_t group = 1;
  int64_t channels = 1;  // of x in each group, C / group
  int64_t outputs = 1;   // output channels of each group, M / group
  Shape input;
  Shape kernel;
  Shape strides{};    // empty: 1 along each axis
  Shape dilations{};  // empty: 1 along each axis
  Shape pads{};       // all beginnings, then all ends; empty: none
  AutoPad auto_pad = AutoPad::kNotSet;
};

class ConvolutionGeometry {
 public:
  ConvolutionGeometry() = default;
  // Precondition: lists of one length, and windows that fit into the padded input.
  explicit ConvolutionGeometry(ConvolutionSizes sizes);

  // With nothing left out of its lists; pads are those that auto_pad chooses.
  const ConvolutionSizes& sizes() const { return sizes_; }
  int64_t c() const { return sizes_.group * sizes_.channels; }
  int64_t m() const { return sizes_.group * sizes_.outputs; }
  // Output elements of one channel, and products of one output element.
  int64_t positions() const { return positions_; }
  int64_t terms() const { return sizes_.channels * kernel_size_; }
  int64_t input_size() const { return input_size_; }
  int64_t kernel_size() const { return kernel_size_; }

  Shape XShape() const;
  Shape WShape() const;
  Shape YShape() const;
  int64_t XCount() const { return sizes_.batch * c() * input_size_; }
  int64_t WCount() const { return m() * terms(); }
  int64_t YCount() const { return sizes_.batch * m() * positions_; }

  // Calls visit(index in x, index in w) for each product of an output element, but for
  // those with padding. Indices are row-major.
  template <typename Visit>
  void ForEachTerm(int64_t batch, int64_t m, int64_t position, const Visit& visit) const {
    const int64_t first_channel = batch * c() + m / sizes_.outputs * sizes_.channels;
    const int64_t* window = &windows_[static_cast<size_t>(position * kernel_size_)];
    for (int64_t channel = 0; channel < sizes_.channels; ++channel) {
      const int64_t x = (first_channel + channel) * input_size_;
      const int64_t w = (m * sizes_.channels + channel) * kernel_size_;
      for (int64_t k = 0; k < kernel_size_; ++k) {
        if (window[k] >= 0) visit(x + window[k], w + k);
      }
    }
  }

  // The attributes that say so. `spells`: all of them are written, also those that have
  // their default value or follow from w's shape.
  std::vector<Attribute> Attributes(bool spells) const;

 private:
  ConvolutionSizes sizes_;
  Shape output_;
  int64_t input_size_ = 0;
  int64_t kernel_size_ = 0;
  int64_t positions_ = 0;
  // Of each position, of each element of the kernel: where it lies in the input, or -1.
  std::vector<int64_t> windows_;
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CONVOLUTION_GEOMETRY_H_
