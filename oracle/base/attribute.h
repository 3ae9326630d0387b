// Attributes of a node, as plain values.
#ifndef QCONFORM_ORACLE_BASE_ATTRIBUTE_H_
#define QCONFORM_ORACLE_BASE_ATTRIBUTE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace qconform {

using AttributeValue = std::variant<int64_t, float, std::string, std::vector<int64_t>>;

struct Attribute {
  std::string name;
  AttributeValue value;

  friend bool operator==(const Attribute&, const Attribute&) = default;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_ATTRIBUTE_H_
