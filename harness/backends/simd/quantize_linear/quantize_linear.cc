#include "harness/backends/simd/quantize_linear/quantize_linear.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <type_traits>

#include "harness/backends/simd/core/code_format.h"
#include "harness/backends/simd/core/fp_environment.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/core/thread_pool.h"
#include "harness/backends/simd/quantize_linear/fnuz_infinity.h"
#include "harness/backends/simd/quantize_linear/geometry.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/worker.h"

namespace qconform::simd {
namespace {

// Fewer elements are not worth a thread.
constexpr int64_t kWorthAThread = 4 * kCodeChunk;
// Nor to wake one.
constexpr int64_t kWorthWaking = 1 << 20;
// So many rows, or runs of one scale, are cut between them. A part of a row of scales
// costs more: its reciprocals are made only for it.
constexpr int64_t kManyRuns = 64;
constexpr int64_t kManyRows = 8;
// Elements of which whole lines of y are made.
constexpr int64_t kLines = 512;

// Elements at whose multiples x is cut: where a row or a run begins, if there are many,
// and no byte of y belongs to two threads.
int64_t GrainOf(const Job& job, int64_t n) {
  const Geometry& g = job.scales.geometry;
  const bool is_row = g.inner_stride != 0;
  const int64_t stretch = is_row ? g.inner : g.block * g.inner;
  const int64_t most = n / (is_row ? kManyRows : kManyRuns);
  if (stretch > most) return kLines;
  int64_t count = (kLines + stretch - 1) / stretch;
  if (stretch % 4 != 0) count = (count + 3) / 4 * 4;  // codes of 6 and 2 bits
  return stretch * count > most ? kLines : stretch * count;
}

void QuantizeAll(const Job& job, int64_t n, int threads, Crew& crew) {
  if (threads <= 1) return QuantizeRange(job, 0, n);
  static_assert(std::is_trivially_copyable_v<Job> && sizeof(Job) <= Crew::kContextBytes);
  const auto range = [](const void* context, int64_t begin, int64_t end) {
    const DefaultFpEnvironment environment;  // helpers have the starter's
    QuantizeRange(*static_cast<const Job*>(context), begin, end);
  };
  crew.RunRanges(n, GrainOf(job, n), range, &job, sizeof(job));
}

// The same as ElementCount, or -1; without divisions where sizes are small. Where one of
// them is 0, the others may be as large as they like.
int64_t CountOf(std::span<const int64_t> shape) {
  constexpr auto kSmall = uint64_t{1} << 31;
  int64_t count = 1;
  for (const int64_t size : shape) {
    if (static_cast<uint64_t>(count) >= kSmall || static_cast<uint64_t>(size) >= kSmall) {
      return std::ranges::min(shape) == 0 ? 0 : ElementCount(shape).value_or(-1);
    }
    count *= size;
  }
  return count <= kMostElements ? count : -1;
}

Status CheckTensor(std::string_view what, const TensorView& tensor) {
  const int64_t n = CountOf(tensor.shape);
  if (n < 0 || tensor.data.size() != PackedByteSize(tensor.type, n)) {
    return Error{std::string(what) + " of type " +
                 std::string(DataTypeName(tensor.type)) + " and shape " +
                 ShapeToString(tensor.shape) + " has " +
                 std::to_string(tensor.data.size()) + " bytes"};
  }
  return Ok();
}

// Whether the bytes of y are bytes of an operand, too.
bool Overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  constexpr std::less<const std::byte*> is_before;
  return !a.empty() && !b.empty() && is_before(a.data(), b.data() + b.size()) &&
         is_before(b.data(), a.data() + a.size());
}

bool IsXType(DataType type) {
  return type == DataType::kFloat || type == DataType::kFloat16 ||
         type == DataType::kBfloat16 || type == DataType::kInt32;
}

Status CheckArgs(const QuantizeLinearArgs& args, const MutableTensorView& y) {
  if (!IsXType(args.x.type)) {
    return Error{"x of type " + std::string(DataTypeName(args.x.type)) +
                 ": FLOAT, FLOAT16, BFLOAT16 or INT32 is needed"};
  }
  if (!IsXType(args.y_scale.type) && args.y_scale.type != DataType::kFloat8E8M0) {
    return Error{"y_scale of type " + std::string(DataTypeName(args.y_scale.type)) +
                 ": FLOAT, FLOAT16, BFLOAT16, INT32 or FLOAT8E8M0 is needed"};
  }
  if (!FormatOfCodes(args.output_dtype, args.saturate)) {
    return Error{"y of type " + std::string(DataTypeName(args.output_dtype)) +
                 " is no target of QuantizeLinear"};
  }
  if (y.type != args.output_dtype || !std::ranges::equal(y.shape, args.x.shape)) {
    return Error{"y must be of type " + std::string(DataTypeName(args.output_dtype)) +
                 " and shape " + ShapeToString(args.x.shape)};
  }
  if (Status status = CheckTensor("x", args.x); !status) return status;
  if (Status status = CheckTensor("y_scale", args.y_scale); !status) return status;
  if (Status status = CheckTensor("y", {y.type, y.shape, y.data}); !status) return status;
  if (args.y_zero_point) {
    const TensorView& zero_point = *args.y_zero_point;
    if (Status status = CheckTensor("y_zero_point", zero_point); !status) return status;
    const int64_t count = CountOf(zero_point.shape);
    if (zero_point.type != args.output_dtype ||
        (count != 1 && !std::ranges::equal(zero_point.shape, args.y_scale.shape))) {
      return Error{"y_zero_point must be of type " +
                   std::string(DataTypeName(args.output_dtype)) + " and shape " +
                   ShapeToString(args.y_scale.shape)};
    }
  }
  if (Overlap(y.data, args.x.data) || Overlap(y.data, args.y_scale.data) ||
      (args.y_zero_point && Overlap(y.data, args.y_zero_point->data))) {
    return Error{"y must not overlap x, y_scale or y_zero_point"};
  }
  switch (args.division_precision) {
    case DataType::kFloat:
    case DataType::kFloat16:
    case DataType::kBfloat16:
    case DataType::kDouble:
      return Ok();
    case DataType::kUndefined:
      if (args.y_scale.type == DataType::kInt32) return Ok();
      return Error{"an exact quotient needs an INT32 y_scale"};
    default:
      return Error{"no division in " +
                   std::string(DataTypeName(args.division_precision))};
  }
}

}  // namespace

Status QuantizeLinear(const QuantizeLinearArgs& args, const MutableTensorView& y,
                      const QuantizeLinearOptions& options) {
  // All of the call: the caller may have exceptions trapped, and look at their flags.
  const DefaultFpEnvironment environment;
  const Result<Target> target = FindTarget(options.target);
  if (!target) return target.error();
  if (Status status = CheckArgs(args, y); !status) return status;
  const int64_t n = CountOf(args.x.shape);
  if (n == 0) return Ok();
  const auto threads =
      static_cast<int>(std::min<int64_t>(options.threads, n / kWorthAThread));
  Crew crew(threads - 1, n >= kWorthWaking);
  const Result<Geometry> geometry = MakeGeometry(args);
  if (!geometry) return geometry.error();

  const Job job =
      MakeJob(args, y.data.data(), *KernelsOf(target->bit), *geometry, options.stores);
  QuantizeAll(job, n, threads, crew);
  const bool fnuz = args.output_dtype == DataType::kFloat8E4M3FNUZ ||
                    args.output_dtype == DataType::kFloat8E5M2FNUZ;
  if (fnuz && args.saturate && args.fnuz_infinity_is_nan) {
    MakeInfinitiesNan(args, *geometry, y.data);
  }
  return Ok();
}

}  // namespace qconform::simd
