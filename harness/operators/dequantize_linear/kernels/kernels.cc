// DequantizeLinear by the built-in kernels.
#include "harness/quantization/kernels.h"

#include <array>

#include "harness/backends/simd/dequantize_linear/dequantize_linear.h"

namespace qconform::dequantize_linear {
namespace {

struct Op {
  static constexpr std::string_view kOpType = "DequantizeLinear";
  static constexpr std::string_view kScale = "x_scale";
  static constexpr std::array kSinceVersions = {10, 13, 19, 21, 23, 24, 25, 28};
  using Attributes = simd::DequantizeLinearAttributes;
  using Args = simd::DequantizeLinearArgs;
  using Options = simd::DequantizeLinearOptions;
  static void Read(std::string_view name, int64_t value, Attributes& read) {
    if (name == "axis") read.axis = value;
    if (name == "block_size") read.block_size = value;
    if (name == "output_dtype") read.output_dtype = value;
  }
  static constexpr auto Resolve = simd::ResolveDequantizeLinear;
  static constexpr auto Compute = simd::DequantizeLinear;
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const QuantizationKernels<Op> kernels;
  return kernels;
}

}  // namespace qconform::dequantize_linear
