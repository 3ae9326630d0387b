#include "harness/backends/simd/mat_mul_integer/mat_mul_integer.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "harness/backends/simd/core/check_tensors.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/matmul/job.h"
#include "harness/backends/simd/matmul/panels.h"
#include "harness/backends/simd/matmul/spread.h"

namespace qconform::simd {
namespace {

Refusal Invalid(std::string clause, std::string reason) {
  return {Refusal::Kind::kInvalid, std::move(clause), std::move(reason)};
}

std::optional<Refusal> CheckOperand(const char* name, const TensorView& operand,
                                    const TensorView& zero_point) {
  const auto type_of = [](const TensorView& t) {
    return std::string(DataTypeName(t.type));
  };
  if (operand.type == DataType::kUndefined) {
    return Invalid("MI-07", std::string(name) + " is missing");
  }
  if (operand.type != DataType::kUint8 && operand.type != DataType::kInt8) {
    return Invalid(
        "MI-07", std::string(name) + ": expected UINT8 or INT8, got " + type_of(operand));
  }
  if (!ElementCount(operand.shape)) {
    return Invalid("MI-07", std::string(name) + " has the impossible shape " +
                                ShapeToString(operand.shape));
  }
  if (zero_point.type == DataType::kUndefined || zero_point.type == operand.type) {
    return std::nullopt;
  }
  return Invalid("MI-07", std::string(name) + "_zero_point: expected " +
                              type_of(operand) + ", the type of " + name + ", got " +
                              type_of(zero_point));
}

std::optional<Refusal> CheckZeroPoint(Side side, const char* name, Dims operand,
                                      const TensorView& zero_point) {
  if (zero_point.type == DataType::kUndefined) return std::nullopt;
  const auto reason = CheckLines(side, name, operand, zero_point.shape);
  if (!reason) return std::nullopt;
  return Invalid(operand.size() < 2 ? "MI-05" : "MI-04", *reason);
}

Status CheckAll(const MatMulIntegerArgs& args, const MutableTensorView& y) {
  if (const auto refusal = CheckMatMulInteger(args)) {
    return Error{refusal->clause + ": " + refusal->reason};
  }
  const Shape shape = MatMulIntegerOutputShape(args);
  if (y.type != DataType::kInt32 || !std::ranges::equal(y.shape, shape)) {
    return Error{"y: expected INT32 of shape " + ShapeToString(shape) + ", got " +
                 std::string(DataTypeName(y.type)) + " of shape " +
                 ShapeToString(y.shape)};
  }
  const std::pair<const char*, const TensorView*> tensors[] = {
      {"a", &args.a},
      {"b", &args.b},
      {"a_zero_point", &args.a_zero_point},
      {"b_zero_point", &args.b_zero_point}};
  for (const auto& [name, tensor] : tensors) {
    if (tensor->type == DataType::kUndefined) continue;
    if (const Status status = CheckTensor(name, *tensor); !status) return status;
    if (Overlap(tensor->data, y.data)) {
      return Error{std::string("y: expected memory of its own, got some of ") + name +
                   "'s: they overlap"};
    }
  }
  return CheckTensor("y", {y.type, y.shape, y.data});
}

std::vector<uint8_t> ZeroPoints(Side side, const TensorView& operand,
                                const TensorView& zero_point) {
  if (zero_point.type == DataType::kUndefined) return {0};
  return Spread<uint8_t>(side, operand, zero_point, CodeAt);
}

}  // namespace

std::optional<Refusal> CheckMatMulInteger(const MatMulIntegerArgs& args) {
  if (auto refusal = CheckOperand("a", args.a, args.a_zero_point)) return refusal;
  if (auto refusal = CheckOperand("b", args.b, args.b_zero_point)) return refusal;
  const Dims a = args.a.shape;
  const Dims b = args.b.shape;
  if (const auto reason = CheckProduct(a, b)) return Invalid("MI-07", *reason);
  if (auto refusal = CheckZeroPoint(Side::kA, "a_zero_point", a, args.a_zero_point)) {
    return refusal;
  }
  if (auto refusal = CheckZeroPoint(Side::kB, "b_zero_point", b, args.b_zero_point)) {
    return refusal;
  }
  if (IsProductTooLarge(a, b)) {
    return Refusal{Refusal::Kind::kUnsupported, "MI-07", "y would be too large"};
  }
  return std::nullopt;
}

Shape MatMulIntegerOutputShape(const MatMulIntegerArgs& args) {
  return MakeMatMulShape(args.a.shape, args.b.shape).y;
}

Status MatMulInteger(const MatMulIntegerArgs& args, const PackedB* packed,
                     const MutableTensorView& y, const ProductOptions& options) {
  const Result<Target> target = FindTarget(options.target);
  if (!target) return target.error();
  if (Status status = CheckAll(args, y); !status) return status;
  if (packed != nullptr && (packed->panels().type != args.b.type ||
                            !std::ranges::equal(packed->panels().shape, args.b.shape))) {
    return Error{"the packed b is another one than b of type " +
                 std::string(DataTypeName(args.b.type)) + " and shape " +
                 ShapeToString(args.b.shape)};
  }
  const Products products = ProductsOf(target->bit, options.dot_product);
  if (packed != nullptr && packed->panels().products != products) {
    return Error{"b was packed for another target than " + std::string(target->name)};
  }

  MatMulJob job;
  job.shape = MakeMatMulShape(args.a.shape, args.b.shape);
  if (job.shape.a_of.empty()) return Ok();  // y is empty
  job.a = args.a;
  job.b = args.b;
  job.y_type = DataType::kInt32;
  job.y = y.data.data();
  job.a_zero_point = ZeroPoints(Side::kA, args.a, args.a_zero_point);
  job.b_zero_point = ZeroPoints(Side::kB, args.b, args.b_zero_point);
  job.threads = options.threads;
  std::unique_ptr<const Panels> made;
  if (packed == nullptr) made = MakePanels(args.b, products, options.threads);
  JoinBatches(&job.shape);
  MultiplyIntegers(job, packed != nullptr ? packed->panels() : *made);
  return Ok();
}

}  // namespace qconform::simd
