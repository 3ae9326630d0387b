#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"

#include <algorithm>
#include <string>

#include "harness/backends/simd/core/float_at.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/matmul/job.h"
#include "harness/backends/simd/matmul/panels.h"
#include "harness/backends/simd/matmul/spread.h"
#include "harness/backends/simd/q_linear_mat_mul/float8.h"

namespace qconform::simd {
namespace {

Status CheckData(const char* name, const TensorView& tensor) {
  if (tensor.data.size() == PackedByteSize(tensor.type, *ElementCount(tensor.shape))) {
    return Ok();
  }
  return Error{std::string(name) + " of type " + std::string(DataTypeName(tensor.type)) +
               " and shape " + ShapeToString(tensor.shape) + " has " +
               std::to_string(tensor.data.size()) + " bytes"};
}

Status CheckAll(const QLinearMatMulArgs& args, const MutableTensorView& y) {
  const Result<Shape> shape = QLinearMatMulOutputShape(args);
  if (!shape) return shape.error();
  for (const Status& status :
       {CheckData("a", args.a), CheckData("a_scale", args.a_scale),
        CheckData("a_zero_point", args.a_zero_point), CheckData("b", args.b),
        CheckData("b_scale", args.b_scale), CheckData("b_zero_point", args.b_zero_point),
        CheckData("y_scale", args.y_scale),
        CheckData("y_zero_point", args.y_zero_point)}) {
    if (!status) return status;
  }
  if (y.type != args.y_zero_point.type || !std::ranges::equal(y.shape, *shape)) {
    return Error{"y must be of type " +
                 std::string(DataTypeName(args.y_zero_point.type)) + " and shape " +
                 ShapeToString(*shape)};
  }
  return CheckData("y", {y.type, y.shape, y.data});
}

void ReadParameters(const QLinearMatMulArgs& args, MatMulJob* job) {
  job->a_scale = Spread<float>(Side::kA, args.a, args.a_scale, FloatAt);
  job->b_scale = Spread<float>(Side::kB, args.b, args.b_scale, FloatAt);
  job->a_zero_point = Spread<uint8_t>(Side::kA, args.a, args.a_zero_point, CodeAt);
  job->b_zero_point = Spread<uint8_t>(Side::kB, args.b, args.b_zero_point, CodeAt);
  job->y_scale = FloatAt(args.y_scale, 0);
  job->y_zero_point = CodeAt(args.y_zero_point, 0);
}

}  // namespace

Status QLinearMatMul(const QLinearMatMulArgs& args, const PackedB* packed,
                     const MutableTensorView& y, const QLinearMatMulOptions& options) {
  const Result<Target> target = FindTarget(options.target);
  if (!target) return target.error();
  if (Status status = CheckAll(args, y); !status) return status;
  if (packed != nullptr && (packed->panels().type != args.b.type ||
                            !std::ranges::equal(packed->panels().shape, args.b.shape))) {
    return Error{"the packed b is another one than b of type " +
                 std::string(DataTypeName(args.b.type)) + " and shape " +
                 ShapeToString(args.b.shape)};
  }

  MatMulJob job;
  job.shape = MakeMatMulShape(args.a.shape, args.b.shape);
  if (job.shape.a_of.empty()) return Ok();  // y is empty
  job.a = args.a;
  job.b = args.b;
  job.y_type = y.type;
  job.y = y.data.data();
  ReadParameters(args, &job);
  job.requantization = options.requantization;
  job.threads = options.threads;
  if (IsFloat8(args.a.type) || IsFloat8(args.b.type)) {
    MultiplyFloat8(job);
    return Ok();
  }

  const Products products = ProductsOf(target->bit, options.dot_product);
  std::unique_ptr<const Panels> made;
  if (packed == nullptr) {
    made = MakePanels(args.b, products, options.threads);
  } else if (packed->panels().products != products) {
    return Error{"b was packed for another target than " + std::string(target->name)};
  }
  JoinBatches(&job.shape);
  MultiplyIntegers(job, packed != nullptr ? packed->panels() : *made);
  if (options.stats != nullptr) options.stats->repaired += job.repaired;
  return Ok();
}

}  // namespace qconform::simd
