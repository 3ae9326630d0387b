// One case as a GoogleTest that needs nothing of qconform.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_EMIT_CPP_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_EMIT_CPP_H_

#include <string>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"

namespace qconform {

// Returns the text of a C++17 file: the operands in raw_data's layout, the canonical
// code of each element of y with those of other admissible readings and bounds, and the
// declaration of the one function that its reader fills in. `title` names the case, and
// `answer` is the canonical one to it. An Error where an operand is missing.
Result<std::string> EmitCpp(const std::string& title, const Model& model,
                            const std::vector<Tensor>& inputs, const Answer& answer);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_EMIT_CPP_H_
