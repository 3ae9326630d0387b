// A case stored by value: a small JSON file with one node and its operands, whose element
// codes are hexadecimal. Shrunk counterexamples and the regression corpus are such files,
// and `qconform replay FILE` takes them.
//
//   {"qconform_case": 1,
//    "why": "ties away from zero",
//    "op_type": "QuantizeLinear", "opset_version": 21,
//    "attributes": {"axis": 0},
//    "operands": [
//      {"name": "x", "form": "input", "type": "FLOAT", "shape": [1],
//       "codes": ["0x40200000"]},
//      {"name": "y_scale", "form": "initializer", ...},
//      null],                             an optional operand left out by an empty name
//    "output": {"type": "UINT8", "shape": [1]}}
//
// A case that is offered as a node test may have "clauses", the ids of the clauses that
// it pins down. Attributes are integers, lists of integers, strings, or the bits of a
// FLOAT: {"float": "0x3f000000"}. If the node has several outputs, or one that is not
// called y, "outputs" is a list of outputs with names.
//
// A graph has its nodes, each after those that give its inputs, and no attributes of its
// own. "op_type" is its family, or "Graph"; the operands are those that the nodes do not
// give each other, in the order in which the nodes first use them:
//
//    "op_type": "graphs.choosers", "opset_version": 21,
//    "nodes": [
//      {"op_type": "DequantizeLinear", "inputs": ["x", "x_scale"], "outputs": ["h"]},
//      {"op_type": "LeakyRelu", "inputs": ["h"], "outputs": ["y"],
//       "attributes": {"alpha": {"float": "0x3f000000"}}}],
#ifndef QCONFORM_CASES_CORPUS_STORED_CASE_H_
#define QCONFORM_CASES_CORPUS_STORED_CASE_H_

#include <string>
#include <string_view>

#include "cases/model/model.h"
#include "oracle/base/result.h"

namespace qconform {

struct StoredCase : FedModel {
  std::string why;                     // what the case shows, in one line
  std::vector<std::string> clauses{};  // ids of clauses that it pins down; may be empty

  friend bool operator==(const StoredCase&, const StoredCase&) = default;
};

// Returns the JSON text; equal cases give equal bytes.
std::string StoredCaseText(const StoredCase& stored);

// Returns the case. An Error names the field, the expected value and the actual one;
// `name` is the name of the file, for the message.
Result<StoredCase> ParseStoredCase(std::string_view text, std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_CASES_CORPUS_STORED_CASE_H_
