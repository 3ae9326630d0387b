// QLinearMatMul's generators, lists and negative models. Its variants are the ways to
// write per-tensor parameters and vectors: "vectors=short" ([], [M], [N]) and
// "vectors=full" ([1], [..., M, 1], [..., 1, N]).
#ifndef QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_CASES_H_
#define QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_CASES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/core/content.h"
#include "cases/core/operator_cases.h"
#include "cases/operators/q_linear_mat_mul/question.h"

namespace qconform::generators {

struct MatMulGenerator {
  GeneratorInfo info;
  void (*fill)(MatMulQuestion&);
};

void FillMatMulBoundaries(MatMulQuestion& question);
void FillMatMulReadings(MatMulQuestion& question);
// For FLOAT scales, integer operands and an integer y.
void FillMatMulNearestTies(MatMulQuestion& question);
void FillMatMulSaturation(MatMulQuestion& question);
void FillMatMulExtremes(MatMulQuestion& question);
void FillMatMulZeroPoints(MatMulQuestion& question);
// Shapes are told apart by the index. Every cell is asked the first four, one with
// batches, one of which b has more than a, and one empty y by N and by M each; one of `a`
// 1-D beside batches of b, and the other way round, where it can be; one of those behind
// the first four beside two vectors of scales, and a column without any.
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
void FillMatMulShapes(MatMulQuestion& question);
// For integer operands and an integer y.
void FillMatMulExactTies(MatMulQuestion& question);
// Sizes are told apart by the index: even ones are tall, odd ones wide.
inline constexpr int kMatMulLarge = 8;
void FillMatMulLarge(MatMulQuestion& question);
// Long sums of which each product counts: small ones, and scales that are powers of two,
// so that no FLOAT operation rounds and the bound of MM-02 is 0. Where an operand is a
// float8, one product outweighs all others instead, as the bounds of MM-10 grow with K.
// The index is that of the sizes.
inline constexpr int kMatMulTerms = 16;
void FillMatMulTerms(MatMulQuestion& question);
// Products that kernels cut into parts; the index is that of the sizes.
inline constexpr int kMatMulHuge = 4;
void FillMatMulHuge(MatMulQuestion& question);
// Of each four sizes, told apart by the index, two are matrices, one a row, one batches;
// index / kMatMulTiles chooses the values.
inline constexpr int kMatMulTiles = 12;
inline constexpr int kMatMulTileValues = 6;
void FillMatMulTiles(MatMulQuestion& question);
void FillMatMulRandom(MatMulQuestion& question);
// The same in sizes that the caller chooses.
void FillMatMulRandomOf(MatMulQuestion& question, MatMulSizes sizes);
// What a scale that is one value is: a vector of scales has all kinds in each content.
// The index is such a kind, and in the next digit which other scale is negative beside
// it.
enum class MatMulDegenerate : uint8_t {
  kYZero,
  kYInfinite,
  kYNan,
  kAZero,
  kBZero,
  kANan,
  kBNan,
  kAInfinite,
  kBInfinite,
  kASubnormal,  // y_scale too, and negative
  kBSubnormal,
};
inline constexpr int kMatMulDegenerates = 11;
void FillMatMulDegenerate(MatMulQuestion& question);
// Operands that are float8: NaN and infinite codes. Integers: as random. With the index
// come zero points of a and b (odd), or a y_zero_point that is NaN (2) or infinite (3).
inline constexpr int kMatMulYNan = 2;
inline constexpr int kMatMulYInfinite = 3;
void FillMatMulSpecials(MatMulQuestion& question);
// Integer operands: sums at the ends of INT32 and beyond. Others: as random.
void FillMatMulOverflow(MatMulQuestion& question);

Result<VectorForm> ParseMatMulVariant(const Cell& cell, std::string_view text);
std::string_view VariantText(VectorForm form);

std::vector<ContentName> MatMulContents(const Cell& cell, Level level);
// OperatorCases::clauses_asked.
const ClauseDecides& QLinearMatMulClausesAsked();

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_CASES_H_
