#include "harness/backends/simd/dequantize_linear/dequantize_linear.h"

#include <algorithm>
#include <string>
#include <type_traits>

#include "harness/backends/simd/core/check_tensors.h"
#include "harness/backends/simd/core/fp_environment.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/core/thread_pool.h"
#include "harness/backends/simd/dequantize_linear/kernels.h"
#include "harness/backends/simd/dequantize_linear/worker.h"

namespace qconform::simd {
namespace {

// Fewer elements are not worth a thread, or to wake one.
constexpr int64_t kWorthAThread = 1 << 14;
constexpr int64_t kWorthWaking = 1 << 20;

void DequantizeAll(const dequantize::Job& job, int64_t n, int threads, Crew& crew) {
  if (threads <= 1) return dequantize::DequantizeRange(job, 0, n);
  static_assert(std::is_trivially_copyable_v<dequantize::Job> &&
                sizeof(job) <= Crew::kContextBytes);
  const auto range = [](const void* context, int64_t begin, int64_t end) {
    const DefaultFpEnvironment environment;  // helpers have the starter's
    if (begin < end) {
      dequantize::DequantizeRange(*static_cast<const dequantize::Job*>(context), begin,
                                  end);
    }
  };
  crew.RunRanges(n, GrainOf(job.geometry, n), range, &job, sizeof(job));
}

bool IsXType(DataType type) {
  return BitWidth(type) != 0 &&
         (IsInteger(type) || (IsFloatingPoint(type) && BitWidth(type) <= 8));
}

bool IsYType(DataType type) {
  return type == DataType::kFloat || type == DataType::kFloat16 ||
         type == DataType::kBfloat16;
}

Status CheckArgs(const DequantizeLinearArgs& args, const MutableTensorView& y) {
  const auto name = [](DataType type) { return std::string(DataTypeName(type)); };
  if (!IsXType(args.x.type)) {
    return Error{"x of type " + name(args.x.type) +
                 ": an integer, float8 or float6 type or FLOAT4E2M1 is needed"};
  }
  if (!IsYType(args.x_scale.type) && args.x_scale.type != DataType::kFloat8E8M0) {
    return Error{"x_scale of type " + name(args.x_scale.type) +
                 ": FLOAT, FLOAT16, BFLOAT16 or FLOAT8E8M0 is needed"};
  }
  if (!IsYType(args.output_dtype)) {
    return Error{"y of type " + name(args.output_dtype) +
                 ": FLOAT, FLOAT16 or BFLOAT16 is needed"};
  }
  if (y.type != args.output_dtype || !std::ranges::equal(y.shape, args.x.shape)) {
    return Error{"y must be of type " + name(args.output_dtype) + " and shape " +
                 ShapeToString(args.x.shape)};
  }
  if (Status status = CheckTensor("x", args.x); !status) return status;
  if (Status status = CheckTensor("x_scale", args.x_scale); !status) return status;
  if (Status status = CheckTensor("y", {y.type, y.shape, y.data}); !status) return status;
  if (args.x_zero_point) {
    const TensorView& zero_point = *args.x_zero_point;
    if (Status status = CheckTensor("x_zero_point", zero_point); !status) return status;
    if (zero_point.type != args.x.type ||
        (CountOf(zero_point.shape) != 1 &&
         !std::ranges::equal(zero_point.shape, args.x_scale.shape))) {
      return Error{"x_zero_point must be of type " + name(args.x.type) + " and shape " +
                   ShapeToString(args.x_scale.shape)};
    }
  }
  if (Overlap(y.data, args.x.data) || Overlap(y.data, args.x_scale.data) ||
      (args.x_zero_point && Overlap(y.data, args.x_zero_point->data))) {
    return Error{"y must not overlap x, x_scale or x_zero_point"};
  }
  return Ok();
}

}  // namespace

Status DequantizeLinear(const DequantizeLinearArgs& args, const MutableTensorView& y,
                        const DequantizeLinearOptions& options) {
  // All of the call: the caller may have exceptions trapped, and look at their flags.
  const DefaultFpEnvironment environment;
  const Result<Target> target = FindTarget(options.target);
  if (!target) return target.error();
  if (Status status = CheckArgs(args, y); !status) return status;
  const int64_t n = CountOf(args.x.shape);
  if (n == 0) return Ok();
  const Result<Geometry> geometry =
      MakeGeometry(args.x.shape, {.name = "x_scale",
                                  .shape = args.x_scale.shape,
                                  .axis = args.axis,
                                  .block_size = args.block_size});
  if (!geometry) return geometry.error();
  const auto threads =
      static_cast<int>(std::min<int64_t>(options.threads, n / kWorthAThread));
  Crew crew(threads - 1, n >= kWorthWaking);
  const dequantize::Job job =
      dequantize::MakeJob(args, y.data.data(), *dequantize::KernelsOf(target->bit),
                          *geometry, options.stores);
  DequantizeAll(job, n, threads, crew);
  return Ok();
}

}  // namespace qconform::simd
