#include "harness/operators/dequantize_linear/bench/measure.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "cases/lattice/lattice.h"
#include "harness/backends/simd/dequantize_linear/dequantize_linear.h"
#include "harness/backends/simd/limits/clock.h"
#include "harness/backends/simd/limits/parallel_limit.h"
#include "harness/core/bench/timing.h"

namespace qconform::dequantize_linear {
namespace {

constexpr int kTurns = 15;  // odd: the median is one of them

// The since_version of a row's node: 25, which runtimes know, unless it has no such x.
int SinceVersionOf(const DequantizeBenchRow& row) {
  return BitWidth(row.x) == 6 ? 28 : 25;
}

// The operands of one row. Codes of x are random, and no NaN.
struct BenchOperands {
  BenchOperands(const DequantizeBenchRow& row, int64_t elements)
      : shape{elements / kBenchColumns, kBenchColumns} {
    uint64_t state = 7;
    const auto random = [&] {  // in [0, 1)
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<double>(state >> 40) * 0x1p-24;
    };
    const uint64_t mask = (uint64_t{1} << BitWidth(row.x)) - 1;
    std::vector<uint64_t> x_codes;
    while (x_codes.size() < 1 << 16) {
      const auto code = static_cast<uint64_t>(random() * 0x1p32) & mask;
      if (Decode(FormatOf(row.x), code).value_class == ValueClass::kNan) continue;
      x_codes.push_back(code);
    }
    std::vector<uint64_t> scale_codes;
    for (int i = 0; i < 4096; ++i) {
      scale_codes.push_back(CodeOf(row.scale, 0.0625 * (0.75 + 0.5 * random())));
    }
    scales = ScalesOf(row.layout, row.block, shape[0]);
    x = Repeated(row.x, shape, x_codes);
    scale = Repeated(row.scale, scales.shape, scale_codes);
    y = Tensor::Zeros(row.y, shape);
    if (row.zero_point) zero_point = ZeroPoints(row.x, scales.shape, random);
  }

  Model MakeModel(const DequantizeBenchRow& row) const {
    Model model;
    model.opset_version = SinceVersionOf(row);
    model.ir_version = IrVersionFor(model.opset_version);
    model.node = {"DequantizeLinear", "", {"x", "x_scale"}, {"y"}, {}};
    auto& attributes = model.node.attributes;
    if (row.y != row.scale) {
      attributes.push_back({"output_dtype", static_cast<int64_t>(row.y)});
    }
    if (!scales.shape.empty()) attributes.push_back({"axis", scales.axis});
    if (row.block != 0) attributes.push_back({"block_size", row.block});
    if (zero_point) model.node.inputs.push_back("x_zero_point");
    model.inputs = {{"x", x.type, x.shape}};
    model.outputs = {{"y", y.type, y.shape}};
    model.initializers = {{"x_scale", scale}};
    if (zero_point) model.initializers.push_back({"x_zero_point", *zero_point});
    return model;
  }

  Shape shape;
  BenchScales scales;
  Tensor x, scale, y;
  std::optional<Tensor> zero_point;
};

// Returns arguments that point into `operands`, which must stay.
Result<simd::DequantizeLinearArgs> ArgsOf(const DequantizeBenchRow& row,
                                          const BenchOperands& operands) {
  simd::DequantizeLinearAttributes attributes;
  if (!operands.scales.shape.empty()) attributes.axis = operands.scales.axis;
  attributes.block_size = row.block;
  attributes.output_dtype = static_cast<int64_t>(row.y);
  std::optional<TensorView> zero_point;
  if (operands.zero_point) zero_point = operands.zero_point->view();
  auto resolved =
      simd::ResolveDequantizeLinear(SinceVersionOf(row), attributes, operands.x.view(),
                                    operands.scale.view(), zero_point);
  if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
    return Error{row.Name() + ": " + refusal->reason};
  }
  return std::get<simd::DequantizeLinearArgs>(resolved);
}

}  // namespace

std::string DequantizeBenchRow::Name() const {
  std::string name =
      std::string(DataTypeName(x)) + "-" + std::string(DataTypeName(scale)) + "-" +
      std::string(DataTypeName(y)) + " " + std::string(BenchLayoutName(layout));
  if (block != 0) name += " " + std::to_string(block);
  if (zero_point) name += " zero_point";
  return name;
}

std::vector<DequantizeBenchRow> StandardDequantizeRows() {
  using enum DataType;
  using enum BenchLayout;
  return {{kUint8, kFloat, kFloat},
          {kInt8, kFloat, kFloat},
          {kUint16, kFloat, kFloat},
          {kInt16, kFloat, kFloat},
          {kInt32, kFloat, kFloat},
          {kUint4, kFloat, kFloat},
          {kInt4, kFloat, kFloat},
          {kUint2, kFloat, kFloat},
          {kInt2, kFloat, kFloat},
          {kFloat8E4M3FN, kFloat, kFloat},
          {kFloat8E4M3FNUZ, kFloat, kFloat},
          {kFloat8E5M2, kFloat, kFloat},
          {kFloat8E5M2FNUZ, kFloat, kFloat},
          {kFloat6E2M3, kFloat, kFloat},
          {kFloat6E3M2, kFloat, kFloat},
          {kFloat4E2M1, kFloat, kFloat},
          {kUint8, kFloat16, kFloat16},
          {kUint8, kBfloat16, kBfloat16},
          {kInt16, kFloat16, kFloat16},
          {kInt16, kBfloat16, kBfloat16},
          {kInt4, kFloat16, kFloat16},
          {kFloat8E4M3FN, kFloat16, kFloat16},
          {kFloat8E4M3FN, kBfloat16, kBfloat16},
          {kUint8, kFloat, kFloat, kLastAxis},
          {kInt8, kFloat, kFloat, kFirstAxis},
          {kUint8, kFloat, kFloat, kBlockedLast, 32},
          {kUint8, kFloat, kFloat, kBlockedLast, 64},
          {kUint8, kFloat, kFloat, kBlockedFirst, 32},
          {kInt4, kFloat, kFloat, kBlockedLast, 32},
          {kInt4, kFloat16, kFloat16, kBlockedLast, 32},
          {kFloat4E2M1, kFloat8E8M0, kFloat, kBlockedLast, 32},
          {kFloat8E4M3FN, kFloat8E8M0, kBfloat16, kBlockedLast, 32}};
}

Result<BenchRowRecord> BenchDequantizeLinear(const DequantizeBenchRow& row, Peer* peer,
                                             const DequantizeBenchOptions& options) {
  if (options.elements < kBenchColumns || options.elements % kBenchColumns != 0) {
    return Error{"elements: expected a multiple of " + std::to_string(kBenchColumns) +
                 ", got " + std::to_string(options.elements)};
  }
  BenchOperands operands(row, options.elements);
  Tensor peer_y = operands.y;
  const auto args = ArgsOf(row, operands);
  if (!args) return args.error();
  const auto ours = [&]() -> Status {
    return simd::DequantizeLinear(*args, operands.y.mutable_view(),
                                  {.target = options.target, .threads = options.threads});
  };
  const bool several = options.threads > 1;
  const Clock now = several ? simd::WallSeconds : simd::ThreadSeconds;
  PeerTurns peer_turns(peer, operands.MakeModel(row), {operands.x.view()},
                       peer_y.mutable_view(), options.threads, now);
  BenchRowRecord result;
  result.name = row.Name();
  result.elements = options.elements;
  result.threads = options.threads;
  result.note = peer_turns.note();
  if (const auto warm = Time(2, now, ours); !warm) return warm.error();
  double slowest = 0;
  if (peer_turns.has_peer()) {
    const auto warm = peer_turns.Turn(2);
    if (!warm) return warm.error();
    slowest = *warm;
    result.differing_bytes = DifferingBytes(operands.y, peer_y);
  }
  const auto first = Time(3, now, ours);
  if (!first) return first.error();
  const auto calls_in = [&](double of_one) {
    return static_cast<int64_t>(std::max(1.0, options.seconds / kTurns / 3 / of_one));
  };
  const int64_t calls = calls_in(*first);
  const int64_t their_calls = peer_turns.has_peer() ? calls_in(slowest) : 0;
  std::vector<double> our_times, limits, peers, shares, ratios;
  for (int turn = 0; turn < kTurns; ++turn) {
    if (several) simd::Gather(options.threads);
    const auto our_time = Time(calls, now, ours);
    if (!our_time) return our_time.error();
    our_times.push_back(*our_time);
    limits.push_back(
        simd::TimeCopyLimit(calls, options.threads, several, operands.x, peer_y));
    shares.push_back(limits.back() / our_times.back());
    if (!peer_turns.has_peer()) continue;
    const auto their_time = peer_turns.Turn(their_calls);
    if (!their_time) return their_time.error();
    peers.push_back(*their_time);
    ratios.push_back(*their_time / *our_time);
  }
  const double each = 1e9 / static_cast<double>(options.elements);
  result.ns_per_element = Median(our_times) * each;
  result.gigabytes_per_second =
      static_cast<double>(operands.x.data.size() + operands.y.data.size()) /
      (result.ns_per_element * static_cast<double>(options.elements));
  result.limit_ns_per_element = Median(limits) * each;
  result.peer_ns_per_element = Median(peers) * each;
  result.of_limit = Median(shares);
  result.ratio = Median(ratios);
  return result;
}

}  // namespace qconform::dequantize_linear
