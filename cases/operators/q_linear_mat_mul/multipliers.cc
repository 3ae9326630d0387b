// Sums by which a kernel that multiplies by 1 / y_scale, or that converts C to FLOAT
// toward zero, leaves every reading of MM-02 and the bound of float_matmul.
#include <algorithm>
#include <array>
#include <vector>

#include "cases/operators/q_linear_mat_mul/cases.h"
#include "cases/operators/q_linear_mat_mul/values.h"

namespace qconform::generators {
namespace {

using Family = ScaleFamily;
using Way = WrongRequantization;

// Those that are readings of MM-02 with FLOAT scales.
constexpr std::array kReadings{Way::kMultiplierAbFirst, Way::kMultiplierByFirst,
                               Way::kMultiplierAyFirst, Way::kDequantizeQuantize,
                               Way::kCombined,          Way::kDoubleProduct,
                               Way::kDoubleChain};
constexpr int64_t kRows = 3;
constexpr int64_t kColumns = 37;

// Sums have one sign, and y has all of its range on that side.
int64_t FitSign(MatMulQuestion& question, const DirectedSums& sums) {
  const int64_t sign = sums.can_be_positive() ? 1 : -1;
  question.y_zero_point =
      static_cast<uint8_t>(IntegerCode(question.y, sign > 0 ? -128 : 255));
  return sign;
}

void SetAll(std::vector<uint64_t>& scales) {
  for (uint64_t& scale : scales) scale = scales.front();
}

// a_scale and b_scale are powers of two, so that the bound of float_matmul is one
// rounding of the quotient. y_scale is one unit beside 2 n a_scale b_scale: the sum j n,
// j odd, comes to j / 2 but for more than this rounding. FLOAT's 1 / y_scale, by which
// the readings with a multiplier multiply, errs by nearly as much toward the tie.
void FillDivisions(MatMulQuestion& question) {
  DirectedSums sums(question, kRows, kColumns, 3,
                    static_cast<uint32_t>(question.index) / 2);
  const int64_t sign = FitSign(question, sums);
  question.SetScales(Family::kPowerOfTwo, Family::kPowerOfTwo, Family::kPowerOfTwo,
                     sums.sum_exponent(), 8);
  SetAll(question.a_scales);
  SetAll(question.b_scales);
  const RequantizationScales scales = question.ScalesOf(0, 0);
  const int unit = scales.a.exponent + TopBit(scales.a.significand) + scales.b.exponent +
                   TopBit(scales.b.significand);
  const bool above = question.index % 2 == 0;
  // Of the factors n just below a power of two, the one that shows in most sums.
  constexpr int64_t kFirst = 113, kEnd = 127, kLastSum = 509;
  std::vector<int64_t> best;
  uint64_t best_scale = question.y_scale;
  for (int64_t n = kFirst; n < kEnd; ++n) {
    const uint64_t even = RoundNearest(question.scale, ToUnrounded(Dyadic(n, unit + 1)));
    question.y_scale = above ? even + 1 : even - 1;
    const RequantizationScales tried = question.ScalesOf(0, 0);
    std::vector<int64_t> telling;
    for (int64_t j = 1; j <= kLastSum; j += 2) {
      const Int128 sum = sign * j * n;
      if (ExactCode(question.requantization(), tried, sum) !=
          WrongCode(question.requantization(), tried, sum, Way::kMultiplierAbFirst)) {
        telling.push_back(sign * j * n);
      }
    }
    if (telling.size() <= best.size()) continue;
    best = std::move(telling);
    best_scale = question.y_scale;
  }
  question.y_scale = best_scale;
  size_t next = 0;
  sums.ForEach([&](int64_t row, int64_t column, int64_t m, const auto&) {
    const bool tells = !best.empty() && (row + column) % 4 != 3;
    const int64_t wanted =
        tells ? best[next++ % best.size()] : sign * question.rng.Between(0, 50'000);
    sums.Choose(row, column, wanted, m);
  });
}

// Multiples of one sum that all come next to ties. Scales are drawn until the products
// with 1 / y_scale differ from each reading in some of them.
void FillReciprocals(MatMulQuestion& question) {
  constexpr int kDraws = 48;
  constexpr int64_t kLast = 255;
  DirectedSums sums(question, kRows, kColumns, 3, 0);
  const int64_t sign = FitSign(question, sums);
  std::vector<uint64_t> best_scales;
  std::array<std::vector<int64_t>, kReadings.size()> best;
  size_t best_least = 0;
  for (int draw = 0; draw < kDraws && best_least < 3; ++draw) {
    question.SetScales(Family::kFull, Family::kFull, Family::kFull, sums.sum_exponent(),
                       8);
    SetAll(question.a_scales);
    const int64_t n = question.rng.Between(65, 127);
    const RequantizationScales first = question.ScalesOf(0, 0);
    const ExactValue half = Dyadic(1, -1);
    // Of about the size for which n comes to a half.
    question.y_scale = RoundNearest(
        question.scale, Multiply(Dyadic(2 * n, 0), ToExact(Multiply(first.a, first.b))));
    question.b_scales.front() =
        AimedScale(question.requantization(), question.b_scales.front(), first.a,
                   question.ScalesOf(0, 0).y, half, n);
    SetAll(question.b_scales);
    const RequantizationScales scales = question.ScalesOf(0, 0);
    std::array<std::vector<int64_t>, kReadings.size()> telling;
    for (int64_t j = 1; j <= kLast; j += 2) {
      const Int128 sum = sign * j * n;
      const uint64_t code =
          WrongCode(question.requantization(), scales, sum, Way::kReciprocal);
      for (size_t r = 0; r < kReadings.size(); ++r) {
        if (code != WrongCode(question.requantization(), scales, sum, kReadings[r])) {
          telling[r].push_back(sign * j * n);
        }
      }
    }
    size_t least = telling[0].size();
    for (const auto& of_reading : telling) least = std::min(least, of_reading.size());
    if (draw > 0 && least <= best_least) continue;
    best_least = least;
    best = telling;
    best_scales = {question.a_scales.front(), question.b_scales.front(),
                   question.y_scale};
  }
  question.a_scales.assign(question.a_scales.size(), best_scales[0]);
  question.b_scales.assign(question.b_scales.size(), best_scales[1]);
  question.y_scale = best_scales[2];
  size_t turn = 0;
  sums.ForEach([&](int64_t row, int64_t column, int64_t m, const auto&) {
    const std::vector<int64_t>& telling = best[turn % kReadings.size()];
    const size_t place = turn++ / kReadings.size();
    const int64_t wanted = telling.empty() ? sign * question.rng.Between(0, 30'000)
                                           : telling[place % telling.size()];
    sums.Choose(row, column, wanted, m);
  });
}

// Sums beyond 2^24 that FLOAT rounds up in magnitude, across a tie of v.
void FillTruncatedSums(MatMulQuestion& question) {
  constexpr int64_t kSegment = 520;
  constexpr int64_t kRowsOfSums = 2;
  constexpr int64_t kColumnsOfSums = 24;
  constexpr int64_t kHeld = int64_t{1} << 24;  // FLOAT holds all integers up to it
  constexpr int kResult = 100;                 // that kHeld comes to
  // a's zero point lies at its low end and b's at its high one: sums are negative, and as
  // large as can be.
  // Two rows: one alone may be computed as a product with a vector, by another reading.
  DirectedSums sums(question, kRowsOfSums, kColumnsOfSums, kSegment, 1);
  for (uint8_t& zero_point : question.b_zero_points) {
    zero_point = static_cast<uint8_t>(IntegerCode(FormatOf(question.cell.types[2]), 255));
  }
  question.y_zero_point = static_cast<uint8_t>(IntegerCode(question.y, 255));
  question.SetScales(Family::kPowerOfTwo, Family::kPowerOfTwo, Family::kFull, 24, 7);
  SetAll(question.a_scales);
  SetAll(question.b_scales);
  const RequantizationScales scales = question.ScalesOf(0, 0);
  const ExactValue product = ToExact(Multiply(scales.a, scales.b));
  const int64_t aimed = kHeld / kResult + question.rng.Between(1, 999);
  question.y_scale =
      RoundNearest(question.scale, Multiply(Dyadic(2 * aimed + 1, -1), product));
  const RequantizationScales all = question.ScalesOf(0, 0);
  std::vector<int64_t> telling;
  for (int64_t k = kResult + 1; k < 2 * kResult - 8; ++k) {
    const ExactValue tie = Dyadic(-(2 * k + 1), -1);
    const Int128 near = -SumFor(question.requantization(), all, tie);
    for (int64_t lower = static_cast<int64_t>(near) / 4 * 4 - 6;
         lower <= static_cast<int64_t>(near) + 4; lower += 2) {
      const int64_t sum = -(lower + 1);  // FLOAT has only its even neighbours
      const uint64_t truncated =
          WrongCode(question.requantization(), all, -lower, Way::kMultiplierAbFirst);
      const bool tells = std::ranges::all_of(kReadings, [&](Way way) {
        return WrongCode(question.requantization(), all, sum, way) != truncated;
      });
      if (tells) telling.push_back(sum);
    }
  }
  for (int64_t row = 0; row < kRowsOfSums; ++row) {
    for (int64_t column = 0; column < kColumnsOfSums; ++column) {
      const auto place = static_cast<size_t>(column + row);
      const int64_t wanted = telling.empty() ? -kHeld - question.rng.Between(0, kHeld / 2)
                                             : telling[place * 7 % telling.size()];
      sums.Choose(row, column, wanted);
    }
  }
}

}  // namespace

void FillMatMulMultipliers(MatMulQuestion& question) {
  switch (question.index % kMatMulMultipliers) {
    case 0:
    case 1:
      return FillDivisions(question);
    case 2:
      return FillReciprocals(question);
    default:
      return FillTruncatedSums(question);
  }
}

}  // namespace qconform::generators
