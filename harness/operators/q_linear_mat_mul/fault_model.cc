#include "harness/operators/q_linear_mat_mul/fault_model.h"

#include <algorithm>
#include <utility>

#include "harness/core/integer_target.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using Switches = QLinearMatMulSwitches;
using Place = Switches::Place;
using R = Switches::Rounding;
using Sum = Switches::Sum;

constexpr int kProductUnit = -40;
constexpr uint32_t kUnwrittenCode = 0x5A;  // what backends fill y with before a run

ExactValue RoundedTo(const NumberFormat& format, const Unrounded& value,
                     RoundingMode mode = RoundingMode::kNearestEven) {
  return Decode(format, Round(format, value, mode, OverflowPolicy::kNonSaturating));
}

ExactValue Narrowed(const NumberFormat& format, const ExactValue& value) {
  if (value.value_class != ValueClass::kFinite) return value;
  return RoundedTo(format, ToUnrounded(value));
}

Unrounded FromUnits(Int128 units) {
  if (units == 0) return {};
  Unrounded value{.value_class = ValueClass::kFinite, .negative = units < 0};
  value.significand = static_cast<Uint128>(units < 0 ? -units : units);
  value.exponent = kProductUnit;
  return value;
}

Unrounded FromInteger(int64_t value) {
  if (value == 0) return {};
  return {.value_class = ValueClass::kFinite,
          .negative = value < 0,
          .significand = static_cast<Uint128>(value < 0 ? -value : value)};
}

constexpr ExactValue kOne{.value_class = ValueClass::kFinite, .significand = 1};

bool IsInFloat(Switches::Multiplier multiplier) {
  return multiplier == Switches::Multiplier::kReciprocal ||
         multiplier == Switches::Multiplier::kThroughFloat16 ||
         multiplier == Switches::Multiplier::kThroughBfloat16 ||
         multiplier == Switches::Multiplier::kTruncatedSum;
}

// Returns the switches that act on these types.
Switches Acting(Switches switches, const DecodedMatMul& decoded) {
  if (!decoded.integer_operands) {
    if (switches.sum == Sum::kBfloat16) switches.sum = Sum::kExact;
    switches.scales_as = DataType::kUndefined;
    if (switches.overflow == Switches::Overflow::kInt32Minimum) {
      switches.overflow = Switches::Overflow::kSaturate;
    }
    if (switches.tail_lanes != 0) {
      switches.tail_lanes = 0;
      switches.rounding = R::kEven;
    }
  }
  if (IsInFloat(switches.multiplier) && !decoded.float_scales) {
    switches.multiplier = Switches::Multiplier::kExact;
  }
  if (decoded.y->kind == NumberKind::kInteger && decoded.integer_operands) {
    return switches;
  }
  if (switches.rounding == R::kAway || switches.rounding == R::kHalfUp ||
      switches.rounding == R::kHalvesFirst) {
    switches.rounding = R::kEven;
  }
  switches.multiplier = Switches::Multiplier::kExact;
  switches.no_a_scale = switches.no_b_scale = switches.no_y_scale = false;
  switches.cross_term_subtracted = switches.b_minimum_is_minus_127 = false;
  switches.swapped_scales = Switches::Swap::kNone;
  if (switches.order == Switches::Order::kBeforeRounding ||
      switches.order == Switches::Order::kFused) {
    switches.order = Switches::Order::kAfter;
  }
  return switches;
}

class Evaluation {
 public:
  Evaluation(const DecodedMatMul& decoded, const Switches& switches)
      : d_(decoded),
        s_(Acting(switches, decoded)),
        integer_(decoded.y->kind == NumberKind::kInteger),
        sum_is_canonical_(s_.sum == Sum::kExact && switches.lost_tail == 0 &&
                          switches.uncorrected_tail == 0 && !switches.no_a_zero_point &&
                          !switches.no_b_zero_point && !switches.no_cross_term &&
                          !s_.cross_term_subtracted && !s_.b_minimum_is_minus_127 &&
                          !switches.first_batch &&
                          switches.a_zero_point == Place::kRight &&
                          switches.b_zero_point == Place::kRight),
        target_(*decoded.y, s_.rounding, s_.order, s_.overflow),
        to_y_(*decoded.y, ModeOf(s_.rounding),
              switches.never_saturates && !integer_ ? OverflowPolicy::kNonSaturating
                                                    : OverflowPolicy::kSaturate) {}

  // Whether an element keeps the oracle's code.
  bool KeepsCode(size_t index) const {
    if (d_.special[index] == MatMulSpecial::kScales) return !integer_;
    return d_.special[index] == MatMulSpecial::kOperands;
  }

  uint32_t Element(int64_t matrix, int64_t row, int64_t column, size_t index,
                   MatMulTrace* trace = nullptr) const {
    const QLinearMatMulLayout& layout = d_.layout;
    const auto [a_line, b_line] = LinesOf(matrix, row, column);
    const int64_t y_line = matrix * layout.y.rows + row;
    ExactValue y_zero = d_.y_zero_points[At(Place::kRight, layout.y_zero_point,
                                            d_.y_zero_points.size(), y_line, 0)];
    if (s_.y_zero_point_of_other_sign && integer_) y_zero = OfOtherSign(y_zero);
    if (d_.terms == 0 && s_.empty_is_zero && integer_) return 0;
    const Unrounded c = SumOf(a_line, b_line, index);
    ExactValue a_scale =
        d_.a.scales[At(s_.a_scale, layout.a_scale, d_.a.scales.size(), a_line, b_line)];
    ExactValue b_scale =
        d_.b.scales[At(s_.b_scale, layout.b_scale, d_.b.scales.size(), b_line, a_line)];
    ExactValue y_scale =
        d_.y_scales[At(Place::kRight, layout.y_scale, d_.y_scales.size(), y_line, 0)];
    for (ExactValue* scale : {&a_scale, &b_scale, &y_scale}) {
      if (s_.absolute_scales) scale->negative = false;
      if (s_.scales_as != DataType::kUndefined) {
        *scale = Narrowed(FormatOf(s_.scales_as), *scale);
      }
    }
    if (s_.no_a_scale) a_scale = kOne;
    if (s_.no_b_scale) b_scale = kOne;
    if (s_.no_y_scale) y_scale = kOne;
    if (s_.swapped_scales == Switches::Swap::kAWithY) std::swap(a_scale, y_scale);
    if (s_.swapped_scales == Switches::Swap::kBWithY) std::swap(b_scale, y_scale);
    const bool is_fused = s_.order == Switches::Order::kFused;
    Unrounded v = is_fused ? MultipliedAndAdded(c, a_scale, b_scale, y_scale, y_zero)
                           : Requantize(c, a_scale, b_scale, y_scale);
    if (s_.sign_lost) v.negative = false;
    if (trace != nullptr) {
      trace->sum = c;
      trace->product = v;
    }
    if (!integer_) return static_cast<uint32_t>(FloatCode(v, y_zero));
    const bool adds = target_.adds_before_rounding() && !is_fused;
    const Unrounded rounds = adds ? Add(v, y_zero) : v;
    return static_cast<uint32_t>(target_.CodeOf(
        rounds, y_zero, false, trace == nullptr ? nullptr : &trace->of_integer));
  }

 private:
  // The row of a and the column of b, counted through all matrices.
  std::pair<int64_t, int64_t> LinesOf(int64_t matrix, int64_t row, int64_t column) const {
    const QLinearMatMulLayout& layout = d_.layout;
    const auto place = static_cast<size_t>(s_.first_batch && integer_ ? 0 : matrix);
    return {layout.a_matrix[place] * layout.y.rows + row,
            layout.b_matrix[place] * layout.y.columns + column};
  }

  // The index of a scale or zero point of a line; `other` is the other operand's.
  static size_t At(Place place, const LineIndices& indices, size_t count, int64_t line,
                   int64_t other) {
    if (count <= 1 || indices.empty()) return 0;
    const auto last = static_cast<int64_t>(count) - 1;
    const int64_t right = indices[static_cast<size_t>(line)];
    switch (place) {
      case Place::kRight:
        return static_cast<size_t>(right);
      case Place::kFirst:
        return 0;
      case Place::kNext:
        return static_cast<size_t>(std::min(right + 1, last));
      case Place::kSwapped:
        return static_cast<size_t>(std::min(other, last));
    }
    return 0;
  }

  Unrounded SumOf(int64_t a_line, int64_t b_line, size_t index) const {
    if (sum_is_canonical_) return FromUnits(d_.sums[index]);
    const QLinearMatMulLayout& layout = d_.layout;
    const int64_t za =
        s_.no_a_zero_point
            ? 0
            : d_.a.zero_points[At(s_.a_zero_point, layout.a_zero_point,
                                  d_.a.zero_points.size(), a_line, b_line)];
    const int64_t zb =
        s_.no_b_zero_point
            ? 0
            : d_.b.zero_points[At(s_.b_zero_point, layout.b_zero_point,
                                  d_.b.zero_points.size(), b_line, a_line)];
    const int64_t* a = d_.a.units.data() + a_line * d_.terms;
    const int64_t* b = d_.b.units.data() + b_line * d_.terms;
    const int64_t whole =
        s_.lost_tail > 0 ? d_.terms - d_.terms % s_.lost_tail : d_.terms;
    const int64_t corrected =
        s_.uncorrected_tail > 0 ? d_.terms - d_.terms % s_.uncorrected_tail : d_.terms;
    const Sum kind = Narrows() && !d_.integer_operands ? Sum::kExact : s_.sum;
    const Int128 one = Int128{1} << -kProductUnit;
    Int128 sum = 0;
    Int128 pair = 0;
    ExactValue running;
    for (int64_t k = 0; k < whole; ++k) {
      const bool zeros = k < corrected;
      const int64_t b_k = s_.b_minimum_is_minus_127 ? WithoutMinimum(b[k]) : b[k];
      const Int128 raw = static_cast<Int128>(a[k]) * b_k;
      Int128 product =
          static_cast<Int128>(a[k] - (zeros ? za : 0)) * (b_k - (zeros ? zb : 0));
      if (s_.cross_term_subtracted) product -= static_cast<Int128>(za) * zb * 2;
      if (s_.no_cross_term && d_.integer_operands)
        product -= static_cast<Int128>(za) * zb;
      switch (kind) {
        case Sum::kExact:
          sum += product;
          break;
        case Sum::kPairsSaturate16:
          // On the raw codes, as the instruction does; corrections stay exact.
          sum += product - raw;
          pair += raw;
          if (k % 2 == 1 || k == whole - 1) {
            sum += std::clamp<Int128>(pair, -32768 * one, 32767 * one);
            pair = 0;
          }
          break;
        case Sum::kWrap16:
          sum += Int128{static_cast<int16_t>(product / one)} * one;
          break;
        case Sum::kSaturate16:
          sum = std::clamp<Int128>(sum + product, -32768 * one, 32767 * one);
          break;
        case Sum::kBfloat16:
          running = Accumulate(DataType::kBfloat16, product, running);
          break;
        case Sum::kFloat16:
          running = Accumulate(DataType::kFloat16, product, running);
          break;
      }
    }
    const bool floats = s_.sum == Sum::kBfloat16 || s_.sum == Sum::kFloat16;
    return floats ? ToUnrounded(running) : FromUnits(sum);
  }

  // A value of b.
  int64_t WithoutMinimum(int64_t units) const {
    constexpr int64_t kUnits = int64_t{1} << (-kProductUnit / 2);
    return d_.b.format->is_signed && units == -128 * kUnits ? -127 * kUnits : units;
  }

  // Sums that only integers have.
  bool Narrows() const {
    return s_.sum == Sum::kPairsSaturate16 || s_.sum == Sum::kWrap16 ||
           s_.sum == Sum::kSaturate16;
  }

  static ExactValue Accumulate(DataType type, Int128 product, const ExactValue& running) {
    return RoundedTo(FormatOf(type), Add(FromUnits(product), running));
  }

  // An integer zero point of y, read as the other type of its width.
  ExactValue OfOtherSign(const ExactValue& zero_point) const {
    NumberFormat other = *d_.y;
    other.is_signed = !other.is_signed;
    const uint64_t code = Round(*d_.y, ToUnrounded(zero_point),
                                RoundingMode::kNearestEven, OverflowPolicy::kSaturate);
    return Decode(other, code);
  }

  Unrounded RequantizeInFloat(const Unrounded& c, const ExactValue& a,
                              const ExactValue& b, const ExactValue& y) const {
    const NumberFormat& in = FormatOf(DataType::kFloat);
    if (s_.multiplier == Switches::Multiplier::kThroughFloat16) {
      return TimesMultiplierIn(DataType::kFloat16, c, a, b, y);
    }
    if (s_.multiplier == Switches::Multiplier::kThroughBfloat16) {
      return TimesMultiplierIn(DataType::kBfloat16, c, a, b, y);
    }
    const ExactValue scale = RoundedTo(in, Multiply(a, b));
    if (s_.multiplier == Switches::Multiplier::kTruncatedSum) {
      ExactValue sum;
      if (c.value_class != ValueClass::kZero) {
        sum = RoundedTo(in, c, RoundingMode::kTowardZero);
      }
      return ToUnrounded(RoundedTo(in, Multiply(sum, RoundedTo(in, Divide(scale, y)))));
    }
    const ExactValue product = RoundedTo(in, Multiply(RoundedTo(in, c), scale));
    return ToUnrounded(RoundedTo(in, Multiply(product, RoundedTo(in, Divide(kOne, y)))));
  }

  Unrounded Requantize(const Unrounded& c, const ExactValue& a, const ExactValue& b,
                       const ExactValue& y) const {
    if (IsInFloat(s_.multiplier)) return RequantizeInFloat(c, a, b, y);
    if (s_.multiplier != Switches::Multiplier::kExact &&
        c.value_class != ValueClass::kNan) {
      const ExactValue product{.value_class = Multiply(a, b).value_class,
                               .negative = a.negative != b.negative,
                               .significand = a.significand * b.significand,
                               .exponent = a.exponent + b.exponent};
      const Unrounded m = DivideWide(ToUnrounded(product), y);
      if (s_.multiplier == Switches::Multiplier::kNearestPowerOfTwo) {
        return MultiplyWide(c, NearestPowerOfTwo(m));
      }
      if (m.value_class == ValueClass::kFinite) {
        const int64_t sum = ToWideInteger(c, RoundingMode::kNearestEven);
        const int64_t value = s_.multiplier == Switches::Multiplier::kFixedPoint
                                  ? TimesFixedPoint(sum, FixedPoint(m, 31), 31)
                                  : TimesFixedPointOnce(sum, FixedPoint(m, 15));
        return FromInteger(value);
      }
    }
    if (d_.requantize) {
      RationalSum sum{.value_class = c.value_class, .negative = c.negative};
      sum.numerator = c.significand;
      sum.exponent = c.exponent;
      return (*d_.requantize)(sum, {.a = a, .b = b, .y = y});
    }
    // Scales of 24 digits each: the product has 48.
    const ExactValue product{.value_class = Multiply(a, b).value_class,
                             .negative = a.negative != b.negative,
                             .significand = a.significand * b.significand,
                             .exponent = a.exponent + b.exponent};
    return DivideWide(MultiplyWide(c, product), y);
  }

  // C * (a_scale * b_scale / y_scale) + zero point in FLOAT: the multiplier is rounded
  // after each step, the multiply-add once.
  static Unrounded MultipliedAndAdded(const Unrounded& c, const ExactValue& a,
                                      const ExactValue& b, const ExactValue& y,
                                      const ExactValue& y_zero) {
    const NumberFormat& in = FormatOf(DataType::kFloat);
    const ExactValue multiplier = RoundedTo(in, Divide(RoundedTo(in, Multiply(a, b)), y));
    const Unrounded product = MultiplyWide(c, multiplier);
    const bool adds = y_zero.value_class != ValueClass::kZero;
    return ToUnrounded(RoundedTo(in, adds ? Add(product, y_zero) : product));
  }

  uint64_t FloatCode(const Unrounded& v, const ExactValue& y_zero) const {
    const NumberFormat& y = *d_.y;
    Unrounded sum = IntegerFirst(v, s_.integer_first);
    if (y_zero.value_class != ValueClass::kZero && v.value_class != ValueClass::kNan) {
      sum = Add(sum, y_zero);
    }
    const uint64_t sign = uint64_t{1} << (y.bits - 1);
    const bool infinite = sum.value_class == ValueClass::kInfinity;
    if (infinite && y.nan == NanEncoding::kNegativeZero) return CanonicalNan(y);  // QL-22
    uint64_t code = to_y_(sum).code;
    if (s_.flush_result && y.mantissa_bits == 3 && IsSubnormal(y, code)) code = 0;
    if (y.has_negative_zero && code == sign) code = 0;  // MM-12

    return code;
  }

  const DecodedMatMul& d_;
  const Switches s_;
  bool integer_;
  bool sum_is_canonical_;
  IntegerTarget target_;
  Rounder to_y_;
};

}  // namespace

std::vector<uint32_t> EvaluateWithSwitches(const DecodedMatMul& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const QLinearMatMulSwitches& switches) {
  std::vector<uint32_t> codes = canonical;
  Switches arithmetic = switches;
  arithmetic.last_unwritten = false;
  arithmetic.empty_unwritten = false;
  if (arithmetic != Switches{}) {
    const Evaluation evaluation(decoded, switches);
    const MatMulStack& y = decoded.layout.y;
    const int64_t first =
        switches.tail_lanes == 0 ? 0 : y.columns - y.columns % switches.tail_lanes;
    for (int64_t matrix = 0; matrix < y.matrices; ++matrix) {
      for (int64_t row = 0; row < y.rows; ++row) {
        for (int64_t column = first; column < y.columns; ++column) {
          const auto index =
              static_cast<size_t>((matrix * y.rows + row) * y.columns + column);
          if (evaluation.KeepsCode(index)) continue;
          codes[index] = evaluation.Element(matrix, row, column, index);
        }
      }
    }
  }
  if (switches.empty_unwritten && decoded.terms == 0) {
    std::fill(codes.begin(), codes.end(), kUnwrittenCode);
  }
  if (switches.last_unwritten && !codes.empty()) codes.back() = kUnwrittenCode;
  return codes;
}

std::optional<MatMulTrace> TraceElement(const DecodedMatMul& decoded,
                                        const QLinearMatMulSwitches& switches,
                                        int64_t index) {
  const MatMulStack& y = decoded.layout.y;
  const auto at = static_cast<size_t>(index);
  if (y.columns == 0 || y.rows == 0 || decoded.special[at] != MatMulSpecial::kNo) {
    return std::nullopt;
  }
  const int64_t column = index % y.columns;
  const int64_t row = index / y.columns % y.rows;
  const int64_t first =
      switches.tail_lanes == 0 ? 0 : y.columns - y.columns % switches.tail_lanes;
  const Switches acting = column < first ? Switches{} : switches;
  const int64_t matrix = index / (y.columns * y.rows);
  const Evaluation evaluation(decoded, acting);
  MatMulTrace trace;
  trace.code = evaluation.Element(matrix, row, column, at, &trace);
  return trace;
}

}  // namespace qconform
