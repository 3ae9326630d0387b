#include "cases/model/attributes.h"

#include "oracle/base/attribute.h"

namespace qconform {

int64_t IntegerAttributeOr(const Node& node, std::string_view name, int64_t otherwise) {
  const auto value = IntegerAttribute(node.attributes, name);
  return value && value->has_value() ? **value : otherwise;
}

int64_t AxisOf(const Node& node, size_t rank) {
  const int64_t axis = IntegerAttributeOr(node, "axis", 1);
  return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

}  // namespace qconform
