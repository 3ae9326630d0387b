#include "harness/operators/mat_mul_integer/bench/measure.h"

#include <algorithm>
#include <utility>

#include "harness/backends/simd/limits/clock.h"
#include "harness/backends/simd/limits/dot_product_peak.h"
#include "harness/backends/simd/mat_mul_integer/mat_mul_integer.h"
#include "harness/core/bench/operands.h"

namespace qconform::mat_mul_integer {
namespace {

Tensor ZeroPoints(DataType type, Shape shape) {
  return FilledTensor(type, std::move(shape), type == DataType::kUint8 ? 125 : 3);
}

}  // namespace

std::string MatMulIntegerBenchRow::Size() const {
  return std::to_string(m) + "," + std::to_string(n) + "," + std::to_string(k) +
         (vectors ? " vectors" : "");
}

double MatMulIntegerBenchRow::Operations() const {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

std::vector<MatMulIntegerBenchRow> StandardMatMulIntegerRows() {
  using enum DataType;
  constexpr int64_t kSizes[][3] = {
      {128, 768, 768}, {512, 512, 512}, {1024, 1024, 1024}, {1, 4096, 4096}};
  std::vector<MatMulIntegerBenchRow> rows;
  for (const auto& [a, b] :
       {std::pair{kUint8, kInt8}, {kUint8, kUint8}, {kInt8, kInt8}}) {
    for (const auto& [m, n, k] : kSizes) rows.push_back({a, b, m, n, k});
  }
  rows.push_back(rows[1]);
  rows.back().vectors = true;
  return rows;
}

Result<MatMulIntegerBenchResult> BenchMatMulInteger(
    const MatMulIntegerBenchRow& row, Peer* peer,
    const MatMulIntegerBenchOptions& options) {
  const Tensor a = RandomBytes(row.a, {row.m, row.k});
  const Tensor b = RandomBytes(row.b, {row.k, row.n});
  const Tensor a_zero_point = ZeroPoints(row.a, row.vectors ? Shape{row.m} : Shape{});
  Tensor b_zero_point = ZeroPoints(row.b, row.vectors ? Shape{row.n} : Shape{});
  Tensor y = Tensor::Zeros(DataType::kInt32, {row.m, row.n});
  Tensor peer_y = y;

  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node = {
      "MatMulInteger", "", {"a", "b", "a_zero_point", "b_zero_point"}, {"y"}, {}};
  model.inputs = {{"a", a.type, a.shape}};
  model.outputs = {{"y", y.type, y.shape}};
  model.initializers = {
      {"b", b}, {"a_zero_point", a_zero_point}, {"b_zero_point", b_zero_point}};

  const simd::ProductOptions own = {.target = options.target, .threads = options.threads};
  const auto packed = simd::PackedB::Pack(b.view(), own);
  if (!packed) return packed.error();
  const simd::MatMulIntegerArgs args = {a.view(), b.view(), a_zero_point.view(),
                                        b_zero_point.view()};
  const auto ours = [&]() -> Status {
    return simd::MatMulInteger(args, &*packed, y.mutable_view(), own);
  };
  const Clock now = options.threads > 1 ? simd::WallSeconds : simd::ThreadSeconds;
  PeerTurns peer_turns(peer, std::move(model), {a.view()}, peer_y.mutable_view(),
                       options.threads, now);
  std::vector<double> peaks;
  const auto turns = TakeTurns(ours, peer_turns, now, options.seconds, [&](double) {
    peaks.push_back(simd::MeasureDotProductPeak());
  });
  if (!turns) return turns.error();
  MatMulIntegerBenchResult result;
  result.turns = *turns;
  result.peak = Median(peaks);
  if (turns->peer > 0) result.differing = DifferingBytes(y, peer_y);
  return result;
}

}  // namespace qconform::mat_mul_integer
