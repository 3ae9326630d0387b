#include "harness/backends/simd/q_linear_mat_mul/shape.h"

#include <algorithm>
#include <string>
#include <utility>

namespace qconform::simd {
namespace {

using Dims = std::span<const int64_t>;

Refusal Invalid(std::string clause, std::string reason) {
  return {Refusal::Kind::kInvalid, std::move(clause), std::move(reason)};
}

Refusal Declined(std::string clause, std::string reason) {
  return {Refusal::Kind::kUnsupported, std::move(clause), std::move(reason)};
}

std::string Name(const TensorView& t) { return std::string(DataTypeName(t.type)); }

// The dimensions before the last two; none for a vector.
Dims BatchOf(Dims shape) {
  return shape.size() < 2 ? Dims{} : shape.first(shape.size() - 2);
}

// Rows of a or columns of b; 1 for a vector.
int64_t LinesOf(Side side, Dims shape) {
  if (shape.size() < 2) return 1;
  return side == Side::kA ? shape[shape.size() - 2] : shape.back();
}

int64_t InnerOf(Side side, Dims shape) {
  if (shape.size() < 2) return shape[0];
  return side == Side::kA ? shape.back() : shape[shape.size() - 2];
}

bool IsOneElement(Dims shape) {
  return shape.empty() || (shape.size() == 1 && shape[0] == 1);
}

// Product of the dimensions; of no meaning, but 0 where one of them is, for shapes
// that ElementCount would refuse.
int64_t CountOf(Dims shape) {
  uint64_t count = 1;
  for (const int64_t size : shape) count *= static_cast<uint64_t>(size);
  return static_cast<int64_t>(count);
}

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

// Broadcasts a's and b's batch dimensions, or returns nothing.
std::optional<Shape> BroadcastBatch(Dims a, Dims b) {
  Shape batch(std::max(a.size(), b.size()), 1);
  for (const Dims& from : {a, b}) {
    for (size_t i = 0; i < from.size(); ++i) {
      int64_t& size = batch[batch.size() - from.size() + i];
      if (size != 1 && from[i] != 1 && size != from[i]) return std::nullopt;
      if (from[i] != 1) size = from[i];
    }
  }
  return batch;
}

// A scale or zero point of a or b.
std::optional<Refusal> CheckParameter(Side side, const char* name, Dims operand,
                                      Dims parameter) {
  if (IsOneElement(parameter)) return std::nullopt;
  const std::string what = std::string(name) + " of shape " + ShapeToString(parameter) +
                           " for an operand of " + ShapeToString(operand);
  if (operand.size() < 2) {
    return Invalid("MM-04", what + ": vectors are quantized per tensor only");
  }
  const int64_t lines = LinesOf(side, operand);
  if (parameter.size() == 1) {
    if (parameter[0] == lines) return std::nullopt;
    return Invalid("MM-07",
                   what + ": a vector must have " + std::to_string(lines) + " elements");
  }
  bool fits = parameter.size() <= operand.size();
  if (fits) {
    const size_t skipped = operand.size() - parameter.size();
    for (size_t i = 0; i + 2 < parameter.size(); ++i) {
      fits &= parameter[i] == 1 || parameter[i] == operand[skipped + i];
    }
    const Dims last = parameter.last(2);
    const int64_t along = side == Side::kA ? last[0] : last[1];
    const int64_t across = side == Side::kA ? last[1] : last[0];
    fits &= across == 1 && (along == lines || along == 1);
  }
  if (fits) return std::nullopt;
  return Invalid("MM-07",
                 what + (side == Side::kA ? ": it must be [], [M] or [...,M,1]"
                                          : ": it must be [], [N] or [...,1,N]"));
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

std::vector<int64_t> MatrixOf(Dims own, Dims batch) {
  std::vector<int64_t> matrices = {0};
  int64_t stride = 1;
  // From the innermost dimension out: each outer step repeats what is there.
  for (size_t i = 0; i < batch.size(); ++i) {
    const size_t from_end = i + 1;
    const int64_t own_size = from_end <= own.size() ? own[own.size() - from_end] : 1;
    const int64_t size = batch[batch.size() - from_end];
    const size_t inner = matrices.size();
    matrices.resize(inner * static_cast<size_t>(size));
    for (size_t j = inner; j < matrices.size(); ++j) {
      const auto step = static_cast<int64_t>(j / inner);
      matrices[j] = matrices[j % inner] + (own_size == 1 ? 0 : step * stride);
    }
    stride *= own_size;
  }
  return matrices;
}

}  // namespace

std::optional<Refusal> CheckQLinearMatMul(int since_version,
                                          const QLinearMatMulArgs& args) {
  if (auto refusal = CheckTypes(since_version, args)) return refusal;
  const Dims a = args.a.shape;
  const Dims b = args.b.shape;
  if (a.empty() || b.empty()) {
    return Invalid("MM-07", std::string(a.empty() ? "a" : "b") +
                                " is a scalar: numpy.matmul needs rank 1 or more");
  }
  if (InnerOf(Side::kA, a) != InnerOf(Side::kB, b)) {
    return Invalid("MM-07", "a of shape " + ShapeToString(a) + " and b of shape " +
                                ShapeToString(b) + " differ in K");
  }
  const auto batch = BroadcastBatch(BatchOf(a), BatchOf(b));
  if (!batch) {
    return Invalid("MM-07", "the batch dimensions of a, " + ShapeToString(a) +
                                ", and b, " + ShapeToString(b) + ", do not broadcast");
  }
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
  Shape whole = *batch;
  whole.push_back(LinesOf(Side::kA, a));
  whole.push_back(LinesOf(Side::kB, b));
  if (!ElementCount(whole)) return Declined("MM-07", "y would be too large");
  return std::nullopt;
}

Result<Shape> QLinearMatMulOutputShape(const QLinearMatMulArgs& args) {
  if (const auto refusal = CheckQLinearMatMul(21, args)) {
    return Error{refusal->clause + ": " + refusal->reason};
  }
  return MakeMatMulShape(args).y;
}

MatMulShape MakeMatMulShape(const QLinearMatMulArgs& args) {
  const Dims a = args.a.shape;
  const Dims b = args.b.shape;
  MatMulShape shape;
  shape.m = LinesOf(Side::kA, a);
  shape.n = LinesOf(Side::kB, b);
  shape.k = InnerOf(Side::kA, a);
  shape.a_matrices = CountOf(BatchOf(a));
  shape.b_matrices = CountOf(BatchOf(b));
  shape.y = *BroadcastBatch(BatchOf(a), BatchOf(b));
  // Without products there is nothing to list (nor room for it, maybe).
  if (CountOf(shape.y) * shape.m * shape.n != 0) {
    shape.a_of = MatrixOf(BatchOf(a), shape.y);
    shape.b_of = MatrixOf(BatchOf(b), shape.y);
  }
  if (a.size() >= 2) shape.y.push_back(shape.m);
  if (b.size() >= 2) shape.y.push_back(shape.n);
  return shape;
}

std::vector<int64_t> ParameterIndices(Side side, const TensorView& operand,
                                      const TensorView& parameter) {
  if (CountOf(parameter.shape) == 1) return {0};
  const Dims shape = parameter.shape;
  const int64_t lines = LinesOf(side, operand.shape);
  const Dims own = shape.size() < 2 ? Dims{} : BatchOf(shape);
  const bool along =
      shape.size() == 1 || shape[shape.size() - (side == Side::kA ? 2 : 1)] != 1;
  std::vector<int64_t> indices;
  for (const int64_t matrix : MatrixOf(own, BatchOf(operand.shape))) {
    for (int64_t line = 0; line < lines; ++line) {
      indices.push_back(along ? matrix * lines + line : matrix);
    }
  }
  return indices;
}

}  // namespace qconform::simd
