// `qconform bench --operators ConvInteger`.
#include "harness/operators/conv_integer/bench/measure.h"

#include "harness/backends/simd/conv_integer/conv_integer.h"

namespace qconform::conv_integer {

Result<ConvBenchResult> BenchConvInteger(const ConvolutionShape& shape, Peer* peer,
                                         const ConvBenchOptions& options) {
  const auto zero_point = [](DataType type, int is_unsigned, int is_signed) {
    return FilledTensor(type, {}, type == DataType::kUint8 ? is_unsigned : is_signed);
  };
  const Tensor x = BenchX(shape, options.x);
  const Tensor w = BenchWeights(shape, options.w);
  const Tensor x_zero_point = zero_point(options.x, 121, 3);
  const Tensor w_zero_point = zero_point(options.w, 128, 0);
  const simd::ConvIntegerArgs args = {x.view(), w.view(), x_zero_point.view(),
                                      w_zero_point.view()};
  return BenchConvolution("ConvInteger", shape,
                          {{"x", &x},
                           {"w", &w},
                           {"x_zero_point", &x_zero_point},
                           {"w_zero_point", &w_zero_point}},
                          args, DataType::kInt32, simd::ResolveConvInteger,
                          simd::ConvInteger, peer, options);
}

const BenchTable& GetBenchTable();
const BenchTable& GetBenchTable() {
  static const ConvolutionTable table("ConvInteger", DataType::kUint8,
                                      "with one zero point", BenchConvInteger);
  return table;
}

}  // namespace qconform::conv_integer
