// What benchmarks of operators that have a convolution share: the kernels and a peer in
// turns in one process, with constant weights laid out before.
#ifndef QCONFORM_HARNESS_CONVOLUTION_BENCH_H_
#define QCONFORM_HARNESS_CONVOLUTION_BENCH_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/backends/simd/convolution/convolution.h"
#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/core/refusal.h"
#include "harness/backends/simd/limits/clock.h"
#include "harness/core/bench/bench_table.h"
#include "harness/core/bench/convolution_shapes.h"
#include "harness/core/bench/operands.h"
#include "harness/core/bench/peer.h"
#include "harness/core/bench/turns.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

struct ConvBenchOptions {
  int threads = 1;
  int64_t target = 0;  // simd::Target::bit; 0 takes the best
  double seconds = 1;  // of a shape, about
  DataType x = DataType::kUint8;
  DataType w = DataType::kInt8;
};

struct ConvBenchResult {
  TurnsResult turns;
  int64_t differing = 0;  // bytes of y in which the peer's answer is another
};

inline Tensor BenchX(const ConvolutionShape& s, DataType type) {
  return RandomBytes(type, {1, s.in_channels, s.size, s.size});
}

inline Tensor BenchWeights(const ConvolutionShape& s, DataType type) {
  return RandomBytes(type, {s.out_channels, s.in_channels / s.group, s.kernel, s.kernel});
}

// An operand's name in the model, in the order of the schema. x is the first; all others
// are constants.
using NamedOperand = std::pair<const char*, const Tensor*>;

// `peer` may be null. `resolve` and `compute` are the kernels' functions for `args`,
// which view the operands. Times of one thread are that thread's; of more they are the
// wall's.
template <typename Args, typename Resolve, typename Compute>
Result<ConvBenchResult> BenchConvolution(std::string_view op_type,
                                         const ConvolutionShape& shape,
                                         const std::vector<NamedOperand>& operands,
                                         const Args& args, DataType y_type,
                                         const Resolve& resolve, const Compute& compute,
                                         Peer* peer, const ConvBenchOptions& options) {
  const std::vector<int64_t> pads(4, shape.pad), strides(2, shape.stride);
  simd::ConvolutionAttributes attributes;
  attributes.pads = pads;
  attributes.strides = strides;
  attributes.group = shape.group;
  const auto resolved = resolve(attributes, args);
  if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
    return Error{NameOf(shape) + ": " + refusal->reason};
  }
  const auto& geometry = std::get<simd::ConvolutionGeometry>(resolved);
  Tensor y = Tensor::Zeros(y_type, geometry.YShape());
  Tensor peer_y = y;

  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node.op_type = op_type;
  model.node.outputs = {"y"};
  model.node.attributes = {{"pads", pads}, {"strides", strides}, {"group", shape.group}};
  model.outputs = {{"y", y.type, y.shape}};
  for (const auto& [name, tensor] : operands) {
    model.node.inputs.emplace_back(name);
    if (model.inputs.empty()) {
      model.inputs.push_back({name, tensor->type, tensor->shape});
    } else {
      model.initializers.push_back({name, *tensor});
    }
  }

  const simd::ProductOptions own = {.target = options.target, .threads = options.threads};
  const auto packed = simd::PackedWeights::Pack(args.w, own);
  if (!packed) return packed.error();
  const auto ours = [&]() -> Status {
    return compute(geometry, args, &*packed, y.mutable_view(), own);
  };
  const Clock now = options.threads > 1 ? simd::WallSeconds : simd::ThreadSeconds;
  PeerTurns peer_turns(peer, std::move(model), {args.x}, peer_y.mutable_view(),
                       options.threads, now);
  const auto turns = TakeTurns(ours, peer_turns, now, options.seconds, [](double) {});
  if (!turns) return turns.error();
  ConvBenchResult result;
  result.turns = *turns;
  if (turns->peer > 0) result.differing = DifferingBytes(y, peer_y);
  return result;
}

// The table of all ConvolutionCorpora(), with x of UINT8.
class ConvolutionTable : public BenchTable {
 public:
  using Bench = Result<ConvBenchResult> (*)(const ConvolutionShape& shape, Peer* peer,
                                            const ConvBenchOptions& options);

  // `weights` says more of w than its type, for the heading.
  ConvolutionTable(std::string_view op_type, DataType w, std::string_view weights,
                   Bench bench)
      : op_type_(op_type), w_(w), weights_(weights), bench_(bench) {}

  std::string_view op_type() const override { return op_type_; }
  Result<std::vector<std::string>> Measure(const BenchRun& run, const FlagValues& values,
                                           const PrintText& print) const override;

 private:
  Status MeasureCorpus(const ConvolutionCorpus& corpus, const BenchRun& run, int threads,
                       const PrintText& print) const;

  std::string_view op_type_;
  DataType w_;
  std::string_view weights_;
  Bench bench_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CONVOLUTION_BENCH_H_
