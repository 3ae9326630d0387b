// A question and its answer as JSON: what the C interface (wasm/c_interface.h) speaks, and the
// page of the site shows.
#ifndef QCONFORM_HARNESS_EXPLAIN_ANSWER_JSON_H_
#define QCONFORM_HARNESS_EXPLAIN_ANSWER_JSON_H_

#include <optional>
#include <string>
#include <string_view>

#include "harness/explain/explained.h"

namespace qconform {

// Returns the id of the cell that a question to an operator belongs to; "" if its shapes
// have no granularity.
std::string CellOfQuestion(const Explained& question);

// Takes a question,
//
//   {"operator": "...", "opset": 21, "settings": ["x=2.5", ...],
//    "element": 0, "actual": "[3]"}
//
// of which only the operator and the settings are required, and returns the answer in one
// line: an object whose "text" is what `qconform explain` prints for the same words, with
// its parts as members; or {"error": "..."} with the one error that it would print.
std::string AnswerJson(std::string_view question);

// Returns {"error": message}.
std::string ErrorJson(const std::string& message);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_EXPLAIN_ANSWER_JSON_H_
