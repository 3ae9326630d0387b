#include "harness/explain/question.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cases/lattice/definitions.h"
#include "harness/core/operand_text.h"
#include "harness/core/oracle_model.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"
#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

std::string Quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// Reads nested lists; the first way down fixes the shape.
class TensorReader {
 public:
  TensorReader(DataType type, std::string_view text, std::string_view what)
      : type_(type), text_(text), what_(what) {}

  Result<Tensor> Read() {
    const Status read = Value(0);
    if (!read) return read.error();
    if (at_ != text_.size()) return Wrong("the end of the tensor");
    Tensor tensor = Tensor::Zeros(type_, shape_);
    for (size_t i = 0; i < codes_.size(); ++i) {
      WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes_[i]);
    }
    return tensor;
  }

 private:
  Error Wrong(std::string_view expected) const {
    const std::string_view rest = text_.substr(at_);
    return Expected(what_, expected,
                    rest.empty() ? "the end of " + Quoted(text_) : Quoted(rest));
  }

  Status Value(size_t depth) {
    const bool is_list = at_ < text_.size() && text_[at_] == '[';
    if (!is_list) {
      // A number lies as deep as the first one.
      if (depth < shape_.size() && has_number_) return Wrong("a list");
      if (depth < shape_.size()) return Wrong("a list as before");
      return Number();
    }
    if (has_number_ && depth >= shape_.size()) return Wrong("a number");
    ++at_;
    const bool is_first = depth >= shape_.size();
    if (is_first) shape_.push_back(0);
    int64_t count = 0;
    while (at_ < text_.size() && text_[at_] != ']') {
      if (count != 0) {
        if (text_[at_] != ',') return Wrong("',' or ']'");
        ++at_;
        if (at_ < text_.size() && text_[at_] == ']') return Wrong("a value after ','");
      }
      if (const Status read = Value(depth + 1); !read) return read;
      ++count;
    }
    if (at_ == text_.size()) return Wrong("']'");
    ++at_;
    if (is_first) shape_[depth] = count;
    if (shape_[depth] != count) {
      return Expected(what_, "lists of one length, " + std::to_string(shape_[depth]),
                      "one of " + std::to_string(count));
    }
    return Ok();
  }

  Status Number() {
    const size_t end = std::min(text_.find_first_of(",]", at_), text_.size());
    const auto code =
        ParseOperand(type_, std::string(text_.substr(at_, end - at_)), what_);
    if (!code) return code.error();
    codes_.push_back(*code);
    has_number_ = true;
    at_ = end;
    return Ok();
  }

  DataType type_;
  std::string_view text_;
  std::string_view what_;
  size_t at_ = 0;
  Shape shape_;
  bool has_number_ = false;
  std::vector<uint64_t> codes_;
};

// Whether an attribute holds a data type. ONNX's schemas call that an integer, as any
// other; these are the names that its operators use.
bool IsOfDataType(std::string_view name) {
  constexpr std::string_view kNames[] = {"dtype", "output_dtype", "precision", "to"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

Result<AttributeValue> ParseAttribute(const std::string& name, const std::string& text) {
  if (const auto value = ParseNumber<int64_t>(text)) return AttributeValue(*value);
  if (IsOfDataType(name)) {
    if (const auto type = ParseDataType(text)) {
      return AttributeValue(static_cast<int64_t>(*type));
    }
    return Expected(name, "the name of a data type, such as FLOAT16, or its integer",
                    Quoted(text));
  }
  if (!text.starts_with('[') || !text.ends_with(']')) return AttributeValue(text);
  std::vector<int64_t> values;
  const std::string_view inside = std::string_view(text).substr(1, text.size() - 2);
  if (inside.empty()) return AttributeValue(values);
  for (const std::string& item : Split(inside, ",")) {
    const auto value = ParseNumber<int64_t>(item);
    if (!value) {
      return Expected(name, "integers, as in [1,2]", Quoted(text));
    }
    values.push_back(*value);
  }
  return AttributeValue(values);
}

Result<int> OpsetVersionFor(const std::string& op_type, int asked) {
  const std::vector<SinceVersion> versions = SinceVersions(op_type);
  if (!versions.empty() && asked != 0 && asked < versions.front().since_version) {
    return Expected(
        "--opset",
        std::to_string(versions.front().since_version) + " or newer (" + op_type + ")",
        std::to_string(asked));
  }
  if (asked != 0) return asked;
  if (versions.empty()) {
    return Expected("operator", "one that the linked ONNX knows", Quoted(op_type));
  }
  return versions.back().opset_versions.back();
}

}  // namespace

std::vector<std::string> TypedOperators() {
  std::vector<std::string> op_types;
  for (const Operator* op : Operators()) {
    const std::string op_type(op->op_type());
    if (!IsGraphFamily(op_type) && !SinceVersions(op_type).empty()) {
      op_types.push_back(op_type);
    }
  }
  return op_types;
}

Result<Tensor> ParseTensorText(const std::string& text, std::optional<DataType> type,
                               std::string_view what) {
  std::string_view values = text;
  if (const size_t colon = values.rfind(':'); colon != std::string_view::npos) {
    type = ParseDataType(values.substr(colon + 1));
    if (!type) {
      return Expected(what, "the name of a data type after the colon, such as UINT8",
                      Quoted(values.substr(colon + 1)));
    }
    values = values.substr(0, colon);
  }
  if (!type) {
    return Expected(what, "a value with its type, such as 1:UINT8", Quoted(text));
  }
  return TensorReader(*type, values, what).Read();
}

Result<FedModel> ReadQuestion(const std::string& op_type, int opset_version,
                              std::span<const std::string> settings) {
  const Operator* op = IsGraphFamily(op_type) ? nullptr : FindOperator(op_type);
  if (op == nullptr) {
    return Expected("operator",
                    "one of " + Joined(TypedOperators(), ", ") +
                        ", the id of a case, or the file of a stored case",
                    Quoted(op_type));
  }
  const auto opset = OpsetVersionFor(op_type, opset_version);
  if (!opset) return opset.error();
  FedModel fed;
  Model& model = fed.model;
  model.opset_version = *opset;
  model.node.op_type = op_type;

  std::vector<std::string_view> operand_names;
  for (const OperandInfo& operand : op->operands()) operand_names.push_back(operand.name);
  const std::vector<std::string> attributes = AttributeNames(op_type, *opset);
  std::map<std::string, Tensor, std::less<>> operands;
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    if (equals == std::string::npos) {
      return Expected("operand or attribute", "NAME=VALUE", Quoted(setting));
    }
    const std::string value = setting.substr(equals + 1);
    const auto operand = std::ranges::find(op->operands(), name, &OperandInfo::name);
    if (operand != op->operands().end()) {
      const bool needs_type = operand->role == OperandRole::kZeroPoint;
      auto tensor = ParseTensorText(
          value, needs_type ? std::nullopt : std::optional(DataType::kFloat), name);
      if (!tensor) return tensor.error();
      if (!operands.emplace(name, *std::move(tensor)).second) {
        return Expected(name, "one value", "another one, " + Quoted(value));
      }
      continue;
    }
    if (!std::ranges::binary_search(attributes, name)) {
      return Expected("operand or attribute",
                      "one of " + Joined(operand_names, ", ") +
                          (attributes.empty() ? "" : ", " + Joined(attributes, ", ")) +
                          " (" + op_type + " at opset_version " + std::to_string(*opset) +
                          ")",
                      Quoted(name));
    }
    auto parsed = ParseAttribute(name, value);
    if (!parsed) return parsed.error();
    model.node.attributes.push_back({name, *std::move(parsed)});
  }

  for (const OperandInfo& operand : op->operands()) {
    const auto given = operands.find(operand.name);
    if (given == operands.end()) {
      if (!operand.is_optional) {
        return Expected(std::string(operand.name), "a value",
                        "none; give " + std::string(operand.name) + "=VALUE");
      }
      model.node.inputs.emplace_back();
      continue;
    }
    const Tensor& tensor = given->second;
    model.node.inputs.emplace_back(operand.name);
    model.inputs.push_back({std::string(operand.name), tensor.type, tensor.shape});
    fed.inputs.push_back(tensor);
  }
  while (model.node.inputs.back().empty()) model.node.inputs.pop_back();
  for (const OutputInfo& output : op->outputs()) {
    model.node.outputs.emplace_back(output.name);
  }

  // The oracle knows types and shapes of the outputs.
  const auto oracle = OracleModel::Create(model);
  if (!oracle) return oracle.error();
  const auto answer = oracle->Evaluate(ViewsOf(fed.inputs));
  if (!answer) return answer.error();
  for (const OutputForm& output : answer->outputs) {
    model.outputs.push_back({output.name, output.type, output.shape});
  }
  return fed;
}

std::string NodesText(const Node& node, const std::string& indent) {
  std::string text;
  if (!node.is_graph()) {
    for (const Attribute& attribute : node.attributes) {
      text += indent + OneLine(attribute.name + " = " + AttributeText(attribute)) + "\n";
    }
    return text;
  }
  const auto name = [](const std::string& value) { return value.empty() ? "-" : value; };
  for (const Node& part : node.body) {
    std::string line = Joined(part.outputs, ", ", name) + " = " + part.op_type + "(" +
                       Joined(part.inputs, ", ", name) + ")";
    for (const Attribute& attribute : part.attributes) {
      line += "  " + attribute.name + " = " + AttributeText(attribute);
    }
    text += indent + OneLine(line) + "\n";
  }
  return text;
}

std::string AttributeText(const Attribute& attribute) {
  if (const auto* list = std::get_if<std::vector<int64_t>>(&attribute.value)) {
    return ShapeToString(*list);
  }
  if (const auto* word = std::get_if<std::string>(&attribute.value)) return *word;
  if (const auto* number = std::get_if<float>(&attribute.value)) {
    return std::to_string(*number);
  }
  const int64_t value = std::get<int64_t>(attribute.value);
  std::string text = std::to_string(value);
  if (!IsOfDataType(attribute.name)) return text;
  const auto type = DataTypeFromNumber(value);
  return type ? text + " (" + std::string(DataTypeName(*type)) + ")" : text;
}

}  // namespace qconform
