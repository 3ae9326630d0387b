// QLinearConv's generators, beside those that convolutions have in common.
#ifndef QCONFORM_CASES_OPERATORS_Q_LINEAR_CONV_GENERATORS_H_
#define QCONFORM_CASES_OPERATORS_Q_LINEAR_CONV_GENERATORS_H_

#include <span>
#include <string_view>

#include "cases/core/operator_cases.h"
#include "cases/operators/q_linear_conv/question.h"

namespace qconform::generators {

struct QLinearConvGenerator {
  GeneratorInfo info;
  void (*fill)(QLinearConvQuestion&);
  int count = 0;  // how many indices a cell is asked at level standard
};

// Sums at and next to the points where requantization changes its mind.
void FillQLinearConvBoundaries(QLinearConvQuestion& question);
void FillQLinearConvReadings(QLinearConvQuestion& question);
void FillQLinearConvTies(QLinearConvQuestion& question);
void FillQLinearConvSaturation(QLinearConvQuestion& question);
// What B does: at the ends of INT32 against sums of the other sign, cancelling the sum,
// beyond 2^24, alone, and as ordinary models have it.
inline constexpr int kQLinearConvBiases = 6;
void FillQLinearConvBias(QLinearConvQuestion& question);
// The index says which scale, and of which kind it is.
inline constexpr int kQLinearConvDegenerates = 18;
void FillQLinearConvDegenerate(QLinearConvQuestion& question);
// Sums, and sums with B, at the ends of INT32 and beyond.
void FillQLinearConvOverflow(QLinearConvQuestion& question);
// Scales, bias and y_zero_point for x and w that a common generator filled in.
void FinishQLinearConv(QLinearConvQuestion& question, std::string_view generator);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_Q_LINEAR_CONV_GENERATORS_H_
