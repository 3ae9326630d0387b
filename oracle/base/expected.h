// The one form of an error that says what was expected.
#ifndef QCONFORM_ORACLE_BASE_EXPECTED_H_
#define QCONFORM_ORACLE_BASE_EXPECTED_H_

#include <string>
#include <string_view>

#include "oracle/base/result.h"

namespace qconform {

// Returns "THING: expected EXPECTED, got GOT", followed by "; WHAT_TO_DO" unless that is
// empty. THING is what the reader can find: a flag, a path, a member of a file. A word of
// the user's own is quoted by the caller:
//   Expected("--sample", "a percentage from 0% to 100%", "'" + text + "'")
inline Error Expected(std::string_view thing, std::string_view expected,
                      std::string_view got, std::string_view what_to_do = "") {
  std::string message;
  message.append(thing)
      .append(": expected ")
      .append(expected)
      .append(", got ")
      .append(got);
  if (!what_to_do.empty()) message.append("; ").append(what_to_do);
  return Error{message};
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_EXPECTED_H_
