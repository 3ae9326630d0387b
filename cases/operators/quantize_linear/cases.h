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
// The index says which shape. A cell is asked the first FixedShapes, and some of the
// others up to ShapeCount.
int FixedShapes(const Cell& cell);
int ShapeCount(QuantizeLinearGranularity granularity);
// Per tensor a scalar, rank 5 and one element; a block longer than its axis, and blocks
// of 1.
inline constexpr int kScalar = 2;
inline constexpr int kRankFive = 5;
inline constexpr int kOneElement = 33;
inline constexpr int kOverlongBlock = 9;
inline constexpr int kBlocksOfOne = 7;
inline constexpr int kAxisOfOne = 7;  // per axis
int EmptyShape(QuantizeLinearGranularity granularity);
// Returns the index of the first shape of at least 64 elements, of which `remainder` are
// left after groups of four: of 6 bits, these do not fill three bytes.
// Precondition: 0 <= remainder < 4.
int ShapeThatLeaves(QuantizeLinearGranularity granularity, int64_t remainder);
// Shapes after those that cells take turns with: every cell is asked one of each group.
struct AlwaysShape {
  int first;  // its first index
  int count;
};
std::span<const AlwaysShape> AlwaysShapes(QuantizeLinearGranularity granularity);

// Index 2 i is the i-th long shape, 2 i + 1 the i-th of a high rank.
void FillLarge(QuantizeLinearQuestion& question);
int LargeShapes(QuantizeLinearGranularity granularity, bool high_rank);
inline constexpr int kUsualLargeShapes =
    4;  // the first long ones are as models have them
// Tensors that kernels cut into parts; the index is that of the shape.
void FillHuge(QuantizeLinearQuestion& question);
int HugeShapeCount(QuantizeLinearGranularity granularity);
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
