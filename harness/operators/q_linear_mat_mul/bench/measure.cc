#include "harness/operators/q_linear_mat_mul/bench/measure.h"

#include <cmath>
#include <utility>

#include "harness/backends/simd/limits/clock.h"
#include "harness/backends/simd/limits/dot_product_peak.h"
#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"
#include "harness/core/bench/operands.h"
#include "harness/core/bench/turns.h"

namespace qconform::q_linear_mat_mul {
namespace {

// All that both sides need, which outlives them.
struct BenchOperands {
  explicit BenchOperands(const MatMulBenchRow& row)
      : a(RandomBytes(row.a, {row.m, row.k})),
        b(RandomBytes(row.b, {row.k, row.n})),
        y(Tensor::Zeros(row.y, {row.m, row.n})),
        peer_y(y) {
    const bool vectors = row.scales == MatMulBenchRow::Scales::kVectors;
    const bool ties = row.scales == MatMulBenchRow::Scales::kTies;
    a_scale = ScalesAbout(vectors ? Shape{row.m} : Shape{}, ties ? 0.25f : 0.0173f);
    b_scale = ScalesAbout(vectors ? Shape{row.n} : Shape{}, ties ? 0.25f : 0.0091f);
    // Sums grow with the root of K: y spreads over its range.
    y_scale =
        ScalesAbout({}, ties ? 96.0f : 0.02f * std::sqrt(static_cast<float>(row.k)));
    a_zero_point =
        FilledTensor(row.a, a_scale.shape, row.a == DataType::kUint8 ? 121 : 3);
    b_zero_point =
        FilledTensor(row.b, b_scale.shape, row.b == DataType::kUint8 ? 130 : 0);
    y_zero_point = FilledTensor(row.y, {}, row.y == DataType::kUint8 ? 128 : 0);
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
  const double operations = 2.0 * static_cast<double>(row.m) *
                            static_cast<double>(row.n) * static_cast<double>(row.k);
  std::vector<double> peaks, shares;
  const auto turns = TakeTurns(ours, peer_turns, now, options.seconds, [&](double time) {
    const double peak = simd::MeasureDotProductPeak();
    peaks.push_back(peak);
    if (peak > 0) shares.push_back(operations / time / (peak * options.threads));
  });
  if (!turns) return turns.error();
  result.note = turns->note;
  result.ours = operations / turns->ours;
  if (turns->peer > 0) {
    result.differing = DifferingBytes(operands.y, operands.peer_y);
    result.peer = operations / turns->peer;
    result.ratio = turns->ratio;
  }
  result.peak = Median(peaks);
  result.of_peak = Median(shares);
  return result;
}

}  // namespace qconform::q_linear_mat_mul
