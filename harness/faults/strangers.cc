#include "harness/faults/strangers.h"

namespace qconform {

double ToDouble(const ExactValue& v) {
  switch (v.value_class) {
    case ValueClass::kNan:
      return std::nan("");
    case ValueClass::kInfinity:
      return v.negative ? -HUGE_VAL : HUGE_VAL;
    case ValueClass::kZero:
      return v.negative ? -0.0 : 0.0;
    case ValueClass::kFinite:
      break;
  }
  const double magnitude = std::ldexp(static_cast<double>(v.significand), v.exponent);
  return v.negative ? -magnitude : magnitude;
}

bool IsPowerOfTwo(double v) {
  int exponent;
  return std::isfinite(v) && std::abs(std::frexp(v, &exponent)) == 0.5;
}

}  // namespace qconform
