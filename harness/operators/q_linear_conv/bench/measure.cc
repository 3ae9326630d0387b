#include "harness/operators/q_linear_conv/bench/measure.h"

#include <cmath>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "harness/backends/simd/limits/clock.h"
#include "harness/backends/simd/q_linear_conv/q_linear_conv.h"
#include "harness/core/bench/operands.h"

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

// All that both sides need, which outlives them.
struct BenchOperands {
  BenchOperands(const ConvolutionShape& s, DataType x_type, DataType w_type)
      : x(RandomBytes(x_type, {1, s.in_channels, s.size, s.size})),
        w(RandomBytes(w_type,
                      {s.out_channels, s.in_channels / s.group, s.kernel, s.kernel})),
        y(Tensor::Zeros(x_type, {1, s.out_channels, s.out_size(), s.out_size()})),
        peer_y(y),
        x_scale(ScalesAbout({}, 0.0173F)),
        w_scale(ScalesAbout({s.out_channels}, 0.0091F)),
        // Sums grow with the root of their length: y spreads over its range.
        y_scale(
            ScalesAbout({}, 0.02F * std::sqrt(static_cast<float>(s.in_channels / s.group *
                                                                 s.kernel * s.kernel)))),
        x_zero_point(FilledTensor(x_type, {}, x_type == DataType::kUint8 ? 121 : 3)),
        w_zero_point(
            FilledTensor(w_type, {s.out_channels}, w_type == DataType::kUint8 ? 128 : 0)),
        y_zero_point(FilledTensor(x_type, {}, x_type == DataType::kUint8 ? 128 : 0)),
        bias(Bias(s.out_channels)) {}

  Model MakeModel(const ConvolutionShape& s) const {
    Model model;
    model.opset_version = 21;
    model.ir_version = 10;
    model.node = {"QLinearConv",
                  "",
                  {"x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point",
                   "y_scale", "y_zero_point", "B"},
                  {"y"},
                  {{"pads", std::vector<int64_t>(4, s.pad)},
                   {"strides", std::vector<int64_t>(2, s.stride)},
                   {"group", s.group}}};
    model.inputs = {{"x", x.type, x.shape}};
    model.outputs = {{"y", y.type, y.shape}};
    model.initializers = {{"x_scale", x_scale},
                          {"x_zero_point", x_zero_point},
                          {"w", w},
                          {"w_scale", w_scale},
                          {"w_zero_point", w_zero_point},
                          {"y_scale", y_scale},
                          {"y_zero_point", y_zero_point},
                          {"B", bias}};
    return model;
  }

  simd::QLinearConvArgs Args() const {
    return {x.view(),       x_scale.view(),      x_zero_point.view(),
            w.view(),       w_scale.view(),      w_zero_point.view(),
            y_scale.view(), y_zero_point.view(), bias.view()};
  }

  Tensor x, w, y, peer_y, x_scale, w_scale, y_scale, x_zero_point, w_zero_point,
      y_zero_point, bias;
};

}  // namespace

std::string NameOf(const ConvolutionShape& s) {
  const auto square = [](int64_t side) {
    return std::to_string(side) + "x" + std::to_string(side);
  };
  return std::to_string(s.in_channels) + "x" + square(s.size) + " " +
         std::to_string(s.out_channels) + " " + square(s.kernel) +
         (s.stride == 1 ? "" : "/" + std::to_string(s.stride)) +
         (s.group == 1 ? "" : " depthwise");
}

Result<ConvBenchResult> BenchQLinearConv(const ConvolutionShape& shape, Peer* peer,
                                         const ConvBenchOptions& options) {
  BenchOperands operands(shape, options.x, options.w);
  const simd::ProductOptions own = {.target = options.target, .threads = options.threads};
  const auto packed = simd::PackedWeights::Pack(operands.w.view(), own);
  if (!packed) return packed.error();
  const simd::QLinearConvArgs args = operands.Args();
  simd::ConvolutionAttributes attributes;
  attributes.pads = std::vector<int64_t>(4, shape.pad);
  attributes.strides = std::vector<int64_t>(2, shape.stride);
  attributes.group = shape.group;
  const auto resolved = simd::ResolveQLinearConv(attributes, args);
  if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
    return Error{NameOf(shape) + ": " + refusal->reason};
  }
  const auto& geometry = std::get<simd::ConvolutionGeometry>(resolved);
  const auto ours = [&]() -> Status {
    return simd::QLinearConv(geometry, args, &*packed, operands.y.mutable_view(), own);
  };
  const Clock now = options.threads > 1 ? simd::WallSeconds : simd::ThreadSeconds;
  PeerTurns peer_turns(peer, operands.MakeModel(shape), {operands.x.view()},
                       operands.peer_y.mutable_view(), options.threads, now);
  const auto turns = TakeTurns(ours, peer_turns, now, options.seconds, [](double) {});
  if (!turns) return turns.error();
  ConvBenchResult result;
  result.turns = *turns;
  if (turns->peer > 0) {
    result.differing = DifferingBytes(operands.y, operands.peer_y);
  }
  return result;
}

}  // namespace qconform::q_linear_conv
