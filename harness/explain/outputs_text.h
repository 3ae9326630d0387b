// Answers as text: all outputs of a case, with codes and values.
#ifndef QCONFORM_HARNESS_EXPLAIN_OUTPUTS_TEXT_H_
#define QCONFORM_HARNESS_EXPLAIN_OUTPUTS_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "harness/core/case_answer.h"
#include "oracle/tensor/data_type.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Elements of a tensor that are printed if nobody asks for more.
inline constexpr size_t kMostShown = 12;

// Returns "0x03 (3)", or "[0x03 (3), 0x04 (4)]" for tensors that are no scalars.
std::string TensorText(DataType type, const Shape& shape, std::span<const uint32_t> codes,
                       size_t most = kMostShown);

std::string TensorText(const Tensor& tensor, size_t most = kMostShown);

// Returns a line "y = [0x03 (3), ...]" for each output. `codes`: of all elements, in the
// order of the answer's.
std::string OutputsText(const std::string& indent, const CaseAnswer& answer,
                        std::span<const uint32_t> codes, size_t most = kMostShown);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_EXPLAIN_OUTPUTS_TEXT_H_
