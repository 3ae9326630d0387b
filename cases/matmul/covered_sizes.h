// Small sizes of products of matrices, chosen by a covering array: every K of CoveredSum,
// every N from 0 to 64, with M, batches and 1-D operands.
#ifndef QCONFORM_CASES_MATMUL_COVERED_SIZES_H_
#define QCONFORM_CASES_MATMUL_COVERED_SIZES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "cases/core/covering_array.h"
#include "cases/lattice/cell.h"
#include "cases/matmul/layout.h"

namespace qconform::generators {

// What else a product has.
struct MatMulBatches {
  bool of_a = false;
  bool of_b = false;
  bool a_is_vector = false;
  bool b_is_vector = false;
};

// The sizes of the index of a content of the generator `sizes`. The index holds K, N, M
// and batches; M is less where the product would be long.
MatMulSizes CoveredMatMulSizes(int index, int64_t most_products);

// Indices of larger ones: more than 1024 rows, or columns, and more than 16 matrices.
inline constexpr int kFirstLargeProduct = 800'000;
inline constexpr int kLargeProducts = 5;
// 66049 elements of y: kernels that use threads do so from 65536 elements on.
inline constexpr int kSplitProduct = kFirstLargeProduct + kLargeProducts;

// Chooses the rows of a cell. An operator adds factors of its own, such as the forms of
// vectors.
class CoveredMatMuls {
 public:
  // `own` has the number of levels of each of the operator's factors.
  CoveredMatMuls(const Cell& cell, const std::vector<int>& own);

  struct Row {
    int index = 0;  // of the content
    std::vector<int> own;
    CoveringRow levels;  // ContentName::levels
  };
  // Returns the row of a place of CoveredSum. `allows` looks at the levels of the
  // operator's factors, of which some are kFreeLevel.
  using Allows = std::function<bool(const std::vector<int>&, const MatMulBatches&)>;
  Row Next(int place, const Allows& allows);
  // Returns the levels of an index that no row has: it too is asked once.
  CoveringRow LevelsOfOther() const { return CoveringRow(array_.factors(), 0); }

 private:
  uint64_t turn_;
  CoveringArray array_;
};

// Whether a cell is asked a place of CoveredSum: definitions with many cells spread the
// places over the four granularities of equal types.
bool IsCoveredIn(const Cell& cell, int place);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_MATMUL_COVERED_SIZES_H_
