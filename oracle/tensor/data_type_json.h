// A data type in a record: its name in ONNX's TensorProto.
#ifndef QCONFORM_ORACLE_TENSOR_DATA_TYPE_JSON_H_
#define QCONFORM_ORACLE_TENSOR_DATA_TYPE_JSON_H_

#include "oracle/base/codec.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

void Convert(const JsonPlace& place, DataType& value);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_TENSOR_DATA_TYPE_JSON_H_
