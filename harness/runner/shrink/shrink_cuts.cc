#include "harness/runner/shrink/shrink_cuts.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "cases/model/attributes.h"
#include "harness/backends/operands.h"
#include "harness/runner/shrink/stored_operands.h"

namespace qconform {
namespace {

// --- QuantizeLinear -------------------------------------------------------------

StoredCase CutOfX(const StoredCase& stored, size_t dimension, size_t axis, int64_t block,
                  int64_t from, int64_t to) {
  StoredCase cut = stored;
  ReplaceOperand(cut, 0, Slice(*OperandTensor(stored, 0), dimension, from, to));
  cut.model.outputs.front().shape = OperandTensor(cut, 0)->shape;
  const bool along = dimension == axis;
  for (size_t operand = 1; operand < stored.model.node.inputs.size(); ++operand) {
    const Tensor* scale = OperandTensor(stored, operand);
    if (scale == nullptr || scale->shape.empty()) continue;
    if (block > 0) {
      const int64_t unit = along ? block : 1;
      ReplaceOperand(cut, operand,
                     Slice(*scale, dimension, from / unit, (to + unit - 1) / unit));
    } else if (along) {
      ReplaceOperand(cut, operand, Slice(*scale, 0, from, to));
    }
  }
  return cut;
}

// --- QLinearMatMul --------------------------------------------------------------

constexpr size_t kA = 0;  // its scale and zero point follow
constexpr size_t kB = 3;

struct Sliced {
  size_t operand;
  size_t dimension;
};

int64_t SizeOf(const StoredCase& stored, const Sliced& sliced) {
  return OperandTensor(stored, sliced.operand)->shape[sliced.dimension];
}

using Cutter = Tensor (*)(const Tensor&, size_t, int64_t, int64_t);

StoredCase CutAll(const StoredCase& stored, const std::vector<Sliced>& all, Cutter cutter,
                  int64_t from, int64_t to) {
  StoredCase cut = stored;
  for (const Sliced& each : all) {
    ReplaceOperand(
        cut, each.operand,
        cutter(*OperandTensor(stored, each.operand), each.dimension, from, to));
  }
  cut.model.outputs.front().shape =
      ProductShape(OperandTensor(cut, kA)->shape, OperandTensor(cut, kB)->shape);
  return cut;
}

// Adds the vector's dimension that runs along the operand's dimension
// `from_end`, counted from the last. `line` is that of rows or columns.
void AddParameters(const StoredCase& stored, size_t operand, size_t from_end, size_t line,
                   std::vector<Sliced>& all) {
  for (const size_t parameter : {operand + 1, operand + 2}) {
    const Shape& shape = OperandTensor(stored, parameter)->shape;
    if (shape.size() == 1 && from_end == line && shape[0] > 1) {
      all.push_back({parameter, 0});
    } else if (shape.size() >= 2 && from_end < shape.size() &&
               shape[shape.size() - 1 - from_end] > 1) {
      all.push_back({parameter, shape.size() - 1 - from_end});
    }
  }
}

// Each entry is what one dimension of the problem is cut along.
std::vector<std::vector<Sliced>> CutsOf(const StoredCase& stored) {
  std::vector<std::vector<Sliced>> cuts;
  const size_t a_rank = OperandTensor(stored, kA)->shape.size();
  const size_t b_rank = OperandTensor(stored, kB)->shape.size();
  for (size_t from_end = 2; from_end < std::max(a_rank, b_rank); ++from_end) {
    std::vector<Sliced> batch;
    for (const auto& [operand, rank, line] :
         {std::tuple(kA, a_rank, size_t{1}), std::tuple(kB, b_rank, size_t{0})}) {
      if (from_end >= rank) continue;
      const Sliced own{operand, rank - 1 - from_end};
      if (SizeOf(stored, own) == 1) continue;
      batch.push_back(own);
      AddParameters(stored, operand, from_end, line, batch);
    }
    if (!batch.empty()) cuts.push_back(std::move(batch));
  }
  if (a_rank >= 2) {
    cuts.push_back({{kA, a_rank - 2}});
    AddParameters(stored, kA, 1, 1, cuts.back());
  }
  if (b_rank >= 2) {
    cuts.push_back({{kB, b_rank - 1}});
    AddParameters(stored, kB, 0, 0, cuts.back());
  }
  return cuts;
}

}  // namespace

std::vector<StoredCase> QuantizeLinearHalves(const StoredCase& stored) {
  const Shape& shape = OperandTensor(stored, 0)->shape;
  const int64_t block = IntegerAttributeOr(stored.model.node, "block_size", 0);
  const auto axis = static_cast<size_t>(AxisOf(stored.model.node, shape.size()));
  std::vector<StoredCase> halves;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t size = shape[d];
    // Along a blocked axis, at a block's border.
    const int64_t middle =
        block <= 0 || d != axis ? size / 2 : (size / block + 1) / 2 * block;
    if (middle <= 0 || middle >= size) continue;
    halves.push_back(CutOfX(stored, d, axis, block, 0, middle));
    halves.push_back(CutOfX(stored, d, axis, block, middle, size));
  }
  return halves;
}

std::vector<StoredCase> QLinearMatMulHalves(const StoredCase& stored) {
  std::vector<StoredCase> halves;
  for (const std::vector<Sliced>& cut : CutsOf(stored)) {
    const int64_t size = SizeOf(stored, cut.front());
    if (size <= 1) continue;
    halves.push_back(CutAll(stored, cut, Slice, 0, size / 2));
    halves.push_back(CutAll(stored, cut, Slice, size / 2, size));
  }
  return halves;
}

std::vector<StoredCase> WithoutProducts(const StoredCase& stored) {
  const size_t a_rank = OperandTensor(stored, kA)->shape.size();
  const size_t b_rank = OperandTensor(stored, kB)->shape.size();
  const std::vector<Sliced> products{{kA, a_rank - 1}, {kB, b_rank < 2 ? 0 : b_rank - 2}};
  const int64_t size = SizeOf(stored, products.front());
  std::vector<StoredCase> shorter;
  for (int64_t run = (size + 1) / 2; run >= 1; run /= 2) {
    for (int64_t from = 0; from < size; from += run) {
      shorter.push_back(
          CutAll(stored, products, Without, from, std::min(from + run, size)));
    }
  }
  return shorter;
}

}  // namespace qconform
