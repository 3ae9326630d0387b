// Attributes of a node, as plain values.
#ifndef QCONFORM_ORACLE_BASE_ATTRIBUTE_H_
#define QCONFORM_ORACLE_BASE_ATTRIBUTE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

using AttributeValue = std::variant<int64_t, float, std::string, std::vector<int64_t>>;

struct Attribute {
  std::string name;
  AttributeValue value;

  friend bool operator==(const Attribute&, const Attribute&) = default;
};

// Each returns the attribute of that name, or nothing if there is none. An Error if it
// has another kind of value.
Result<std::optional<int64_t>> IntegerAttribute(std::span<const Attribute> attributes,
                                                std::string_view name);
Result<std::optional<std::vector<int64_t>>> IntegersAttribute(
    std::span<const Attribute> attributes, std::string_view name);
Result<std::optional<std::string>> StringAttribute(std::span<const Attribute> attributes,
                                                   std::string_view name);
// The bits of a FLOAT attribute: sources without floating-point instructions read them.
Result<std::optional<uint32_t>> FloatAttributeBits(std::span<const Attribute> attributes,
                                                   std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_ATTRIBUTE_H_
