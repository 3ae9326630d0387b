// What `qconform bench` has no rows for: INT32 scales that take exact reciprocals, shapes
// that are not powers of two, calls with gaps between them, and every limit of
// instructions.
//
//   harness_simd_benchmark --benchmark_filter='odd/.*threads:1'
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "harness/backends/simd/core/instruction_limit.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/core/thread_pool.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {
namespace {

// Bits of FLOAT, FLOAT16, BFLOAT16 or INT32 numbers around `value`, or of both signs.
Tensor Filled(DataType type, Shape shape, float value, bool has_signs) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  const size_t n = static_cast<size_t>(*ElementCount(tensor.shape));
  uint64_t state = 1;
  for (size_t i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const float v = value * (0.25f + 1.5f * static_cast<float>(state >> 40) * 0x1p-24f) *
                    (has_signs && (state >> 39 & 1) == 0 ? -1.0f : 1.0f);
    uint32_t bits;
    std::memcpy(&bits, &v, 4);
    std::byte* out = tensor.data.data() + i * static_cast<size_t>(BitWidth(type)) / 8;
    if (type == DataType::kFloat) {
      std::memcpy(out, &bits, 4);
    } else if (type == DataType::kBfloat16) {
      std::memcpy(out, reinterpret_cast<char*>(&bits) + 2, 2);
    } else if (type == DataType::kFloat16) {  // truncated; no exponent is out of range
      const uint32_t half =
          (bits >> 16 & 0x8000) | (((bits >> 13) - (112u << 10)) & 0x7FFF);
      std::memcpy(out, &half, 2);
    } else {
      const int32_t integer = static_cast<int32_t>(v) + 1;
      std::memcpy(out, &integer, 4);
    }
  }
  return tensor;
}

// Blocks of 32 in the last dimension by INT32 scales around 2^20.
void QuantizeByLargeScales(benchmark::State& state, DataType x_type, DataType y_type,
                           const Target& target) {
  constexpr int64_t kColumns = 4096;
  constexpr int64_t kBlock = 32;
  const int64_t n = state.range(0);
  const int threads = static_cast<int>(state.range(1));
  const Shape shape = {n / kColumns, kColumns};
  const Shape scale_shape = {n / kColumns, kColumns / kBlock};
  const Tensor x = Filled(x_type, shape, 0x1p20f * 50, true);
  const Tensor scale = Filled(DataType::kInt32, scale_shape, 0x1p20f * 0.7f, false);
  Tensor zero_point = Tensor::Zeros(y_type, scale_shape);
  std::fill(zero_point.data.begin(), zero_point.data.end(), std::byte{0x11});
  Tensor y = Tensor::Zeros(y_type, shape);
  QuantizeLinearArgs args;
  args.x = x.view();
  args.y_scale = scale.view();
  if (IsInteger(y_type)) args.y_zero_point = zero_point.view();
  args.axis = 1;
  args.block_size = kBlock;
  args.output_dtype = y_type;
  args.division_precision = DataType::kUndefined;
  for (auto _ : state) {
    const Status status = QuantizeLinear(args, y.mutable_view(),
                                         {.target = target.bit, .threads = threads});
    if (!status) return state.SkipWithError(status.error().message.c_str());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<int64_t>(x.data.size() + y.data.size()));
  state.SetItemsProcessed(state.iterations() * n);
}

void RegisterLargeScales() {
  using enum DataType;
  for (const DataType x : {kFloat, kBfloat16, kInt32}) {
    for (const DataType y : {kInt8, kInt16, kFloat8E4M3FN}) {
      for (const Target& target : SupportedTargets()) {
        const std::string name = std::string(DataTypeName(x)) + "-INT32-" +
                                 std::string(DataTypeName(y)) +
                                 "/block32_last/large_scales/" + std::string(target.name);
        auto* b = benchmark::RegisterBenchmark(
            name.c_str(), [x, y, target](benchmark::State& state) {
              QuantizeByLargeScales(state, x, y, target);
            });
        b->ArgNames({"elements", "threads"})->MeasureProcessCPUTime()->UseRealTime();
        for (const int64_t n : {1 << 16, 1 << 20, 1 << 26}) b->Args({n, 1});
        b->Args({1 << 20, 2});
      }
    }
  }
}

// Shapes that are not powers of two. per_item_to_plain is the time of an element divided
// by that of an element of the same number with one scale: a value far above others is a
// cliff, or the work of that many scales.
struct OddShape {
  Shape x, scale;
  int64_t axis = 0;
  int64_t block_size = 0;
};
// Of x and scales, and of y.
struct OddTypes {
  DataType x, y;
};

// Seconds of a call, the least of some.
double SecondsOf(const QuantizeLinearArgs& args, Tensor& y, int threads) {
  double least = 1;
  for (int i = 0; i < 9; ++i) {
    constexpr int kCalls = 8;
    const auto start = std::chrono::steady_clock::now();
    for (int j = 0; j < kCalls; ++j) {
      if (!QuantizeLinear(args, y.mutable_view(), {.threads = threads})) return 0;
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count() / kCalls);
  }
  return least;
}

void QuantizeOdd(benchmark::State& state, const OddTypes& types, const OddShape& shape) {
  const int threads = static_cast<int>(state.range(0));
  const Tensor x = Filled(types.x, shape.x, 50.0f, true);
  const Tensor scale = Filled(types.x, shape.scale, 0.7f, false);
  Tensor y = Tensor::Zeros(types.y, shape.x);
  QuantizeLinearArgs args;
  args.output_dtype = types.y;
  args.division_precision = types.x;
  args.x = x.view();
  args.y_scale = scale.view();
  args.axis = shape.axis;
  args.block_size = shape.block_size;
  const Tensor one_scale = Filled(types.x, {}, 0.7f, false);
  QuantizeLinearArgs plain = args;
  plain.y_scale = one_scale.view();
  plain.block_size = 0;
  state.counters["per_item_to_plain"] =
      SecondsOf(args, y, threads) / SecondsOf(plain, y, threads);
  for (auto _ : state) {
    const Status status = QuantizeLinear(args, y.mutable_view(), {.threads = threads});
    if (!status) return state.SkipWithError(status.error().message.c_str());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * *ElementCount(shape.x));
}

// One call by several threads after `gap_us` microseconds without any: their threads may
// sleep by then.
void QuantizeSpaced(benchmark::State& state) {
  const int64_t n = state.range(0);
  const int threads = static_cast<int>(state.range(1));
  const std::chrono::microseconds gap(state.range(2));
  const Tensor x = Filled(DataType::kFloat, {n}, 50.0f, true);
  const Tensor scale = Filled(DataType::kFloat, {}, 0.7f, false);
  Tensor y = Tensor::Zeros(DataType::kUint8, {n});
  QuantizeLinearArgs args;
  args.x = x.view();
  args.y_scale = scale.view();
  using Clock = std::chrono::steady_clock;
  for (auto _ : state) {
    const auto begin = Clock::now() + gap;
    while (Clock::now() < begin) {
    }
    const auto start = Clock::now();
    const Status status = QuantizeLinear(args, y.mutable_view(), {.threads = threads});
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - start).count());
    if (!status) return state.SkipWithError(status.error().message.c_str());
  }
}

// From an offer until the caller has heard that a thread has begun it: a cache line to
// another core and one back.
void HandOver(benchmark::State& state) {
  for (auto _ : state) {
    std::atomic<bool> begun = false;
    InParts(2, [&](int64_t part) {
      if (part == 1) begun.store(true, std::memory_order_release);
      const auto limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
      while (!begun.load(std::memory_order_acquire) &&
             std::chrono::steady_clock::now() < limit) {
      }
    });
  }
}

void RegisterThreads() {
  benchmark::RegisterBenchmark("threads/hand_over", HandOver)->UseRealTime();
  auto* spaced = benchmark::RegisterBenchmark("threads/spaced", QuantizeSpaced);
  spaced->ArgNames({"elements", "threads", "gap_us"})->UseManualTime();
  for (const int64_t n : {1 << 16, 1 << 18, 1 << 20}) {
    for (const int64_t gap : {0, 20, 100, 1000}) spaced->Args({n, 1, gap});
    for (const int64_t gap : {0, 20, 100, 1000}) spaced->Args({n, 2, gap});
  }
}

void RegisterOdd() {
  const std::vector<OddShape> shapes = {
      {{1, 3, 5}, {}},
      {{1, 3, 5}, {3}, 1},
      {{1, 3, 5}, {5}, 2},
      {{7, 11, 13}, {11}, 1},
      {{101, 103}, {103}, 1},
      {{101, 103}, {101}, 0},
      {{3, 20011}, {20011}, 1},
      {{1, 65536}, {65536}, 1},
      {{65537}, {}},
      {{1009, 1009}, {1009}, 1},
      {{1009, 1009}, {1009}, 0},
      {{100000, 1}, {1}, 1},
      {{100000, 1}, {100000}, 0},
      {{100000, 3}, {3}, 1},
      {{300000, 3}, {300000}, 0},
      {{8, 5000, 1, 1}, {5000}, 1},
      {{2, 3000, 7}, {3000}, 1},
      {{40, 1000, 3}, {1000}, 1},
      {{4096, 1000, 3}, {1000}, 1},
      {{64, 256, 49}, {256}, 1},
      {{64, 64, 196}, {64}, 1},
      {{30000, 33}, {30000}, 0},
      {{9999, 3}, {313, 3}, 0, 32},
      {{7, 100003}, {7, 33335}, 1, 3},
      {{37, 2003}, {37, 1002}, 1, 2},
      {{37, 2003}, {19, 2003}, 0, 2},
      {{257, 509}, {257, 17}, 1, 31},
      {{500, 4096}, {500, 1024}, 1, 4},
      {{500, 4096}, {500, 512}, 1, 8},
      {{500, 4800}, {500, 100}, 1, 48},
      {{7281, 3, 3}, {7281, 2, 3}, 1, 2},
      {{10922, 2, 3}, {10922, 1, 3}, 1, 2},
      {{1365, 16, 3}, {1365, 1, 3}, 1, 16},
      {{3855, 17}, {1928, 17}, 0, 2},
      {{64, 1021}, {64, 8}, 1, 128},
      {{127, 513}, {127, 31}, 1, 17},
      // In no cache.
      {{4001, 4099}, {4099}, 1},
      {{4001, 4099}, {4001}, 0},
      {{4001, 4099}, {126, 4099}, 0, 32},
      {{4001, 4100}, {4001, 1025}, 1, 4},
      {{4001, 4100}, {4001, 41}, 1, 100},
      {{64, 64, 56, 56}, {64}, 1},
      {{2048, 128, 49}, {128}, 1},
      {{300007, 37}, {37}, 1},
      {{4000037, 3}, {3}, 1},
  };
  // Bytes and words, codes of which several are a byte, and x of two bytes: other ways.
  using enum DataType;
  for (const OddTypes& types :
       {OddTypes{kFloat, kUint8}, OddTypes{kFloat, kInt16}, OddTypes{kFloat16, kInt4},
        OddTypes{kBfloat16, kInt2}, OddTypes{kFloat16, kFloat8E4M3FN}}) {
    for (const OddShape& shape : shapes) {
      std::string name =
          "odd/" + std::string(DataTypeName(types.x)) + "-" +
          std::string(DataTypeName(types.y)) + "/x" + ShapeToString(shape.x) +
          "/y_scale" + ShapeToString(shape.scale) + "/axis" + std::to_string(shape.axis);
      if (shape.block_size != 0) name += "/block" + std::to_string(shape.block_size);
      benchmark::RegisterBenchmark(
          name.c_str(),
          [types, shape](benchmark::State& state) { QuantizeOdd(state, types, shape); })
          ->ArgName("threads")
          ->Arg(1)
          ->Arg(2)
          ->UseRealTime();
    }
  }
}

// The instructions that cannot be left out, in the first cache.
void RegisterInstructionLimits() {
  using enum DataType;
  struct alignas(64) Operand {
    std::byte bytes[4 * kInstructionLimitElements] = {};
  };
  for (const DataType x : {kFloat, kFloat16, kBfloat16, kInt32}) {
    for (const DataType y : {kUint16, kUint8, kUint4, kUint2}) {
      for (const Target& target : SupportedTargets()) {
        const std::string name = "instructions/" + std::string(DataTypeName(x)) + "_to_" +
                                 std::to_string(BitWidth(y)) + "_bits/" +
                                 std::string(target.name);
        const InstructionLimitFunction limit = InstructionLimit(target.bit, x, y);
        benchmark::RegisterBenchmark(name.c_str(), [limit](benchmark::State& state) {
          const auto in = std::make_unique<Operand>();
          const auto out = std::make_unique<Operand>();
          for (auto _ : state) {
            limit(in->bytes, 1, out->bytes);
            benchmark::ClobberMemory();
          }
          state.SetItemsProcessed(state.iterations() *
                                  static_cast<int64_t>(kInstructionLimitElements));
        });
      }
    }
  }
}

}  // namespace
}  // namespace qconform::simd

int main(int argc, char** argv) {
  qconform::simd::RegisterLargeScales();
  qconform::simd::RegisterOdd();
  qconform::simd::RegisterThreads();
  qconform::simd::RegisterInstructionLimits();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
