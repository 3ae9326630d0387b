// Faults of rounding, order, precision and integer overflow.
#include "harness/core/catalogue.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using S = QuantizeLinearSwitches;
using F = QuantizeLinearFacts;

Declaration IntegersOnly(const F& f) {
  if (f.integer) return Deviates();
  return Equivalent("float targets have no such step");
}

// The one rounding of floats sees the zero point anyway (QL-24).
Declaration ZeroPointBeforeRounding(const F& f) {
  if (f.integer) return Deviates();
  return Equivalent(
      "QL-24 adds the zero point of a float target before its one rounding");
}

bool IsHalf(DataType type) {
  return type == DataType::kFloat16 || type == DataType::kBfloat16;
}

// A BFLOAT16 over a power of two has 8 digits, which FLOAT16 holds but for its
// range: with precision=FLOAT16 a wider quotient shows only in the smallest values.
bool ShowsAsUnconverted(const F& f) {
  return f.x == DataType::kBfloat16 && f.y_scale == DataType::kFloat8E8M0 &&
         f.y != DataType::kFloat8E5M2FNUZ;
}

// A quotient in a type that is wider than P.
Declaration WiderQuotient(const F& f, DataType type) {
  if (f.since_version < 23) {
    if (f.precision == DataType::kUndefined) {
      if (type == DataType::kFloat) return Admissible("QL-06:f32_quotient");
      return Equivalent("a DOUBLE quotient of two INT32 is nowhere rounded to a tie");
    }
    if (f.precision == type) return Equivalent("P is that type");
    if (f.since_version < 19 && f.x == DataType::kInt32) {
      return Admissible("QL-03:f64_division");
    }
    if (IsHalf(f.precision)) {
      const bool sixteen = f.integer && f.y_bits == 16;
      const bool fnuz =
          f.y == DataType::kFloat8E4M3FNUZ || f.y == DataType::kFloat8E5M2FNUZ;
      // A quotient of two BFLOAT16 may overflow FLOAT, and that is NaN then (QL-22).
      const bool tells = f.precision == DataType::kFloat16 ? sixteen : fnuz;
      if (type == DataType::kDouble && tells) return Admissible("QL-04:f64_division");
      return Admissible("QL-04:f32_quotient");
    }
    return type == DataType::kDouble ? Admissible("QL-02:f64_division") : Deviates();
  }
  return ShowsAsUnconverted(f) ? Admissible("QL-09:unconverted_operands") : Deviates();
}

Declaration FloatQuotient(const F& f) {
  if (f.since_version < 19) return Equivalent("P is FLOAT");
  return WiderQuotient(f, DataType::kFloat);
}
Declaration DoubleQuotient(const F& f) { return WiderQuotient(f, DataType::kDouble); }

// A quotient in half precision.
template <DataType kType>
Declaration HalfQuotient(const F& f) {
  if (!f.has_precision && f.precision == kType) return Equivalent("P is that type");
  if (kType == DataType::kBfloat16 && ShowsAsUnconverted(f)) {
    return Admissible("QL-09:unconverted_operands");
  }
  return Deviates();
}

// The division without `precision`.
Declaration RoundedQuotient(const F& f) {
  if (f.precision == DataType::kUndefined)
    return Equivalent("the quotient is exact (QL-06)");
  if (f.y_scale == DataType::kFloat8E8M0) {
    return Equivalent("P holds the quotient by a power of two");
  }
  return Deviates();
}

Declaration UnroundedQuotient(const F& f) {
  if (f.since_version >= 23) return RoundedQuotient(f);
  // INT32 is converted to FLOAT first.
  if (f.since_version < 19 && f.x == DataType::kInt32) return Deviates();
  return WiderQuotient(f, DataType::kDouble);
}

Declaration FloatScales(const F& f) {
  if (f.y_scale == DataType::kFloat) return Deviates();
  return Equivalent("it acts on quotients of FLOAT scales");
}

Declaration Conversion(const F& f) {
  if (f.precision == DataType::kUndefined) return Equivalent("there is no P (QL-06)");
  const bool more = f.x == DataType::kInt32 ||
                    FormatOf(f.x).mantissa_bits > FormatOf(f.precision).mantissa_bits;
  if (f.y_bits < 8) return Equivalent("it acts on targets of 8 bits and more");
  return more ? Deviates() : Equivalent("P has the digits of x");
}

Declaration Reciprocals(const F& f) {
  if (IsFloatingPoint(f.y_scale)) return Deviates();
  return Equivalent("it acts on scales that are floats");
}

void AddRounding(std::vector<Fault>& faults) {
  using R = S::Rounding;
  faults.push_back({.name = "ties_away",
                    .sentence = "Ties are rounded away from zero.",
                    .seen_in = "kernels built on roundf, std::round or llround",
                    .quantize_linear = S{.rounding = R::kAway}});
  faults.push_back({.name = "ties_half_up",
                    .sentence = "Ties are rounded up: floor(q + 1/2), exactly.",
                    .seen_in = "integer-only code that adds half and shifts",
                    .quantize_linear = S{.rounding = R::kHalfUp}});
  faults.push_back({.name = "ties_half_down",
                    .sentence = "Ties are rounded down: ceil(q - 1/2), exactly.",
                    .quantize_linear = S{.rounding = R::kHalfDown}});
  faults.push_back({.name = "truncates",
                    .sentence = "The quotient is rounded toward zero.",
                    .seen_in =
                        "a plain cast to an integer, such as ONNX Runtime's CPU kernel "
                        "of FLOAT16",
                    .quantize_linear = S{.rounding = R::kTowardZero}});
  faults.push_back({.name = "rounds_down",
                    .sentence = "The quotient is rounded down.",
                    .seen_in = "arithmetic shifts, floor",
                    .quantize_linear = S{.rounding = R::kDown}});
  faults.push_back({.name = "rounds_up",
                    .sentence = "The quotient is rounded up.",
                    .quantize_linear = S{.rounding = R::kUp}});
  faults.push_back({.name = "adds_half_in_p",
                    .sentence = "floor(q + 1/2), where the sum is rounded to P first.",
                    .seen_in = "code from before round-to-even instructions",
                    .quantize_linear = S{.rounding = R::kAddHalfInP},
                    .declare = IntegersOnly});
  faults.push_back({.name = "random_ties",
                    .sentence = "Ties fall either way, from call to call.",
                    .seen_in = "stochastic rounding of training kernels",
                    .quantize_linear = S{.rounding = R::kRandomTies},
                    .has_state = true});
}

void AddOrder(std::vector<Fault>& faults) {
  using O = S::Order;
  faults.push_back({.name = "zero_point_before_rounding",
                    .sentence = "The zero point is added before the quotient is rounded.",
                    .seen_in = "affine formulas x * (1 / s) + z in one fused step",
                    .quantize_linear = S{.order = O::kBeforeRounding},
                    .declare = ZeroPointBeforeRounding});
  faults.push_back(
      {.name = "zero_point_added_in_p",
       .sentence = "An integer's zero point is added in P, before the sum is rounded.",
       .seen_in = "ONNX's reference evaluator of QLinearMatMul",
       .quantize_linear = S{.order = O::kBeforeInP},
       .declare = ZeroPointBeforeRounding});
  faults.push_back({.name = "clamp_before_zero_point",
                    .sentence =
                        "The quotient is clamped to y's range before the zero point "
                        "is added, and the sum again.",
                    .quantize_linear = S{.order = O::kAfterClamp},
                    .declare = [](const F& f) {
                      return f.integer ? Deviates() : Admissible("QL-24:round_then_add");
                    }});
  faults.push_back({.name = "zero_point_ignored",
                    .sentence = "The zero point is not added.",
                    .seen_in = "kernels for symmetric quantization alone",
                    .quantize_linear = S{.order = O::kIgnored},
                    .declare = [](const F& f) {
                      return f.integer ? Deviates()
                                       : Admissible("QL-24:zero_point_ignored");
                    }});
  faults.push_back({.name = "zero_point_subtracted",
                    .sentence = "The zero point is subtracted.",
                    .quantize_linear = S{.order = O::kSubtracted}});
}

void AddPrecision(std::vector<Fault>& faults) {
  using Q = S::Quotient;
  faults.push_back({.name = "reciprocal_multiply",
                    .sentence = "x is multiplied by 1 / y_scale, both rounded to P.",
                    .seen_in = "vector kernels that avoid a division",
                    .quantize_linear = S{.quotient = Q::kReciprocal},
                    .declare = Reciprocals});
  faults.push_back(
      {.name = "reciprocal_in_float",
       .sentence = "Where x and y_scale are of two types or FLOAT16, x is multiplied by "
                   "1 / y_scale in FLOAT.",
       .seen_in = "kernels that convert to FLOAT first",
       .quantize_linear = S{.quotient = Q::kReciprocalIn, .type = DataType::kFloat},
       .declare = [](const F& f) {
         if (!ReciprocalInActs(f.x, f.y_scale)) {
           return Equivalent("x and y_scale are both FLOAT, BFLOAT16 or INT32");
         }
         return Reciprocals(f);
       }});
  faults.push_back(
      {.name = "float_division",
       .sentence = "The division is done in FLOAT, whatever P is.",
       .seen_in = "kernels of FLOAT16 and BFLOAT16 that convert to FLOAT",
       .quantize_linear = S{.quotient = Q::kDivisionIn, .type = DataType::kFloat},
       .declare = FloatQuotient});
  faults.push_back(
      {.name = "double_division",
       .sentence = "The division is done in DOUBLE (excess precision).",
       .seen_in = "scripting languages; ONNX's reference evaluator of INT32",
       .quantize_linear = S{.quotient = Q::kDivisionIn, .type = DataType::kDouble},
       .declare = DoubleQuotient});
  faults.push_back(
      {.name = "float16_division",
       .sentence = "The division is done in FLOAT16.",
       .seen_in = "mobile GPUs and NPUs in half precision mode",
       .quantize_linear = S{.quotient = Q::kDivisionIn, .type = DataType::kFloat16},
       .declare = HalfQuotient<DataType::kFloat16>});
  faults.push_back(
      {.name = "bfloat16_division",
       .sentence = "The division is done in BFLOAT16.",
       .seen_in = "matrix engines in BFLOAT16 mode",
       .quantize_linear = S{.quotient = Q::kDivisionIn, .type = DataType::kBfloat16},
       .declare = HalfQuotient<DataType::kBfloat16>});
  faults.push_back(
      {.name = "quotient_not_rounded",
       .sentence = "Without `precision`, the quotient of the converted operands is not "
                   "rounded to P.",
       .seen_in = "fused divide and round",
       .quantize_linear = S{.quotient = Q::kConvertedExact, .without_precision = true},
       .declare = UnroundedQuotient});
  faults.push_back({.name = "exact_quotient",
                    .sentence = "Neither the operands nor the quotient are rounded to P.",
                    .seen_in = "rational or wide arithmetic",
                    .quantize_linear = S{.quotient = Q::kExact},
                    .declare = DoubleQuotient});
  faults.push_back(
      {.name = "operands_not_converted",
       .sentence = "The operands are not converted to P, the quotient is; not so over "
                   "powers of two and for 2-bit targets.",
       .quantize_linear = S{.quotient = Q::kUnconverted},
       .declare = [](const F& f) {
         if (f.since_version < 19 && f.x == DataType::kInt32) {
           return Admissible("QL-03:unconverted_operands");
         }
         if (!f.has_precision) return Equivalent("P holds both operands");
         if (f.y_scale == DataType::kFloat8E8M0 || f.y_bits < 4) {
           return Equivalent("it acts neither there nor for 2-bit targets");
         }
         return Admissible("QL-09:unconverted_operands");
       }});
  faults.push_back({.name = "precision_ignored",
                    .sentence = "The attribute `precision` is ignored.",
                    .seen_in = "kernels written before opset 23",
                    .quantize_linear = S{.default_precision = true},
                    .declare = [](const F& f) {
                      if (!f.has_precision)
                        return Equivalent("there is no such attribute");
                      if (ShowsAsUnconverted(f))
                        return Admissible("QL-09:unconverted_operands");
                      return Deviates();
                    }});
  faults.push_back(
      {.name = "quotient_through_float16",
       .sentence = "Without `precision`, a FLOAT quotient is rounded to FLOAT16 on the "
                   "way to y.",
       .seen_in = "float8 conversion by way of half precision",
       .quantize_linear = S{.quotient = Q::kThrough,
                            .type = DataType::kFloat16,
                            .without_precision = true},
       .declare = FloatScales});
  faults.push_back(
      {.name = "quotient_through_bfloat16",
       .sentence = "Without `precision`, a FLOAT quotient is rounded to BFLOAT16 on the "
                   "way to y.",
       .quantize_linear = S{.quotient = Q::kThrough,
                            .type = DataType::kBfloat16,
                            .without_precision = true},
       .declare = FloatScales});
  faults.push_back(
      {.name = "quotient_through_float",
       .sentence = "A DOUBLE quotient of FLOAT operands is rounded to FLOAT on the way "
                   "to y.",
       .seen_in = "code that passes floats on as FLOAT",
       .quantize_linear = S{.quotient = Q::kThrough, .type = DataType::kFloat},
       .declare = [](const F& f) {
         const bool both = f.x == DataType::kFloat && f.y_scale == DataType::kFloat;
         if (f.has_precision && both) return Deviates();
         return Equivalent("it acts on DOUBLE quotients of FLOAT operands");
       }});
  faults.push_back(
      {.name = "quotient_truncated",
       .sentence = "Without `precision`, the quotient is rounded to P toward zero.",
       .seen_in = "software division without a last correction",
       .quantize_linear = S{.quotient = Q::kTruncated, .without_precision = true},
       .declare = RoundedQuotient});
  faults.push_back(
      {.name = "conversion_truncated",
       .sentence = "Without `precision`, an x of more digits than P is converted to P "
                   "toward zero.",
       .seen_in = "BFLOAT16 by dropping 16 bits; INT32 to FLOAT by shifting",
       .quantize_linear =
           S{.quotient = Q::kTruncatedConversion, .without_precision = true},
       .declare = Conversion});
  faults.push_back({.name = "integer_division",
                    .sentence = "INT32 is divided by INT32 as integers, toward zero.",
                    .seen_in = "a literal / of two integers in C",
                    .quantize_linear = S{.quotient = Q::kIntegerDivision},
                    .declare = [](const F& f) {
                      const bool both =
                          f.x == DataType::kInt32 && f.y_scale == DataType::kInt32;
                      return both ? Deviates() : Equivalent("an operand is no integer");
                    }});
}

void AddScales(std::vector<Fault>& faults) {
  faults.push_back(
      {.name = "flushes_subnormal_x",
       .sentence = "Where x and y_scale have one type, a subnormal x is taken as zero.",
       .seen_in = "DAZ; GPUs",
       .quantize_linear = S{.flush_x = true},
       .declare = [](const F& f) {
         if (f.x == f.y_scale && f.x != DataType::kInt32) return Deviates();
         return Equivalent("it acts on floats of one type");
       }});
  faults.push_back({.name = "flushes_subnormal_scale",
                    .sentence = "A subnormal scale is taken as zero.",
                    .seen_in = "DAZ; GPUs",
                    .quantize_linear = S{.flush_scale = true},
                    .declare = [](const F& f) {
                      if (f.y_scale != DataType::kInt32) return Deviates();
                      return Equivalent("integers have no subnormals");
                    }});
  faults.push_back(
      {.name = "flushes_subnormal_quotient",
       .sentence = "Without `precision`, a subnormal quotient becomes zero.",
       .seen_in = "FTZ; GPUs",
       .quantize_linear = S{.without_precision = true, .flush_quotient = true},
       .declare = [](const F& f) {
         const bool small =
             f.y == DataType::kFloat8E5M2 || f.y == DataType::kFloat8E5M2FNUZ;
         if (small && f.precision == DataType::kFloat16) return Deviates();
         return Equivalent("y has no values as small as P's subnormals");
       }});
  faults.push_back({.name = "absolute_scale",
                    .sentence = "The sign of the scale is ignored.",
                    .quantize_linear = S{.absolute_scale = true},
                    .declare = [](const F& f) {
                      if (f.y_scale != DataType::kFloat8E8M0) return Deviates();
                      return Equivalent("FLOAT8E8M0 has no zero and no sign");
                    }});
  faults.push_back({.name = "zero_scale_is_one",
                    .sentence = "A scale of zero is taken as one.",
                    .seen_in = "guards against a division by zero",
                    .quantize_linear = S{.zero_scale_is_one = true},
                    .declare = [](const F& f) {
                      if (f.y_scale != DataType::kFloat8E8M0) return Deviates();
                      return Equivalent("FLOAT8E8M0 has no zero and no sign");
                    }});
}

void AddOverflow(std::vector<Fault>& faults) {
  using V = S::Overflow;
  const auto add = [&](std::string_view name, std::string_view sentence,
                       std::string_view seen, V overflow,
                       Declaration (*declare)(const F&)) {
    faults.push_back({.name = name,
                      .sentence = sentence,
                      .seen_in = seen,
                      .quantize_linear = S{.overflow = overflow},
                      .declare = declare});
  };
  add("int32_minimum_on_overflow",
      "What does not fit INT32 becomes -2^31 before it saturates.",
      "CVTPS2DQ without a clamp; ONNX's reference evaluator", V::kInt32Minimum,
      IntegersOnly);
  add("wraps_at_int32", "The rounded quotient is taken modulo 2^32 before it saturates.",
      "casts through int64_t", V::kWrapInt32, IntegersOnly);
  add("wraps_at_output", "The sum keeps its low bits in place of saturating.",
      "a missing clamp", V::kWrap, IntegersOnly);
  add("saturates_at_int16", "All passes through a saturated INT16.",
      "PACKSSDW before the clamp", V::kThroughInt16, [](const F& f) {
        if (f.integer && f.y_bits == 16) return Deviates();
        return Equivalent("y's range and zero point lie well within INT16");
      });
  add("narrow_range", "Signed types lose their smallest value (-127 to 127).",
      "symmetric quantization", V::kNarrowRange, [](const F& f) {
        if (f.integer && FormatOf(f.y).is_signed) return Deviates();
        return Equivalent("it acts on signed integers");
      });
  add("infinity_is_zero", "An infinite quotient counts as zero.", "cleaning of inputs",
      V::kInfinityIsZero, IntegersOnly);
  add("unsigned_as_signed",
      "Unsigned types end where the signed one of their width does.",
      "one table for both", V::kSignedRange, [](const F& f) {
        if (f.integer && !FormatOf(f.y).is_signed) return Deviates();
        return Equivalent("it acts on unsigned integers");
      });
}

}  // namespace

void AddArithmeticFaults(std::vector<Fault>& faults) {
  AddRounding(faults);
  AddOrder(faults);
  AddPrecision(faults);
  AddScales(faults);
  AddOverflow(faults);
}

}  // namespace qconform
