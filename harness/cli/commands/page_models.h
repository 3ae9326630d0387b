// The models of counterexamples, for download from the HTML page.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_PAGE_MODELS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_PAGE_MODELS_H_

#include <map>
#include <string>

#include "reports/report/report.h"

namespace qconform {

// Returns case id -> the case's model.onnx in base64, with the fed inputs as their
// default values: the file runs as it is, without test data. Examples of findings come
// first, then the first counterexample of each deviating cell, as long as the page stays
// small. Cases that this program would make otherwise than the report's run did are left
// out.
std::map<std::string, std::string> PageModels(const Report& report);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_PAGE_MODELS_H_
