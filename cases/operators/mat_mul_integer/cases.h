// MatMulInteger's generators and lists.
#ifndef QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_CASES_H_
#define QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_CASES_H_

#include <vector>

#include "cases/core/content.h"
#include "cases/core/operator_cases.h"
#include "cases/operators/mat_mul_integer/question.h"

namespace qconform::generators {

struct MatMulIntegerGenerator {
  GeneratorInfo info;
  void (*fill)(MatMulIntegerQuestion&);
};

// The index is the place in a list of lengths: 0 to 64 at their own places, then 64 long
// ones with each remainder modulo 64, then those around multiples of 256. A second and a
// third round have the first two groups again; those of the third have one row or one
// column.
inline constexpr int kFirstLongLength = 65;
inline constexpr int kFirstVeryLongLength = kFirstLongLength + 64;
inline constexpr int kVeryLongLengths = 23;
inline constexpr int kSecondRoundOfLengths = kFirstVeryLongLength + kVeryLongLengths;
inline constexpr int kThirdRoundOfLengths = kSecondRoundOfLengths + kFirstVeryLongLength;
// Returns K of an index.
int64_t LengthAt(int index);
void FillIntegerLengths(MatMulIntegerQuestion& question);

// The first indices are ordinary, the later ones longer.
inline constexpr int kIntegerPairs = 10;
void FillIntegerPairs(MatMulIntegerQuestion& question);
// The index goes through the kinds of a_zero_point first, then through those of
// b_zero_point.
inline constexpr int kIntegerZeroPoints = kSingleZeroPoints * kSingleZeroPoints;
void FillIntegerZeroPoints(MatMulIntegerQuestion& question);
inline constexpr int kIntegerSquares = 20;
void FillIntegerSquares(MatMulIntegerQuestion& question);
// The index is that of ListedMatMulSizes.
void FillIntegerShapes(MatMulIntegerQuestion& question);
// The index is that of CoveredMatMulSizes.
void FillIntegerSizes(MatMulIntegerQuestion& question);
inline constexpr int kIntegerWideSums = 6;
void FillIntegerWideSums(MatMulIntegerQuestion& question);
// Even indices: positive sums, odd ones: negative.
inline constexpr int kIntegerOverflows = 4;
void FillIntegerOverflow(MatMulIntegerQuestion& question);
inline constexpr int kIntegerPartialSums = 2;
void FillIntegerPartialSums(MatMulIntegerQuestion& question);
inline constexpr int kIntegerTiles = 12;
void FillIntegerTiles(MatMulIntegerQuestion& question);
// Odd indices have a long K.
inline constexpr int kIntegerHuge = 8;
void FillIntegerHuge(MatMulIntegerQuestion& question);
void FillIntegerRandom(MatMulIntegerQuestion& question);

std::vector<ContentName> MatMulIntegerContents(const Cell& cell, Level level);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_CASES_H_
