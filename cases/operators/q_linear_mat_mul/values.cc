#include "cases/operators/q_linear_mat_mul/values.h"

#include <algorithm>
#include <cassert>

namespace qconform::generators {
namespace {

// Returns wanted / digit, rounded so that the remainder can still be reached: a range of
// one sign reaches only remainders of that sign.
int64_t Quotient(Int128 wanted, int64_t digit, int64_t low, int64_t high) {
  constexpr Int128 kFar = Int128{1} << 60;
  wanted = std::clamp(wanted, -kFar, kFar);
  const auto n = static_cast<int64_t>(wanted);
  int64_t quotient = n / digit;
  const int64_t rest = n % digit;
  if (rest == 0) return quotient;
  const int away = (rest < 0) == (digit < 0) ? 1 : -1;
  if (low < 0 && high > 0) {
    const int64_t magnitude = rest < 0 ? -rest : rest;
    if (2 * magnitude > (digit < 0 ? -digit : digit)) quotient += away;
  }
  return quotient;  // toward zero otherwise
}

}  // namespace

DirectedSums::DirectedSums(MatMulQuestion& question, int64_t rows, int64_t columns,
                           int64_t segment, uint32_t zero_points, int64_t batch)
    : question_(question), segment_(segment) {
  MatMulSizes sizes;
  sizes.rows = rows;
  sizes.columns = columns;
  sizes.k = rows * segment;
  if (batch > 1) {
    assert(question.form == VectorForm::kFull || !question.per_column());
    sizes.b_batch = {batch};
  }
  question.SetSizes(sizes);
  question.SetZeroPoints(zero_points);

  const OperandValues& values = question.a_values;
  for (int64_t row = 0; row < rows; ++row) {
    const uint8_t zero_code =
        question.a_zero_points[static_cast<size_t>(question.layout.a_channel(0, row))];
    const int64_t zero = values[zero_code];
    for (int64_t k = 0; k < sizes.k; ++k)
      question.a[question.AIndex(0, row, k)] = zero_code;
    // The reach of A on its longer side. Floats: what a sum of few products of
    // them can be hit with is relative, so moderate digits serve best.
    const bool up = values.highest() - zero >= zero - values.lowest();
    int64_t most = up ? values.highest() - zero : values.lowest() - zero;
    int64_t one = up ? 1 : -1;
    if (!question.a_is_integer()) {
      one = int64_t{1} << -values.unit();
      most = 8 * one;
    }
    const int64_t middle = question.a_is_integer() ? (up ? 11 : -11) : 3 * one / 2;
    for (int64_t digit = 0; digit < segment; ++digit) {
      const int64_t wanted = digit == segment - 1   ? one
                             : digit == segment - 2 ? middle
                                                    : most;
      question.a[question.AIndex(0, row, row * segment + digit)] =
          values.Nearest(wanted + zero);
    }
    // What the column can add to it; with scales per column, that of the first.
    const int64_t b_zero = question.b_values[question.b_zero_points[0]];
    const int64_t low = question.b_values.lowest() - b_zero;
    const int64_t high = question.b_values.highest() - b_zero;
    positive_ = positive_ || (up ? high > 0 : low < 0);
    negative_ = negative_ || (up ? low < 0 : high > 0);
    const Int128 reach = static_cast<Int128>(std::max(high, -low)) *
                         (most < 0 ? -most : most) * (segment - 2);
    sum_exponent_ =
        std::max(sum_exponent_, TopBit(static_cast<Uint128>(std::max<Int128>(reach, 1))) +
                                    question.sum_unit());
  }
}

Int128 DirectedSums::Choose(int64_t row, int64_t column, Int128 wanted,
                            int64_t b_matrix) {
  const OperandValues& values = question_.b_values;
  const uint8_t zero_code = question_.b_zero_points[static_cast<size_t>(
      question_.layout.b_channel(b_matrix, column))];
  const int64_t zero = values[zero_code];
  const int64_t low = values.lowest() - zero;
  const int64_t high = values.highest() - zero;
  Int128 sum = 0;
  for (int64_t digit = 0; digit < segment_; ++digit) {
    const int64_t k = row * segment_ + digit;
    const int64_t weight = question_.AValue(0, row, k);
    const int64_t quotient = weight == 0 ? 0 : Quotient(wanted - sum, weight, low, high);
    const uint8_t code = values.Nearest(std::clamp(quotient, low, high) + zero);
    question_.b[question_.BIndex(b_matrix, k, column)] = code;
    sum += static_cast<Int128>(weight) * (values[code] - zero);
  }
  return sum;
}

}  // namespace qconform::generators
