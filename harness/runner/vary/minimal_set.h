// Finds the few of many names that make a difference.
#ifndef QCONFORM_HARNESS_RUNNER_VARY_MINIMAL_SET_H_
#define QCONFORM_HARNESS_RUNNER_VARY_MINIMAL_SET_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

using Names = std::vector<std::string>;

// Whether it passes with these names switched off.
using Passes = std::function<Result<bool>(const Names& off)>;

// Returns a set of names that passes and of which no name can be left out: the first of
// the first `alone` names that passes by itself, or else what delta debugging finds among
// all of them. Returns nothing if it does not even pass with all names. Precondition: it
// does not pass without any.
Result<std::optional<Names>> FindMinimalSet(const Names& names, size_t alone,
                                            const Passes& passes);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_VARY_MINIMAL_SET_H_
