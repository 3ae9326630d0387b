// Sums over all of k: extreme products, zero points, random codes, shapes. The
// scale of y is fitted to the sums afterwards.
#include <algorithm>
#include <iterator>

#include "cases/generators/mat_mul_cases.h"
#include "cases/generators/mat_mul_values.h"

namespace qconform::generators {
namespace {

using Family = MatMulScaleFamily;

void FillCodes(MatMulQuestion& question) {
  for (uint8_t& code : question.a) code = question.AnyCode(question.cell.types[1]);
  for (uint8_t& code : question.b) code = question.AnyCode(question.cell.types[2]);
}

// Chooses scales so that the largest sum comes to a little beyond y's range.
void FitScales(MatMulQuestion& question, Family family) {
  const MatMulSizes& sizes = question.layout.sizes;
  Int128 largest = 1;
  bool negative = false;
  bool positive = false;
  for (size_t m = 0; m < question.layout.a_of.size(); ++m) {
    for (int64_t row = 0; row < sizes.rows; ++row) {
      for (int64_t column = 0; column < sizes.columns; ++column) {
        const Int128 sum =
            question.Sum(question.layout.a_of[m], row, question.layout.b_of[m], column);
        largest = std::max(largest, sum < 0 ? -sum : sum);
        (sum < 0 ? negative : positive) = true;
      }
    }
  }
  const int exponent = TopBit(static_cast<Uint128>(largest)) + question.sum_unit();
  question.SetScales(family, family, Family::kFull, exponent,
                     question.integer_y() ? 8 : LargestExponent(question.y) + 1);
  if (question.integer_y() && negative != positive && question.index % 3 != 2) {
    question.y_zero_point =
        static_cast<uint8_t>(IntegerCode(question.y, negative ? 255 : -128));
  }
}

int64_t OddFrom(CounterRng& rng, int64_t low, int64_t high) {
  return rng.Between(low, high) | 1;
}

}  // namespace

void FillMatMulRandom(MatMulQuestion& question) {
  CounterRng& rng = question.rng;
  MatMulSizes sizes;
  const bool integers = question.integer_operands();
  sizes.rows = OddFrom(rng, 3, 7);
  sizes.k = OddFrom(rng, 30, integers ? 120 : 60);
  sizes.columns = OddFrom(rng, 9, integers ? 40 : 17);
  question.SetSizes(sizes);
  question.SetZeroPoints(rng.Below(6));
  FillCodes(question);
  FitScales(question, Family::kFull);
}

// Every product as large as it can be: pairs of them exceed 16 bits, and the
// corrections for zero points are as large as they get.
void FillMatMulExtremes(MatMulQuestion& question) {
  CounterRng& rng = question.rng;
  MatMulSizes sizes;
  sizes.rows = 5;
  sizes.k = OddFrom(rng, 30, 70);
  sizes.columns = question.integer_operands() ? 21 : 13;
  question.SetSizes(sizes);
  question.SetZeroPoints(question.index % 2 == 0 ? 0 : 1 + rng.Below(2));
  const OperandValues& a = question.a_values;
  const OperandValues& b = question.b_values;
  const auto pick = [&](const OperandValues& values, uint32_t pattern, int64_t at) {
    const uint8_t low = values.Nearest(values.lowest());
    const uint8_t high = values.Nearest(values.highest());
    switch (pattern % 5) {
      case 0:
        return high;
      case 1:
        return low;
      case 2:
        return at % 2 == 0 ? high : low;
      case 3:
        return at % 4 < 2 ? high : low;
      default:
        return rng.OneIn(2) ? high : low;
    }
  };
  for (int64_t row = 0; row < sizes.rows; ++row) {
    for (int64_t k = 0; k < sizes.k; ++k) {
      question.a[question.AIndex(0, row, k)] = pick(a, static_cast<uint32_t>(row), k);
    }
  }
  for (int64_t column = 0; column < sizes.columns; ++column) {
    for (int64_t k = 0; k < sizes.k; ++k) {
      question.b[question.BIndex(0, k, column)] =
          pick(b, static_cast<uint32_t>(column), k);
    }
  }
  // A few ordinary codes, so that sums differ.
  for (int i = 0; i < 12; ++i) {
    question.a[rng.Below(static_cast<uint32_t>(question.a.size()))] =
        question.AnyCode(question.cell.types[1]);
    question.b[rng.Below(static_cast<uint32_t>(question.b.size()))] =
        question.AnyCode(question.cell.types[2]);
  }
  FitScales(question, Family::kFull);
}

void FillMatMulZeroPoints(MatMulQuestion& question) {
  CounterRng& rng = question.rng;
  MatMulSizes sizes;
  sizes.rows = 5;
  sizes.k = OddFrom(rng, 8, 40);
  sizes.columns = question.integer_operands() ? 19 : 11;
  question.SetSizes(sizes);
  question.SetZeroPoints(static_cast<uint32_t>(question.index) + 1);
  // Float8: zero points that are not zero, and values of their size, so that each
  // counts. Codes of a float are in the order of their values.
  const auto near = [&](DataType type, std::vector<uint8_t>& zero_points,
                        std::vector<uint8_t>& codes) {
    if (IsInteger(type)) return;
    const auto code = [&](uint32_t spread) {
      const uint32_t magnitude = 0x30 + rng.Below(spread);
      return static_cast<uint8_t>(magnitude | (rng.OneIn(2) ? 0x80 : 0));
    };
    for (uint8_t& zero_point : zero_points) zero_point = code(0x20);
    if (zero_points.size() > 2) zero_points.front() = 0;
    for (uint8_t& value : codes) value = code(0x28);
  };
  if (!question.integer_y()) {
    // Large enough that results, which go to the end of y's range, show it.
    const uint64_t largest = LargestFinite(question.y) - rng.Below(20);
    question.y_zero_point =
        static_cast<uint8_t>(rng.OneIn(2) ? Negated(question.y, largest) : largest);
  }
  FillCodes(question);
  near(question.cell.types[1], question.a_zero_points, question.a);
  near(question.cell.types[2], question.b_zero_points, question.b);
  FitScales(question, Family::kFewBits);
  if (question.integer_y() && question.index % 2 == 1) {
    question.y_zero_point = question.ZeroPoint(question.cell.types[3],
                                               static_cast<uint32_t>(question.index) + 1);
  }
}

namespace {

MatMulSizes RandomSizes(CounterRng& rng) {
  const auto length = [&] {
    const int64_t power = int64_t{1} << rng.Below(7);
    return std::max<int64_t>(power + rng.Between(-1, 1), 1);
  };
  MatMulSizes sizes;
  sizes.rows = rng.Between(1, 6);
  sizes.k = length();
  sizes.columns = rng.OneIn(2) ? length() : rng.Between(1, 9);
  if (rng.OneIn(4)) sizes.a_batch = {rng.Between(1, 2), rng.Between(1, 2)};
  if (rng.OneIn(4)) sizes.b_batch = {sizes.a_batch.empty() ? 2 : sizes.a_batch.back()};
  sizes.a_is_vector = rng.OneIn(8);
  sizes.b_is_vector = rng.OneIn(8);
  return sizes;
}

// Shapes by index; later ones are random. Operands with a vector of scales keep
// two dimensions, and no batch in the form kShort.
MatMulSizes SizesOf(MatMulQuestion& question) {
  // a_batch, b_batch, rows, k, columns, and whether a and b are 1-D.
  static const MatMulSizes kSizes[] = {
      {{}, {}, 3, 17, 33},
      {{2, 1}, {3}, 2, 5, 3},
      {{}, {}, 1, 129, 1, true, true},
      {{2}, {2}, 2, 0, 3},
      {{}, {}, 9, 9, 9},
      {{}, {2}, 5, 31, 3},
      {{}, {}, 1, 65, 7, true},
      {{}, {}, 0, 3, 4},
      {{}, {}, 1, 1, 65},
      {{3}, {}, 2, 63, 3},
      {{}, {}, 17, 2, 15},
      {{0}, {1}, 2, 3, 2},
      {{}, {}, 3, 33, 1, false, true},
      {{2, 1, 2}, {1, 3, 1}, 1, 4, 2},
  };
  const auto index = static_cast<size_t>(question.index);
  return index < std::size(kSizes) ? kSizes[index] : RandomSizes(question.rng);
}

}  // namespace

void FillMatMulShapes(MatMulQuestion& question) {
  MatMulSizes sizes = SizesOf(question);
  const bool is_short = question.form == VectorForm::kShort;
  if (question.per_row()) {
    sizes.a_is_vector = false;
    if (is_short) sizes.a_batch.clear();
  }
  if (question.per_column()) {
    sizes.b_is_vector = false;
    if (is_short) sizes.b_batch.clear();
  }
  question.SetSizes(std::move(sizes));
  question.SetZeroPoints(question.rng.Below(6));
  FillCodes(question);
  FitScales(question, Family::kFull);
  // Nothing but the zero point is left of an empty sum.
  if (question.layout.sizes.k == 0 && question.integer_y() && question.y_zero_point == 0) {
    question.y_zero_point = 37;
  }
}

}  // namespace qconform::generators
