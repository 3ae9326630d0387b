// Questions as the command line names them: typed, or by an id or a file.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_QUESTION_TEXT_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_QUESTION_TEXT_H_

#include <cstdint>
#include <span>
#include <string>

#include "cases/corpus/stored_case.h"
#include "cases/model/model.h"
#include "harness/explain/question.h"
#include "oracle/base/result.h"

namespace qconform {

// ReadQuestion with an ir_version. An Error also if ONNX's checker does not accept the
// model.
Result<FedModel> ParseQuestion(const std::string& op_type, int opset_version,
                               std::span<const std::string> settings);

// Whether `text` names a file or folder with a case, and not an id.
bool IsStoredCase(const std::string& text);

// Returns the stored case in a file. An Error names what is wrong in it, such as a family
// of graphs that is not judged.
Result<StoredCase> ReadStoredCase(const std::string& file);

// Returns the stored case if `text` names a file, the first data set of a node test if it
// names the test's folder or its model, and otherwise the case of that id.
Result<FedModel> FindQuestion(const std::string& text, uint64_t seed);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_QUESTION_TEXT_H_
