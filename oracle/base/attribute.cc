#include "oracle/base/attribute.h"

#include <bit>

namespace qconform {
namespace {

// `expected`: the kind that the schema says, "an integer".
template <typename T>
Result<std::optional<T>> Find(std::span<const Attribute> attributes,
                              std::string_view name, const char* expected) {
  for (const Attribute& attribute : attributes) {
    if (attribute.name != name) continue;
    const T* value = std::get_if<T>(&attribute.value);
    if (value == nullptr) {
      return Error{"attribute '" + attribute.name + "': expected " + expected +
                   ", as the schema says, got another kind of value"};
    }
    return std::optional<T>(*value);
  }
  return std::optional<T>();
}

}  // namespace

Result<std::optional<int64_t>> IntegerAttribute(std::span<const Attribute> attributes,
                                                std::string_view name) {
  return Find<int64_t>(attributes, name, "an integer");
}

Result<std::optional<std::vector<int64_t>>> IntegersAttribute(
    std::span<const Attribute> attributes, std::string_view name) {
  return Find<std::vector<int64_t>>(attributes, name, "a list of integers");
}

Result<std::optional<std::string>> StringAttribute(std::span<const Attribute> attributes,
                                                   std::string_view name) {
  return Find<std::string>(attributes, name, "a string");
}

Result<std::optional<uint32_t>> FloatAttributeBits(std::span<const Attribute> attributes,
                                                   std::string_view name) {
  const auto value = Find<float>(attributes, name, "a float");
  if (!value) return value.error();
  if (!*value) return std::optional<uint32_t>();
  return std::optional(std::bit_cast<uint32_t>(**value));
}

}  // namespace qconform
