#include "harness/graphs/numbers.h"

#include <cmath>
#include <limits>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::graphs {
namespace {

Number NumberOf(const ExactValue& value) {
  Number magnitude = 0;
  switch (value.value_class) {
    case ValueClass::kZero:
      break;
    case ValueClass::kFinite:
      magnitude = std::ldexp(static_cast<Number>(value.significand), value.exponent);
      break;
    case ValueClass::kInfinity:
      magnitude = std::numeric_limits<Number>::infinity();
      break;
    case ValueClass::kNan:
      return std::numeric_limits<Number>::quiet_NaN();
  }
  return value.negative ? -magnitude : magnitude;
}

Unrounded UnroundedOf(Number number) {
  Unrounded value{.negative = std::signbit(number)};
  if (std::isnan(number)) {
    value.value_class = ValueClass::kNan;
  } else if (std::isinf(number)) {
    value.value_class = ValueClass::kInfinity;
  } else if (number != 0) {
    constexpr int kDigits = std::numeric_limits<Number>::digits;
    int exponent = 0;
    const Number fraction = std::frexp(std::fabs(number), &exponent);
    value.value_class = ValueClass::kFinite;
    value.significand = static_cast<uint64_t>(std::ldexp(fraction, kDigits));
    value.exponent = exponent - kDigits;
  }
  return value;
}

}  // namespace

std::vector<Number> NumbersOf(const Tensor& tensor) {
  const NumberFormat& format = FormatOf(tensor.type);
  std::vector<Number> numbers;
  for (const uint64_t code : ReadCodes(tensor.view())) {
    numbers.push_back(NumberOf(Decode(format, code)));
  }
  return numbers;
}

Tensor TensorOfNumbers(DataType type, const Shape& shape,
                       const std::vector<Number>& numbers) {
  const NumberFormat& format = FormatOf(type);
  const auto overflow =
      IsInteger(type) ? OverflowPolicy::kSaturate : OverflowPolicy::kNonSaturating;
  Tensor tensor = Tensor::Zeros(type, shape);
  const MutableTensorView view = tensor.mutable_view();
  for (size_t i = 0; i < numbers.size(); ++i) {
    WriteCode(
        view, static_cast<int64_t>(i),
        Round(format, UnroundedOf(numbers[i]), RoundingMode::kNearestEven, overflow));
  }
  return tensor;
}

Tensor Converted(const Tensor& tensor, DataType type) {
  if (tensor.type == type) return tensor;
  return TensorOfNumbers(type, tensor.shape, NumbersOf(tensor));
}

Number RoundedToEven(Number value) {
  const Number below = std::floor(value);
  const Number above = value - below;
  if (above != Number{0.5}) return above < Number{0.5} ? below : below + 1;
  return std::fmod(below, Number{2}) == 0 ? below : below + 1;
}

Number LeastOf(DataType type) { return static_cast<Number>(IntegerMin(FormatOf(type))); }
Number GreatestOf(DataType type) {
  return static_cast<Number>(IntegerMax(FormatOf(type)));
}

}  // namespace qconform::graphs
