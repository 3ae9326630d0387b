#include "harness/faults/testing/strangers.h"

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

bool Integer(const Cell& cell) { return IsInteger(OutputType(cell)); }

Applies Any() {
  return [](const Cell&) { return true; };
}

Applies Ints() { return Integer; }

Applies Of(std::string_view granularity) {
  return [=](const Cell& cell) { return cell.granularity == granularity; };
}

Applies Many() {
  return [](const Cell& cell) { return cell.granularity != "per_tensor"; };
}

Applies FloatScales() {
  return [](const Cell& cell) { return cell.types[1] == DataType::kFloat; };
}

Applies FloatX() {
  return [](const Cell& cell) { return cell.types[0] != DataType::kInt32; };
}

}  // namespace qconform
