// Element types of ONNX that no operator here is judged with, but that values of a model
// may have: a Tensor carries their number in TensorProto.DataType as it is.
#ifndef QCONFORM_CASES_MODEL_CARRIED_TYPE_H_
#define QCONFORM_CASES_MODEL_CARRIED_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "oracle/tensor/data_type.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

inline constexpr auto kCarriedBool = static_cast<DataType>(9);
inline constexpr auto kCarriedUint32 = static_cast<DataType>(12);
inline constexpr auto kCarriedUint64 = static_cast<DataType>(13);

// Returns the bytes of one element of a carried type; 0 for all others.
inline size_t CarriedBytes(DataType type) {
  if (type == kCarriedBool) return 1;
  if (type == kCarriedUint32) return 4;
  return type == kCarriedUint64 ? 8 : 0;
}

// DataTypeName, also of carried types.
inline std::string CarriedTypeName(DataType type) {
  if (type == kCarriedBool) return "BOOL";
  if (type == kCarriedUint32) return "UINT32";
  if (type == kCarriedUint64) return "UINT64";
  return std::string(DataTypeName(type));
}

// Returns the type with that number, also a carried one; kUndefined if there is none.
inline DataType CarriedTypeFromNumber(int64_t number) {
  const auto type = static_cast<DataType>(number);
  if (number > 0 && number < 64 && CarriedBytes(type) > 0) return type;
  return DataTypeFromNumber(number).value_or(DataType::kUndefined);
}

// Returns how many bytes a tensor of that type and shape has. Nothing if a dimension is
// negative, there are too many elements, or the type is not known.
inline std::optional<size_t> CarriedByteSize(DataType type,
                                             std::span<const int64_t> shape) {
  const auto count = ElementCount(shape);
  if (!count) return std::nullopt;
  if (const size_t bytes = CarriedBytes(type); bytes > 0) {
    return static_cast<size_t>(*count) * bytes;
  }
  if (BitWidth(type) == 0) return std::nullopt;
  return PackedByteSize(type, *count);
}

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_CARRIED_TYPE_H_
