#include "oracle/tensor/data_type_json.h"

#include <optional>

namespace qconform {

void Convert(const JsonPlace& place, DataType& value) {
  if (!place.reads()) {
    place.target() = Json(DataTypeName(value));
    return;
  }
  const Json& source = place.source();
  const auto type = source.is_string() ? ParseDataType(source.text()) : std::nullopt;
  if (place.Expect(type.has_value(), "a name of ONNX's TensorProto.DataType")) {
    value = *type;
  }
}

}  // namespace qconform
