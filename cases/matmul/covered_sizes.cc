#include "cases/matmul/covered_sizes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cases/core/content.h"
#include "cases/core/covered_sums.h"
#include "cases/core/known_cells.h"

namespace qconform::generators {
namespace {

// The factors, in the order of a row. Those of the operator follow.
enum Factor : size_t { kTermsLeft, kColumnsLeft, kRows, kBatches, kFactors };

// Remainders of K and N.
constexpr int kTerms = 16;
constexpr int kColumns = 8;
constexpr std::array<int64_t, 12> kRowCounts{1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 19};
constexpr int kBatchKinds = 8;
// N of 0 to 64, and the places of CoveredSum, have this room in an index.
constexpr int kRoomOfColumns = 65;
constexpr int kRoomOfPlaces = 128;
static_assert(kCoveredSums <= kRoomOfPlaces);
static_assert(static_cast<int>(kRowCounts.size()) * kBatchKinds * kRoomOfColumns *
                  kRoomOfPlaces <=
              kFirstLargeProduct);

MatMulBatches BatchesOf(int kind) {
  return {.of_a = kind == 1 || kind == 3 || kind == 4 || kind == 7,
          .of_b = kind == 2 || kind == 3 || kind == 4 || kind == 6,
          .a_is_vector = kind == 5 || kind == 6,
          .b_is_vector = kind == 7};
}

// Every N at a place of short sums, a few at the others.
int64_t ColumnsAt(int place, uint64_t turn) {
  const uint64_t at = static_cast<uint64_t>(place) * 29 + turn;
  if (place < kShortSums) return static_cast<int64_t>(at % kRoomOfColumns);
  return static_cast<int64_t>(1 + at % 18);
}

std::vector<int> LevelsOf(const std::vector<int>& own) {
  std::vector<int> levels{kTerms, kColumns, static_cast<int>(kRowCounts.size()),
                          kBatchKinds};
  levels.insert(levels.end(), own.begin(), own.end());
  return levels;
}

const MatMulSizes& LargeSizes(int index) {
  static const std::array<MatMulSizes, kLargeProducts + 1> kLarge{
      {{{}, {}, 1027, 3, 2},
       {{}, {}, 1, 5, 1031},
       {{17}, {}, 3, 5, 4},
       {{}, {19}, 2, 3, 5},
       {{3, 7}, {7}, 3, 4, 3},
       {{}, {}, 257, 2, 257}}};
  return kLarge[static_cast<size_t>(index - kFirstLargeProduct) % kLarge.size()];
}

}  // namespace

MatMulSizes CoveredMatMulSizes(int index, int64_t most_products) {
  if (index >= kFirstLargeProduct) return LargeSizes(index);
  const auto take = [&](int count) {
    return std::exchange(index, index / count) % count;
  };
  MatMulSizes sizes;
  sizes.k = CoveredSum(take(kRoomOfPlaces) % kCoveredSums);
  sizes.columns = take(kRoomOfColumns);
  const int kind = take(kBatchKinds);
  sizes.rows = kRowCounts[static_cast<size_t>(index) % kRowCounts.size()];
  const MatMulBatches batches = BatchesOf(kind);
  if (batches.of_a) sizes.a_batch = kind == 4 ? Shape{2, 1} : Shape{2};
  if (batches.of_b) sizes.b_batch = kind == 4 ? Shape{3} : Shape{2};
  sizes.a_is_vector = batches.a_is_vector;
  sizes.b_is_vector = batches.b_is_vector;
  if (sizes.a_is_vector) sizes.rows = 1;
  if (sizes.b_is_vector) sizes.columns = 1;
  // Without another remainder of M modulo 4.
  while (sizes.rows > 4 && sizes.rows * sizes.columns * sizes.k > most_products) {
    sizes.rows -= 4;
  }
  return sizes;
}

CoveredMatMuls::CoveredMatMuls(const Cell& cell, const std::vector<int>& own)
    : turn_(HashOfTypes(cell).hash() % 1000), array_(LevelsOf(own), turn_) {}

CoveredMatMuls::Row CoveredMatMuls::Next(int place, const Allows& allows) {
  const int64_t columns = ColumnsAt(place, turn_);
  CoveringRow row(array_.factors(), kFreeLevel);
  row[kTermsLeft] = static_cast<int>(CoveredSum(place) % kTerms);
  row[kColumnsLeft] = static_cast<int>(columns % kColumns);
  row = array_.Add(std::move(row), [&](const CoveringRow& chosen) {
    const int kind = chosen[kBatches];
    // A vector b would take N away.
    if (kind != kFreeLevel && BatchesOf(kind).b_is_vector && columns != 1) return false;
    return allows({chosen.begin() + kFactors, chosen.end()},
                  kind == kFreeLevel ? MatMulBatches{} : BatchesOf(kind));
  });
  int index = row[kRows];
  index = index * kBatchKinds + row[kBatches];
  index = index * kRoomOfColumns + static_cast<int>(columns);
  Row made;
  made.index = index * kRoomOfPlaces + place;
  made.own.assign(row.begin() + kFactors, row.end());
  made.levels = std::move(row);
  return made;
}

bool IsCoveredIn(const Cell& cell, int place) {
  constexpr size_t kFewCells = 100;
  constexpr uint64_t kGranularities = 4;
  if (CellCountOf(cell) <= kFewCells) return true;
  const uint64_t turn = HashOfTypes(cell).hash() % 1000 + GranularityNumber(cell);
  return (static_cast<uint64_t>(place) + turn) % kGranularities == 0;
}

}  // namespace qconform::generators
