// Tensors of files that may have carried types, such as the masks among a model's inputs.
#ifndef QCONFORM_CASES_MODEL_CARRIED_TENSOR_H_
#define QCONFORM_CASES_MODEL_CARRIED_TENSOR_H_

#include <string_view>

#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// ParseTensor (serialize.h), also of carried types (carried_type.h): of BOOL in raw_data
// or int32_data, of UINT32 and UINT64 in raw_data or uint64_data.
Result<Tensor> ParseCarriedTensor(std::string_view bytes);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_CARRIED_TENSOR_H_
