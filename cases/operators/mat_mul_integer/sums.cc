// Sums that narrow accumulators do not hold: beyond 2^24, at the ends of INT32, and
// beyond.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "cases/operators/mat_mul_integer/cases.h"

namespace qconform::generators {
namespace {

constexpr int64_t kInt32Max = 2'147'483'647;
constexpr int64_t kReach = 255;  // of differences from a zero point at an end

// Sets zero points that are there so that A reaches 255, and B 255 or -255.
void SetZeroPointsAtEnds(MatMulIntegerQuestion& question, bool negative) {
  const ByteType& a = question.a_type;
  const ByteType& b = question.b_type;
  std::ranges::fill(question.a_zero_points, a.CodeOf(a.low()));
  std::ranges::fill(question.b_zero_points, b.CodeOf(negative ? b.high() : b.low()));
}

// Chooses a column of B so that its product with the first row of A is `wanted`. The row
// has differences of 255, then 11, then 1.
void ChooseColumn(MatMulIntegerQuestion& question, int64_t column, int64_t wanted) {
  const int64_t terms = question.layout.sizes.k;
  const int64_t sign = wanted < 0 ? -1 : 1;
  int64_t rest = wanted * sign;
  for (int64_t k = 0; k < terms; ++k) {
    const int64_t weight = k == terms - 1 ? 1 : k == terms - 2 ? 11 : kReach;
    const int64_t digit = std::min(rest / weight, kReach);
    question.SetB(0, k, column, sign * digit);
    rest -= digit * weight;
  }
}

}  // namespace

void FillIntegerWideSums(MatMulIntegerQuestion& question) {
  constexpr int64_t kLengths[kIntegerWideSums] = {2'051, 1'031, 4'099, 515, 2'053, 1'029};
  const auto index = static_cast<size_t>(question.index % kIntegerWideSums);
  const bool negative = question.index % 2 == 1;
  question.SetSizes({{}, {}, 4, kLengths[index], 5});
  if (question.variant.has_a() && question.variant.has_b()) {
    SetZeroPointsAtEnds(question, negative);
  }
  // Far from the zero points, or at one end if there are none.
  const auto far = [&](const ByteType& type, uint8_t zero_point, bool up) {
    const int zero = type.ValueOf(zero_point);
    const bool above = zero == type.low() || (zero != type.high() && up);
    const int64_t near = question.rng.Below(24);
    return type.CodeOf(above ? type.high() - near : type.low() + near);
  };
  const MatMulSizes& sizes = question.layout.sizes;
  for (int64_t row = 0; row < sizes.rows; ++row) {
    for (int64_t k = 0; k < sizes.k; ++k) {
      question.a[question.AIndex(0, row, k)] =
          far(question.a_type, question.AZeroPoint(0, row), true);
    }
  }
  for (int64_t k = 0; k < sizes.k; ++k) {
    for (int64_t column = 0; column < sizes.columns; ++column) {
      question.b[question.BIndex(0, k, column)] =
          far(question.b_type, question.BZeroPoint(0, column), !negative);
    }
  }
}

void FillIntegerOverflow(MatMulIntegerQuestion& question) {
  constexpr int64_t kLength = 33'030;
  constexpr std::array<int64_t, 6> kSums{kInt32Max,           kInt32Max - 1,
                                         kInt32Max - 65'026,  kInt32Max + 1,
                                         kInt32Max + 100'000, 1 << 30};
  const bool negative = question.index % 2 == 1;
  question.SetSizes({{}, {}, 2, kLength, static_cast<int64_t>(kSums.size())});
  SetZeroPointsAtEnds(question, negative);
  for (int64_t k = 0; k < kLength; ++k) {
    const int64_t weight = k == kLength - 1 ? 1 : k == kLength - 2 ? 11 : kReach;
    question.SetA(0, 0, k, weight);
    // Another row near the end of the range.
    question.SetA(0, 1, k, k == kLength / 2 ? 0 : weight);
  }
  for (size_t i = 0; i < kSums.size(); ++i) {
    // The ends of INT32 are 2^31 - 1 and -2^31.
    const int64_t sum = negative ? -kSums[i] - 1 : kSums[i];
    ChooseColumn(question, static_cast<int64_t>(i), sum);
  }
}

// Index 0: the first half of a sum leaves INT32, the second one brings it back. Index 1:
// codes are as large as can be, and the zero points next to them, so that the sum of
// products of codes leaves INT32, and what is subtracted from it brings it back.
void FillIntegerPartialSums(MatMulIntegerQuestion& question) {
  CounterRng& rng = question.rng;
  if (question.index % kIntegerPartialSums == 1) {
    constexpr int64_t kLength = 136'200;  // of 126 * 126 as well
    question.SetSizes({{}, {}, 1, kLength, 2});
    const auto near_high = [&](const ByteType& type, std::vector<uint8_t>& zero_points) {
      for (uint8_t& code : zero_points) {
        code = type.CodeOf(type.high() - rng.Between(0, 2));
      }
    };
    near_high(question.a_type, question.a_zero_points);
    near_high(question.b_type, question.b_zero_points);
    for (uint8_t& code : question.a) {
      code = question.a_type.CodeOf(question.a_type.high() - rng.Below(2));
    }
    for (uint8_t& code : question.b) {
      code = question.b_type.CodeOf(question.b_type.high() - rng.Below(2));
    }
    return;
  }
  constexpr int64_t kHalf = 66'500;
  question.SetSizes({{}, {}, 1, 2 * kHalf, 3});
  const ByteType& a = question.a_type;
  const ByteType& b = question.b_type;
  std::ranges::fill(question.a_zero_points, a.CodeOf(a.low()));
  std::ranges::fill(question.b_zero_points, b.CodeOf(b.middle()));
  for (int64_t k = 0; k < 2 * kHalf; ++k) {
    question.SetA(0, 0, k, kReach - (rng.OneIn(64) ? 1 : 0));
    for (int64_t column = 0; column < 3; ++column) {
      const bool is_first = k < kHalf;
      const int64_t difference = is_first == (column == 1) ? -127 : 127;
      // The third comes back only a part of the way.
      const bool is_less = column == 2 && !is_first && k % 3 == 0;
      question.SetB(0, k, column, is_less ? 0 : difference);
    }
  }
}

}  // namespace qconform::generators
