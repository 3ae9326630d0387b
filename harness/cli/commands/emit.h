// Prints or writes one case in a form that others can run.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_EMIT_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_EMIT_H_

#include <string>

#include "cases/model/model.h"
#include "harness/cli/command_line.h"
#include "harness/compare/cell_answers.h"
#include "oracle/base/result.h"

namespace qconform {

struct EmitFlags {
  std::string form;  // "cpp", "json", "onnx", "python"; empty: nothing is emitted
  // The file; of "onnx" the folder that gets the node test's folder. Empty: stdout, and
  // the present folder.
  std::string output;
};

// Adds --emit and --output. Returns --emit.
Flag AddEmitFlags(Command& command, EmitFlags& flags);

// Writes or prints the case as a GoogleTest, a stored case or a Python script, or writes
// a folder with model.onnx and its tensors. `title` names it. Returns the exit code.
ExitCode Emit(const EmitFlags& flags, const std::string& title, const FedModel& fed);

// Returns a Python script that runs the case by onnx's reference evaluator and by ONNX
// Runtime and prints their answers after the expected ones.
std::string EmitPython(const std::string& title, const FedModel& fed,
                       const CaseAnswer& answer);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_EMIT_H_
