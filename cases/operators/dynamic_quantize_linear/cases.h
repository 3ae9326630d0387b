// DynamicQuantizeLinear's generators and lists.
#ifndef QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_CASES_H_
#define QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_CASES_H_

#include <cstdint>
#include <vector>

#include "cases/core/content.h"
#include "cases/core/operator_cases.h"
#include "cases/operators/dynamic_quantize_linear/question.h"

namespace qconform::generators {

struct DynamicQuantizeGenerator {
  GeneratorInfo info;
  void (*fill)(DynamicQuantizeQuestion&);
};

// --- scale and zero point (ranges.cc) ---
// The index goes through kWrongScales.
void FillDynamicScales(DynamicQuantizeQuestion& question);
// The index goes through kWrongZeroPoints.
void FillDynamicZeroPoints(DynamicQuantizeQuestion& question);
// The index goes through zero points that end in 1/2; the first are at both ends and next
// to the middle.
inline constexpr int kZeroPointTies = 255;
void FillZeroPointTies(DynamicQuantizeQuestion& question);
void FillOneSided(DynamicQuantizeQuestion& question);
inline constexpr int kOneSided = 12;

// --- values (values.cc) ---
// The index goes through zero points.
inline constexpr int kTieZeroPoints = 256;
void FillDynamicTies(DynamicQuantizeQuestion& question);
void FillDynamicQuotients(DynamicQuantizeQuestion& question);
void FillDynamicRandom(DynamicQuantizeQuestion& question);

// --- shapes (shapes.cc) ---
// Lengths 1 to 64 three times at the first places, then longer ones.
int DynamicLengthCount();
void FillDynamicLengths(DynamicQuantizeQuestion& question);
// Each lane of a loop over 128 elements has the highest value once, and the lowest.
inline constexpr int kEndPlaces = 128;
void FillEndPlaces(DynamicQuantizeQuestion& question);
int DynamicShapeCount();
void FillDynamicShapes(DynamicQuantizeQuestion& question);
// 1 to kMostCoveredLength elements in ranks 1 to kCoveredRanks: the rank counts the
// rounds of the lengths.
inline constexpr int kMostCoveredLength = 64;
inline constexpr int kCoveredRanks = 5;
void FillDynamicSizes(DynamicQuantizeQuestion& question);
inline constexpr int kDynamicLarge = 4;
void FillDynamicLarge(DynamicQuantizeQuestion& question);
void FillDynamicHuge(DynamicQuantizeQuestion& question);

// --- other tiers (tiers.cc) ---
inline constexpr int kDynamicConstant = 16;
void FillDynamicConstant(DynamicQuantizeQuestion& question);
inline constexpr int kDynamicSubnormal = 18;
void FillDynamicSubnormal(DynamicQuantizeQuestion& question);
inline constexpr int kDynamicRangeEnds = 12;
void FillDynamicRangeEnds(DynamicQuantizeQuestion& question);
inline constexpr int kDynamicSpecials = 32;
void FillDynamicSpecials(DynamicQuantizeQuestion& question);

std::vector<ContentName> DynamicQuantizeContents(const Cell& cell, Level level);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_CASES_H_
