// Numbers that patterns of several operators are made of.
#ifndef QCONFORM_HARNESS_CORE_PATTERNS_PATTERN_QUANTITIES_H_
#define QCONFORM_HARNESS_CORE_PATTERNS_PATTERN_QUANTITIES_H_

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "harness/core/patterns/pattern.h"
#include "oracle/formats/number_format.h"

namespace qconform {

// Returns the value that is rounded to a code of an integer type; nothing for elements
// that have none.
using RoundedValueOf =
    std::function<std::optional<Unrounded>(const EvidenceCase&, int64_t index)>;

// Patterns of a value that is rounded to an integer: the value itself, its magnitude, and
// how far it lies from a tie. `name` as in "the quotient".
Patterns RoundedValuePatterns(std::span<const EvidenceCase> cases,
                              const std::string& name, const RoundedValueOf& value_of);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_PATTERNS_PATTERN_QUANTITIES_H_
