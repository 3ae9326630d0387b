// Sums over all of k: extreme products, zero points, random codes, shapes. The
// scale of y is fitted to the sums afterwards.
#include <algorithm>
#include <iterator>
#include <optional>

#include "cases/matmul/covered_sizes.h"
#include "cases/operators/q_linear_mat_mul/cases.h"
#include "cases/operators/q_linear_mat_mul/values.h"

namespace qconform::generators {
namespace {

using Family = ScaleFamily;

void FillCodes(MatMulQuestion& question) {
  for (uint8_t& code : question.a) code = question.AnyCode(question.cell.types[1]);
  for (uint8_t& code : question.b) code = question.AnyCode(question.cell.types[2]);
}

// Chooses scales so that the largest sum comes to a little beyond y's range; to its
// end where sums of one sign are to be `told_apart`. To 2^float_range for a float y,
// where that is given.
void FitScales(MatMulQuestion& question, Family family, bool told_apart = false,
               std::optional<int> float_range = {}) {
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
  const bool both = negative == positive;
  const int range = !question.integer_y()
                        ? float_range.value_or(LargestExponent(question.y) + 1)
                    : !told_apart ? 8
                    : both        ? 6
                                  : 7;
  question.SetScales(family, family, Family::kFull, exponent, range);
  const bool fits = told_apart || question.index % 3 != 2;
  if (question.integer_y() && !both && fits) {
    question.y_zero_point =
        static_cast<uint8_t>(IntegerCode(question.y, negative ? 255 : -128));
  }
  if (question.integer_y() && both && told_apart) {
    question.y_zero_point =
        static_cast<uint8_t>(IntegerCode(question.y, question.y.is_signed ? 0 : 128));
  }
}

// Sizes that whole vectors and tiles divide, or leave an even number of.
constexpr int64_t kEvenRows[] = {2, 4, 6, 8};
constexpr int64_t kEvenTerms[] = {32, 64, 36, 128, 48, 42};
constexpr int64_t kAroundVectors[] = {9, 17, 16, 15, 11, 18};
constexpr int64_t kEvenColumns[] = {16, 32, 8, 12, 10, 6, 4, 14, 18};

int64_t OddFrom(CounterRng& rng, int64_t low, int64_t high) {
  return rng.Between(low, high) | 1;
}

}  // namespace

void FillMatMulRandom(MatMulQuestion& question) {
  CounterRng& rng = question.rng;
  MatMulSizes sizes;
  const bool integers = question.integer_operands();
  sizes.rows = OddFrom(rng, 3, 7);
  sizes.k = question.index == 0 ? 63 : OddFrom(rng, 30, integers ? 120 : 60);
  sizes.columns = OddFrom(rng, 9, integers ? 40 : 17);
  FillMatMulRandomOf(question, std::move(sizes));
}

void FillMatMulRandomOf(MatMulQuestion& question, MatMulSizes sizes) {
  question.SetSizes(std::move(sizes));
  question.SetZeroPoints(question.rng.Below(6));
  FillCodes(question);
  FitScales(question, Family::kFull);
}

// Every product as large as it can be: pairs of them exceed 16 bits, and the
// corrections for zero points are as large as they get.
void FillMatMulExtremes(MatMulQuestion& question) {
  CounterRng& rng = question.rng;
  MatMulSizes sizes;
  const bool integers = question.integer_operands();
  sizes.rows = 5;
  sizes.k = 31;
  sizes.columns = integers ? 21 : 13;
  if (question.index % 2 == 1) {  // whole vectors and tiles
    sizes.rows = std::max<int64_t>(rng.Pick(kEvenRows), 4);
    sizes.k = rng.Pick(kEvenTerms);
    sizes.columns = rng.Pick(kEvenColumns);
    if (!integers) sizes.k = std::min<int64_t>(sizes.k, 32);
  }
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
  if (question.index % 2 == 1) {
    if (question.a_can_have_batch()) question.Regroup({2}, {});  // as a layer's input
  } else if (question.y.has_negative_zero) {
    question.y_zero_point = static_cast<uint8_t>(Negated(question.y, 0));
  }
}

void FillMatMulZeroPoints(MatMulQuestion& question) {
  CounterRng& rng = question.rng;
  MatMulSizes sizes;
  sizes.rows = 5;
  sizes.k = 7;
  sizes.columns = rng.Pick(kAroundVectors);
  if (question.index % 2 == 1) {
    sizes.rows = rng.Pick(kEvenRows);
    sizes.k = 1;  // nothing but the zero points to get wrong
    sizes.columns = rng.Pick(kEvenColumns);
    const int64_t batch = rng.Between(2, 3);
    if (question.a_can_have_batch()) sizes.a_batch = {batch};
    if (question.b_can_have_batch()) sizes.b_batch = {batch};
  } else if (rng.OneIn(2)) {  // squares: [M] is for rows, whatever K is (MM-04)
    sizes.rows = sizes.k;
    if (rng.OneIn(2)) sizes.columns = sizes.k;
  }
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
  const bool small = question.index % 2 == 0;
  if (!question.integer_y()) {
    // Large enough to show in results that reach the end of y's range, or 2^5 if the
    // zero point is small.
    const uint64_t code =
        small ? RoundNearest(question.y, ToUnrounded(Dyadic(rng.Between(2, 31), -1)))
              : LargestFinite(question.y) - rng.Below(20);
    question.y_zero_point =
        static_cast<uint8_t>(rng.OneIn(2) ? Negated(question.y, code) : code);
  }
  FillCodes(question);
  near(question.cell.types[1], question.a_zero_points, question.a);
  near(question.cell.types[2], question.b_zero_points, question.b);
  FitScales(question, Family::kFewBits, false,
            small ? std::optional<int>(5) : std::nullopt);
  if (question.integer_y() && question.index % 2 == 1) {
    question.y_zero_point = question.ZeroPoint(question.cell.types[3],
                                               static_cast<uint32_t>(question.index) + 1);
  }
}

namespace {

void FillSizes(MatMulQuestion& question, MatMulSizes sizes, bool told_apart = true) {
  question.SetSizes(std::move(sizes));
  question.SetZeroPoints(question.rng.Below(6));
  FillCodes(question);
  FitScales(question, Family::kFull, told_apart);
}

}  // namespace

void FillMatMulLarge(MatMulQuestion& question) {
  static const MatMulSizes kIntegers[kMatMulLarge] = {
      {{}, {}, 65, 2, 31}, {{}, {}, 2, 5, 513}, {{}, {}, 130, 2, 6},
      {{}, {}, 3, 6, 257}, {{}, {}, 64, 2, 64}, {{}, {}, 1, 4, 1030},
      {{}, {}, 257, 2, 9}, {{}, {}, 33, 4, 70}};
  // Answers of float8 operands carry bounds, and cost more.
  static const MatMulSizes kFloats[kMatMulLarge] = {
      {{}, {}, 65, 2, 5}, {{}, {}, 2, 3, 129}, {{}, {}, 130, 2, 3}, {{}, {}, 1, 2, 257},
      {{}, {}, 34, 2, 9}, {{}, {}, 1, 1, 513}, {{}, {}, 129, 2, 3}, {{}, {}, 5, 2, 70}};
  const auto index = static_cast<size_t>(question.index % kMatMulLarge);
  FillSizes(question, question.integer_operands() ? kIntegers[index] : kFloats[index]);
}

namespace {

// Zero points about the middle of their types, so that both signs are near.
void SetMiddleZeroPoints(MatMulQuestion& question) {
  const auto middle = [&](DataType type) -> uint8_t {
    const auto offset = static_cast<int>(question.rng.Between(-3, 3));
    if (!IsInteger(type)) return 0;
    return static_cast<uint8_t>((type == DataType::kInt8 ? 0 : 128) + offset);
  };
  for (uint8_t& code : question.a_zero_points) code = middle(question.cell.types[1]);
  for (uint8_t& code : question.b_zero_points) code = middle(question.cell.types[2]);
  question.y_zero_point = middle(question.cell.types[3]);
}

// The code of `zero_point` plus `value` (halves of it, where the type is a float).
uint8_t CodeBeside(const OperandValues& values, DataType type, uint8_t zero_point,
                   int64_t value) {
  if (IsInteger(type)) return values.Nearest(values[zero_point] + value);
  return values.Nearest(value << (-values.unit() - 1));
}

// Which product of a row outweighs all others: at the ends of K and of what kernels take
// at once. The first row: the last one.
int64_t HeavyTerm(int64_t k, int64_t turn) {
  const int64_t block = (k - 1) / 64 * 64;
  const int64_t places[] = {k - 1, 0, block, block - 1, k - 2, 255, 256, k / 2};
  return places[turn % static_cast<int64_t>(std::size(places))];
}

}  // namespace

void FillMatMulTerms(MatMulQuestion& question) {
  // All odd remainders of K modulo 16.
  static constexpr struct {
    int64_t rows, k, columns;
  } kSizes[kMatMulTerms] = {{5, 263, 9}, {1, 1031, 13}, {9, 257, 4}, {2, 390, 18},
                            {4, 269, 8}, {2, 1538, 5},  {6, 259, 7}, {1, 775, 21},
                            {8, 267, 3}, {2, 1283, 6},  {5, 271, 5}, {3, 515, 10},
                            {7, 261, 6}, {1, 1154, 12}, {4, 265, 9}, {2, 383, 16}};
  const auto& size = kSizes[question.index % kMatMulTerms];
  const bool integers = question.integer_operands();
  // A bound of K 2^-10 hides any product from 1024 on.
  const int64_t length = !integers && size.k >= 1024 ? 256 + size.k % 256 : size.k;
  question.SetSizes({{}, {}, size.rows, length, size.columns});
  SetMiddleZeroPoints(question);
  question.SetScales(Family::kPowerOfTwo, Family::kPowerOfTwo, Family::kPowerOfTwo, 7, 7);
  CounterRng& rng = question.rng;
  const auto signed_of = [&](int64_t magnitude) {
    return rng.OneIn(2) ? -magnitude : magnitude;
  };
  constexpr int64_t kHeavy = 24;
  for (int64_t row = 0; row < size.rows; ++row) {
    const int64_t heavy = HeavyTerm(length, row == 0 ? 0 : row + question.index);
    for (int64_t k = 0; k < length; ++k) {
      const bool is_light = integers || rng.OneIn(128);
      const int64_t value = !integers && k == heavy ? kHeavy
                            : is_light              ? rng.Between(1, 2)
                                                    : 0;
      const auto channel = static_cast<size_t>(question.layout.a_channel(0, row));
      question.a[question.AIndex(0, row, k)] =
          CodeBeside(question.a_values, question.cell.types[1],
                     question.a_zero_points[channel], signed_of(value));
    }
  }
  for (int64_t k = 0; k < length; ++k) {
    for (int64_t column = 0; column < size.columns; ++column) {
      const auto channel = static_cast<size_t>(question.layout.b_channel(0, column));
      question.b[question.BIndex(0, k, column)] =
          CodeBeside(question.b_values, question.cell.types[2],
                     question.b_zero_points[channel], signed_of(rng.Between(1, 3)));
    }
  }
}

void FillMatMulHuge(MatMulQuestion& question) {
  static const MatMulSizes kIntegers[kMatMulHuge] = {{{}, {}, 263, 33, 517},
                                                     {{}, {}, 5, 5003, 67},
                                                     {{}, {}, 1031, 17, 131},
                                                     {{}, {}, 35, 5003, 9}};
  static const MatMulSizes kFloats[kMatMulHuge] = {{{}, {}, 131, 3, 517},
                                                   {{}, {}, 3, 5003, 19},
                                                   {{}, {}, 1031, 3, 67},
                                                   {{}, {}, 17, 5003, 5}};
  const auto index = static_cast<size_t>(question.index % kMatMulHuge);
  FillSizes(question, question.integer_operands() ? kIntegers[index] : kFloats[index]);
}

void FillMatMulSizes(MatMulQuestion& question) {
  // Answers of float8 operands carry bounds, and cost more.
  const int64_t most_products = question.integer_operands() ? 8'000 : 2'000;
  FillSizes(question, CoveredMatMulSizes(question.index, most_products));
}

void FillMatMulShapes(MatMulQuestion& question) {
  MatMulSizes sizes = ListedMatMulSizes(question.cell, {question.form, question.form},
                                        question.index, question.rng);
  FillSizes(question, std::move(sizes), question.index >= kFirstBatches);
  // Nothing but the zero point is left of an empty sum.
  if (question.layout.sizes.k == 0 && question.integer_y() &&
      question.y_zero_point == 0) {
    question.y_zero_point = 37;
  }
}

}  // namespace qconform::generators
