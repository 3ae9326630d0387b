#include "oracle/base/attribute.h"

namespace qconform {

Result<std::optional<int64_t>> IntegerAttribute(std::span<const Attribute> attributes,
                                                std::string_view name) {
  for (const Attribute& attribute : attributes) {
    if (attribute.name != name) continue;
    const int64_t* value = std::get_if<int64_t>(&attribute.value);
    if (value == nullptr) {
      return Error{
          "attribute '" + attribute.name +
          "': expected an integer, as the schema says, got another kind of value"};
    }
    return std::optional<int64_t>(*value);
  }
  return std::optional<int64_t>();
}

}  // namespace qconform
