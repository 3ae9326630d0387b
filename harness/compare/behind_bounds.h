// What a derived bound may hide: readings that are mixed element by element.
#ifndef QCONFORM_HARNESS_COMPARE_BEHIND_BOUNDS_H_
#define QCONFORM_HARNESS_COMPARE_BEHIND_BOUNDS_H_

#include <span>
#include <string>
#include <vector>

#include "harness/compare/inference.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"

namespace qconform {

// Returns the names of two combinations of readings, each a function of the operands, of
// which every element of a tier follows one or the other; empty where there are none, or
// where `explanation` is the name of no bound.
Result<std::vector<std::string>> PairBehindBound(std::span<const AnsweredCase> cases,
                                                 Tier tier,
                                                 const std::string& explanation);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_BEHIND_BOUNDS_H_
