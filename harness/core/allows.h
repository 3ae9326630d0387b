// Whether a code is an answer that the oracle allows.
#ifndef QCONFORM_HARNESS_CORE_ALLOWS_H_
#define QCONFORM_HARNESS_CORE_ALLOWS_H_

#include <cstdint>

#include "oracle/core/answer.h"

namespace qconform {

// Returns whether `actual` is an answer that the element allows.
// Precondition: actual is a code of `type`.
bool Allows(DataType type, const ElementAnswer& expected, uint64_t actual);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_ALLOWS_H_
