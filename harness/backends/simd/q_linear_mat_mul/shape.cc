#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/matmul/shape.h"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform::simd {
namespace {

Refusal Invalid(std::string clause, std::string reason) {
  return {Refusal::Kind::kInvalid, std::move(clause), std::move(reason)};
}

Refusal Declined(std::string clause, std::string reason) {
  return {Refusal::Kind::kUnsupported, std::move(clause), std::move(reason)};
}

std::string Name(const TensorView& t) { return std::string(DataTypeName(t.type)); }

std::optional<Refusal> CheckTypes(int since_version, const QLinearMatMulArgs& args) {
  const std::pair<const char*, const TensorView*> operands[] = {
      {"a", &args.a},
      {"a_scale", &args.a_scale},
      {"a_zero_point", &args.a_zero_point},
      {"b", &args.b},
      {"b_scale", &args.b_scale},
      {"b_zero_point", &args.b_zero_point},
      {"y_scale", &args.y_scale},
      {"y_zero_point", &args.y_zero_point}};
  const bool new_types = since_version >= 21;
  for (const auto& [name, operand] : operands) {
    if (operand->type == DataType::kUndefined) {
      return Invalid("MM-07", std::string(name) + " is missing: all inputs are needed");
    }
    if (!ElementCount(operand->shape)) {
      return Invalid("MM-07", std::string(name) + " has the impossible shape " +
                                  ShapeToString(operand->shape));
    }
    const DataType type = operand->type;
    const bool is_scale = std::string_view(name).ends_with("_scale");
    const bool fits = is_scale ? type == DataType::kFloat ||
                                     (new_types && (type == DataType::kFloat16 ||
                                                    type == DataType::kBfloat16))
                               : type == DataType::kUint8 || type == DataType::kInt8 ||
                                     (new_types && IsFloat8(type));
    if (!fits) {
      return Invalid("MM-07", std::string(name) + " of type " + Name(*operand) +
                                  " is not legal in since_version " +
                                  std::to_string(since_version));
    }
  }
  if (args.a_scale.type != args.b_scale.type || args.a_scale.type != args.y_scale.type) {
    return Invalid("MM-07", "the scales are of types " + Name(args.a_scale) + ", " +
                                Name(args.b_scale) + " and " + Name(args.y_scale) +
                                ": one type is needed");
  }
  if (args.a_zero_point.type != args.a.type) {
    return Invalid("MM-07", "a_zero_point is of type " + Name(args.a_zero_point) +
                                ", a of type " + Name(args.a));
  }
  if (args.b_zero_point.type != args.b.type) {
    return Invalid("MM-07", "b_zero_point is of type " + Name(args.b_zero_point) +
                                ", b of type " + Name(args.b));
  }
  return std::nullopt;
}

// A scale or zero point of a or b.
std::optional<Refusal> CheckParameter(Side side, const char* name, Dims operand,
                                      Dims parameter) {
  const auto reason = CheckLines(side, name, operand, parameter);
  if (!reason) return std::nullopt;
  return Invalid(operand.size() < 2 ? "MM-04" : "MM-07", *reason);
}

// A zero point is one element, or has its scale's shape.
std::optional<Refusal> CheckPair(const char* name, Dims scale, Dims zero_point) {
  if (IsOneElement(zero_point) || std::ranges::equal(scale, zero_point)) {
    return std::nullopt;
  }
  return Invalid("MM-07", std::string(name) + "_zero_point of shape " +
                              ShapeToString(zero_point) + " differs from " + name +
                              "_scale of shape " + ShapeToString(scale));
}

}  // namespace

std::optional<Refusal> CheckQLinearMatMul(int since_version,
                                          const QLinearMatMulArgs& args) {
  if (auto refusal = CheckTypes(since_version, args)) return refusal;
  const Dims a = args.a.shape;
  const Dims b = args.b.shape;
  if (const auto reason = CheckProduct(a, b)) return Invalid("MM-07", *reason);
  for (auto refusal :
       {CheckParameter(Side::kA, "a_scale", a, args.a_scale.shape),
        CheckParameter(Side::kA, "a_zero_point", a, args.a_zero_point.shape),
        CheckParameter(Side::kB, "b_scale", b, args.b_scale.shape),
        CheckParameter(Side::kB, "b_zero_point", b, args.b_zero_point.shape),
        CheckPair("a", args.a_scale.shape, args.a_zero_point.shape),
        CheckPair("b", args.b_scale.shape, args.b_zero_point.shape)}) {
    if (refusal) return refusal;
  }
  for (const TensorView* parameter : {&args.y_scale, &args.y_zero_point}) {
    if (!IsOneElement(parameter->shape)) {
      return Declined("MM-05", "y_scale of shape " + ShapeToString(args.y_scale.shape) +
                                   " and y_zero_point of shape " +
                                   ShapeToString(args.y_zero_point.shape) +
                                   ": y is quantized per tensor");
    }
  }
  if (IsProductTooLarge(a, b)) return Declined("MM-07", "y would be too large");
  return std::nullopt;
}

Result<Shape> QLinearMatMulOutputShape(const QLinearMatMulArgs& args) {
  if (const auto refusal = CheckQLinearMatMul(21, args)) {
    return Error{refusal->clause + ": " + refusal->reason};
  }
  return MakeMatMulShape(args.a.shape, args.b.shape).y;
}

}  // namespace qconform::simd
