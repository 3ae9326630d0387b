#include "cases/model/attributes.h"

#include <string>
#include <variant>

namespace qconform {

Result<std::optional<int64_t>> IntegerAttribute(const Node& node, std::string_view name) {
  for (const Attribute& attribute : node.attributes) {
    if (attribute.name != name) continue;
    const int64_t* value = std::get_if<int64_t>(&attribute.value);
    if (value == nullptr) {
      return Error{"attribute '" + attribute.name + "' of " + node.op_type +
                   " is not an integer, as its schema asks"};
    }
    return std::optional<int64_t>(*value);
  }
  return std::optional<int64_t>();
}

int64_t IntegerAttributeOr(const Node& node, std::string_view name, int64_t otherwise) {
  const auto value = IntegerAttribute(node, name);
  return value && value->has_value() ? **value : otherwise;
}

int64_t AxisOf(const Node& node, size_t rank) {
  const int64_t axis = IntegerAttributeOr(node, "axis", 1);
  return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

}  // namespace qconform
