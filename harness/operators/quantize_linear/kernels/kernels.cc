// QuantizeLinear by the built-in kernels.
#include "harness/quantization/kernels.h"

#include <array>

#include "harness/backends/simd/quantize_linear/quantize_linear.h"

namespace qconform::quantize_linear {
namespace {

struct Op {
  static constexpr std::string_view kOpType = "QuantizeLinear";
  static constexpr std::string_view kScale = "y_scale";
  static constexpr std::array kSinceVersions = {10, 13, 19, 21, 23, 24, 25, 28};
  using Attributes = simd::QuantizeLinearAttributes;
  using Args = simd::QuantizeLinearArgs;
  using Options = simd::QuantizeLinearOptions;
  static void Read(std::string_view name, int64_t value, Attributes& read) {
    if (name == "axis") read.axis = value;
    if (name == "saturate") read.saturate = value;
    if (name == "block_size") read.block_size = value;
    if (name == "output_dtype") read.output_dtype = value;
    if (name == "precision") read.precision = value;
  }
  static constexpr auto Resolve = simd::ResolveQuantizeLinear;
  static constexpr auto Compute = simd::QuantizeLinear;
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const QuantizationKernels<Op> kernels;
  return kernels;
}

}  // namespace qconform::quantize_linear
