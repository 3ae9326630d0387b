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
#include "cases/matmul/sizes.h"
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
// The index is that of ListedMatMulSizes.
void FillMatMulShapes(MatMulQuestion& question);
// The index is that of CoveredMatMulSizes.
void FillMatMulSizes(MatMulQuestion& question);
// For integer operands and an integer y.
void FillMatMulExactTies(MatMulQuestion& question);
// For FLOAT scales, integer operands and an integer y: by index, sums by which a division
// by y_scale, a product with 1 / y_scale, and a C that is truncated to FLOAT leave the
// readings of MM-02.
inline constexpr int kMatMulMultipliers = 4;
void FillMatMulMultipliers(MatMulQuestion& question);
// The index says which size: even ones are tall, odd ones wide.
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
// The index says which size: of each four, two are matrices, one is a row, one has
// batches. index / kMatMulTiles chooses the values.
inline constexpr int kMatMulTiles = 12;
inline constexpr int kMatMulTileValues = 6;
void FillMatMulTiles(MatMulQuestion& question);
void FillMatMulRandom(MatMulQuestion& question);
// The same in sizes that the caller chooses.
void FillMatMulRandomOf(MatMulQuestion& question, MatMulSizes sizes);
// Kinds of a scale that is one value; a vector of scales has all kinds in each content.
// The index is such a kind; its next digit says which of the other scales is negative.
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
}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_CASES_H_
