// `qconform bench --operators QLinearConv`.
#include "harness/operators/q_linear_conv/bench/measure.h"

#include <cmath>
#include <cstring>

#include "harness/backends/simd/q_linear_conv/q_linear_conv.h"

namespace qconform::q_linear_conv {
namespace {

Tensor Bias(int64_t channels) {
  Tensor bias = Tensor::Zeros(DataType::kInt32, {channels});
  for (int64_t i = 0; i < channels; ++i) {
    const auto value = static_cast<int32_t>(i * 37 % 501 - 250);
    std::memcpy(bias.data.data() + i * static_cast<int64_t>(sizeof value), &value,
                sizeof value);
  }
  return bias;
}

// Sums grow with the root of their length: with this scale y spreads over its range.
float ScaleOfY(const ConvolutionShape& s) {
  return 0.02F *
         std::sqrt(static_cast<float>(s.in_channels / s.group * s.kernel * s.kernel));
}

}  // namespace

Result<ConvBenchResult> BenchQLinearConv(const ConvolutionShape& shape, Peer* peer,
                                         const ConvBenchOptions& options) {
  const bool is_x_signed = options.x == DataType::kInt8;
  const bool is_w_signed = options.w == DataType::kInt8;
  const Tensor x = BenchX(shape, options.x);
  const Tensor x_scale = ScalesAbout({}, 0.0173F);
  const Tensor x_zero_point = FilledTensor(options.x, {}, is_x_signed ? 3 : 121);
  const Tensor w = BenchWeights(shape, options.w);
  const Tensor w_scale = ScalesAbout({shape.out_channels}, 0.0091F);
  const Tensor w_zero_point =
      FilledTensor(options.w, {shape.out_channels}, is_w_signed ? 0 : 128);
  const Tensor y_scale = ScalesAbout({}, ScaleOfY(shape));
  const Tensor y_zero_point = FilledTensor(options.x, {}, is_x_signed ? 0 : 128);
  const Tensor bias = Bias(shape.out_channels);
  const simd::QLinearConvArgs args = {
      x.view(),       x_scale.view(),      x_zero_point.view(),
      w.view(),       w_scale.view(),      w_zero_point.view(),
      y_scale.view(), y_zero_point.view(), bias.view()};
  return BenchConvolution("QLinearConv", shape,
                          {{"x", &x},
                           {"x_scale", &x_scale},
                           {"x_zero_point", &x_zero_point},
                           {"w", &w},
                           {"w_scale", &w_scale},
                           {"w_zero_point", &w_zero_point},
                           {"y_scale", &y_scale},
                           {"y_zero_point", &y_zero_point},
                           {"B", &bias}},
                          args, options.x, simd::ResolveQLinearConv, simd::QLinearConv,
                          peer, options);
}

const BenchTable& GetBenchTable();
const BenchTable& GetBenchTable() {
  static const ConvolutionTable table("QLinearConv", DataType::kInt8,
                                      "with a scale for each channel", BenchQLinearConv);
  return table;
}

}  // namespace qconform::q_linear_conv
