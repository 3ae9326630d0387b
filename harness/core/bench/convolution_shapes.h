// The convolutions of networks that everybody knows, as a corpus of shapes.
#ifndef QCONFORM_HARNESS_CORE_BENCH_CONVOLUTION_SHAPES_H_
#define QCONFORM_HARNESS_CORE_BENCH_CONVOLUTION_SHAPES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace qconform {

// One image of `size` by `size` pixels, a square kernel, and as many pads at the end of
// an axis as at its beginning.
struct ConvolutionShape {
  int64_t in_channels;
  int64_t size;
  int64_t out_channels;
  int64_t kernel;
  int64_t stride;
  int64_t pad;
  int64_t group;
  int times;  // that the network has it

  int64_t out_size() const { return (size + 2 * pad - kernel) / stride + 1; }
  // Multiplications and additions.
  int64_t operations() const {
    return 2 * out_channels * out_size() * out_size() * in_channels / group * kernel *
           kernel;
  }
};

// "64x56x56 64 3x3", "144x56x56 144 3x3/2 depthwise": x, the channels of y, the kernel,
// and the stride if it is not 1.
std::string NameOf(const ConvolutionShape& shape);

struct ConvolutionCorpus {
  std::string_view name;
  std::span<const ConvolutionShape> shapes;
};

// All convolutions of ResNet-50 (v1.5: strides in the kernels of 3 by 3) and of
// MobileNet-v2, for images of 224 by 224.
std::span<const ConvolutionCorpus> ConvolutionCorpora();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BENCH_CONVOLUTION_SHAPES_H_
