#include "harness/backends/simd/quantize_linear/job.h"

#include <gtest/gtest.h>

#include <vector>

#include "harness/backends/simd/core/targets.h"

namespace qconform::simd {
namespace {

constexpr int64_t kRows = 2048;
constexpr int64_t kColumns = 4096;

// How [kRows, kColumns] are read and written.
struct Way {
  bool fetch, stream;
  bool operator==(const Way&) const = default;
};

struct Of {
  DataType x, y;
  Shape scale;
  int64_t axis = 1;
  int64_t block = 0;
  int64_t columns = kColumns;  // of as many elements
};

Way WayOf(const Of& of, Stores stores) {
  const Shape shape = {kRows * kColumns / of.columns, of.columns};
  const Tensor x = Tensor::Zeros(of.x, shape);
  const Tensor scale = Tensor::Zeros(DataType::kFloat, of.scale);
  QuantizeLinearArgs args;
  args.x = x.view();
  args.y_scale = scale.view();
  args.axis = of.axis;
  args.block_size = of.block;
  args.output_dtype = of.y;
  args.division_precision = DataType::kFloat;
  const Target target = SupportedTargets().front();
  const Job job =
      MakeJob(args, nullptr, *KernelsOf(target.bit), *GeometryOf(args), stores);
  return {job.scales.fetch, job.stream};
}

// Float8 of two-byte x in blocks of a line at most is written by way of the caches.
TEST(MakeJob, LargeTensor_IsStreamedUnlessItsKernelIsSlow) {
  using enum DataType;
  constexpr Way kFetches = {true, false}, kStreams = {true, true};
  const Shape of_32 = {kRows, kColumns / 32}, of_64 = {kRows, kColumns / 64};
  const auto by_size = [](const Of& of) { return WayOf(of, Stores::kBySize); };
  for (const DataType x : {kFloat16, kBfloat16}) {
    EXPECT_EQ(by_size({x, kFloat8E4M3FN, of_32, 1, 32}), kFetches);
    EXPECT_EQ(by_size({x, kFloat8E5M2FNUZ, of_32, 1, 32}), kFetches);
    EXPECT_EQ(by_size({x, kFloat8E4M3FN, of_64, 1, 64}), kStreams);
    EXPECT_EQ(by_size({x, kFloat8E4M3FN, {}}), kStreams);
    EXPECT_EQ(by_size({x, kFloat8E4M3FN, {kRows}, 0}), kStreams);
    EXPECT_EQ(by_size({x, kFloat8E4M3FN, {kRows / 32, kColumns}, 0, 32}), kStreams);
    // Rows that share scales, of four and of many.
    EXPECT_EQ(by_size({x, kFloat8E4M3FN, {4}, 1, 0, 4}), kStreams);
    EXPECT_EQ(by_size({x, kFloat8E4M3FN, {kColumns}}), kStreams);
    EXPECT_EQ(by_size({x, kUint8, of_32, 1, 32}), kStreams);
    EXPECT_EQ(WayOf({x, kFloat8E4M3FN, of_32, 1, 32}, Stores::kStreamed), kStreams);
  }
  EXPECT_EQ(by_size({kFloat, kFloat8E4M3FN, of_32, 1, 32}), kStreams);
}

}  // namespace
}  // namespace qconform::simd
