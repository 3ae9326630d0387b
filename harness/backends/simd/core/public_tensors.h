// The types of the public headers as those of the kernels. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_PUBLIC_TENSORS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_PUBLIC_TENSORS_H_

#include <cstdint>
#include <initializer_list>
#include <string>

#include "oracle/tensor/tensor.h"
#include "qconform/tensors.h"

namespace qconform::kernels {

inline DataType TypeOf(Type type) { return static_cast<DataType>(type); }

inline TensorView ViewOf(const Input& input) {
  return {TypeOf(input.type), input.shape, input.data};
}

// Types as bits: to look through lists costs a small call a part of its time.
constexpr uint32_t Set(std::initializer_list<Type> types) {
  uint32_t bits = 0;
  for (const Type type : types) bits |= uint32_t{1} << static_cast<uint32_t>(type);
  return bits;
}

inline bool IsIn(uint32_t set, Type type) {
  const auto number = static_cast<uint32_t>(type);
  return number < 32 && (set >> number & 1) != 0;
}

inline std::string Name(Type type) {
  const auto number = static_cast<int64_t>(type);
  const bool is_type = DataTypeFromNumber(number) || type == Type::kUndefined;
  return is_type ? std::string(DataTypeName(TypeOf(type))) : std::to_string(number);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_PUBLIC_TENSORS_H_
