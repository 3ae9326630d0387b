// Faults of float8 and float4 targets.
#include "harness/core/catalogue.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

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

void AddFloatFaults(std::vector<Fault>& faults) {
  faults.push_back({.name = "float_subnormals_flushed",
                    .sentence = "Results that are subnormal in y become zero.",
                    .seen_in = "conversions to float8 built on exponent arithmetic alone",
                    .quantize_linear = S{.flush_result = true},
                    .declare = FloatsOnly});
  faults.push_back({.name = "saturate_ignored",
                    .sentence = "saturate=0 saturates as well.",
                    .seen_in = "hardware conversions that always saturate",
                    .quantize_linear = S{.always_saturates = true},
                    .declare = Float8Only});
  faults.push_back(
      {.name = "never_saturates",
       .sentence = "saturate=1 does not saturate either, where y_scale is a float.",
       .quantize_linear = S{.never_saturates = true},
       .declare = [](const F& f) {
         if (f.float8 && IsFloatingPoint(f.y_scale)) return Deviates();
         return Equivalent("it acts on scales that are floats and float8 y");
       }});
  faults.push_back({.name = "overflow_before_rounding",
                    .sentence =
                        "With saturate=0 and float x all beyond the largest finite "
                        "overflows, what would round back too.",
                    .quantize_linear = S{.early_overflow = true},
                    .declare = [](const F& f) {
                      if (f.float8 && f.x != DataType::kInt32) return Deviates();
                      return Equivalent("it acts on float x and float8 y");
                    }});
  faults.push_back({.name = "legacy_fp8_overflow",
                    .sentence = "With saturate=0 E4M3FN keeps 448 up to 512.",
                    .seen_in = "helpers of older ONNX releases",
                    .quantize_linear = S{.late_overflow = true},
                    .declare = [](const F& f) {
                      if (f.y == DataType::kFloat8E4M3FN) return Deviates();
                      return Equivalent("the step belongs to FLOAT8E4M3FN");
                    }});
  faults.push_back(
      {.name = "fnuz_negative_zero",
       .sentence = "A negative zero becomes 0x80, which is NaN in FNUZ formats.",
       .seen_in = "sign bits put back after the conversion",
       .quantize_linear = S{.negative_zero_code = true},
       .declare = [](const F& f) {
         if (IsFnuz(f.y)) return Deviates();
         return Equivalent("the format has a negative zero");
       }});
  faults.push_back({.name = "zero_sign_dropped",
                    .sentence = "A negative zero becomes +0, where x is a float.",
                    .quantize_linear = S{.drop_zero_sign = true},
                    .declare = [](const F& f) {
                      if (f.integer || IsFnuz(f.y))
                        return Equivalent("y has no negative zero");
                      if (f.x == DataType::kInt32)
                        return Equivalent("it acts on float x");
                      if (f.y == DataType::kFloat4E2M1)
                        return Admissible("QL-26:zero_sign_dropped");
                      return Deviates();
                    }});
  faults.push_back({.name = "nan_is_zero",
                    .sentence = "NaN becomes zero.",
                    .seen_in = "cleaning of inputs",
                    .quantize_linear = S{.nan_is_zero = true},
                    .declare = [](const F& f) {
                      if (f.float8) return Deviates();
                      return Equivalent("any code may stand for NaN (QL-12, QL-26)");
                    }});
  faults.push_back({.name = "infinity_is_nan",
                    .sentence = "Infinite quotients become NaN.",
                    .seen_in = "conversions that follow the float8 page's table for FNUZ",
                    .quantize_linear = S{.infinity_is_nan = true},
                    .declare = [](const F& f) {
                      if (!f.float8)
                        return Equivalent("the step belongs to float8 targets");
                      if (!IsFnuz(f.y)) return Deviates();
                      if (f.since_version >= 24)
                        return Admissible("QL-22:fnuz_infinity_nan");
                      return Equivalent("QL-22 has NaN before 24");
                    }});
  faults.push_back({.name = "saturates_to_infinity",
                    .sentence = "Infinite quotients stay infinite with saturate=1.",
                    .seen_in = "conversions that saturate finite values alone",
                    .quantize_linear = S{.saturate_to_infinity = true},
                    .declare = [](const F& f) {
                      if (f.y == DataType::kFloat8E5M2) return Deviates();
                      return Equivalent("y has no infinity");
                    }});
}

}  // namespace qconform
