// Compares two answers of a backend bit by bit.
#ifndef QCONFORM_HARNESS_BACKENDS_SAME_BITS_H_
#define QCONFORM_HARNESS_BACKENDS_SAME_BITS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "oracle/tensor/tensor.h"

namespace qconform {

// Returns the first byte in which the elements of two tensors of equal type and shape
// differ; if one has more bytes than the other, the first of these at the latest. The
// unused bits of a last byte belong to no element and are not compared.
std::optional<size_t> FirstDifferingByte(const Tensor& a, const Tensor& b);

// Returns whether two answers have as many tensors, of the same types, shapes and sizes.
bool HaveSameForm(const std::vector<Tensor>& a, const std::vector<Tensor>& b);

// Returns "byte 3 of output 0".
std::string ByteName(size_t output, size_t byte);

// Returns the name of the first byte in which elements of two answers differ.
// Precondition: HaveSameForm.
std::optional<std::string> FirstDifference(const std::vector<Tensor>& a,
                                           const std::vector<Tensor>& b);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_SAME_BITS_H_
