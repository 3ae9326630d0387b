#include "harness/backends/simd/matmul/shape.h"

#include <algorithm>

#include "harness/backends/simd/core/geometry.h"

namespace qconform::simd {
namespace {

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

// Product of the dimensions; of no meaning, but 0 where one of them is, for shapes
// that ElementCount would refuse.
int64_t CountOf(Dims shape) {
  uint64_t count = 1;
  for (const int64_t size : shape) count *= static_cast<uint64_t>(size);
  return static_cast<int64_t>(count);
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

// Which matrix of an operand with the batch dimensions `own` takes part in each product.
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

std::optional<std::string> CheckProduct(Dims a, Dims b) {
  if (a.empty() || b.empty()) {
    return std::string(a.empty() ? "a" : "b") +
           " is a scalar: numpy.matmul needs rank 1 or more";
  }
  if (InnerOf(Side::kA, a) != InnerOf(Side::kB, b)) {
    return "a of shape " + ShapeToString(a) + " and b of shape " + ShapeToString(b) +
           " differ in K";
  }
  if (!BroadcastBatch(BatchOf(a), BatchOf(b))) {
    return "the batch dimensions of a, " + ShapeToString(a) + ", and b, " +
           ShapeToString(b) + ", do not broadcast";
  }
  return std::nullopt;
}

bool IsProductTooLarge(Dims a, Dims b) {
  Shape whole = *BroadcastBatch(BatchOf(a), BatchOf(b));
  whole.push_back(LinesOf(Side::kA, a));
  whole.push_back(LinesOf(Side::kB, b));
  return !ElementCount(whole);
}

void JoinBatches(MatMulShape* shape) {
  if (shape->b_matrices != 1 || shape->a_of.size() < 2) return;
  shape->m *= shape->a_matrices;
  shape->a_matrices = 1;
  shape->a_of = {0};
  shape->b_of = {0};
}

std::optional<std::string> CheckLines(Side side, const char* name, Dims operand,
                                      Dims parameter) {
  if (IsOneElement(parameter)) return std::nullopt;
  const std::string what = std::string(name) + " of shape " + ShapeToString(parameter) +
                           " for an operand of " + ShapeToString(operand);
  if (operand.size() < 2) return what + ": vectors are quantized per tensor only";
  const int64_t lines = LinesOf(side, operand);
  if (parameter.size() == 1) {
    if (parameter[0] == lines) return std::nullopt;
    return what + ": a vector must have " + std::to_string(lines) + " elements";
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
  return what + (side == Side::kA ? ": it must be [], [M] or [...,M,1]"
                                  : ": it must be [], [N] or [...,1,N]");
}

MatMulShape MakeMatMulShape(Dims a, Dims b) {
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

std::vector<int64_t> ParameterIndices(Side side, Dims operand, Dims parameter) {
  if (CountOf(parameter) == 1) return {0};
  const int64_t lines = LinesOf(side, operand);
  const Dims own = parameter.size() < 2 ? Dims{} : BatchOf(parameter);
  const bool along = parameter.size() == 1 ||
                     parameter[parameter.size() - (side == Side::kA ? 2 : 1)] != 1;
  std::vector<int64_t> indices;
  for (const int64_t matrix : MatrixOf(own, BatchOf(operand))) {
    for (int64_t line = 0; line < lines; ++line) {
      indices.push_back(along ? matrix * lines + line : matrix);
    }
  }
  return indices;
}

}  // namespace qconform::simd
