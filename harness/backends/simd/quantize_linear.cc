#include "harness/backends/simd/quantize_linear.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "harness/backends/simd/geometry.h"
#include "harness/backends/simd/kernels.h"
#include "harness/backends/simd/target_format.h"
#include "harness/backends/simd/targets.h"
#include "harness/backends/simd/thread_pool.h"
#include "harness/backends/simd/worker.h"

namespace qconform::simd {
namespace {

constexpr int64_t kStep = kCodeChunk;

// Splits [0, n) at multiples of kCodeChunk: no byte of y belongs to two
// threads.
void QuantizeAll(const Job& job, int64_t n, int threads) {
  constexpr int64_t kWorthAThread = 4 * kStep;
  const int64_t parts = std::clamp<int64_t>(n / kWorthAThread, 1, std::max(threads, 1));
  const int64_t chunks = (n + kStep - 1) / kStep;
  const auto bound = [&](int64_t part) {
    return (chunks / parts * part + std::min(part, chunks % parts)) * kStep;
  };
  InParts(parts, [&](int64_t part) {
    QuantizeRange(job, bound(part), std::min(bound(part + 1), n));
  });
}

Status CheckTensor(std::string_view what, const TensorView& tensor) {
  const std::optional<int64_t> n = ElementCount(tensor.shape);
  if (!n || tensor.data.size() != PackedByteSize(tensor.type, *n)) {
    return Error{std::string(what) + " of type " +
                 std::string(DataTypeName(tensor.type)) + " and shape " +
                 ShapeToString(tensor.shape) + " has " +
                 std::to_string(tensor.data.size()) + " bytes"};
  }
  return Ok();
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
  if (!FormatOfTarget(args.output_dtype, args.saturate)) {
    return Error{"y of type " + std::string(DataTypeName(args.output_dtype)) +
                 " is no target of QuantizeLinear"};
  }
  if (y.type != args.output_dtype || !std::ranges::equal(y.shape, args.x.shape)) {
    return Error{"y must be of type " + std::string(DataTypeName(args.output_dtype)) +
                 " and shape " + ShapeToString(args.x.shape)};
  }
  for (const Status& status :
       {CheckTensor("x", args.x), CheckTensor("y_scale", args.y_scale),
        CheckTensor("y", {y.type, y.shape, y.data})}) {
    if (!status) return status;
  }
  if (args.y_zero_point) {
    const TensorView& zero_point = *args.y_zero_point;
    if (Status status = CheckTensor("y_zero_point", zero_point); !status) return status;
    const int64_t count = *ElementCount(zero_point.shape);
    if (zero_point.type != args.output_dtype ||
        (count != 1 && !std::ranges::equal(zero_point.shape, args.y_scale.shape))) {
      return Error{"y_zero_point must be of type " +
                   std::string(DataTypeName(args.output_dtype)) + " and shape " +
                   ShapeToString(args.y_scale.shape)};
    }
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
                      const Options& options) {
  const Result<Target> target = FindTarget(options.target);
  if (!target) return target.error();
  if (Status status = CheckArgs(args, y); !status) return status;
  const int64_t n = *ElementCount(args.x.shape);
  if (n == 0) return Ok();
  const Result<Geometry> geometry = MakeGeometry(args);
  if (!geometry) return geometry.error();

  const Job job =
      MakeJob(args, y.data.data(), *KernelsOf(target->bit), *geometry, options.stores);
  QuantizeAll(job, n, options.threads);
  return Ok();
}

}  // namespace qconform::simd
