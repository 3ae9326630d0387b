// DequantizeLinear's generators and lists.
#ifndef QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_CASES_H_
#define QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_CASES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "cases/core/content.h"
#include "cases/core/operator_cases.h"
#include "cases/operators/dequantize_linear/question.h"
#include "cases/quantization/shapes.h"

namespace qconform::generators {

// A generator fills in layout, channels and x of a question.
struct DequantizeLinearGenerator {
  GeneratorInfo info;
  void (*fill)(DequantizeLinearQuestion&);
  bool finish_tail = false;  // FinishTail comes after it
  // DirectedLayout's tail of each index, before the cell's turn is added.
  std::array<int, 6> tails{};
};

// The generators, one or more to a file.
void FillProducts(DequantizeLinearQuestion& question);
void FillTies(DequantizeLinearQuestion& question);
void FillCodes(DequantizeLinearQuestion& question);
// The number of contents of `codes` that have all codes of the cell's x together: those
// of 16 bits are shared among the cells of a since_version.
int PartsOfCodes(DataType x);
// Which part a cell begins with.
int FirstPartOfCodes(const Cell& cell);
void FillDifferences(DequantizeLinearQuestion& question);
void FillZeroPoints(DequantizeLinearQuestion& question);
// How many zero points a float x has that are not 0 (DQ-07, DQ-08).
int FloatZeroPointCount(DataType x);
void FillSubnormal(DequantizeLinearQuestion& question);
void FillRangeEnds(DequantizeLinearQuestion& question);
void FillConversionRange(DequantizeLinearQuestion& question);
void FillDegenerate(DequantizeLinearQuestion& question);
// How many degenerate scales a type has.
int DegenerateScaleCount(DataType scale);
void FillRandomBits(DequantizeLinearQuestion& question);
// The index says which shape (cases/quantization/shapes.h).
void FillShapes(DequantizeLinearQuestion& question);
// The index is that of CoveredLayout.
void FillSizes(DequantizeLinearQuestion& question);
// Index 2 i is the i-th long shape, 2 i + 1 the i-th of a high rank.
void FillLarge(DequantizeLinearQuestion& question);
// Tensors that kernels cut into parts; the index is that of the shape.
void FillHuge(DequantizeLinearQuestion& question);

// Returns an x whose product is likely to be rounded: next to a tie, or with many bits.
uint64_t DirectedX(DequantizeLinearQuestion& question,
                   const DequantizeLinearChannel& channel);
// Replaces the last few x by such whose products are rounded, or are not zero where none
// is rounded, so that a tail on another path shows.
void FinishTail(DequantizeLinearQuestion& question);
// Returns a scale with which many products are ties of y, or of about 2^exponent with all
// bits in use where no product is one.
uint64_t ScaleOfTies(DequantizeLinearQuestion& question, uint64_t zero_point_code);

// Returns the contents that a cell is asked at a level, in the order of its list.
std::vector<ContentName> DequantizeLinearContents(const Cell& cell, Level level);

// OperatorCases::example: UINT8 to FLOAT, per tensor.
FedModel DequantizeLinearExample(int64_t elements, bool with_constants);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_CASES_H_
