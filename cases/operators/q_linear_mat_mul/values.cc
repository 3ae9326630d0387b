#include "cases/operators/q_linear_mat_mul/values.h"

#include <algorithm>
#include <cassert>

namespace qconform::generators {
namespace {

// A sum as an exact value.
Unrounded SumValue(Int128 sum, int unit) {
  if (sum == 0) return {};
  Unrounded value{
      .value_class = ValueClass::kFinite, .negative = sum < 0, .exponent = unit};
  value.significand = static_cast<Uint128>(sum < 0 ? -sum : sum);
  return value;
}

const Rounder& RoundToWide() {
  static constexpr NumberFormat kWide{
      .kind = NumberKind::kInteger, .bits = 62, .is_signed = true};
  static const Rounder round(kWide, RoundingMode::kNearestEven,
                             OverflowPolicy::kSaturate);
  return round;
}

int64_t ToWide(const Unrounded& value) {
  const uint64_t code = RoundToWide()(value).code;
  return static_cast<int64_t>(code << 2) >> 2;  // 62 bits, sign extended
}

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

bool UsesFloat(const NumberFormat& y) { return y.kind == NumberKind::kFloat; }

uint64_t CodeOf(const MatMulQuestion& question, const Unrounded& v) {
  const NumberFormat& y = question.y;
  if (!UsesFloat(y)) {
    if (v.value_class == ValueClass::kNan) return 0;
    const int64_t rounded =
        static_cast<int32_t>(Prepared(FormatOf(DataType::kInt32)).nearest(v).code);
    return IntegerCode(y, rounded + ToInteger(y, question.y_zero_point));
  }
  const ExactValue zero_point = Prepared(y).decode(question.y_zero_point);
  const bool added = zero_point.value_class == ValueClass::kFinite;
  const uint64_t code = Prepared(y).nearest(added ? Add(v, zero_point) : v).code;
  const uint64_t magnitude = code & ((uint64_t{1} << (y.bits - 1)) - 1);
  return magnitude == 0 ? 0 : code;  // MM-12
}

// Products and quotients rounded to one format.
struct Rounding {
  const NumberFormat& format;
  ExactValue operator()(const Unrounded& value) const { return RoundTo(format, value); }
  ExactValue Times(const ExactValue& one, const ExactValue& other) const {
    return RoundTo(format, Multiply(one, other));
  }
  ExactValue Over(const ExactValue& one, const ExactValue& other) const {
    return RoundTo(format, Divide(one, other));
  }
};

// m as gemmlowp has it: 31 bits and a shift; C * m rounded to nearest, away from
// zero at half.
Unrounded FixedPoint(const Unrounded& sum, const MatMulScales& scales) {
  const ExactValue product = ToExact(Multiply(scales.a, scales.b));
  const Unrounded m = Divide(product, scales.y);
  if (m.value_class != ValueClass::kFinite) return m;
  const int drop = TopBit(m.significand) - 30;
  const ExactValue multiplier{
      .value_class = ValueClass::kFinite,
      .negative = m.negative,
      .significand = static_cast<uint64_t>((m.significand >> (drop - 1)) + 1) >> 1,
      .exponent = m.exponent + drop};
  const Unrounded v = MultiplyWide(sum, multiplier);
  static constexpr NumberFormat kWide{
      .kind = NumberKind::kInteger, .bits = 62, .is_signed = true};
  static const Rounder round(kWide, RoundingMode::kNearestAway,
                             OverflowPolicy::kSaturate);
  if (v.value_class != ValueClass::kFinite) return v;
  return ToUnrounded(Dyadic(static_cast<int64_t>(round(v).code << 2) >> 2, 0));
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

Int128 SumFor(const MatMulQuestion& question, const MatMulScales& scales,
              const ExactValue& target) {
  const ExactValue numerator = ToExact(Multiply(target, scales.y));
  Unrounded sum = Divide(numerator, ToExact(Multiply(scales.a, scales.b)));
  sum.exponent -= question.sum_unit();
  return ToWide(sum);
}

uint64_t ExactCode(const MatMulQuestion& question, const MatMulScales& scales,
                   Int128 sum) {
  const Unrounded c = SumValue(sum, question.sum_unit());
  const Unrounded product = MultiplyWide(c, ToExact(Multiply(scales.a, scales.b)));
  return CodeOf(question, DivideWide(product, scales.y));
}

uint64_t WrongCode(const MatMulQuestion& question, const MatMulScales& scales, Int128 sum,
                   WrongRequantization mistake) {
  const Rounding f32{FormatOf(DataType::kFloat)};
  const Rounding f64{FormatOf(DataType::kDouble)};
  const Rounding own{question.scale};
  const Unrounded c = SumValue(sum, question.sum_unit());
  const auto& [a, b, y] = scales;
  const auto v = [&](const ExactValue& value) {
    return CodeOf(question, ToUnrounded(value));
  };
  switch (mistake) {
    case WrongRequantization::kMultiplierAbFirst:
      return v(f32.Times(f32(c), f32.Over(f32.Times(a, b), y)));
    case WrongRequantization::kMultiplierByFirst:
      return v(f32.Times(f32(c), f32.Times(a, f32.Over(b, y))));
    case WrongRequantization::kMultiplierAyFirst:
      return v(f32.Times(f32(c), f32.Times(f32.Over(a, y), b)));
    case WrongRequantization::kDequantizeQuantize:
      return v(f32.Over(f32.Times(f32.Times(f32(c), a), b), y));
    case WrongRequantization::kCombined:
      return v(f32.Over(f32.Times(f32(c), f32.Times(a, b)), y));
    case WrongRequantization::kDoubleProduct:
      return v(f64.Times(f64(c), f32.Over(f32.Times(a, b), y)));
    case WrongRequantization::kDoubleChain:
      return v(f64.Over(f64.Times(f64.Times(f64(c), a), b), y));
    case WrongRequantization::kScaleTypeMultiplier:
      return v(f32.Times(f32(c), own.Over(own.Times(a, b), y)));
    case WrongRequantization::kReciprocal:
      return v(f32.Times(f32.Times(f32(c), f32.Times(a, b)), f32.Over(Dyadic(1, 0), y)));
    case WrongRequantization::kNarrowScales: {
      const Rounding narrow{FormatOf(question.cell.types[0] == DataType::kFloat
                                         ? DataType::kFloat16
                                         : DataType::kBfloat16)};
      const MatMulScales rounded{narrow(ToUnrounded(a)), narrow(ToUnrounded(b)),
                                 narrow(ToUnrounded(y))};
      const bool finite = rounded.a.value_class == ValueClass::kFinite &&
                          rounded.b.value_class == ValueClass::kFinite &&
                          rounded.y.value_class == ValueClass::kFinite;
      return ExactCode(question, finite ? rounded : scales, sum);
    }
    case WrongRequantization::kFixedPoint:
      break;
  }
  if (UsesFloat(question.y)) return v(f32.Over(f32.Times(f32(c), f32.Times(a, b)), y));
  return CodeOf(question, FixedPoint(c, scales));
}

}  // namespace qconform::generators
