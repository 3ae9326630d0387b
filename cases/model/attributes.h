// Attributes of a node, by name.
#ifndef QCONFORM_CASES_MODEL_ATTRIBUTES_H_
#define QCONFORM_CASES_MODEL_ATTRIBUTES_H_

#include <cstdint>
#include <string_view>

#include "cases/model/model.h"

namespace qconform {

// Returns the integer attribute of a node that is known to be well formed, or `otherwise`
// if there is none.
int64_t IntegerAttributeOr(const Node& node, std::string_view name, int64_t otherwise);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_ATTRIBUTES_H_
