// How deeply a JSON text is nested. Readers of JSON documents call themselves for each
// level: one of a few hundred kilobytes can have more levels than a stack has room for.
#ifndef QCONFORM_ORACLE_TENSOR_JSON_NESTING_H_
#define QCONFORM_ORACLE_TENSOR_JSON_NESTING_H_

#include <string_view>

namespace qconform {

// No document that qconform writes has a fifth of it.
inline constexpr int kMostJsonNesting = 64;

// Returns whether arrays and objects are nested more deeply than kMostJsonNesting. The
// text need not be JSON; brackets in strings do not count.
bool NestsTooDeeply(std::string_view json);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_TENSOR_JSON_NESTING_H_
