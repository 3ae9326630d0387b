// A question under construction: one content of a MatMulInteger case. The generators
// choose sizes, zero points, and codes of A and B.
#ifndef QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_QUESTION_H_
#define QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_QUESTION_H_

#include <cstdint>
#include <vector>

#include "cases/core/counter_rng.h"
#include "cases/lattice/cell.h"
#include "cases/matmul/layout.h"
#include "cases/operators/mat_mul_integer/variant.h"

namespace qconform::generators {

// Codes and values of INT8 or UINT8.
struct ByteType {
  bool is_signed = false;

  int low() const { return is_signed ? -128 : 0; }
  int high() const { return is_signed ? 127 : 255; }
  // Where half of the values are negative differences: 0, or 128 of UINT8.
  int middle() const { return is_signed ? 0 : 128; }
  int ValueOf(uint8_t code) const { return is_signed ? static_cast<int8_t>(code) : code; }
  // Returns the code of the value of this type that is nearest.
  uint8_t CodeOf(int64_t value) const;
};

// What neighbouring zero points of a vector are like. A kernel may look at one of them,
// or at whether they are all 0, and take another path.
enum class ZeroPoints : uint8_t {
  kDifferent,       // of each two neighbours, none is 0
  kEnds,            // low and high by turns
  kNoneAtFirst,     // the first is 0, the others are not
  kNoneButTheLast,  // all are 0 but the last
  kAllEqual,
  kNoneAtBothEnds,
};
inline constexpr int kZeroPointPatterns = 6;
inline constexpr int kSingleZeroPoints = 8;

class MatMulIntegerQuestion {
 public:
  MatMulIntegerQuestion(const Cell& cell, const MatMulIntegerVariant& variant, int index,
                        CounterRng rng);

  const Cell& cell;
  const MatMulIntegerVariant& variant;
  const int index;
  const ByteType a_type;
  const ByteType b_type;
  CounterRng rng;

  // --- what is chosen -------------------------------------------------------
  MatMulLayout layout;
  std::vector<uint8_t> a_zero_points;  // codes, one for each channel; 0 if left out
  std::vector<uint8_t> b_zero_points;
  std::vector<uint8_t> a;  // codes, row-major
  std::vector<uint8_t> b;

  // Takes the sizes; codes and zero points are 0 until set. Sizes that do not fit the
  // cell and its forms are changed: vectors of zero points make an operand 2-D, and the
  // form `short` takes its batches away.
  void SetSizes(MatMulSizes sizes);

  // --- choosing -------------------------------------------------------------
  // Chooses the zero points that are there. A turn says what a vector is like
  // (ZeroPoints), or chooses a single one: any but 0, high, low, middle, next to it, 1,
  // odd, 0.
  void SetZeroPoints(uint32_t a_turn, uint32_t b_turn);
  // Every code from anywhere; the last two terms, and the first, count in every sum.
  void FillCodes();

  // --- places ---------------------------------------------------------------
  size_t AIndex(int64_t matrix, int64_t row, int64_t k) const;
  size_t BIndex(int64_t matrix, int64_t k, int64_t column) const;
  uint8_t AZeroPoint(int64_t matrix, int64_t row) const;
  uint8_t BZeroPoint(int64_t matrix, int64_t column) const;
  // Sets an element so that its difference from the zero point is `difference`, or the
  // nearest that the type has.
  void SetA(int64_t matrix, int64_t row, int64_t k, int64_t difference);
  void SetB(int64_t matrix, int64_t k, int64_t column, int64_t difference);

 private:
  // Makes the terms of one place of K count.
  void MakeCount(int64_t k);
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_QUESTION_H_
