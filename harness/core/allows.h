// Whether a code is an answer that the oracle allows.
#ifndef QCONFORM_HARNESS_CORE_ALLOWS_H_
#define QCONFORM_HARNESS_CORE_ALLOWS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/core/case_answer.h"
#include "oracle/core/answer.h"

namespace qconform {

// Returns whether `actual` is an answer that the element allows.
// Precondition: actual is a code of `type`.
// Freedom::kSameCode allows any, because no other element is known; Freedom::kOneOf only
// the element's own code.
bool Allows(DataType type, const ElementAnswer& expected, uint64_t actual);

// Returns whether `code` is one of these; if one of them is NaN, whether it is any NaN.
bool IsOneOf(DataType type, std::span<const uint32_t> allowed, uint32_t code);

// Returns whether an element of a case may have its code among all those that were given.
bool Allows(const CaseAnswer& expected, size_t index, std::span<const uint32_t> codes);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_ALLOWS_H_
