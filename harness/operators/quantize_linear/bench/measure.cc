#include "harness/operators/quantize_linear/bench/measure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/backends/simd/core/copy_limit.h"
#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/limits/clock.h"
#include "harness/backends/simd/limits/instruction_loop.h"
#include "harness/backends/simd/limits/parallel_limit.h"
#include "harness/backends/simd/quantize_linear/job.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"
#include "harness/core/bench/timing.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::quantize_linear {
namespace {

constexpr int kTurns = 15;  // odd: the median is one of them

// The since_version of a row's node: 25, which runtimes know, unless it has no such y.
int SinceVersionOf(const QuantizeBenchRow& row) { return BitWidth(row.y) == 6 ? 28 : 25; }

// The operands of one row. Quotients are spread around 0.1, 1 and 50: with only
// one of them slow paths stay hidden.
struct BenchOperands {
  BenchOperands(const QuantizeBenchRow& row, int64_t elements)
      : shape{elements / kBenchColumns, kBenchColumns} {
    uint64_t state = 7;
    const auto random = [&] {  // in [0, 1)
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<double>(state >> 40) * 0x1p-24;
    };
    // Integers need room below 1, and scales of their own type are integers.
    const double unit =
        row.scale == DataType::kInt32 || row.x == DataType::kInt32 ? 64 : 0.0625;
    std::vector<uint64_t> x_codes;
    for (int i = 0; i < 1 << 16; ++i) {
      const double spread = std::array{0.1, 1.0, 50.0}[static_cast<size_t>(i % 3)];
      x_codes.push_back(CodeOf(row.x, unit * spread * (4 * random() - 2)));
    }
    std::vector<uint64_t> scale_codes;
    for (int i = 0; i < 4096; ++i) {
      scale_codes.push_back(CodeOf(row.scale, unit * (0.75 + 0.5 * random())));
    }
    const BenchScales scales = ScalesOf(row.layout, row.block, shape[0]);
    scale_shape = scales.shape;
    axis = scales.axis;
    x = Repeated(row.x, shape, x_codes);
    scale = Repeated(row.scale, scale_shape, scale_codes);
    y = Tensor::Zeros(row.y, shape);
    if (row.zero_point) zero_point = ZeroPoints(row.y, scale_shape, random);
  }

  Model MakeModel(const QuantizeBenchRow& row) const {
    Model model;
    model.opset_version = SinceVersionOf(row);
    model.ir_version = IrVersionFor(model.opset_version);
    model.node = {"QuantizeLinear", "", {"x", "y_scale"}, {"y"}, {}};
    auto& attributes = model.node.attributes;
    attributes.push_back({"output_dtype", static_cast<int64_t>(row.y)});
    if (!scale_shape.empty()) attributes.push_back({"axis", axis});
    if (row.block != 0) attributes.push_back({"block_size", row.block});
    if (IsFloat8(row.y)) attributes.push_back({"saturate", row.saturate});
    if (zero_point) model.node.inputs.push_back("y_zero_point");
    model.inputs = {{"x", x.type, x.shape}};
    model.outputs = {{"y", y.type, y.shape}};
    model.initializers = {{"y_scale", scale}};
    if (zero_point) model.initializers.push_back({"y_zero_point", *zero_point});
    return model;
  }

  Shape shape;
  Shape scale_shape;
  int64_t axis = 1;
  Tensor x, scale, y;
  std::optional<Tensor> zero_point;
};

// Returns arguments that point into `operands`, which must stay.
Result<simd::QuantizeLinearArgs> ArgsOf(const QuantizeBenchRow& row,
                                        const BenchOperands& operands) {
  simd::QuantizeLinearAttributes attributes;
  attributes.axis =
      operands.scale_shape.empty() ? std::nullopt : std::optional(operands.axis);
  attributes.block_size = row.block;
  attributes.saturate = row.saturate;
  attributes.output_dtype = static_cast<int64_t>(row.y);
  std::optional<TensorView> zero_point;
  if (operands.zero_point) zero_point = operands.zero_point->view();
  auto resolved =
      simd::ResolveQuantizeLinear(SinceVersionOf(row), attributes, operands.x.view(),
                                  operands.scale.view(), zero_point);
  if (const auto* refusal = std::get_if<simd::Refusal>(&resolved)) {
    return Error{row.Name() + ": " + refusal->reason};
  }
  return std::get<simd::QuantizeLinearArgs>(resolved);
}

// A part of the rows for each thread, which knows nothing of the others.
class Apart {
 public:
  // Has no threads if the rows cannot be cut so. `whole` is the call that is cut: parts
  // are read and written as it is.
  static Result<Apart> Of(const QuantizeBenchRow& row,
                          const QuantizeBenchOptions& options,
                          const simd::QuantizeLinearArgs& whole) {
    Apart apart;
    const auto geometry = simd::GeometryOf(whole);
    if (!geometry) return geometry.error();
    apart.options_ = {.target = options.target,
                      .threads = 1,
                      .stores = simd::StoresOf(whole, *geometry, simd::Stores::kBySize)};
    const int64_t rows = options.elements / kBenchColumns;
    if (options.threads == 1 || rows % options.threads != 0) return apart;
    for (int i = 0; i < options.threads; ++i) {
      apart.operands_.push_back(
          std::make_unique<BenchOperands>(row, options.elements / options.threads));
      auto args = ArgsOf(row, *apart.operands_.back());
      if (!args) return args.error();
      apart.args_.push_back(*std::move(args));
    }
    return apart;
  }

  // Returns LeastTogether of a call; 0 if the threads did not run at the same time.
  Result<double> LeastTime(int64_t calls) {
    const int threads = static_cast<int>(args_.size());
    const double round_trip = threads == 0 ? 0 : simd::LineRoundTrip(threads);
    if (round_trip == 0) return 0.0;
    struct Span {
      double start, end;
    };
    std::vector<Span> spans(args_.size());
    std::vector<Result<double>> of_calls(args_.size(), 0.0);
    simd::Gather(threads);
    simd::OnKernelThreads(threads, [&](int part) {
      const auto at = static_cast<size_t>(part);
      const double start = simd::WallSeconds();
      of_calls[at] = Time(calls, simd::WallSeconds, [&] {
        return simd::QuantizeLinear(args_[at], operands_[at]->y.mutable_view(), options_);
      });
      spans[at] = {start, simd::WallSeconds()};
    });
    for (const auto& seconds : of_calls) {
      if (!seconds) return seconds.error();
    }
    const Span last_start = *std::ranges::max_element(spans, {}, &Span::start);
    const Span first_end = *std::ranges::min_element(spans, {}, &Span::end);
    if (last_start.start >= first_end.end) return 0.0;  // one after the other
    std::vector<double> of_all;
    for (const auto& seconds : of_calls) of_all.push_back(*seconds * threads);
    return simd::LeastTogether(of_all, round_trip);
  }

 private:
  simd::QuantizeLinearOptions options_;
  std::vector<std::unique_ptr<BenchOperands>> operands_;
  std::vector<simd::QuantizeLinearArgs> args_;
};

}  // namespace

std::string QuantizeBenchRow::Name() const {
  std::string name =
      std::string(DataTypeName(x)) + "-" + std::string(DataTypeName(scale)) + "-" +
      std::string(DataTypeName(y)) + " " + std::string(BenchLayoutName(layout));
  if (block != 0) name += " " + std::to_string(block);
  if (saturate == 0) name += " saturate=0";
  if (zero_point) name += " zero_point";
  return name;
}

std::vector<QuantizeBenchRow> StandardQuantizeRows() {
  using enum DataType;
  using enum BenchLayout;
  return {{kFloat, kFloat, kUint8},
          {kFloat, kFloat, kInt8},
          {kFloat, kFloat, kUint16},
          {kFloat, kFloat, kInt16},
          {kFloat, kFloat, kUint4},
          {kFloat, kFloat, kInt4},
          {kFloat, kFloat, kUint2},
          {kFloat, kFloat, kInt2},
          {kFloat16, kFloat16, kUint8},
          {kBfloat16, kBfloat16, kUint8},
          {kInt32, kFloat, kUint8},
          {kFloat, kFloat, kFloat8E4M3FN},
          {kFloat, kFloat, kFloat8E4M3FN, kPerTensor, 0, 0},
          {kFloat, kFloat, kFloat8E5M2},
          {kFloat, kFloat, kFloat8E5M2, kPerTensor, 0, 0},
          {kFloat, kFloat, kFloat6E2M3},
          {kFloat, kFloat, kFloat6E3M2},
          {kFloat, kFloat, kFloat4E2M1},
          {kFloat, kFloat, kUint8, kLastAxis},
          {kFloat, kFloat, kUint8, kFirstAxis},
          {kFloat, kFloat, kUint8, kBlockedLast, 32},
          {kFloat, kFloat, kUint8, kBlockedLast, 64},
          {kFloat, kFloat, kUint8, kBlockedFirst, 32}};
}

std::vector<QuantizeBenchRow> AllQuantizeRows() {
  using enum BenchLayout;
  const auto cells = CellsOf("QuantizeLinear");
  const int newest = std::ranges::max(cells, {}, &Cell::since_version).since_version;
  std::vector<QuantizeBenchRow> rows;
  for (const BenchLayout layout :
       {kPerTensor, kLastAxis, kFirstAxis, kBlockedLast, kBlockedFirst}) {
    const bool blocked = layout == kBlockedLast || layout == kBlockedFirst;
    for (const Cell& cell : cells) {
      if (cell.since_version != newest || cell.granularity != "per_tensor") continue;
      rows.push_back({cell.types[0], cell.types[1], cell.types[2], layout,
                      blocked ? int64_t{32} : 0, 1});
    }
  }
  return rows;
}

Result<QuantizeBenchResult> BenchQuantizeLinear(const QuantizeBenchRow& row, Peer* peer,
                                                const QuantizeBenchOptions& options) {
  if (options.elements < kBenchColumns || options.elements % kBenchColumns != 0) {
    return Error{"a benchmark of " + std::to_string(options.elements) +
                 " elements: a multiple of " + std::to_string(kBenchColumns) +
                 " is needed"};
  }
  BenchOperands operands(row, options.elements);
  Tensor peer_y = operands.y;
  QuantizeBenchResult result;
  result.row = row;
  result.name = row.Name();
  result.elements = options.elements;
  result.threads = options.threads;

  const auto args = ArgsOf(row, operands);
  if (!args) return args.error();
  const auto on = [&](int threads) {
    return [&, threads]() -> Status {
      return simd::QuantizeLinear(*args, operands.y.mutable_view(),
                                  {.target = options.target, .threads = threads});
    };
  };
  const auto ours = on(options.threads);
  auto instructions = simd::InstructionLoop::Of(options.target, operands.x, row.y);
  if (!instructions) return instructions.error();
  const bool several = options.threads > 1;
  const Clock now = several ? simd::WallSeconds : simd::ThreadSeconds;
  PeerTurns peer_turns(peer, operands.MakeModel(row), {operands.x.view()},
                       peer_y.mutable_view(), options.threads, now);
  result.note = peer_turns.note();
  auto apart = Apart::Of(row, options, *args);
  if (!apart) return apart.error();
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
  const int sides = several ? 6 : 3;
  const auto calls_in = [&](double of_one) {
    return static_cast<int64_t>(std::max(1.0, options.seconds / kTurns / sides / of_one));
  };
  const int64_t calls = calls_in(*first);
  const int64_t their_calls = peer_turns.has_peer() ? calls_in(slowest) : 0;
  std::vector<double> our_times, limits, peers, shares, ratios;
  std::vector<double> instruction_limits, instruction_shares;
  // Of one core for each thread.
  const double each_core =
      static_cast<double>(options.elements) / static_cast<double>(options.threads);
  // Of several threads.
  std::vector<double> gains, apart_gains, limit_gains, register_gains;
  for (int turn = 0; turn < kTurns; ++turn) {
    if (several) {
      const auto one = Time(calls, now, on(1));
      if (!one) return one.error();
      gains.push_back(*one);
      simd::Gather(options.threads);
    }
    const auto our_time = Time(calls, now, ours);
    if (!our_time) return our_time.error();
    our_times.push_back(*our_time);
    limits.push_back(
        simd::TimeCopyLimit(calls, options.threads, several, operands.x, peer_y));
    shares.push_back(limits.back() / our_times.back());
    instruction_limits.push_back(instructions->Time() * each_core);
    instruction_shares.push_back(instruction_limits.back() / our_times.back());
    if (several) {
      register_gains.push_back(simd::RegisterSpeedup(options.threads));
      const auto at_least = apart->LeastTime(calls);
      if (!at_least) return at_least.error();
      if (*at_least > 0) apart_gains.push_back(gains.back() / *at_least);
      gains.back() /= *our_time;
      limit_gains.push_back(simd::TimeCopyLimit(calls, 1, several, operands.x, peer_y) /
                            limits.back());
    }
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
  result.instruction_limit_ns_per_element = Median(instruction_limits) * each;
  result.of_instruction_limit = Median(instruction_shares);
  result.ratio = Median(ratios);
  result.speedup = Median(gains);
  result.most_speedup = Median(apart_gains);
  result.limit_speedup = Median(limit_gains);
  result.register_speedup = Median(register_gains);
  return result;
}

}  // namespace qconform::quantize_linear
