#include "harness/operators/q_linear_mat_mul/bench/measure.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "harness/backends/simd/limits/clock.h"
#include "harness/backends/simd/limits/dot_product_peak.h"
#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"
#include "harness/core/bench/timing.h"

namespace qconform::q_linear_mat_mul {
namespace {

constexpr int kTurns = 21;  // odd: the median is one of them

Tensor RandomBytes(DataType type, Shape shape) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  uint64_t state = 7;
  for (std::byte& byte : tensor.data) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<std::byte>(state >> 56);
  }
  return tensor;
}

// About `value` all of them; exactly that if there is one.
Tensor Scales(Shape shape, float value) {
  Tensor tensor = Tensor::Zeros(DataType::kFloat, std::move(shape));
  for (size_t i = 0; i < tensor.data.size(); i += sizeof value) {
    const float scale = value * (1 + 0.001f * static_cast<float>(i % 64));
    std::memcpy(tensor.data.data() + i, &scale, sizeof scale);
  }
  return tensor;
}

Tensor ZeroPoints(DataType type, Shape shape, int code) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  std::ranges::fill(tensor.data, static_cast<std::byte>(code));
  return tensor;
}

// All that both sides need, which outlives them.
struct BenchOperands {
  explicit BenchOperands(const MatMulBenchRow& row)
      : a(RandomBytes(row.a, {row.m, row.k})),
        b(RandomBytes(row.b, {row.k, row.n})),
        y(Tensor::Zeros(row.y, {row.m, row.n})),
        peer_y(y) {
    const bool vectors = row.scales == MatMulBenchRow::Scales::kVectors;
    const bool ties = row.scales == MatMulBenchRow::Scales::kTies;
    a_scale = Scales(vectors ? Shape{row.m} : Shape{}, ties ? 0.25f : 0.0173f);
    b_scale = Scales(vectors ? Shape{row.n} : Shape{}, ties ? 0.25f : 0.0091f);
    // Sums grow with the root of K: y spreads over its range.
    y_scale = Scales({}, ties ? 96.0f : 0.02f * std::sqrt(static_cast<float>(row.k)));
    a_zero_point = ZeroPoints(row.a, a_scale.shape, row.a == DataType::kUint8 ? 121 : 3);
    b_zero_point = ZeroPoints(row.b, b_scale.shape, row.b == DataType::kUint8 ? 130 : 0);
    y_zero_point = ZeroPoints(row.y, {}, row.y == DataType::kUint8 ? 128 : 0);
  }

  Model MakeModel() const {
    Model model;
    model.opset_version = 21;
    model.ir_version = 10;
    model.node = {"QLinearMatMul",
                  "",
                  {"a", "a_scale", "a_zero_point", "b", "b_scale", "b_zero_point",
                   "y_scale", "y_zero_point"},
                  {"y"},
                  {}};
    model.inputs = {{"a", a.type, a.shape}};
    model.outputs = {{"y", y.type, y.shape}};
    model.initializers = {{"a_scale", a_scale},
                          {"a_zero_point", a_zero_point},
                          {"b", b},
                          {"b_scale", b_scale},
                          {"b_zero_point", b_zero_point},
                          {"y_scale", y_scale},
                          {"y_zero_point", y_zero_point}};
    return model;
  }

  simd::QLinearMatMulArgs Args() const {
    return {a.view(),       a_scale.view(),     a_zero_point.view(),
            b.view(),       b_scale.view(),     b_zero_point.view(),
            y_scale.view(), y_zero_point.view()};
  }

  Tensor a, a_scale, a_zero_point, b, b_scale, b_zero_point, y_scale, y_zero_point;
  Tensor y, peer_y;
};

}  // namespace

std::string MatMulBenchRow::Size() const {
  std::string size =
      std::to_string(m) + "," + std::to_string(n) + "," + std::to_string(k);
  if (scales == Scales::kVectors) size += " vectors";
  if (scales == Scales::kTies) size += " ties";
  if (y != a) size += " to " + std::string(DataTypeName(y));
  return size;
}

std::vector<MatMulBenchRow> StandardMatMulRows() {
  using enum DataType;
  constexpr int64_t kSizes[][3] = {
      {128, 768, 768}, {512, 512, 512}, {1024, 1024, 1024}, {1, 4096, 4096}};
  std::vector<MatMulBenchRow> rows;
  for (const auto& [a, b] :
       {std::pair{kUint8, kInt8}, {kUint8, kUint8}, {kInt8, kInt8}}) {
    for (const auto& [m, n, k] : kSizes) rows.push_back({a, b, m, n, k});
  }
  const MatMulBenchRow usual = rows[1];
  for (const auto scales :
       {MatMulBenchRow::Scales::kVectors, MatMulBenchRow::Scales::kTies}) {
    rows.push_back(usual);
    rows.back().scales = scales;
  }
  rows.push_back(usual);
  rows.back().y = kFloat8E4M3FN;
  return rows;
}

Result<MatMulBenchResult> BenchQLinearMatMul(const MatMulBenchRow& row, Peer* peer,
                                             const MatMulBenchOptions& options) {
  BenchOperands operands(row);
  MatMulBenchResult result;
  result.row = row;
  const simd::QLinearMatMulOptions ours_options = {.target = options.target,
                                                   .threads = options.threads};
  const auto packed = simd::PackedB::Pack(operands.b.view(), ours_options);
  if (!packed) return packed.error();
  const simd::QLinearMatMulArgs args = operands.Args();
  const auto ours = [&]() -> Status {
    return simd::QLinearMatMul(args, &*packed, operands.y.mutable_view(), ours_options);
  };

  const Clock now = options.threads > 1 ? simd::WallSeconds : simd::ThreadSeconds;
  PeerTurns peer_turns(peer, operands.MakeModel(), {operands.a.view()},
                       operands.peer_y.mutable_view(), options.threads, now);
  result.note = peer_turns.note();
  const auto first = Time(3, now, ours);  // warms up, too
  if (!first) return first.error();
  // Each side gets its share of the time: one may be a hundred times slower.
  const auto calls_for = [&](double one) {
    return static_cast<int64_t>(std::max(1.0, options.seconds / kTurns / 2 / one));
  };
  int64_t their_calls = 0;
  if (peer_turns.has_peer()) {
    const auto warm = peer_turns.Turn(3);
    if (!warm) return warm.error();
    their_calls = calls_for(*warm);
    result.differing = DifferingBytes(operands.y, operands.peer_y);
  }
  const int64_t calls = calls_for(*first);
  const double operations = 2.0 * static_cast<double>(row.m) *
                            static_cast<double>(row.n) * static_cast<double>(row.k);
  std::vector<double> our_rates, their_rates, ratios, peaks, shares;
  for (int turn = 0; turn < kTurns; ++turn) {
    const auto our_time = Time(calls, now, ours);
    if (!our_time) return our_time.error();
    our_rates.push_back(operations / *our_time);
    if (peer_turns.has_peer()) {
      const auto their_time = peer_turns.Turn(their_calls);
      if (!their_time) return their_time.error();
      their_rates.push_back(operations / *their_time);
      ratios.push_back(*their_time / *our_time);
    }
    const double peak = simd::MeasureDotProductPeak();
    peaks.push_back(peak);
    if (peak > 0) shares.push_back(our_rates.back() / (peak * options.threads));
  }
  result.ours = Median(our_rates);
  result.peer = Median(their_rates);
  result.ratio = Median(ratios);
  result.peak = Median(peaks);
  result.of_peak = Median(shares);
  return result;
}

}  // namespace qconform::q_linear_mat_mul
