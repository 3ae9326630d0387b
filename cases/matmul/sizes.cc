#include "cases/matmul/sizes.h"

#include <algorithm>
#include <iterator>

namespace qconform::generators {
namespace {

MatMulSizes RandomSizes(CounterRng& rng) {
  const auto length = [&] {
    const int64_t power = int64_t{1} << rng.Below(7);
    return std::max<int64_t>(power + rng.Between(-1, 1), 1);
  };
  MatMulSizes sizes;
  sizes.rows = rng.Between(1, 6);
  sizes.k = length();
  sizes.columns = rng.OneIn(2) ? length() : rng.Between(1, 9);
  if (rng.OneIn(4)) sizes.a_batch = {rng.Between(1, 2), rng.Between(1, 2)};
  if (rng.OneIn(4)) sizes.b_batch = {sizes.a_batch.empty() ? 2 : sizes.a_batch.back()};
  sizes.a_is_vector = rng.OneIn(8);
  sizes.b_is_vector = rng.OneIn(8);
  return sizes;
}

MatMulSizes SizesAt(int index, CounterRng& rng) {
  // a_batch, b_batch, rows, k, columns, and whether a and b are 1-D.
  static const MatMulSizes kSizes[] = {
      {{}, {}, 3, 17, 33},
      {{}, {}, 16, 64, 16},
      {{}, {}, 1, 129, 1, true, true},
      {{2}, {2}, 2, 0, 3},
      // Of these each cell has one that has scales of rows and of columns.
      {{}, {}, 9, 9, 9},
      {{}, {}, 1, 65, 7, true},
      {{}, {}, 8, 128, 12},
      {{}, {}, 1, 1, 65},
      {{}, {}, 2, 256, 14},
      {{}, {}, 17, 2, 15},
      {{}, {}, 6, 32, 64},
      {{}, {}, 3, 33, 1, false, true},
      {{}, {}, 4, 24, 32},
      {{}, {}, 0, 3, 4},
      {{}, {}, 1, 512, 2},
      {{}, {}, 12, 65, 18},
      {{}, {}, 7, 40, 66},
      {{}, {}, 2, 1024, 1},
      {{}, {}, 14, 48, 20},
      {{}, {}, 5, 1, 21},
      {{}, {}, 4, 96, 40},
      {{}, {}, 18, 33, 34},
      {{}, {}, 1, 64, 48, true},
      {{}, {}, 2, 2, 128},
      {{}, {}, 32, 15, 8},
      {{}, {}, 10, 36, 10},
      {{}, {}, 6, 64, 1, false, true},
      // Batches, and K of 3: each cell has one of these.
      {{2, 1}, {3}, 2, 3, 3},
      {{}, {2}, 5, 3, 3},
      {{3}, {1}, 2, 3, 7},
      {{2, 1, 2}, {1, 3, 1}, 1, 3, 2},
      {{2, 1}, {1, 3}, 2, 3, 4},
      {{1}, {3}, 4, 3, 8},
      {{2, 2}, {2, 2}, 2, 3, 6},
      {{1, 2, 1}, {2, 1, 3}, 3, 3, 4},
      {{}, {2, 2}, 2, 3, 5},
      {{3, 2}, {2}, 3, 3, 16},
      {{2, 1, 1, 2}, {1, 2, 1}, 2, 3, 5},
      {{}, {3}, 4, 3, 8},
      // A vector and batches, one each: cells that can have them.
      {{}, {2}, 1, 33, 5, true},
      {{}, {3, 1}, 1, 16, 8, true},
      {{}, {2, 2}, 1, 1030, 2, true},
      {{2}, {}, 5, 33, 1, false, true},
      {{3, 2}, {}, 2, 16, 1, false, true},
      {{1, 3}, {}, 4, 7, 1, false, true},
      // An empty y, by N and by M, and by batches too: one of each.
      {{}, {}, 3, 5, 0},
      {{0}, {1}, 2, 3, 0},
      {{2}, {2}, 2, 3, 0},
      {{}, {}, 0, 3, 4},
      {{2, 0}, {}, 0, 3, 2},
      {{1}, {3}, 0, 5, 2},
      // One column: one of these where nothing else has it.
      {{}, {}, 65, 2, 1},
      {{}, {}, 257, 2, 1},
      {{}, {}, 130, 2, 1},
      // b has more batch dimensions than a, and none is 1 in both.
      {{2}, {3, 2}, 3, 3, 5},
      {{3}, {2, 1}, 2, 5, 4},
      {{1, 2, 1}, {2, 1, 1, 2}, 2, 3, 6},
      {{3}, {2, 2, 3}, 1, 4, 3},
  };
  static_assert(std::size(kSizes) == kFirstBatchesOfB + kMatMulBatchesOfB);
  const auto place = static_cast<size_t>(index);
  return place < std::size(kSizes) ? kSizes[place] : RandomSizes(rng);
}

}  // namespace

void FitMatMulSizes(const Cell& cell, MatMulForms forms, MatMulSizes& sizes) {
  if (IsPerRow(cell)) {
    sizes.a_is_vector = false;
    if (forms.a == VectorForm::kShort) sizes.a_batch.clear();
  }
  if (IsPerColumn(cell)) {
    sizes.b_is_vector = false;
    if (forms.b == VectorForm::kShort) sizes.b_batch.clear();
  }
}

MatMulSizes ListedMatMulSizes(const Cell& cell, MatMulForms forms, int index,
                              CounterRng& rng) {
  MatMulSizes sizes = SizesAt(index, rng);
  // One column: where an operand has two dimensions anyway, both do.
  if (index == kDotProduct && (IsPerRow(cell) || IsPerColumn(cell))) {
    sizes.a_is_vector = sizes.b_is_vector = false;
    sizes.rows = 6;
  }
  FitMatMulSizes(cell, forms, sizes);
  return sizes;
}

}  // namespace qconform::generators
