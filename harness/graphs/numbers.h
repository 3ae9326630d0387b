// Elements of tensors as numbers, for mistakes that compute.
#ifndef QCONFORM_HARNESS_GRAPHS_NUMBERS_H_
#define QCONFORM_HARNESS_GRAPHS_NUMBERS_H_

#include <vector>

#include "oracle/tensor/tensor.h"

namespace qconform::graphs {

// 64 significant bits where the compiler has them: products of two FLOAT by a code of 16
// bits are exact.
using Number = long double;

// Returns the values of all elements, row-major.
std::vector<Number> NumbersOf(const Tensor& tensor);

// Returns a tensor of these values, each rounded to nearest, ties to even; what does not
// fit an integer saturates.
Tensor TensorOfNumbers(DataType type, const Shape& shape,
                       const std::vector<Number>& numbers);

// Returns the same values, rounded like that, in a tensor of another type.
Tensor Converted(const Tensor& tensor, DataType type);

// Rounds to an integer, ties to even.
Number RoundedToEven(Number value);

// The ends of an integer type.
Number LeastOf(DataType type);
Number GreatestOf(DataType type);

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_NUMBERS_H_
