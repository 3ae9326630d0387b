// b laid out for the kernels of a target, with the sums of its columns. Private
// to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_PANELS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_PANELS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/backends/simd/matmul/kernels.h"
#include "harness/backends/simd/matmul/packed_b.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// How a target multiplies integers on this CPU.
struct Products {
  const MatMulKernels* kernels = nullptr;
  WordForm form = WordForm::kPairs;
  size_t rows = 0;     // of a tile, at most
  size_t columns = 0;  // of a panel
  size_t granule = 0;  // the last panel's columns are a multiple
  void (*multiply)(const ProductArgs& args) = nullptr;
  // Where there is one: multiply tiles one below the other, and requantize with
  // Correction::kSums.
  void (*multiply_to_codes)(const ProductArgs& args, const TileArgs& tile,
                            Multiplier multiplier, size_t tiles) = nullptr;

  friend bool operator==(const Products&, const Products&) = default;

  size_t StepsOf(int64_t k) const {
    const size_t values = form == WordForm::kPairs ? 2 : 4;  // of a word
    return (static_cast<size_t>(k) + values - 1) / values;
  }
  // Whether rows of a are laid out as they are: words that the kernel can read.
  bool IsLaidOut(const TensorView& a, int64_t k) const {
    return form == WordForm::kQuads && a.type == DataType::kUint8 && k % 4 == 0 &&
           reinterpret_cast<uintptr_t>(a.data.data()) % alignof(uint32_t) == 0;
  }
  // What the kernel's values are above those of the operands.
  int32_t AOffset(DataType a) const {
    return form == WordForm::kQuads && a == DataType::kInt8 ? 128 : 0;
  }
  int32_t BOffset(DataType b) const {
    return form == WordForm::kQuads && b == DataType::kUint8 ? -128 : 0;
  }
};

// Precondition: the target is supported.
Products ProductsOf(int64_t target_bit, bool dot_product);

// Words whose address is a multiple of 64 bytes. `long_lived` ones lie in huge pages
// where the system has them and they are many: one row times a b of 16 MB takes
// three times as long when every 4 KB are looked up.
class AlignedWords {
 public:
  AlignedWords() = default;
  explicit AlignedWords(size_t n, bool long_lived = false);

  uint32_t* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(uint32_t* words) const;
  };
  std::unique_ptr<uint32_t[], Free> data_;
};

struct Panels {
  // For float8 b only type and shape are set.
  DataType type = DataType::kUndefined;
  Shape shape;
  Products products;
  int64_t matrices = 0;
  int64_t k = 0;
  int64_t n = 0;
  size_t count = 0;           // panels of a matrix
  size_t padded_columns = 0;  // of a matrix: all panels but the last are whole
  AlignedWords words;
  std::vector<int32_t> column_sums;  // of the kernel's values; padded_columns each

  size_t WidthOf(size_t panel) const {
    return panel + 1 < count ? products.columns
                             : padded_columns - (count - 1) * products.columns;
  }
  const uint32_t* Words(int64_t matrix, size_t panel) const {
    return words.data() +
           products.StepsOf(k) *
               (static_cast<size_t>(matrix) * padded_columns + panel * products.columns);
  }
};

// Returns panels without words and sums, for b of this type and `matrices` matrices.
Panels FormOfPanels(DataType type, int64_t matrices, int64_t k, int64_t n,
                    const Products& products);

// The sums of a panel's columns.
void SumColumns(const Products& products, const uint32_t* words, size_t width,
                size_t steps, int32_t* sums);

// Lays out b. Precondition: it is of an integer type and of rank 1 or more.
std::unique_ptr<const Panels> MakePanels(const TensorView& b, const Products& products,
                                         int threads);

// All rows of a constant a, laid out for the kernels of a target.
struct Rows {
  Products products;
  size_t stride = 0;  // words between rows
  AlignedWords words;
  std::vector<uint32_t> sums;  // of the kernel's values, modulo 2^32
};

// Lays out the rows of k elements each. Precondition: a is of an integer type.
std::unique_ptr<const Rows> MakeRows(const TensorView& a, int64_t rows, int64_t k,
                                     const Products& products, int threads);

// Returns the words from one row of a to the next: not a multiple of a page, which would
// make rows share cache sets.
inline size_t StrideOfRows(size_t steps) { return (steps + 15) / 16 * 16 + 16; }

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_PANELS_H_
