// A list of sizes of products of matrices, with those that kernels forget: tails, batches
// that broadcast, 1-D operands beside batches, empty dimensions.
#ifndef QCONFORM_CASES_MATMUL_SIZES_H_
#define QCONFORM_CASES_MATMUL_SIZES_H_

#include "cases/core/counter_rng.h"
#include "cases/lattice/cell.h"
#include "cases/matmul/layout.h"

namespace qconform::generators {

// The list has groups, of which an operator may ask one entry each:
//   - the first ones are ordinary, with tails, and with a K of 0,
//   - batches that broadcast, and batches of which b has more than a,
//   - a 1-D `a` with batches of b, and the other way round,
//   - an empty y with N = 0, and one with M = 0,
//   - one long column.
inline constexpr int kDotProduct = 2;
inline constexpr int kFirstBatches = 27;
inline constexpr int kMatMulBatches = 12;
inline constexpr int kFirstVectorA = kFirstBatches + kMatMulBatches;
inline constexpr int kMatMulVectors = 3;
inline constexpr int kFirstVectorB = kFirstVectorA + kMatMulVectors;
inline constexpr int kFirstEmptyN = kFirstVectorB + kMatMulVectors;
inline constexpr int kMatMulEmpty = 3;
inline constexpr int kFirstEmptyM = kFirstEmptyN + kMatMulEmpty;
inline constexpr int kFirstColumn = kFirstEmptyM + kMatMulEmpty;
inline constexpr int kMatMulColumns = 3;
inline constexpr int kFirstBatchesOfB = kFirstColumn + kMatMulColumns;
inline constexpr int kMatMulBatchesOfB = 4;

// Changes sizes that do not fit the cell and its forms: an operand with vectors of
// parameters has two dimensions or more, and batches only in the form kFull.
void FitMatMulSizes(const Cell& cell, MatMulForms forms, MatMulSizes& sizes);

// Returns the entry of the list at an index, changed so that it fits; after its end sizes
// are random.
MatMulSizes ListedMatMulSizes(const Cell& cell, MatMulForms forms, int index,
                              CounterRng& rng);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_MATMUL_SIZES_H_
