// ConvInteger by the built-in kernels.
#include "harness/convolution/kernels.h"

#include "harness/backends/simd/conv_integer/conv_integer.h"

namespace qconform::conv_integer {
namespace {

struct Op {
  static constexpr std::string_view kOpType = "ConvInteger";
  static constexpr size_t kW = 1;
  static simd::ConvIntegerArgs ArgsOf(const Operands& operands) {
    return {ViewAt(operands, 0), ViewAt(operands, 1), ViewAt(operands, 2),
            ViewAt(operands, 3)};
  }
  static DataType OutputType(const simd::ConvIntegerArgs&) { return DataType::kInt32; }
  static constexpr auto Resolve = simd::ResolveConvInteger;
  static constexpr auto Compute = simd::ConvInteger;
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const ConvolutionKernels<Op> kernels;
  return kernels;
}

}  // namespace qconform::conv_integer
