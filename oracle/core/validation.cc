#include "oracle/core/validation.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace qconform {

bool Validation::Invalid(std::string reason) {
  return InvalidBy(invalid_clause_, std::move(reason));
}

bool Validation::InvalidBy(std::string_view clause, std::string reason) {
  validity_ = {ModelValidity::Kind::kInvalid, std::string(clause), std::move(reason)};
  return false;
}

bool Validation::Open(std::string_view clause, std::string reason) {
  if (validity_.kind == ModelValidity::Kind::kValid) {
    validity_ = {ModelValidity::Kind::kOpen, std::string(clause), std::move(reason)};
  }
  return true;
}

bool Validation::CheckDefinition(std::string_view op_type,
                                 std::span<const int> definitions) {
  if (std::ranges::find(definitions, since_version_) != definitions.end()) return true;
  std::string all;  // "10, 13 and 19"
  for (size_t i = 0; i < definitions.size(); ++i) {
    const bool is_last = i + 1 == definitions.size();
    all += (i == 0 ? "" : is_last ? " and " : ", ") + std::to_string(definitions[i]);
  }
  return Invalid(since() + " is no definition of " + std::string(op_type) +
                 ": there are " + all);
}

bool Validation::CheckAttribute(std::string_view name, int first_version, bool is_used) {
  if (!is_used || since_version_ >= first_version) return true;
  return Invalid("attribute " + std::string(name) + " does not exist in " + since() +
                 ": it came with " + std::to_string(first_version));
}

bool Validation::CheckOperand(std::string_view name, const TensorView& tensor) {
  if (tensor.type == DataType::kUndefined) {
    return Invalid(std::string(name) + " has no type: every operand needs one");
  }
  return CheckSize(name, tensor);
}

bool Validation::CheckSize(std::string_view name, const TensorView& tensor) {
  const std::optional<int64_t> count = ElementCount(tensor.shape);
  if (!count) {
    return Invalid(std::string(name) + " has the shape " + ShapeToString(tensor.shape) +
                   ": dimensions must not be negative, nor their product above 2^58");
  }
  const size_t bytes = PackedByteSize(tensor.type, *count);
  if (has_data_ && tensor.data.size() != bytes) {
    return Invalid(std::string(name) + " has " + std::to_string(tensor.data.size()) +
                   " bytes: its type and shape need " + std::to_string(bytes));
  }
  return true;
}

}  // namespace qconform
