#include "harness/faults/comparison_faults.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "oracle/base/node.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

double ToDouble(DataType type, uint64_t code) {
  const ExactValue value = Decode(FormatOf(type), code);
  const double sign = value.negative ? -1.0 : 1.0;
  switch (value.value_class) {
    case ValueClass::kZero:
      return 0.0;
    case ValueClass::kInfinity:
      return sign * std::numeric_limits<double>::infinity();
    case ValueClass::kNan:
      return std::numeric_limits<double>::quiet_NaN();
    case ValueClass::kFinite:
      break;
  }
  return sign * std::ldexp(static_cast<double>(value.significand), value.exponent);
}

bool BothZero(const CaseAnswer& expected, size_t index, uint64_t actual) {
  const NumberFormat& y = FormatOf(expected.TypeOf(index));
  return IsZero(y, actual) && IsZero(y, expected.elements[index].code);
}

bool InfinityExpected(const CaseAnswer& expected, size_t index, uint64_t) {
  return (expected.elements[index].features & kFeatureInfinity) != 0;
}

bool NanExpected(const CaseAnswer& expected, size_t index, uint64_t) {
  return IsNan(FormatOf(expected.TypeOf(index)), expected.elements[index].code);
}

bool OneUlp(const CaseAnswer& expected, size_t index, uint64_t actual) {
  const NumberFormat& y = FormatOf(expected.TypeOf(index));
  const uint64_t code = expected.elements[index].code;
  if (IsNan(y, code) || IsNan(y, actual)) return false;
  return std::abs(ValueOrder(y, code) - ValueOrder(y, actual)) <= 1;
}

bool Saturated(const CaseAnswer& expected, size_t index, uint64_t) {
  return (expected.elements[index].features &
          (kFeatureSaturatedLow | kFeatureSaturatedHigh)) != 0;
}

bool WithinTolerance(const CaseAnswer& expected, size_t index, uint64_t actual) {
  return IsWithinOnnxTolerance(expected.TypeOf(index), expected.elements[index].code,
                               actual);
}

bool Last(const CaseAnswer& expected, size_t index, uint64_t) {
  const ElementPlace place = expected.PlaceOf(index);
  return place.index + 1 == static_cast<int64_t>(expected.SizeOf(place.output));
}

bool BehindVectors(const CaseAnswer& expected, size_t index, uint64_t) {
  constexpr int64_t kLanes = 64;
  const ElementPlace place = expected.PlaceOf(index);
  const auto size = static_cast<int64_t>(expected.SizeOf(place.output));
  return place.index >= size / kLanes * kLanes;
}

bool Everywhere(const Cell&) { return true; }
bool IntegerOutput(const Cell& cell) { return IsInteger(OutputType(cell)); }

constexpr ComparisonFault kFaults[] = {
    {.name = "compare_zeros_alike",
     .sentence = "+0 counts as -0.",
     .seen_in = "comparing floats with ==",
     .passes = BothZero,
     .witness = "zero_sign_dropped",
     .hides_in = Everywhere},
    {.name = "compare_anything_for_infinity",
     .sentence = "Anything passes where the quotient is infinite.",
     .seen_in = "cleaning of results before they are compared",
     .passes = InfinityExpected,
     .witness = "infinity_is_zero",
     .hides_in = Everywhere},
    {.name = "compare_skips_nan",
     .sentence = "Anything passes where NaN is expected.",
     .seen_in = "masked comparisons",
     .passes = NanExpected,
     .witness = "nan_is_zero",
     .hides_in = Everywhere},
    {.name = "compare_one_ulp",
     .sentence = "The neighbouring codes pass as well.",
     .seen_in = "test suites of most kernel libraries",
     .passes = OneUlp,
     .witness = "ties_away",
     .hides_in = IntegerOutput},
    {.name = "compare_relative_tolerance",
     .sentence = "A difference of 1e-3 of the value passes.",
     .seen_in = "ONNX's backend test runner",
     .passes = WithinTolerance,
     .witness = "zero_sign_dropped",
     .hides_in = Everywhere},
    {.name = "compare_skips_saturated",
     .sentence = "Elements at the ends of the range are not compared.",
     .passes = Saturated,
     .witness = "wraps_at_output",
     .hides_in = Everywhere},
    {.name = "compare_forgets_last",
     .sentence = "The last element is not compared.",
     .seen_in = "loops that end one too early",
     .passes = Last,
     .witness = "last_element_unwritten",
     .hides_in = Everywhere},
    {.name = "compare_whole_vectors",
     .sentence = "Elements behind the last multiple of 64 are not compared.",
     .seen_in = "comparisons by vectors without a tail",
     .passes = BehindVectors,
     .witness = "tail_truncates_64",
     .hides_in = Everywhere},
};

}  // namespace

std::span<const ComparisonFault> ComparisonFaults() { return kFaults; }

Declaration Declare(const ComparisonFault& fault, const Cell& cell) {
  if (IsGraphFamily(cell.op_type)) {
    return Equivalent("comparisons are tried on the cells of operators");
  }
  const Fault* witness = FindFault(fault.witness);
  if (witness == nullptr || !fault.hides_in(cell) ||
      Declare(*witness, cell).kind != Declaration::Kind::kDeviates) {
    return Equivalent("no planted fault of a backend shows only there");
  }
  return Deviates();
}

bool IsWithinOnnxTolerance(DataType type, uint64_t expected, uint64_t actual) {
  const double right = ToDouble(type, expected);
  const double given = ToDouble(type, actual);
  if (std::isnan(right) || std::isnan(given))
    return std::isnan(right) && std::isnan(given);
  if (std::isinf(right) || std::isinf(given)) return right == given;
  // numpy.testing.assert_allclose(reference, output): relative to the second.
  return std::abs(given - right) <= 1e-7 + 1e-3 * std::abs(given);
}

}  // namespace qconform
