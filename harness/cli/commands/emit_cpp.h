// Prints one case as a GoogleTest that does not depend on qconform.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_EMIT_CPP_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_EMIT_CPP_H_

#include <string>

#include "harness/compare/cell_answers.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns the text of a C++17 file: the operands in raw_data's layout, the admissible
// codes of each element (the canonical one first), and the declaration of the one
// function that its reader fills in. `title` names the case. Returns an Error if an
// operand is missing.
Result<std::string> EmitCpp(const std::string& title, ContentAnswers& content);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_EMIT_CPP_H_
