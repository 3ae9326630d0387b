#include "harness/backends/simd/quantize_linear/quantize_linear.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "harness/backends/simd/core/check_tensors.h"
#include "harness/backends/simd/core/code_format.h"
#include "harness/backends/simd/core/fp_environment.h"
#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/core/thread_pool.h"
#include "harness/backends/simd/quantize_linear/fnuz_infinity.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/worker.h"

namespace qconform::simd {
namespace {

// Fewer elements are not worth a thread.
constexpr int64_t kWorthAThread = 4 * kCodeChunk;
// Nor to wake one.
constexpr int64_t kWorthWaking = 1 << 20;

void QuantizeAll(const Job& job, int64_t n, int threads, Crew& crew) {
  if (threads <= 1) return QuantizeRange(job, 0, n);
  static_assert(std::is_trivially_copyable_v<Job> && sizeof(Job) <= Crew::kContextBytes);
  const auto range = [](const void* context, int64_t begin, int64_t end) {
    const DefaultFpEnvironment environment;  // helpers have the starter's
    QuantizeRange(*static_cast<const Job*>(context), begin, end);
  };
  crew.RunRanges(n, GrainOf(job.scales.geometry, n), range, &job, sizeof(job));
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

Result<Geometry> GeometryOf(const QuantizeLinearArgs& args) {
  return MakeGeometry(args.x.shape, {.name = "y_scale",
                                     .shape = args.y_scale.shape,
                                     .axis = args.axis,
                                     .block_size = args.block_size});
}

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
  const Result<Geometry> geometry = GeometryOf(args);
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
