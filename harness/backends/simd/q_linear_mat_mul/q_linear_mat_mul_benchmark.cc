// How fast QLinearMatMul is, compared with the peak of the CPU's dot-product instruction,
// measured in turns with it. Correct rounding is part of the time; b is constant and
// packed before.
//
//   harness_simd_mat_mul_benchmark --benchmark_filter='UINT8-INT8/.*/threads:1'
//
// Names are a-b/MxNxK/target/threads:N. GOPS counts 2 M N K. One thread: time is
// that of the thread, so that what else runs on the machine counts little; more
// threads: real time. of_peak is the share of the peak that was measured between
// the iterations (one core's, times the threads).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/limits/dot_product_peak.h"
#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {
namespace {

struct Size {
  int64_t m, n, k;
};

struct Row {
  DataType a, b;
  Size size;
  bool vectors = false;  // scales per row and per column
  bool ties = false;     // y_scale three times a power of two: many repairs
  DataType y = DataType::kUint8;
};

Tensor RandomBytes(DataType type, Shape shape) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  uint64_t state = 7;
  for (std::byte& byte : tensor.data) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<std::byte>(state >> 56);
  }
  return tensor;
}

Tensor Scales(Shape shape, float value) {
  Tensor tensor = Tensor::Zeros(DataType::kFloat, std::move(shape));
  for (size_t i = 0; i < tensor.data.size(); i += 4) {
    const float scale = value * (1 + 0.001f * static_cast<float>(i % 64));
    std::memcpy(tensor.data.data() + i, &scale, 4);
  }
  return tensor;
}

Tensor ZeroPoint(DataType type, int code) {
  Tensor tensor = Tensor::Zeros(type, {});
  tensor.data[0] = static_cast<std::byte>(code);
  return tensor;
}

void Multiply(benchmark::State& state, const Row& row, const Target& target,
              int threads) {
  const auto [m, n, k] = row.size;
  const Tensor a = RandomBytes(row.a, {m, k});
  const Tensor b = RandomBytes(row.b, {k, n});
  const Tensor a_scale =
      row.ties ? Scales({}, 0.25f) : Scales(row.vectors ? Shape{m} : Shape{}, 0.0173f);
  const Tensor b_scale =
      row.ties ? Scales({}, 0.25f) : Scales(row.vectors ? Shape{n} : Shape{}, 0.0091f);
  const Tensor y_scale = Scales({}, row.ties ? 96.0f : 3.7f);
  const Tensor a_zero_point = ZeroPoint(row.a, row.a == DataType::kUint8 ? 121 : 3);
  const Tensor b_zero_point = ZeroPoint(row.b, row.b == DataType::kUint8 ? 130 : 0);
  const Tensor y_zero_point = ZeroPoint(row.y, row.y == DataType::kUint8 ? 128 : 0);
  Tensor y = Tensor::Zeros(row.y, {m, n});
  const QLinearMatMulArgs args = {a.view(),       a_scale.view(),     a_zero_point.view(),
                                  b.view(),       b_scale.view(),     b_zero_point.view(),
                                  y_scale.view(), y_zero_point.view()};
  QLinearMatMulStats stats;
  const QLinearMatMulOptions options = {
      .target = target.bit, .threads = threads, .stats = &stats};
  const auto packed = PackedB::Pack(b.view(), options);
  if (!packed) return state.SkipWithError(packed.error().message.c_str());

  const auto now = threads == 1 ? ThreadSeconds : WallSeconds;
  double seconds = 0;
  double peak = 0;
  double calls = 0;
  for (auto _ : state) {
    const double start = now();
    const Status status = QLinearMatMul(args, &*packed, y.mutable_view(), options);
    const double time = now() - start;
    if (!status) return state.SkipWithError(status.error().message.c_str());
    state.SetIterationTime(time);
    seconds += time;
    calls += 1;
    peak += MeasureDotProductPeak();
  }
  const double operations =
      2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  const double rate = operations * calls / seconds;
  state.counters["GOPS"] = rate * 1e-9;
  if (peak > 0) state.counters["of_peak"] = rate / (peak / calls * threads);
  state.counters["repaired"] =
      static_cast<double>(stats.repaired) / calls / static_cast<double>(m * n);
}

void Register() {
  using enum DataType;
  const Size sizes[] = {
      {128, 768, 768}, {512, 512, 512}, {1024, 1024, 1024}, {1, 4096, 4096}};
  std::vector<std::pair<std::string, Row>> rows;
  for (const auto& [a, b] :
       {std::pair{kUint8, kInt8}, {kUint8, kUint8}, {kInt8, kInt8}}) {
    for (const Size& size : sizes) rows.push_back({"", {a, b, size}});
  }
  rows.push_back({"/vectors", {kUint8, kInt8, sizes[1], true}});
  rows.push_back({"/ties", {kUint8, kInt8, sizes[1], false, true}});
  rows.push_back(
      {"/to_FLOAT8E4M3FN", {kUint8, kInt8, sizes[1], false, false, kFloat8E4M3FN}});
  for (const auto& [suffix, row] : rows) {
    for (const Target& target : SupportedTargets()) {
      const Size& s = row.size;
      const std::string name = std::string(DataTypeName(row.a)) + "-" +
                               std::string(DataTypeName(row.b)) + suffix + "/" +
                               std::to_string(s.m) + "x" + std::to_string(s.n) + "x" +
                               std::to_string(s.k) + "/" + std::string(target.name);
      for (const int threads : {1, 2}) {
        benchmark::RegisterBenchmark(
            (name + "/threads:" + std::to_string(threads)).c_str(),
            [row, target, threads](benchmark::State& state) {
              Multiply(state, row, target, threads);
            })
            ->UseManualTime();
      }
    }
  }
}

}  // namespace
}  // namespace qconform::simd

int main(int argc, char** argv) {
  qconform::simd::Register();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
