// QuantizeLinear's generators, lists and negative models.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_CASES_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_CASES_H_

#include <array>
#include <span>
#include <string>
#include <vector>

#include "cases/core/content.h"
#include "cases/core/operator_cases.h"
#include "cases/operators/quantize_linear/question.h"
#include "cases/quantization/shapes.h"

namespace qconform::generators {

// A generator fills in layout, channels and x of a question.
struct QuantizeLinearGenerator {
  GeneratorInfo info;
  void (*fill)(QuantizeLinearQuestion&);
  bool finish_tail = false;  // FinishTail comes after it
  // DirectedLayout's tail of each index, before the cell's turn is added.
  std::array<int, 6> tails{};
};

// The generators, one or more to a file.
void FillTies(QuantizeLinearQuestion& question);
void FillQuotient(QuantizeLinearQuestion& question);
// Cells of FLOAT16 and 16-bit integers.
bool HasNearTies(const Cell& cell);
void FillNearTies(QuantizeLinearQuestion& question);
void FillSaturation(QuantizeLinearQuestion& question);
void FillZeroPoints(QuantizeLinearQuestion& question);
void FillSpecials(QuantizeLinearQuestion& question);
void FillSubnormal(QuantizeLinearQuestion& question);
void FillConversionRange(QuantizeLinearQuestion& question);
void FillDegenerate(QuantizeLinearQuestion& question);
void FillRandomScaled(QuantizeLinearQuestion& question);
void FillRandomBits(QuantizeLinearQuestion& question);
void FillNanNeighbours(QuantizeLinearQuestion& question);
void FillShapes(QuantizeLinearQuestion& question);
// A cell is asked the first FixedShapes, and some of the others up to ShapeCount.
int FixedShapes(const Cell& cell);
// The index is that of CoveredLayout.
void FillSizes(QuantizeLinearQuestion& question);
// Index 2 i is the i-th long shape, 2 i + 1 the i-th of a high rank.
void FillLarge(QuantizeLinearQuestion& question);
// Tensors that kernels cut into parts; the index is that of the shape.
void FillHuge(QuantizeLinearQuestion& question);
// Of even and odd channels and indices in turn.
void FillRangeEnds(QuantizeLinearQuestion& question);

// Replaces the last few x by ties and by x that a reciprocal gets wrong, so that a tail
// on another path shows. With vectors of two, only one element is tail.
void FinishTail(QuantizeLinearQuestion& question);

// Whether converting x or y_scale can leave the range of P: the tier
// conversion_range exists.
bool HasConversionRange(const QuantizeLinearQuestion& question);

// Returns the contents that a cell is asked at a level, in the order of its list.
std::vector<ContentName> QuantizeLinearContents(const Cell& cell, Level level);

// OperatorCases::example: FLOAT to UINT8, per tensor.
FedModel QuantizeLinearExample(int64_t elements, bool with_constants);

// Returns node and operands of a question that is filled in.
Content ToContent(const QuantizeLinearQuestion& question);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_CASES_H_
