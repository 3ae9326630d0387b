// QLinearMatMul's share of cases/generators/case.h. Its variants are the ways to
// write per-tensor parameters and vectors: "vectors=short" ([], [M], [N]) and
// "vectors=full" ([1], [..., M, 1], [..., 1, N]).
#ifndef QCONFORM_CASES_GENERATORS_MAT_MUL_CASES_H_
#define QCONFORM_CASES_GENERATORS_MAT_MUL_CASES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/generators/case.h"
#include "cases/generators/content.h"
#include "cases/generators/mat_mul_question.h"

namespace qconform::generators {

struct MatMulGenerator {
  GeneratorInfo info;
  void (*fill)(MatMulQuestion&);
};
std::span<const MatMulGenerator> MatMulGenerators();

void FillMatMulBoundaries(MatMulQuestion& question);
void FillMatMulReadings(MatMulQuestion& question);
// For FLOAT scales, integer operands and an integer y.
void FillMatMulNearestTies(MatMulQuestion& question);
void FillMatMulSaturation(MatMulQuestion& question);
void FillMatMulExtremes(MatMulQuestion& question);
void FillMatMulZeroPoints(MatMulQuestion& question);
// Shapes are told apart by the index. Every cell is asked the first four, one of those
// behind them, and one with batches.
inline constexpr int kFirstBatches = 27;
inline constexpr int kMatMulBatches = 10;
void FillMatMulShapes(MatMulQuestion& question);
// For integer operands and an integer y.
void FillMatMulExactTies(MatMulQuestion& question);
// Sizes are told apart by the index: even ones are tall, odd ones wide.
inline constexpr int kMatMulLarge = 8;
void FillMatMulLarge(MatMulQuestion& question);
// Products that kernels cut into parts; the index is that of the sizes.
inline constexpr int kMatMulHuge = 4;
void FillMatMulHuge(MatMulQuestion& question);
// Of each four sizes, told apart by the index, two are matrices, one a row, one batches;
// index / kMatMulTiles chooses the values.
inline constexpr int kMatMulTiles = 12;
inline constexpr int kMatMulTileValues = 6;
void FillMatMulTiles(MatMulQuestion& question);
void FillMatMulRandom(MatMulQuestion& question);
void FillMatMulDegenerate(MatMulQuestion& question);
// Operands that are float8: NaN and infinite codes. Integers: as random.
void FillMatMulSpecials(MatMulQuestion& question);
// Integer operands: sums at the ends of INT32 and beyond. Others: as random.
void FillMatMulOverflow(MatMulQuestion& question);

Result<VectorForm> ParseMatMulVariant(const Cell& cell, std::string_view text);
std::string_view VariantText(VectorForm form);

std::vector<ContentName> MatMulContents(const Cell& cell, Level level);
Result<Content> MakeMatMulContent(const CaseKey& key, uint64_t seed);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_GENERATORS_MAT_MUL_CASES_H_
