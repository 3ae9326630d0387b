// Results so near to a tie that arithmetic in DOUBLE takes them for one.
#include "cases/requantization/nearest_ties.h"

#include "cases/operators/q_linear_mat_mul/cases.h"
#include "cases/operators/q_linear_mat_mul/values.h"

namespace qconform::generators {

void FillMatMulNearestTies(MatMulQuestion& question) {
  constexpr int64_t kTieRows = 3;
  constexpr int64_t kTieColumns = 23;
  constexpr int kScale = -30;  // a_scale and b_scale lie in [2^-7, 2^-6)
  // Zero points of 0: sums can have either sign, or are positive.
  DirectedSums sums(question, kTieRows, kTieColumns, 17, 0);
  question.y_zero_point = static_cast<uint8_t>(IntegerCode(question.y, -128));
  const NearestTie& tie = question.rng.Pick(NearestTies());
  const auto code = [&](int64_t significand, int exponent) {
    return RoundNearest(question.scale, ToUnrounded(Dyadic(significand, exponent)));
  };
  for (uint64_t& scale : question.a_scales) scale = code(tie.a, kScale);
  for (uint64_t& scale : question.b_scales) scale = code(tie.b, kScale);
  question.y_scale = code(tie.y, 2 * kScale + kNearestTieBits + 1);
  for (int64_t row = 0; row < kTieRows; ++row) {
    for (int64_t column = 0; column < kTieColumns; ++column) {
      // Neighbours, so that not all are the same.
      const int64_t next = column % 3 == 0 ? 0 : question.rng.Between(-9, 9);
      sums.Choose(row, column, tie.sum + next);
    }
  }
}

}  // namespace qconform::generators
