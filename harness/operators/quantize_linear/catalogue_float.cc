// Faults of float8 and float4 targets.
#include <string>

#include "harness/core/common_faults.h"
#include "harness/operators/quantize_linear/catalogue.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/quantize_linear/clauses.h"

namespace qconform::quantize_linear {
namespace {

namespace common = common_faults;

using S = QuantizeLinearSwitches;
using F = QuantizeLinearFacts;

bool IsFnuz(DataType y) {
  return y == DataType::kFloat8E4M3FNUZ || y == DataType::kFloat8E5M2FNUZ;
}

Declaration Float8Only(const F& f) {
  if (f.float8) return Deviates();
  return Equivalent("the step belongs to float8 targets");
}

Declaration FloatsOnly(const F& f) {
  if (!f.integer) return Deviates();
  return Equivalent("the step belongs to float targets");
}

}  // namespace

void AddFloatFaults(std::vector<OperatorFault>& faults) {
  faults.push_back(
      {common::kFloatSubnormalsFlushed, S{.flush_result = true}, FloatsOnly});
  faults.push_back({{"float_subnormals_flushed_before_rounding",
                     "What is below the least normal number of y becomes zero, also "
                     "where it would be rounded to that.",
                     "conversions to float8 that compare exponents first"},
                    S{.flush_before_rounding = true},
                    FloatsOnly});
  using Integer = FaultyInteger;
  faults.push_back(
      {common::kRoundsToIntegerFirst, S{.integer_first = Integer::kRounded}, FloatsOnly});
  faults.push_back({common::kConvertsToInt32First,
                    S{.integer_first = Integer::kConverted}, FloatsOnly});
  faults.push_back({{"saturate_ignored", "saturate=0 saturates as well.",
                     "hardware conversions that always saturate"},
                    S{.always_saturates = true},
                    Float8Only});
  faults.push_back({common::kNeverSaturates, S{.never_saturates = true}, [](const F& f) {
                      if (f.float8 && IsFloatingPoint(f.y_scale)) return Deviates();
                      return Equivalent("it acts on scales that are floats and float8 y");
                    }});
  faults.push_back({{"overflow_before_rounding",
                     "With saturate=0 and float x all beyond the largest finite "
                     "overflows, what would round back too."},
                    S{.early_overflow = true},
                    [](const F& f) {
                      if (f.float8 && f.x != DataType::kInt32) return Deviates();
                      return Equivalent("it acts on float x and float8 y");
                    }});
  faults.push_back({{"legacy_fp8_overflow", "With saturate=0 E4M3FN keeps 448 up to 512.",
                     "helpers of older ONNX releases"},
                    S{.late_overflow = true},
                    [](const F& f) {
                      if (f.y == DataType::kFloat8E4M3FN) return Deviates();
                      return Equivalent("the step belongs to FLOAT8E4M3FN");
                    }});
  faults.push_back(
      {{"overflow_by_carry",
        "With saturate=0 E4M3FN keeps 448 from 480 up to 496, and E5M2 has NaN for what "
        "rounds up to 65536.",
        "conversions that look for overflow in the exponent before they round"},
       S{.overflow_by_carry = true},
       [](const F& f) {
         if (f.float8 && !IsFnuz(f.y)) return Deviates();
         return Equivalent("the step belongs to FLOAT8E4M3FN and FLOAT8E5M2");
       }});
  faults.push_back({{"fnuz_bias_of_other_format",
                     "FNUZ results are twice as large, as they are encoded with the bias "
                     "of the formats that are not FNUZ.",
                     "one conversion for all float8 types"},
                    S{.fnuz_doubled = true},
                    [](const F& f) {
                      if (IsFnuz(f.y)) return Deviates();
                      return Equivalent("the format is not FNUZ");
                    }});
  faults.push_back({{"fnuz_negative_zero",
                     "A negative zero becomes 0x80, which is NaN in FNUZ formats.",
                     "sign bits put back after the conversion"},
                    S{.negative_zero_code = true},
                    [](const F& f) {
                      if (IsFnuz(f.y)) return Deviates();
                      return Equivalent("the format has a negative zero");
                    }});
  faults.push_back(
      {{"fnuz_negative_underflow",
        "A negative value that is rounded to zero becomes 0x80, which is NaN "
        "in FNUZ formats; a zero is right.",
        "conversions that set the sign bit before they look at the exponent; "
        "ONNX Runtime 1.16"},
       S{.negative_underflow_code = true},
       [](const F& f) {
         if (!IsFnuz(f.y)) return Equivalent("the format has a negative zero");
         if (f.x == DataType::kInt32 && f.y_scale == DataType::kFloat16 &&
             f.y == DataType::kFloat8E5M2FNUZ) {
           return Equivalent("1 / 65504 is more than half of 2^-17");
         }
         return Deviates();
       }});
  faults.push_back(
      {{"zero_sign_dropped", "A negative zero becomes +0, where x is a float."},
       S{.drop_zero_sign = true},
       [](const F& f) {
         if (f.integer || IsFnuz(f.y)) return Equivalent("y has no negative zero");
         if (f.x == DataType::kInt32) return Equivalent("it acts on float x");
         if (HasNan(f.y)) return Deviates();
         return Admissible(std::string(ClausesOfTarget(f.y).special_values) +
                           ":zero_sign_dropped");
       }});
  faults.push_back({{"e4m3fn_ends_at_240",
                     "FLOAT8E4M3FN saturates at 240 before it is rounded, also with "
                     "saturate=0.",
                     "the range of FLOAT8E4M3FNUZ, or of an E4M3 with infinities"},
                    S{.ends_at_240 = true},
                    [](const F& f) {
                      if (f.y == DataType::kFloat8E4M3FN) return Deviates();
                      return Equivalent("it acts on FLOAT8E4M3FN");
                    }});
  faults.push_back({{"nan_is_zero", "NaN becomes zero.", "cleaning of inputs"},
                    S{.nan_is_zero = true},
                    [](const F& f) {
                      if (f.float8) return Deviates();
                      return Equivalent(
                          "any code may stand for NaN (QL-12, QL-26, QL-28)");
                    }});
  faults.push_back({{"infinity_is_nan", "Infinite quotients become NaN.",
                     "conversions that follow the float8 page's table for FNUZ"},
                    S{.infinity_is_nan = true},
                    [](const F& f) {
                      if (!f.float8)
                        return Equivalent("the step belongs to float8 targets");
                      if (!IsFnuz(f.y)) return Deviates();
                      if (f.since_version >= 24)
                        return Admissible("QL-22:fnuz_infinity_nan");
                      return Equivalent("QL-22 has NaN before 24");
                    }});
  faults.push_back(
      {{"saturates_to_infinity", "Infinite quotients stay infinite with saturate=1.",
        "conversions that saturate finite values alone"},
       S{.saturate_to_infinity = true},
       [](const F& f) {
         if (f.y == DataType::kFloat8E5M2) return Deviates();
         return Equivalent("y has no infinity");
       }});
}

}  // namespace qconform::quantize_linear
