// Operands and graphs that several rows are evaluated with.
#ifndef QCONFORM_HARNESS_GRAPHS_PROOFS_QUESTIONS_H_
#define QCONFORM_HARNESS_GRAPHS_PROOFS_QUESTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "harness/graphs/proofs/both_sides.h"
#include "oracle/formats/number_format.h"

namespace qconform::graphs {

// Row r of a matrix is quantized with the r-th scale and zero point.
inline const std::vector<Attribute> kByRow{{"axis", int64_t{0}}};

// `rows` times the same values.
template <typename T>
std::vector<T> Repeated(const std::vector<T>& values, size_t rows) {
  std::vector<T> all;
  for (size_t row = 0; row < rows; ++row) {
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

// Integers as a tensor of their type.
Tensor MakeIntegers(DataType type, Shape shape, const std::vector<int64_t>& values);

// The codes of integers of a type.
Codes CodesOf(DataType type, const std::vector<int64_t>& values);

// The integer that a code is; 0 if the element is free.
int64_t IntegerOf(DataType type, const std::optional<uint64_t>& code);

std::string ParametersText(DataType type, float scale, int64_t zero_point);

// Whether each of the integers but the least and the greatest of the type keeps a finite
// value: (c - zero_point) * scale does not overflow.
bool StaysFinite(DataType type, const std::vector<int64_t>& integers, float scale,
                 int64_t zero_point);

// A node that chooses the greatest of two values next to each other: MaxPool, ReduceMax.
struct Chooser {
  Node node;  // from "d" to "m"
  std::vector<std::string> inputs{};
  std::vector<Tensor> operands{};
};
std::vector<Chooser> ChoosersOfPairs();

// All pairs of the codes: [pairs, 1, 2].
Tensor PairsOf(DataType type, const std::vector<int64_t>& codes);

// numerator / denominator, to the nearest integer, ties to even. Precondition: the
// denominator is not 0.
int64_t RoundedQuotient(Int128 numerator, Int128 denominator);

// A finite FLOAT as an integer times 2^exponent.
struct Dyadic {
  int64_t integer = 0;
  int exponent = 0;
};
Dyadic DyadicOf(float value);

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_PROOFS_QUESTIONS_H_
