// Degenerate scales, and special values of float8 operands.
#include <algorithm>
#include <vector>

#include "cases/generators/mat_mul_cases.h"

namespace qconform::generators {
namespace {

// The codes of a float8 type that are no finite numbers, with zeros and ends.
std::vector<uint8_t> SpecialCodesOf(DataType type) {
  const NumberFormat& format = FormatOf(type);
  std::vector<uint64_t> codes{0, LargestFinite(format), SmallestPositive(format)};
  if (format.has_negative_zero) codes.push_back(Negated(format, 0));
  codes.push_back(Negated(format, LargestFinite(format)));
  if (format.nan != NanEncoding::kNone) codes.push_back(CanonicalNan(format));
  if (format.nan == NanEncoding::kIeee) codes.push_back(Infinity(format, true) | 1);
  if (format.has_infinity) {
    codes.push_back(Infinity(format, false));
    codes.push_back(Infinity(format, true));
  }
  return {codes.begin(), codes.end()};
}

constexpr uint32_t kDegenerateValues = 9;

// A degenerate scale (MM-20), by turns.
uint64_t Degenerate(MatMulQuestion& question, uint32_t turn) {
  const NumberFormat& scale = question.scale;
  const uint64_t ordinary = question.ScaleCode(MatMulScaleFamily::kFull, -2);
  switch (turn % kDegenerateValues) {
    case 0:
      return Negated(scale, ordinary);
    case 1:
      return 0;
    case 2:
      return SmallestNormal(scale) - 1 - question.rng.Below(9);
    case 3:
      return Infinity(scale, question.rng.OneIn(2));
    case 4:
      return LargestFinite(scale) - question.rng.Below(9);
    case 5:
      return CanonicalNan(scale);
    case 6:
      return SmallestPositive(scale);
    case 7:
      return Negated(scale, 0);
    default:
      return SmallestNormal(scale);
  }
}

}  // namespace

void FillMatMulDegenerate(MatMulQuestion& question) {
  using Kind = MatMulDegenerate;
  using Family = MatMulScaleFamily;
  CounterRng& rng = question.rng;
  const NumberFormat& scale = question.scale;
  const auto kind = static_cast<Kind>(question.index % kMatMulDegenerates);
  const bool negates_a = question.index / kMatMulDegenerates % 2 == 0;
  // Room for every value in a vector of which every other stays ordinary.
  MatMulSizes sizes;
  sizes.rows = question.per_row() ? 20 : rng.Between(3, 6);
  sizes.k = rng.Between(8, 24);
  sizes.columns = question.per_column() ? 21 : rng.Between(9, 17);
  FillMatMulRandomOf(question, std::move(sizes));

  const auto exponent_of = [&](uint64_t code) { return FloorLog2(scale, code); };
  const auto signed_of = [&](uint64_t code) {
    return rng.OneIn(2) ? Negated(scale, code) : code;
  };
  const auto fill = [](std::vector<uint64_t>& codes, uint64_t code) {
    std::fill(codes.begin(), codes.end(), code);
  };
  const auto negate = [&](std::vector<uint64_t>& codes) {
    for (uint64_t& code : codes) code = Negated(scale, code);
  };
  std::vector<uint64_t>& a = question.a_scales;
  std::vector<uint64_t>& b = question.b_scales;
  // Well within y's range, where sums of one sign are near to each other.
  const int multiplier =
      exponent_of(a[0]) + exponent_of(b[0]) - exponent_of(question.y_scale) - 2;
  const auto ordinary = [&](std::vector<uint64_t>& codes, int exponent) {
    for (uint64_t& code : codes) code = question.ScaleCode(Family::kFull, exponent);
  };
  // Results in range if the scale that is not ordinary were 1: what takes it for that
  // is told from the ends.
  const auto beside = [&](std::vector<uint64_t>& other) {
    ordinary(other, multiplier + exponent_of(question.y_scale));
  };
  const auto beside_y = [&] {
    ordinary(a, multiplier / 2);
    ordinary(b, multiplier - multiplier / 2);
  };
  // Small scales and a y_scale as small: results stay in range, and tell.
  const auto shrink = [&](std::vector<uint64_t>& small, std::vector<uint64_t>& other) {
    const uint64_t normal = SmallestNormal(scale);
    const auto few = static_cast<uint32_t>(normal / 16);
    const uint64_t y = normal - 1 - rng.Below(few);
    question.y_scale = Negated(scale, y);
    const int left = multiplier + exponent_of(y);
    const int half = question.layout.per_row && question.layout.per_column
                         ? left / 2
                         : exponent_of(normal - 1);
    ordinary(small, half);
    ordinary(other, left - half);
    if (small.size() == 1) small[0] = normal - 1 - rng.Below(few);
  };
  if (question.integer_y()) {  // room for either sign
    question.y_zero_point =
        static_cast<uint8_t>(IntegerCode(question.y, question.y.is_signed ? 3 : 121));
  }
  switch (kind) {
    case Kind::kYZero:
      beside_y();
      question.y_scale = signed_of(0);
      negate(negates_a ? a : b);
      break;
    case Kind::kYInfinite:
      beside_y();
      question.y_scale = signed_of(Infinity(scale, false));
      break;
    case Kind::kYNan:
      beside_y();
      question.y_scale = CanonicalNan(scale);
      break;
    case Kind::kAZero:
      beside(b);
      fill(a, signed_of(0));
      break;
    case Kind::kBZero:
      beside(a);
      fill(b, signed_of(0));
      break;
    case Kind::kANan:
      beside(b);
      fill(a, CanonicalNan(scale));
      break;
    case Kind::kBNan:
      beside(a);
      fill(b, CanonicalNan(scale));
      break;
    case Kind::kAInfinite:
      beside(b);
      fill(a, signed_of(Infinity(scale, false)));
      negate(b);
      break;
    case Kind::kBInfinite:
      beside(a);
      fill(b, signed_of(Infinity(scale, false)));
      negate(a);
      break;
    case Kind::kASubnormal:
      shrink(a, b);
      break;
    case Kind::kBSubnormal:
      shrink(b, a);
      break;
  }
  uint32_t turn = rng.Below(kDegenerateValues);
  for (std::vector<uint64_t>* codes : {&a, &b}) {
    if (codes->size() == 1) continue;
    for (size_t i = 0; i < codes->size(); i += 2) {
      (*codes)[i] = Degenerate(question, turn++);
    }
  }
  question.RegroupByTurn(rng.Next32());
}

void FillMatMulSpecials(MatMulQuestion& question) {
  FillMatMulRandom(question);
  CounterRng& rng = question.rng;
  const auto spoil = [&](DataType type, std::vector<uint8_t>& codes, uint32_t one_in) {
    if (IsInteger(type)) return;
    const std::vector<uint8_t> specials = SpecialCodesOf(type);
    for (uint8_t& code : codes) {
      if (rng.OneIn(one_in)) code = rng.Pick(specials);
    }
  };
  const auto k = static_cast<uint32_t>(std::max<int64_t>(question.layout.sizes.k, 1));
  // About one special value in the operands of every second sum.
  spoil(question.cell.types[1], question.a, 2 * k);
  spoil(question.cell.types[2], question.b, 2 * k);
  if (question.index % 2 == 1) {
    spoil(question.cell.types[1], question.a_zero_points, 3);
    spoil(question.cell.types[2], question.b_zero_points, 3);
  }
  if (question.integer_y()) return;
  const NumberFormat& y = question.y;
  switch (question.index % 4) {
    case kMatMulYNan:
      question.y_zero_point = static_cast<uint8_t>(CanonicalNan(y));
      break;
    case kMatMulYInfinite:
      question.y_zero_point = static_cast<uint8_t>(
          y.has_infinity ? Infinity(y, rng.OneIn(2)) : CanonicalNan(y));
      break;
    default:
      question.y_zero_point = question.AnyCode(question.cell.types[3]);
      break;
  }
}

}  // namespace qconform::generators
