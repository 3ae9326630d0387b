// A question that is typed: an operator, its operands and attributes as NAME=VALUE.
#ifndef QCONFORM_HARNESS_EXPLAIN_QUESTION_H_
#define QCONFORM_HARNESS_EXPLAIN_QUESTION_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns the operators that a question may name, in the order of the build.
std::vector<std::string> TypedOperators();

// Returns the tensor that `text` means: a number (rank 0), or lists of numbers in
// brackets, nested to the rank, with the type as a suffix: "2.5", "[1,-0,inf]:FLOAT16",
// "[[0x01,2],[3,4]]:UINT8". A number is one that ParseOperand takes. Without a suffix the
// type is `type`; an Error that names `what` if that is nothing too.
Result<Tensor> ParseTensorText(const std::string& text, std::optional<DataType> type,
                               std::string_view what);

// Returns the model of a node whose operands are all graph inputs, and what it is fed.
// Each of `settings` is OPERAND=TENSOR or ATTRIBUTE=VALUE, where a value is an integer, a
// list of integers in brackets, or another word; of an attribute that holds a data type
// it is the type's name or its integer. Operands but
// zero points are of FLOAT unless they say otherwise. `opset_version` 0 is the newest at
// which the operator is judged. An Error if a name is none of the operator's, or
// if the oracle does not accept the model. Its ir_version is not set.
Result<FedModel> ReadQuestion(const std::string& op_type, int opset_version,
                              std::span<const std::string> settings);

// Returns a line for each attribute of an operator; for each node of a graph
// "h = Relu(x)", with its attributes.
std::string NodesText(const Node& node, const std::string& indent);

// Returns the value of an attribute, with its name where it is a data type: "3 (INT8)",
// "[1, 2]", "SAME_UPPER".
std::string AttributeText(const Attribute& attribute);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_EXPLAIN_QUESTION_H_
