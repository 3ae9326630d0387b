// QLinearConv by the built-in kernels.
#include "harness/convolution/kernels.h"

#include "harness/backends/simd/q_linear_conv/q_linear_conv.h"

namespace qconform::q_linear_conv {
namespace {

struct Op {
  static constexpr std::string_view kOpType = "QLinearConv";
  static constexpr size_t kW = 3;
  static simd::QLinearConvArgs ArgsOf(const Operands& operands) {
    return {ViewAt(operands, 0), ViewAt(operands, 1), ViewAt(operands, 2),
            ViewAt(operands, 3), ViewAt(operands, 4), ViewAt(operands, 5),
            ViewAt(operands, 6), ViewAt(operands, 7), ViewAt(operands, 8)};
  }
  static DataType OutputType(const simd::QLinearConvArgs& args) {
    return args.y_zero_point.type;
  }
  static constexpr auto Resolve = simd::ResolveQLinearConv;
  static constexpr auto Compute = simd::QLinearConv;
};

}  // namespace

const OperatorKernels& GetKernels() {
  static const ConvolutionKernels<Op> kernels;
  return kernels;
}

}  // namespace qconform::q_linear_conv
