#include "cases/model/attributes.h"

#include "oracle/base/attribute.h"

namespace qconform {

int64_t IntegerAttributeOr(const Node& node, std::string_view name, int64_t otherwise) {
  const auto value = IntegerAttribute(node.attributes, name);
  return value && value->has_value() ? **value : otherwise;
}

}  // namespace qconform
