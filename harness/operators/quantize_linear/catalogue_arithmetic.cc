// Faults of rounding, order, precision and integer overflow.
#include "harness/core/common_faults.h"
#include "harness/operators/quantize_linear/catalogue.h"
#include "oracle/formats/number_format.h"

namespace qconform::quantize_linear {
namespace {

namespace common = common_faults;

using S = QuantizeLinearSwitches;
using F = QuantizeLinearFacts;

Declaration IntegersOnly(const F& f) {
  if (f.integer) return Deviates();
  return Equivalent("float targets have no such step");
}

Declaration IntegersOfFloats(const F& f) {
  if (f.integer && f.x != DataType::kInt32) return Deviates();
  return Equivalent("it converts quotients of floats to integers");
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

void AddRounding(std::vector<OperatorFault>& faults) {
  using R = S::Rounding;
  faults.push_back({common::kTiesAway, S{.rounding = R::kAway}});
  faults.push_back({common::kTiesHalfUp, S{.rounding = R::kHalfUp}});
  faults.push_back({{"ties_half_down", "Ties are rounded down: ceil(q - 1/2), exactly."},
                    S{.rounding = R::kHalfDown}});
  faults.push_back({common::kTruncates, S{.rounding = R::kTowardZero}});
  faults.push_back({common::kRoundsDown, S{.rounding = R::kDown}});
  faults.push_back({common::kRoundsUp, S{.rounding = R::kUp}});
  faults.push_back(
      {common::kRoundedToHalvesFirst, S{.rounding = R::kHalvesFirst}, IntegersOnly});
  faults.push_back(
      {{"adds_half_in_p", "floor(q + 1/2), where the sum is rounded to P first.",
        "code from before round-to-even instructions"},
       S{.rounding = R::kAddHalfInP},
       IntegersOnly});
  faults.push_back({{"adds_half_in_p_and_truncates",
                     "q + 1/2, where the sum is rounded to P, is rounded toward zero.",
                     "a cast to an integer of x / y_scale + 0.5f"},
                    S{.rounding = R::kAddHalfInPTowardZero},
                    IntegersOnly});
  faults.push_back({common::kSignLost, S{.sign_lost = true}});
  faults.push_back({.text = {"random_ties", "Ties fall either way, from call to call.",
                             "stochastic rounding of training kernels"},
                    .set = S{.rounding = R::kRandomTies},
                    .has_state = true});
}

void AddOrder(std::vector<OperatorFault>& faults) {
  using O = S::Order;
  faults.push_back({common::kZeroPointBeforeRounding, S{.order = O::kBeforeRounding},
                    ZeroPointBeforeRounding});
  faults.push_back({{"zero_point_added_in_p",
                     "An integer's zero point is added in P, before the sum is rounded.",
                     "ONNX's reference evaluator of QLinearMatMul"},
                    S{.order = O::kBeforeInP},
                    ZeroPointBeforeRounding});
  faults.push_back(
      {common::kClampBeforeZeroPoint, S{.order = O::kAfterClamp}, [](const F& f) {
         return f.integer ? Deviates() : Admissible("QL-24:round_then_add");
       }});
  faults.push_back({common::kZeroPointIgnored, S{.order = O::kIgnored}, [](const F& f) {
                      return f.integer ? Deviates()
                                       : Admissible("QL-24:zero_point_ignored");
                    }});
  faults.push_back({{"zero_point_subtracted", "The zero point is subtracted."},
                    S{.order = O::kSubtracted}});
  faults.push_back({common::kZeroPointOfOtherSign,
                    S{.zero_point_read = S::ZeroPointRead::kOtherSign}, IntegersOnly});
  faults.push_back({common::kFusedMultiplyAdd, S{.order = O::kFused}, Reciprocals});
  faults.push_back(
      {common::kFakeQuantizeFormula, S{.fake_quantize = true}, IntegersOnly});
}

void AddPrecision(std::vector<OperatorFault>& faults) {
  using Q = S::Quotient;
  faults.push_back(
      {common::kReciprocalMultiply, S{.quotient = Q::kReciprocal}, Reciprocals});
  faults.push_back({{"reciprocal_without_precision",
                     "Without `precision`, x is multiplied by 1 / y_scale, both rounded "
                     "to P; with it, "
                     "x is divided."},
                    S{.quotient = Q::kReciprocal, .without_precision = true},
                    [](const F& f) {
                      if (!f.has_precision)
                        return Equivalent("there is no such attribute");
                      return Reciprocals(f);
                    }});
  faults.push_back(
      {{"reciprocal_in_float",
        "Where x and y_scale are of two types or FLOAT16, x is multiplied by "
        "1 / y_scale in FLOAT.",
        "kernels that convert to FLOAT first"},
       S{.quotient = Q::kReciprocalIn, .type = DataType::kFloat},
       [](const F& f) {
         if (!ReciprocalInActs(f.x, f.y_scale)) {
           return Equivalent("x and y_scale are both FLOAT, BFLOAT16 or INT32");
         }
         return Reciprocals(f);
       }});
  faults.push_back({{"float_division", "The division is done in FLOAT, whatever P is.",
                     "kernels of FLOAT16 and BFLOAT16 that convert to FLOAT"},
                    S{.quotient = Q::kDivisionIn, .type = DataType::kFloat},
                    FloatQuotient});
  faults.push_back(
      {{"double_division", "The division is done in DOUBLE (excess precision).",
        "scripting languages; ONNX's reference evaluator of INT32"},
       S{.quotient = Q::kDivisionIn, .type = DataType::kDouble},
       DoubleQuotient});
  faults.push_back({{"float16_division", "The division is done in FLOAT16.",
                     "mobile GPUs and NPUs in half precision mode"},
                    S{.quotient = Q::kDivisionIn, .type = DataType::kFloat16},
                    HalfQuotient<DataType::kFloat16>});
  faults.push_back({{"bfloat16_division", "The division is done in BFLOAT16.",
                     "matrix engines in BFLOAT16 mode"},
                    S{.quotient = Q::kDivisionIn, .type = DataType::kBfloat16},
                    HalfQuotient<DataType::kBfloat16>});
  faults.push_back({{"quotient_not_rounded",
                     "Without `precision`, the quotient of the converted operands is not "
                     "rounded to P.",
                     "fused divide and round"},
                    S{.quotient = Q::kConvertedExact, .without_precision = true},
                    UnroundedQuotient});
  faults.push_back(
      {{"exact_quotient", "Neither the operands nor the quotient are rounded to P.",
        "rational or wide arithmetic"},
       S{.quotient = Q::kExact},
       DoubleQuotient});
  faults.push_back({{"operands_not_converted",
                     "The operands are not converted to P, the quotient is; not so over "
                     "powers of two and for 2-bit targets."},
                    S{.quotient = Q::kUnconverted},
                    [](const F& f) {
                      if (f.since_version < 19 && f.x == DataType::kInt32) {
                        return Admissible("QL-03:unconverted_operands");
                      }
                      if (!f.has_precision) return Equivalent("P holds both operands");
                      if (f.y_scale == DataType::kFloat8E8M0 || f.y_bits < 4) {
                        return Equivalent("it acts neither there nor for 2-bit targets");
                      }
                      return Admissible("QL-09:unconverted_operands");
                    }});
  faults.push_back({{"precision_ignored", "The attribute `precision` is ignored.",
                     "kernels written before opset 23"},
                    S{.default_precision = true},
                    [](const F& f) {
                      if (!f.has_precision)
                        return Equivalent("there is no such attribute");
                      if (ShowsAsUnconverted(f))
                        return Admissible("QL-09:unconverted_operands");
                      return Deviates();
                    }});
  faults.push_back(
      {{"quotient_through_float16",
        "Without `precision`, a FLOAT quotient is rounded to FLOAT16 on the way to y.",
        "float8 conversion by way of half precision"},
       S{.quotient = Q::kThrough, .type = DataType::kFloat16, .without_precision = true},
       FloatScales});
  faults.push_back(
      {{"quotient_through_bfloat16",
        "Without `precision`, a FLOAT quotient is rounded to BFLOAT16 on the way to y."},
       S{.quotient = Q::kThrough, .type = DataType::kBfloat16, .without_precision = true},
       FloatScales});
  faults.push_back({{"quotient_through_float",
                     "A DOUBLE quotient of FLOAT operands is rounded to FLOAT on the way "
                     "to y.",
                     "code that passes floats on as FLOAT"},
                    S{.quotient = Q::kThrough, .type = DataType::kFloat},
                    [](const F& f) {
                      const bool both =
                          f.x == DataType::kFloat && f.y_scale == DataType::kFloat;
                      if (f.has_precision && both) return Deviates();
                      return Equivalent("it acts on DOUBLE quotients of FLOAT operands");
                    }});
  faults.push_back({{"quotient_truncated",
                     "Without `precision`, the quotient is rounded to P toward zero.",
                     "software division without a last correction"},
                    S{.quotient = Q::kTruncated, .without_precision = true},
                    RoundedQuotient});
  faults.push_back({{"conversion_truncated",
                     "Without `precision`, an x of more digits than P is converted to P "
                     "toward zero.",
                     "BFLOAT16 by dropping 16 bits; INT32 to FLOAT by shifting"},
                    S{.quotient = Q::kTruncatedConversion, .without_precision = true},
                    Conversion});
  const auto scale_through = [](DataType type) {
    return [type](const F& f) {
      if (ScaleThroughActs(type, f.y_scale)) return Deviates();
      return Equivalent("the type of y_scale has no more digits, or is no float");
    };
  };
  faults.push_back({common::kScaleThroughFloat16,
                    S{.quotient = Q::kScaleThrough, .type = DataType::kFloat16},
                    scale_through(DataType::kFloat16)});
  faults.push_back({common::kScaleThroughBfloat16,
                    S{.quotient = Q::kScaleThrough, .type = DataType::kBfloat16},
                    scale_through(DataType::kBfloat16)});
  const auto of_floats = [](const F& f) {
    const bool both = f.x == DataType::kFloat && f.y_scale == DataType::kFloat;
    return both ? Deviates() : Equivalent("it acts on FLOAT x by FLOAT scales");
  };
  faults.push_back(
      {{"x_through_float16", "A FLOAT x by a FLOAT scale is rounded to FLOAT16 first.",
        "kernels in half precision mode"},
       S{.quotient = Q::kXThrough, .type = DataType::kFloat16},
       of_floats});
  faults.push_back(
      {{"x_through_bfloat16", "A FLOAT x by a FLOAT scale is rounded to BFLOAT16 first.",
        "matrix engines in BFLOAT16 mode"},
       S{.quotient = Q::kXThrough, .type = DataType::kBfloat16},
       of_floats});
  faults.push_back(
      {{"reciprocal_through_float16",
        "If the division is one of FLOAT by FLOAT in FLOAT, x is multiplied by "
        "1 / y_scale, rounded to FLOAT16.",
        "reciprocals that are stored in half precision"},
       S{.quotient = Q::kReciprocalThrough, .type = DataType::kFloat16},
       [of_floats](const F& f) {
         if (f.precision != DataType::kFloat) return Equivalent("P is another type");
         return of_floats(f);
       }});
  faults.push_back(
      {common::kScaleToPowerOfTwo, S{.quotient = Q::kScaleToPowerOfTwo}, [](const F& f) {
         if (f.y_scale == DataType::kFloat) return Deviates();
         return Equivalent("it acts on FLOAT scales");
       }});
  faults.push_back({{"x_truncated_to_bfloat16",
                     "An x of FLOAT keeps its highest 16 bits only, which is BFLOAT16 "
                     "toward zero.",
                     "matrix engines in BFLOAT16 mode"},
                    S{.quotient = Q::kTruncatedX},
                    [](const F& f) {
                      if (f.x == DataType::kFloat) return Deviates();
                      return Equivalent("it acts on FLOAT x");
                    }});
  faults.push_back(
      {{"promoted_division",
        "Without `precision`, for an integer y: floats of two types are divided in "
        "FLOAT, "
        "and INT32 by another type in DOUBLE.",
        "numpy; ONNX's reference evaluator"},
       S{.quotient = Q::kPromoted},
       [](const F& f) {
         if (!PromotedActs(f.since_version, f.x, f.y_scale, f.y)) {
           return Equivalent("P is the type of both, or the attribute does not exist");
         }
         return f.y_scale == DataType::kFloat8E8M0 ? Admissible("QL-07:f64_division")
                                                   : Deviates();
       }});
  faults.push_back(
      {{"integer_division", "INT32 is divided by INT32 as integers, toward zero.",
        "a literal / of two integers in C"},
       S{.quotient = Q::kIntegerDivision},
       [](const F& f) {
         const bool both = f.x == DataType::kInt32 && f.y_scale == DataType::kInt32;
         return both ? Deviates() : Equivalent("an operand is no integer");
       }});
}

void AddScales(std::vector<OperatorFault>& faults) {
  faults.push_back({{"flushes_subnormal_x",
                     "Where x and y_scale have one type, a subnormal x is taken as zero.",
                     "DAZ; GPUs"},
                    S{.flush_x = true},
                    [](const F& f) {
                      if (f.x == f.y_scale && f.x != DataType::kInt32) return Deviates();
                      return Equivalent("it acts on floats of one type");
                    }});
  faults.push_back(
      {common::kFlushesSubnormalScale, S{.flush_scale = true}, [](const F& f) {
         if (f.y_scale != DataType::kInt32) return Deviates();
         return Equivalent("integers have no subnormals");
       }});
  faults.push_back(
      {{"flushes_subnormal_quotient",
        "Without `precision`, a subnormal quotient becomes zero.", "FTZ; GPUs"},
       S{.without_precision = true, .flush_quotient = true},
       [](const F& f) {
         const bool small =
             f.y == DataType::kFloat8E5M2 || f.y == DataType::kFloat8E5M2FNUZ;
         if (small && f.precision == DataType::kFloat16) return Deviates();
         return Equivalent("y has no values as small as P's subnormals");
       }});
  faults.push_back({common::kAbsoluteScale, S{.absolute_scale = true}, [](const F& f) {
                      if (f.y_scale != DataType::kFloat8E8M0) return Deviates();
                      return Equivalent("FLOAT8E8M0 has no zero and no sign");
                    }});
  faults.push_back(
      {common::kZeroScaleIsOne, S{.zero_scale_is_one = true}, [](const F& f) {
         if (f.y_scale != DataType::kFloat8E8M0) return Deviates();
         return Equivalent("FLOAT8E8M0 has no zero and no sign");
       }});
}

void AddOverflow(std::vector<OperatorFault>& faults) {
  using V = S::Overflow;
  const auto add = [&](FaultText text, V overflow, Declaration (*declare)(const F&)) {
    faults.push_back({text, S{.overflow = overflow}, declare});
  };
  add(common::kInt32MinimumOnOverflow, V::kInt32Minimum, IntegersOnly);
  add(common::kInt32MinimumWraps, V::kInt32MinimumWraps, IntegersOnly);
  faults.push_back({{"int32_minimum_wraps_through_float",
                     "Of an INT32 x, what does not fit INT32 becomes -2^31, and its sum "
                     "with the zero point keeps 32 bits; INT32 is converted to a P of "
                     "BFLOAT16 by way of FLOAT.",
                     "ml_dtypes; ONNX's reference evaluator"},
                    S{.int32_through_float = true, .overflow = V::kInt32MinimumWraps},
                    [](const F& f) {
                      const bool acts = f.x == DataType::kInt32 && f.has_precision;
                      if (f.integer && acts) return Deviates();
                      return Equivalent("it acts on INT32 x, where `precision` exists");
                    }});
  add({"int32_saturated_wraps",
       "Of a float x, a quotient that does not fit INT32 becomes its nearest end, and "
       "its sum with the zero point keeps 32 bits.",
       "WebAssembly's conversion and an INT32 addition; ONNX Runtime Web 1.30"},
      V::kInt32SaturatedWraps, IntegersOfFloats);
  const auto add_in_strided_blocks = [&](FaultText text, V overflow,
                                         Declaration (*declare)(const F&)) {
    const S switches{.overflow = overflow,
                     .overflow_place = S::OverflowPlace::kStridedBlocks};
    faults.push_back({text, switches, [declare](const F& f) {
                        if (f.blocked) return declare(f);
                        return Equivalent("it acts on blocks");
                      }});
  };
  add_in_strided_blocks(
      {"int32_minimum_in_strided_blocks",
       "By blocks along another axis than the last, what does not fit INT32 becomes "
       "-2^31, and its sum with the zero point keeps 32 bits.",
       "a scalar kernel beside a vector one; ONNX Runtime 1.30"},
      V::kInt32MinimumWraps, IntegersOnly);
  add_in_strided_blocks({"int32_saturated_in_strided_blocks",
                         "Of a float x, by blocks along another axis than the last, a "
                         "quotient that does not fit INT32 becomes its nearest end, and "
                         "its sum with the zero point keeps 32 bits.",
                         "a scalar kernel beside a vector one; ONNX Runtime Web 1.30"},
                        V::kInt32SaturatedWraps, IntegersOfFloats);
  faults.push_back(
      {{"int32_minimum_in_vectors_of_64",
        "Of a float x, a quotient that does not fit INT32 gives the smallest code in "
        "full vectors of 64 elements; behind them it becomes its nearest end, and its "
        "sum with the zero point keeps 32 bits.",
        "a vector kernel and the scalar loop behind it; rten 0.27"},
       S{.overflow = V::kInt32Minimum, .overflow_place = S::OverflowPlace::kVectorsOf64},
       [](const F& f) {
         if (f.y == DataType::kUint8 && f.x != DataType::kInt32) return Unclaimed();
         return Equivalent("it acts on UINT8 of floats");
       }});
  add({"wraps_at_int32", "The rounded quotient is taken modulo 2^32 before it saturates.",
       "casts through int64_t"},
      V::kWrapInt32, IntegersOnly);
  add(common::kWrapsAtOutput, V::kWrap, IntegersOnly);
  add(common::kInt32MinimumWrapsAtOutput, V::kInt32MinimumLowBits, IntegersOnly);
  add(common::kInt32SaturatedWrapsAtOutput, V::kInt32SaturatedLowBits, IntegersOnly);
  add(common::kInt32SumWrapsAtOutput, V::kInt32SumLowBits, IntegersOnly);
  add({"saturates_at_int16", "All passes through a saturated INT16.",
       "PACKSSDW before the clamp"},
      V::kThroughInt16, [](const F& f) {
        if (f.integer && f.y_bits == 16) return Deviates();
        return Equivalent("y's range and zero point lie well within INT16");
      });
  add(common::kNarrowRange, V::kNarrowRange, [](const F& f) {
    if (f.integer && FormatOf(f.y).is_signed) return Deviates();
    return Equivalent("it acts on signed integers");
  });
  add({"infinity_is_zero", "An infinite quotient counts as zero.", "cleaning of inputs"},
      V::kInfinityIsZero, IntegersOnly);
  add(common::kUnsignedAsSigned, V::kSignedRange, [](const F& f) {
    if (f.integer && !FormatOf(f.y).is_signed) return Deviates();
    return Equivalent("it acts on unsigned integers");
  });
}

}  // namespace

void AddArithmeticFaults(std::vector<OperatorFault>& faults) {
  AddRounding(faults);
  AddOrder(faults);
  AddPrecision(faults);
  AddScales(faults);
  AddOverflow(faults);
}

}  // namespace qconform::quantize_linear
