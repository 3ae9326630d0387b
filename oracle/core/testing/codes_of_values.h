// Codes and tensors of values that a test writes down.
#ifndef QCONFORM_ORACLE_CORE_TESTING_CODES_OF_VALUES_H_
#define QCONFORM_ORACLE_CORE_TESTING_CODES_OF_VALUES_H_

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

inline uint32_t FloatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float FloatFromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// The code of a value that `type` holds exactly, or of the nearest one.
inline uint64_t CodeOf(DataType type, double value) {
  if (type == DataType::kFloat8E8M0)
    return static_cast<uint64_t>(std::ilogb(value) + 127);
  Unrounded exact{.negative = std::signbit(value)};
  if (std::isnan(value)) {
    exact.value_class = ValueClass::kNan;
  } else if (std::isinf(value)) {
    exact.value_class = ValueClass::kInfinity;
  } else if (value != 0) {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);
    exact.value_class = ValueClass::kFinite;
    exact.significand = static_cast<uint64_t>(std::ldexp(fraction, 53));
    exact.exponent = exponent - 53;
  }
  const bool integer = IsInteger(type);
  return Round(FormatOf(type), exact, RoundingMode::kNearestEven,
               integer ? OverflowPolicy::kSaturate : OverflowPolicy::kNonSaturating);
}

inline Tensor TensorOf(DataType type, Shape shape, const std::vector<double>& values) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  for (size_t i = 0; i < values.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), CodeOf(type, values[i]));
  }
  return tensor;
}

inline Tensor ScalarCode(DataType type, uint64_t code) {
  Tensor tensor = Tensor::Zeros(type, {});
  WriteCode(tensor.mutable_view(), 0, code);
  return tensor;
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_TESTING_CODES_OF_VALUES_H_
