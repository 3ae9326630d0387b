// Flags that operators describe as data, on a command line.
#ifndef QCONFORM_HARNESS_CLI_OPERATOR_FLAGS_H_
#define QCONFORM_HARNESS_CLI_OPERATOR_FLAGS_H_

#include <vector>

#include "harness/cli/command_line.h"
#include "harness/core/flag_info.h"

namespace qconform {

// Adds the flags, whose values go to `values`, which has to live as long as the command.
void AddOperatorFlags(Command& command, const std::vector<FlagInfo>& flags,
                      FlagValues& values);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_OPERATOR_FLAGS_H_
