// Sums of products at and next to the points where the result of requantization
// changes, and where two ways to requantize differ.
#include <algorithm>
#include <array>
#include <utility>

#include "cases/operators/q_linear_mat_mul/cases.h"
#include "cases/operators/q_linear_mat_mul/values.h"

namespace qconform::generators {
namespace {

using Family = ScaleFamily;

struct Families {
  Family a;
  Family b;
  Family y;
};

struct Size {
  int64_t rows;
  int64_t columns;
  int64_t segment;
  int64_t batch = 1;
};

// Rows and segments of an even and of an odd index. Their products, which are K, stay
// apart from those of other contents.
using Segments = std::array<std::pair<int64_t, int64_t>, 2>;
constexpr Segments kOfBoundaries{{{5, 13}, {3, 11}}};
constexpr Segments kOfReadings{{{3, 5}, {3, 21}}};
constexpr Segments kOfFewReadings{{{3, 5}, {3, 5}}};
constexpr Segments kOfSaturation{{{5, 5}, {1, 127}}};

// Answers of float8 operands carry bounds, and cost more: fewer of them.
Size DirectedSize(MatMulQuestion& question, const Segments& segments) {
  const bool integers = question.integer_operands();
  if (question.index % 3 == 2) {  // whole vectors and tiles, or an even remainder
    constexpr int64_t kRows[] = {4, 2, 6};
    constexpr int64_t kColumns[] = {32, 40, 24, 48, 28, 20, 36};
    constexpr int64_t kFewColumns[] = {16, 20, 24, 18};
    if (!integers) return {4, question.rng.Pick(kFewColumns), 8};
    const int64_t rows = question.rng.Pick(kRows);
    return {rows, question.rng.Pick(kColumns), 8};
  }
  const auto [rows, segment] = segments[static_cast<size_t>(question.index % 2)];
  constexpr int64_t kManyColumns[] = {31, 33, 32, 47};
  constexpr int64_t kFewColumns[] = {23, 17, 24, 31};
  const int64_t columns = question.rng.Pick(integers ? kManyColumns : kFewColumns);
  return {rows, rows == 1 ? 3 * columns : columns, segment};
}

// Where in y's range results are to lie: all of an integer's; one of three
// stretches of a float's.
int ResultExponent(const MatMulQuestion& question) {
  if (question.integer_y()) return 8;
  constexpr int kStretches = 3;
  const int top = LargestExponent(question.y) + 1;
  const int bottom = FloorLog2(question.y, SmallestPositive(question.y)) + 3;
  return top - (top - bottom) * (question.index % kStretches) / (kStretches - 1);
}

// Sums of one sign need a zero point at the other end of an integer y.
void FitZeroPoint(MatMulQuestion& question, const DirectedSums& sums) {
  if (!question.integer_y()) return;
  if (!sums.can_be_negative()) {
    question.y_zero_point = static_cast<uint8_t>(IntegerCode(question.y, -128));
  } else if (!sums.can_be_positive()) {
    question.y_zero_point = static_cast<uint8_t>(IntegerCode(question.y, 255));
  }
}

ExactValue AnyBoundary(MatMulQuestion& question) {
  const auto count = static_cast<uint32_t>(question.boundaries.count());
  return question.boundaries.At(question.rng.Below(count),
                                Prepared(question.y).decode(question.y_zero_point));
}

void FillBoundarySums(MatMulQuestion& question, const Size& size, int index) {
  constexpr std::array<Families, 4> kFamilies{{
      {Family::kPowerOfTwo, Family::kPowerOfTwo, Family::kFewBits},
      {Family::kFull, Family::kFull, Family::kFull},
      {Family::kPowerOfTwo, Family::kPowerOfTwo, Family::kPowerOfTwo},
      {Family::kFewBits, Family::kFewBits, Family::kPowerOfTwo},
  }};
  DirectedSums sums(question, size.rows, size.columns, size.segment,
                    static_cast<uint32_t>(index), size.batch);
  FitZeroPoint(question, sums);
  const Families& families = kFamilies[static_cast<size_t>(index) % kFamilies.size()];
  question.SetScales(families.a, families.b, families.y, sums.sum_exponent(),
                     ResultExponent(question));
  CounterRng& rng = question.rng;
  sums.ForEach(
      [&](int64_t row, int64_t column, int64_t m, const RequantizationScales& scales) {
        const Int128 wanted =
            SumFor(question.requantization(), scales, AnyBoundary(question));
        sums.Choose(row, column, wanted + rng.Between(-1, 1), m);
      });
}

void FillTieSums(MatMulQuestion& question, const Size& size, int index) {
  DirectedSums sums(question, size.rows, size.columns, size.segment,
                    static_cast<uint32_t>(index) + 2, size.batch);
  // Odd: added before a tie is rounded it changes which code is even.
  const int64_t zero_point = !sums.can_be_negative()   ? IntegerMin(question.y) + 1
                             : !sums.can_be_positive() ? IntegerMax(question.y)
                             : question.y.is_signed    ? -7
                                                       : 101;
  question.y_zero_point = static_cast<uint8_t>(IntegerCode(question.y, zero_point));
  question.SetScales(Family::kPowerOfTwo, Family::kPowerOfTwo, Family::kPowerOfTwo,
                     sums.sum_exponent(), ResultExponent(question));
  sums.ForEach(
      [&](int64_t row, int64_t column, int64_t m, const RequantizationScales& scales) {
        sums.Choose(row, column,
                    SumFor(question.requantization(), scales, AnyBoundary(question)), m);
      });
}

}  // namespace

void FillMatMulBoundaries(MatMulQuestion& question) {
  FillBoundarySums(question, DirectedSize(question, kOfBoundaries), question.index);
  // As models are fed one at a time.
  if (question.index % 2 == 1 && question.a_can_have_batch()) question.Regroup({1}, {});
}

void FillMatMulExactTies(MatMulQuestion& question) {
  FillTieSums(question, {4, 21, 5}, question.index);
}

void FillMatMulReadings(MatMulQuestion& question) {
  const bool in_double = question.cell.types[0] == DataType::kFloat &&
                         question.integer_operands() && question.integer_y();
  if (in_double && question.index % 3 == 2) return FillMatMulNearestTies(question);
  constexpr int kTries = 4;
  const Size size =
      DirectedSize(question, question.integer_operands() ? kOfReadings : kOfFewReadings);
  DirectedSums sums(question, size.rows, size.columns, size.segment,
                    static_cast<uint32_t>(question.index) + 1);
  FitZeroPoint(question, sums);
  question.SetScales(Family::kFull, Family::kFull, Family::kFull, sums.sum_exponent(),
                     ResultExponent(question));
  CounterRng& rng = question.rng;

  // A sum in reach and a boundary for each channel; per tensor one for all.
  const auto aim = [&](std::vector<uint64_t>& codes, size_t channel,
                       const ExactValue& other) {
    const RequantizationScales scales = question.ScalesOf(0, 0);
    const ExactValue target = AnyBoundary(question);
    if (target.value_class != ValueClass::kFinite) return;
    const Int128 near = SumFor(question.requantization(), scales, target);
    const auto sum = static_cast<int64_t>(near < 0 ? -near : near);
    if (sum > 0) {
      codes[channel] = AimedScale(question.requantization(), codes[channel], other,
                                  scales.y, target, sum);
    }
  };
  const Decoder& decode = Prepared(question.scale).decode;
  if (question.layout.per_column) {
    for (size_t c = 0; c < question.b_scales.size(); ++c) {
      aim(question.b_scales, c, decode(question.a_scales[0]));
    }
  } else {
    for (size_t c = 0; c < question.a_scales.size(); ++c) {
      aim(question.a_scales, c, decode(question.b_scales[0]));
    }
  }

  uint32_t turn = static_cast<uint32_t>(question.index);
  for (int64_t row = 0; row < size.rows; ++row) {
    for (int64_t column = 0; column < size.columns; ++column, ++turn) {
      const RequantizationScales scales = question.ScalesOf(
          question.layout.a_channel(0, row), question.layout.b_channel(0, column));
      const auto mistake = static_cast<WrongRequantization>(turn % kWrongRequantizations);
      for (int tries = 0; tries < kTries; ++tries) {
        const Int128 wanted =
            SumFor(question.requantization(), scales, AnyBoundary(question)) +
            rng.Between(-1, 1);
        const Int128 sum = sums.Choose(row, column, wanted);
        if (ExactCode(question.requantization(), scales, sum) !=
            WrongCode(question.requantization(), scales, sum, mistake)) {
          break;
        }
      }
    }
  }
  if (question.index % 2 == 1) question.RegroupByTurn(rng.Next32());
}

namespace {

void FillFarSums(MatMulQuestion& question, const Size& size, int index) {
  DirectedSums sums(question, size.rows, size.columns, size.segment,
                    static_cast<uint32_t>(index) + 2, size.batch);
  if (index % 2 == 0) FitZeroPoint(question, sums);
  // The largest sums lie 2^4 (2^24, with a small y_scale) beyond the range.
  const int beyond = index % 2 == 0 ? 4 : 24;
  const int range = question.integer_y() ? 8 : LargestExponent(question.y) + 1;
  question.SetScales(Family::kFull, Family::kFewBits, Family::kFull, sums.sum_exponent(),
                     range + beyond);
  CounterRng& rng = question.rng;
  const ExactValue zero_point = Prepared(question.y).decode(question.y_zero_point);
  sums.ForEach([&](int64_t row, int64_t column, int64_t m,
                   const RequantizationScales& scales) {
    const int64_t last = question.boundaries.count() - 1;
    const int64_t distance = rng.Below(6);
    ExactValue target =
        question.boundaries.At(rng.OneIn(2) ? last - distance : distance, zero_point);
    // Far beyond, where conversions to narrow integers wrap.
    if (rng.OneIn(2)) target.exponent += static_cast<int>(rng.Below(33));
    sums.Choose(row, column,
                SumFor(question.requantization(), scales, target) + rng.Between(-1, 1),
                m);
  });
}

}  // namespace

void FillMatMulSaturation(MatMulQuestion& question) {
  Size size = DirectedSize(question, kOfSaturation);
  // FLOAT16 scales make no large multiplier: only large sums go beyond 2^31.
  const bool narrow = question.cell.types[0] == DataType::kFloat16;
  if (narrow && question.integer_operands() && size.segment < 37) size = {3, 33, 37};
  FillFarSums(question, size, question.index);
  if (question.index % 2 == 1) question.RegroupByTurn(question.rng.Next32());
}

void FillMatMulTiles(MatMulQuestion& question) {
  // Segments of 560 have sums beyond what FLOAT holds.
  static constexpr Size kIntegers[kMatMulTiles] = {
      {8, 65, 9}, {8, 65, 17}, {1, 259, 70}, {9, 33, 8, 2},
      {8, 65, 9}, {33, 40, 3}, {1, 515, 65}, {3, 65, 23, 3},
      {8, 65, 9}, {8, 3, 560}, {1, 65, 560}, {17, 20, 4, 2}};
  static constexpr Size kFloats[kMatMulTiles] = {
      {8, 65, 9}, {8, 33, 17}, {1, 67, 65}, {8, 17, 8, 2},
      {8, 65, 9}, {17, 33, 3}, {1, 66, 66}, {2, 33, 32, 2},
      {8, 65, 9}, {2, 9, 513}, {1, 65, 67}, {9, 17, 3, 3}};
  const auto place = static_cast<size_t>(question.index % kMatMulTiles);
  const Size& size = question.integer_operands() ? kIntegers[place] : kFloats[place];
  const int turn = question.index / kMatMulTiles;
  // Each size meets each way to be wrong about its values.
  if (turn % 3 == 1) return FillFarSums(question, size, turn / 3 + 1);
  const bool exact = question.integer_operands() && question.integer_y();
  if (turn % 3 == 2 && exact) return FillTieSums(question, size, turn / 3);
  FillBoundarySums(question, size, turn);
}

// K long enough that sums reach the ends of INT32: products are at most 255 * 255.
void FillMatMulOverflow(MatMulQuestion& question) {
  if (!question.integer_operands()) return FillMatMulRandom(question);
  constexpr int64_t kLength = 33'030;
  constexpr int64_t kInt32Max = 2'147'483'647;
  // Few: such sums are the most that a cell costs.
  constexpr std::array<int64_t, 4> kSums{kInt32Max, kInt32Max + 1, kInt32Max + 100'000,
                                         kInt32Max - 1};
  constexpr int64_t kOthers = 2;
  const bool negative = question.index % 2 == 1;
  // Zero points at the ends: A reaches 255, B 255 or -255, whatever the signs.
  DirectedSums sums(question, 1, static_cast<int64_t>(kSums.size()) + kOthers, kLength,
                    0);
  const auto end = [](DataType type, bool high) {
    const uint8_t low_code = type == DataType::kInt8 ? 0x80 : 0x00;
    return static_cast<uint8_t>(high ? low_code ^ 0xFF : low_code);
  };
  const uint8_t a_zero = end(question.cell.types[1], false);
  const int64_t zero = question.a_values[a_zero];
  std::fill(question.a_zero_points.begin(), question.a_zero_points.end(), a_zero);
  std::fill(question.b_zero_points.begin(), question.b_zero_points.end(),
            end(question.cell.types[2], negative));
  for (size_t k = 0; k < question.a.size(); ++k) {
    const size_t back = question.a.size() - 1 - k;
    question.a[k] = question.a_values.Nearest(zero + (back == 0   ? 1
                                                      : back == 1 ? 11
                                                                  : 255));
  }
  question.SetScales(Family::kFull, Family::kFull, Family::kFull, 31, 7);
  question.y_zero_point = static_cast<uint8_t>(
      IntegerCode(question.integer_y() ? question.y : FormatOf(DataType::kInt8), 0));
  for (size_t column = 0; column < kSums.size(); ++column) {
    // The ends of INT32: 2^31 - 1, and -2^31.
    const int64_t sum = negative ? -kSums[column] - 1 : kSums[column];
    sums.Choose(0, static_cast<int64_t>(column), sum);
  }
  // Within INT32, but beyond what FLOAT holds, and next to a boundary.
  for (int64_t i = 0; i < kOthers; ++i) {
    const auto column = static_cast<int64_t>(kSums.size()) + i;
    const RequantizationScales scales =
        question.ScalesOf(0, question.layout.b_channel(0, column));
    const Int128 near = SumFor(question.requantization(), scales, AnyBoundary(question));
    sums.Choose(0, column, (near < 0) == negative ? near : -near);
  }
}

}  // namespace qconform::generators
