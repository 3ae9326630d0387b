#include "cases/corpus/stored_case.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>
#include <variant>

#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"
#include "cases/model/text.h"
#include "oracle/base/codec.h"
#include "oracle/base/text.h"
#include "oracle/formats/codes.h"
#include "oracle/tensor/data_type_json.h"

namespace qconform {
namespace {

// Minimal cases are smaller; the limit keeps a wrong file from filling the memory.
constexpr int64_t kMostElements = 1 << 20;
constexpr std::string_view kInput = "input";
constexpr std::string_view kInitializer = "initializer";

void DescribeForm(Fields& fields, DataType& type, Shape& shape) {
  fields.Required("type", type, "shape", shape);
  const auto count = ElementCount(shape);
  fields.Check(count && *count <= kMostElements, "shape",
               "expected at most " + std::to_string(kMostElements) +
                   " elements, got those of " + ShapeToString(shape));
}

// An operand, or null if it is left out.
struct StoredOperand {
  std::string name;  // empty: left out
  std::string form;
  Tensor tensor;
};

std::vector<std::string> CodesOf(const Tensor& tensor) {
  std::vector<std::string> codes;
  const int64_t count = ElementCount(tensor.shape).value_or(0);
  for (int64_t i = 0; i < count; ++i) {
    codes.push_back(BitsToString(tensor.type, ReadCode(tensor.view(), i)));
  }
  return codes;
}

void ReadCodes(const Fields& fields, const std::vector<std::string>& codes,
               Tensor& tensor) {
  tensor = Tensor::Zeros(tensor.type, tensor.shape);
  const int64_t count = *ElementCount(tensor.shape);
  const auto given = static_cast<int64_t>(codes.size());
  fields.Check(given == count, "codes",
               "expected " + std::to_string(count) +
                   " entries, as its shape asks for, got " + std::to_string(given) +
                   " entries");
  const int bits = BitWidth(tensor.type);
  for (int64_t i = 0; i < std::min(count, given); ++i) {
    const std::string& text = codes[static_cast<size_t>(i)];
    const auto code = ParseHex(text);
    const bool fits = code && (bits == 64 || *code >> bits == 0);
    fields.Check(fits, "codes",
                 "expected strings like \"0x3f\" of " + std::to_string(bits) +
                     " bits, got \"" + text + "\"");
    if (fits) WriteCode(tensor.mutable_view(), i, *code);
  }
}

void Convert(const JsonPlace& place, StoredOperand& operand) {
  if (place.reads() ? place.source().is_null() : operand.name.empty()) return;
  Fields fields(place);
  fields.Required("name", operand.name, "form", operand.form);
  fields.Check(!operand.name.empty(), "name", "expected a text, got ''");
  fields.Check(operand.form == kInput || operand.form == kInitializer, "form",
               "expected input or initializer, got '" + operand.form + "'");
  DescribeForm(fields, operand.tensor.type, operand.tensor.shape);
  std::vector<std::string> codes;
  if (!fields.reads()) codes = CodesOf(operand.tensor);
  fields.Required("codes", codes);
  if (fields.reads() && !place.state().error) ReadCodes(fields, codes, operand.tensor);
}

struct StoredOutput {
  ValueInfo info;
};
void Describe(Fields& fields, StoredOutput& output) {
  fields.Required("name", output.info.name);
  DescribeForm(fields, output.info.type, output.info.shape);
}

// The only output, called y.
struct OutputY {
  ValueInfo info;
};
void Describe(Fields& fields, OutputY& output) {
  output.info.name = "y";
  DescribeForm(fields, output.info.type, output.info.shape);
}

// The bits of a FLOAT attribute.
struct FloatCode {
  std::string code;
};
void Describe(Fields& fields, FloatCode& code) { fields.Required("float", code.code); }

// The operands with their forms, in the order of the node's inputs.
std::vector<StoredOperand> OperandsOf(const StoredCase& stored) {
  const Model& model = stored.model;
  std::vector<StoredOperand> operands;
  for (const std::string& name : model.node.inputs) {
    StoredOperand& operand = operands.emplace_back();
    if (name.empty()) continue;
    for (size_t i = 0; i < model.inputs.size(); ++i) {
      if (model.inputs[i].name != name) continue;
      operand = {name, std::string(kInput), stored.inputs[i]};
    }
    for (const Initializer& initializer : model.initializers) {
      if (initializer.name != name) continue;
      operand = {name, std::string(kInitializer), initializer.tensor};
    }
  }
  return operands;
}

void TakeOperands(std::vector<StoredOperand> operands, StoredCase& stored) {
  for (StoredOperand& operand : operands) {
    const std::string& name = stored.model.node.inputs.emplace_back(operand.name);
    Tensor& tensor = operand.tensor;
    if (operand.form == kInput) {
      stored.model.inputs.push_back({name, tensor.type, tensor.shape});
      stored.inputs.push_back(std::move(tensor));
    } else if (!name.empty()) {
      stored.model.initializers.push_back({name, std::move(tensor)});
    }
  }
}

// If there is only one output and it is called y, only its form is written.
void DescribeOutputs(Fields& fields, Model& model) {
  const bool is_y = fields.reads()
                        ? !fields.Has("outputs")
                        : model.outputs.size() == 1 && model.outputs.front().name == "y";
  std::vector<StoredOutput> outputs;
  if (is_y) {
    OutputY y{fields.reads() ? ValueInfo() : model.outputs.front()};
    fields.Required("output", y);
    outputs.push_back({y.info});
  } else {
    for (const ValueInfo& info : model.outputs) outputs.push_back({info});
    fields.Required("outputs", outputs);
    fields.Check(!outputs.empty(), "outputs", "expected at least one, got none");
  }
  if (!fields.reads()) return;
  for (StoredOutput& output : outputs) {
    model.node.outputs.push_back(output.info.name);
    model.outputs.push_back(std::move(output.info));
  }
}

}  // namespace

// A vector of attributes is an object.
static auto Entry(Attribute& attribute) {
  return std::tie(attribute.name, attribute.value);
}

// An integer that does not fit would be read as another one.
static void Convert(const JsonPlace& place, AttributeValue& value) {
  if (!place.reads()) {
    if (const auto* number = std::get_if<float>(&value)) {
      place.target() = ToJson(
          FloatCode{BitsToString(DataType::kFloat, std::bit_cast<uint32_t>(*number))});
    } else {
      std::visit([&](const auto& one) { place.target() = Json(one); }, value);
    }
    return;
  }
  const Json& source = place.source();
  const auto is_integer = [](const Json& one) {
    constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
    return one.is_number_unsigned() ? one.get<uint64_t>() <= kMost
                                    : one.is_number_integer();
  };
  const bool is_list =
      source.is_array() && std::all_of(source.begin(), source.end(), is_integer);
  if (source.is_string()) {
    value = source.text();
  } else if (source.is_object()) {
    FloatCode text;
    Convert(place, text);
    const auto code = ParseHex(text.code);
    if (place.Expect(code && *code >> 32 == 0,
                     "the bits of a FLOAT, such as {\"float\": \"0x3f000000\"}")) {
      value = std::bit_cast<float>(static_cast<uint32_t>(*code));
    }
  } else if (is_list) {
    value = source.get<std::vector<int64_t>>();
  } else if (place.Expect(is_integer(source),
                          "a 64-bit integer, a list of such, a text or a float")) {
    value = source.get<int64_t>();
  }
}

// A node of a graph.
static void Describe(Fields& fields, Node& node) {
  fields.Required("op_type", node.op_type);
  fields.Optional("domain", node.domain);
  fields.Required("inputs", node.inputs, "outputs", node.outputs);
  fields.Optional("attributes", node.attributes);
}

// The reader of models knows what nodes have to be like.
static void CheckNodes(const Fields& fields, const Model& model) {
  if (fields.place().state().error) return;
  const auto read = ParseModel(SerializeModel(model));
  fields.Check(read.ok(), "nodes", read ? "" : read.error().message);
  fields.Check(
      !read || read->node == model.node, "nodes",
      "expected nodes in order, whose first uses of operands are in the order of "
      "\"operands\", and a family or Graph as op_type, got others");
}

// Names go to terminals, into code and tables.
static void CheckNames(const Fields& fields, const StoredCase& stored) {
  const Node& node = stored.model.node;
  std::vector<std::pair<std::string, std::string>> names = {{"op_type", node.op_type}};
  for (const Attribute& attribute : node.attributes) {
    names.emplace_back("attributes", attribute.name);
  }
  for (const std::string& name : node.inputs) names.emplace_back("operands", name);
  for (const std::string& name : node.outputs) names.emplace_back("outputs", name);
  for (const auto& [field, name] : names) {
    fields.Check(IsPrintableText(name), field,
                 "expected a name of printable characters, got " + Quoted(name));
  }
}

static void Describe(Fields& fields, StoredCase& stored) {
  Model& model = stored.model;
  int version = 1;
  fields.Required("qconform_case", version);
  fields.Check(version == 1, "qconform_case",
               "expected 1, the version that this program reads, got version " +
                   std::to_string(version));
  fields.Optional("why", stored.why, "clauses", stored.clauses);
  fields.Required("op_type", model.node.op_type, "opset_version", model.opset_version);
  fields.Check(model.opset_version > 0, "opset_version", "expected 1 or more, got 0");
  const bool is_graph = fields.reads() ? fields.Has("nodes") : model.node.is_graph();
  if (is_graph) {
    fields.Required("nodes", model.node.body);
    const size_t count = model.node.body.size();
    fields.Check(count >= 2 && count <= kMostGraphNodes, "nodes",
                 "expected 2 to " + std::to_string(kMostGraphNodes) + ", got " +
                     std::to_string(count));
  } else if (!fields.reads() || fields.Has("attributes")) {
    fields.Required("attributes", model.node.attributes);
  }
  std::vector<StoredOperand> operands = OperandsOf(stored);
  fields.Required("operands", operands);
  DescribeOutputs(fields, model);
  if (!fields.reads()) return;
  model.ir_version = IrVersionFor(model.opset_version);
  TakeOperands(std::move(operands), stored);
  CheckNames(fields, stored);
  if (is_graph) CheckNodes(fields, model);
}

std::string StoredCaseText(const StoredCase& stored) {
  return Dump(ToJson(stored), 1) + "\n";
}

Result<StoredCase> ParseStoredCase(std::string_view text, std::string_view name) {
  return ParseRecord<StoredCase>(text, name);
}

}  // namespace qconform
