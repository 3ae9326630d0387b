// Degenerate scales, and special values of float8 operands.
#include <algorithm>
#include <vector>

#include "cases/operators/q_linear_mat_mul/cases.h"

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
  const uint64_t ordinary =
      ScaleCode(question.scale, ScaleFamily::kFull, -2, question.rng);
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

using Codes = std::vector<uint64_t>;

// Room for every value in a vector of which every other stays ordinary.
MatMulSizes SizesOfDegenerate(MatMulQuestion& question) {
  MatMulSizes sizes;
  sizes.rows = question.per_row() ? 20 : question.rng.Between(3, 6);
  sizes.k = question.rng.Between(8, 24);
  sizes.columns = question.per_column() ? 21 : question.rng.Between(9, 17);
  return sizes;
}

// Chooses the other scales if one is degenerate: results would be in range if that one
// were 1, so that an implementation that takes it for 1 does not saturate.
class DegenerateScales {
 public:
  // Precondition: the question has ordinary scales. They keep results well within y's
  // range, where sums of one sign are near to each other.
  explicit DegenerateScales(MatMulQuestion& question)
      : question_(question),
        y_exponent_(ExponentOf(question.y_scale)),
        multiplier_(ExponentOf(question.a_scales[0]) + ExponentOf(question.b_scales[0]) -
                    y_exponent_ - 2) {}

  // Sets the scales of one operand if those of the other are degenerate.
  void Beside(Codes& other) { SetOrdinary(other, multiplier_ + y_exponent_); }
  void BesideY() {
    SetOrdinary(question_.a_scales, multiplier_ / 2);
    SetOrdinary(question_.b_scales, multiplier_ - multiplier_ / 2);
  }

  // Small scales and a y_scale as small, so that results stay in range.
  void Shrink(Codes& small, Codes& other) {
    const uint64_t normal = SmallestNormal(question_.scale);
    const uint64_t y = Subnormal();
    question_.y_scale = Negated(question_.scale, y);
    const int left = multiplier_ + ExponentOf(y);
    const bool both_are_vectors = question_.layout.per_row && question_.layout.per_column;
    const int half = both_are_vectors ? left / 2 : ExponentOf(normal - 1);
    SetOrdinary(small, half);
    SetOrdinary(other, left - half);
    if (small.size() == 1) small[0] = Subnormal();
  }

 private:
  int ExponentOf(uint64_t code) const { return FloorLog2(question_.scale, code); }
  void SetOrdinary(Codes& codes, int exponent) {
    for (uint64_t& code : codes) {
      code = ScaleCode(question_.scale, ScaleFamily::kFull, exponent, question_.rng);
    }
  }
  // One of the largest.
  uint64_t Subnormal() {
    const uint64_t normal = SmallestNormal(question_.scale);
    return normal - 1 - question_.rng.Below(static_cast<uint32_t>(normal / 16));
  }

  MatMulQuestion& question_;
  const int y_exponent_;
  const int multiplier_;
};

uint64_t OfEitherSign(MatMulQuestion& question, uint64_t code) {
  return question.rng.OneIn(2) ? Negated(question.scale, code) : code;
}

void Negate(const NumberFormat& scale, Codes& codes) {
  for (uint64_t& code : codes) code = Negated(scale, code);
}

void SpoilScaleOfY(MatMulQuestion& question, MatMulDegenerate kind) {
  const NumberFormat& scale = question.scale;
  const bool negates_a = question.index / kMatMulDegenerates % 2 == 0;
  switch (kind) {
    case MatMulDegenerate::kYZero:
      question.y_scale = OfEitherSign(question, 0);
      Negate(scale, negates_a ? question.a_scales : question.b_scales);
      break;
    case MatMulDegenerate::kYInfinite:
      question.y_scale = OfEitherSign(question, Infinity(scale, false));
      break;
    default:
      question.y_scale = CanonicalNan(scale);
      break;
  }
}

// Makes the scale degenerate that the question's index says.
void SpoilScale(MatMulQuestion& question) {
  using Kind = MatMulDegenerate;
  const NumberFormat& scale = question.scale;
  const auto kind = static_cast<Kind>(question.index % kMatMulDegenerates);
  const bool of_a = kind == Kind::kAZero || kind == Kind::kANan ||
                    kind == Kind::kAInfinite || kind == Kind::kASubnormal;
  Codes& it = of_a ? question.a_scales : question.b_scales;
  Codes& other = of_a ? question.b_scales : question.a_scales;
  DegenerateScales scales(question);
  switch (kind) {
    case Kind::kYZero:
    case Kind::kYInfinite:
    case Kind::kYNan:
      scales.BesideY();
      SpoilScaleOfY(question, kind);
      break;
    case Kind::kAZero:
    case Kind::kBZero:
      scales.Beside(other);
      std::ranges::fill(it, OfEitherSign(question, 0));
      break;
    case Kind::kANan:
    case Kind::kBNan:
      scales.Beside(other);
      std::ranges::fill(it, CanonicalNan(scale));
      break;
    case Kind::kAInfinite:
    case Kind::kBInfinite:
      scales.Beside(other);
      std::ranges::fill(it, OfEitherSign(question, Infinity(scale, false)));
      Negate(scale, other);
      break;
    case Kind::kASubnormal:
    case Kind::kBSubnormal:
      scales.Shrink(it, other);
      break;
  }
}

// Every other scale of a vector, whatever the one that is one value.
void SpoilVectors(MatMulQuestion& question) {
  uint32_t turn = question.rng.Below(kDegenerateValues);
  for (Codes* codes : {&question.a_scales, &question.b_scales}) {
    if (codes->size() == 1) continue;
    for (size_t i = 0; i < codes->size(); i += 2) {
      (*codes)[i] = Degenerate(question, turn++);
    }
  }
}

}  // namespace

void FillMatMulDegenerate(MatMulQuestion& question) {
  FillMatMulRandomOf(question, SizesOfDegenerate(question));
  if (question.integer_y()) {  // room for either sign
    question.y_zero_point =
        static_cast<uint8_t>(IntegerCode(question.y, question.y.is_signed ? 3 : 121));
  }
  SpoilScale(question);
  SpoilVectors(question);
  question.RegroupByTurn(question.rng.Next32());
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
