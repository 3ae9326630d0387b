// What deviating elements of matrix products may have in common: their K, and their
// places in the output.
#ifndef QCONFORM_HARNESS_MATMUL_PATTERNS_H_
#define QCONFORM_HARNESS_MATMUL_PATTERNS_H_

#include <cstdint>
#include <functional>
#include <span>

#include "harness/core/patterns/pattern.h"
#include "oracle/matmul/layout.h"

namespace qconform {

// Returns the layout of a case.
using MatMulLayoutOf = std::function<const MatMulLayout&(const EvidenceCase&)>;

// Patterns of K; where all that deviate have one K, of that.
Patterns TermPatterns(std::span<const EvidenceCase> cases,
                      const MatMulLayoutOf& layout_of);

// Patterns of the place of the first element that deviates: they hold if the others share
// it.
Patterns MatMulPlacePatterns(std::span<const EvidenceCase> cases,
                             const MatMulLayoutOf& layout_of);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_MATMUL_PATTERNS_H_
