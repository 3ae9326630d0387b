// Where two tensors differ in their bits, for people.
#ifndef QCONFORM_HARNESS_REFERENCE_PATH_TENSOR_DIFFERENCE_H_
#define QCONFORM_HARNESS_REFERENCE_PATH_TENSOR_DIFFERENCE_H_

#include <optional>
#include <string>
#include <string_view>

#include "oracle/tensor/tensor.h"

namespace qconform {

// Returns how many elements differ and the first of them, or which types or shapes do;
// nothing if the bits are the same, or both are NaN. What `first` has follows `before`,
// what `second` has `between`. Tensors may have carried types.
std::optional<std::string> DifferenceOf(const Tensor& first, const Tensor& second,
                                        std::string_view before = "expected ",
                                        std::string_view between = ", got ");

}  // namespace qconform

#endif  // QCONFORM_HARNESS_REFERENCE_PATH_TENSOR_DIFFERENCE_H_
