#include "harness/cli/commands/emit_cpp.h"

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "harness/compare/inference.h"
#include "harness/core/operands.h"
#include "oracle/base/text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

constexpr std::string_view kHead = R"(#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Data as in ONNX's raw_data: row-major, little-endian. Elements of 6, 4 and 2 bits follow
// each other in the bits of the bytes, the lowest bit first.
struct Tensor {
  int data_type = 0;  // number in TensorProto.DataType; 0: left out
  std::vector<int64_t> dims;
  std::vector<uint8_t> data;
};

)";

constexpr std::string_view kNode = R"(struct Node {
  std::string op_type;
  int opset_version = 0;
  // The attributes that the node has, by the kind of their values.
  std::map<std::string, int64_t> attributes;
  std::map<std::string, std::vector<int64_t>> list_attributes;
  std::map<std::string, std::string> text_attributes;
  std::map<std::string, float> float_attributes;
};

// Fill this in with the operator under test: returns its outputs. `operands` are in the
// order of its schema.
std::vector<Tensor> Compute(const Node& node, const std::vector<Tensor>& operands);

)";

constexpr std::string_view kGraph = R"(struct Node {
  std::string op_type;
  // Names of values; "": left out.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  // The attributes that the node has, by the kind of their values.
  std::map<std::string, int64_t> attributes;
  std::map<std::string, std::vector<int64_t>> list_attributes;
  std::map<std::string, std::string> text_attributes;
  std::map<std::string, float> float_attributes;
};

struct Graph {
  int opset_version = 0;
  std::vector<std::string> inputs;   // names of the operands, in their order
  std::vector<std::string> outputs;  // names of the results
  std::vector<Node> nodes;           // each after those that give its inputs
};

// Fill this in with what is under test: returns the outputs of the graph.
std::vector<Tensor> Compute(const Graph& graph, const std::vector<Tensor>& operands);

)";

constexpr std::string_view kChecks = R"(// Ranges of codes, both ends included.
using Ranges = std::vector<std::pair<uint32_t, uint32_t>>;

// Checks one output. `expected` has the codes that each element may have, the canonical one
// first; none: any.
inline void CheckRanges(const std::string& name, const Tensor& actual, int data_type,
                        const std::vector<int64_t>& dims, size_t bits,
                        const std::vector<Ranges>& expected) {
  ASSERT_EQ(actual.data_type, data_type) << name;
  ASSERT_EQ(actual.dims, dims) << name;
  ASSERT_EQ(actual.data.size(), (expected.size() * bits + 7) / 8) << name;
  for (size_t i = 0; i < expected.size(); ++i) {
    uint32_t code = 0;
    for (size_t bit = 0; bit < bits; ++bit) {
      const size_t at = i * bits + bit;
      code |= uint32_t{(actual.data[at / 8] >> (at % 8)) & 1u} << bit;
    }
    bool allowed = expected[i].empty();
    for (const auto& range : expected[i]) {
      allowed = allowed || (range.first <= code && code <= range.second);
    }
    EXPECT_TRUE(allowed) << name << "[" << i << "] has the code " << code
                         << ", canonical is " << expected[i].front().first;
  }
}

// The same where the codes are listed.
inline void Check(const std::string& name, const Tensor& actual, int data_type,
                  const std::vector<int64_t>& dims, size_t bits,
                  const std::vector<std::vector<uint32_t>>& expected) {
  std::vector<Ranges> ranges(expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    for (const uint32_t code : expected[i]) ranges[i].emplace_back(code, code);
  }
  CheckRanges(name, actual, data_type, dims, bits, ranges);
}

)";

// Outputs of more bits have elements of too many codes to list them.
constexpr int kMostListedBits = 16;

template <typename Values>
std::string List(const Values& values) {
  return "{" + Joined(values, ", ", [](auto value) { return std::to_string(value); }) +
         "}";
}

std::string ListCodes(const AdmissibleRanges& ranges) {
  std::vector<uint64_t> codes;
  for (const AdmissibleRange& range : ranges) {
    for (uint64_t code = range.first; code <= range.last; ++code) codes.push_back(code);
  }
  return List(codes);
}

std::string ListRanges(const AdmissibleRanges& ranges) {
  std::string text;
  for (const AdmissibleRange& range : ranges) {
    text += (text.empty() ? "{" : ", {") + std::to_string(range.first) + ", " +
            std::to_string(range.last) + "}";
  }
  return "{" + text + "}";
}

std::string Bytes(std::span<const std::byte> data) {
  std::string text;
  char buffer[8];
  for (size_t i = 0; i < data.size(); ++i) {
    std::snprintf(buffer, sizeof buffer, "0x%02x,", static_cast<unsigned>(data[i]));
    text += (i % 14 == 0 ? "\n       " : " ") + std::string(buffer);
  }
  return "{" + text + "}";
}

// Returns a string literal; two question marks would begin a trigraph.
std::string Quoted(std::string_view text) {
  return "\"" + OctalEscaped(text, "\"\\?") + "\"";
}

// Returns the text for a comment: in one line, that the next one does not continue.
std::string Comment(std::string_view text) {
  std::string line = OneLine(text);
  // Two question marks and a slash are a backslash to compilers that know trigraphs.
  if (line.ends_with('\\') || line.ends_with("?\?/")) line += '.';
  return line;
}

std::string Names(const std::vector<std::string>& names) {
  return "{" + Joined(names, ", ", Quoted) + "}";
}

// Sets the attributes of `node`.
std::string Attributes(const Node& node, const std::string& indent) {
  std::string text;
  for (const Attribute& attribute : node.attributes) {
    const std::string place = "attributes[" + Quoted(attribute.name) + "] = ";
    text += indent + "node.";
    if (const auto* value = std::get_if<int64_t>(&attribute.value)) {
      text += place + std::to_string(*value);
    } else if (const auto* list = std::get_if<std::vector<int64_t>>(&attribute.value)) {
      text += "list_" + place + List(*list);
    } else if (const auto* word = std::get_if<std::string>(&attribute.value)) {
      text += "text_" + place + Quoted(*word);
    } else {
      char number[64];
      std::snprintf(number, sizeof number, "%a",
                    static_cast<double>(std::get<float>(attribute.value)));
      text += "float_" + place + number + "f";
    }
    text += ";\n";
  }
  return text;
}

// Makes the `node` or the `graph` that is asked.
std::string Subject(const Model& model) {
  const Node& node = model.node;
  const std::string version = std::to_string(model.opset_version) + ";\n";
  if (!node.is_graph()) {
    return "  Node node;\n  node.op_type = " + Quoted(node.op_type) +
           ";\n  node.opset_version = " + version + Attributes(node, "  ");
  }
  std::string text = "  Graph graph;\n  graph.opset_version = " + version +
                     "  graph.inputs = " + Names(node.inputs) +
                     ";\n  graph.outputs = " + Names(node.outputs) + ";\n";
  for (const Node& part : node.body) {
    text += "  {\n    Node node;\n    node.op_type = " + Quoted(part.op_type) +
            ";\n    node.inputs = " + Names(part.inputs) +
            ";\n    node.outputs = " + Names(part.outputs) + ";\n" +
            Attributes(part, "    ") + "    graph.nodes.push_back(node);\n  }\n";
  }
  return text;
}

std::string Header(const std::string& title, const Model& model) {
  return "// " + Comment(title) + "\n// " + Comment(model.node.op_type) +
         ", opset_version " + std::to_string(model.opset_version) +
         R"(. Written by qconform.
// The first code of each element is the canonical answer; the others are allowed by other
// readings or by derived bounds. This test does not check that an implementation follows
// one reading throughout; qconform replay does.
)";
}

}  // namespace

Result<std::string> EmitCpp(const std::string& title, ContentAnswers& content) {
  const Model& model = content.model();
  const CaseAnswer& answer = *content.canonical();
  const auto operands = ResolveOperands(model, content.inputs());
  if (!operands) return operands.error();
  const auto codes = AdmissibleCodes(content);
  if (!codes) return codes.error();
  std::string name;
  for (const char c : title) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  const bool is_graph = model.node.is_graph();
  std::string text = Header(title, model) + std::string(kHead) +
                     std::string(is_graph ? kGraph : kNode) + std::string(kChecks);
  text += "TEST(QconformCase, " + name + ") {\n" + Subject(model);
  text += "  const std::vector<Tensor> operands = {\n";
  for (size_t i = 0; i < operands->size(); ++i) {
    const auto& operand = (*operands)[i];
    if (!operand) {
      text += "      {},  // left out\n";
      continue;
    }
    text += "      // " + Comment(model.node.inputs[i]) + ": " +
            std::string(DataTypeName(operand->type)) + ShapeToString(operand->shape) +
            "\n      {" + std::to_string(static_cast<int>(operand->type)) + ", " +
            List(operand->shape) + ", " + Bytes(operand->data) + "},\n";
  }
  text += "  };\n  const std::vector<Tensor> outputs = Compute(" +
          std::string(is_graph ? "graph" : "node") +
          ", operands);\n  ASSERT_EQ(outputs.size(), " +
          std::to_string(answer.outputs.size()) + "u);\n";
  for (size_t output = 0; output < answer.outputs.size(); ++output) {
    const OutputForm& form = answer.outputs[output];
    const size_t end = form.first + answer.SizeOf(output);
    const bool listed = BitWidth(form.type) <= kMostListedBits;
    text += "  // " + Comment(form.name) + ": " + std::string(DataTypeName(form.type)) +
            ShapeToString(form.shape) + (listed ? "\n  Check(" : "\n  CheckRanges(") +
            Quoted(form.name) + ", outputs[" + std::to_string(output) + "], " +
            std::to_string(static_cast<int>(form.type)) + ", " + List(form.shape) + ", " +
            std::to_string(BitWidth(form.type)) + ", {";
    for (size_t i = form.first; i < end; ++i) {
      text += ((i - form.first) % 8 == 0 ? "\n      " : " ") +
              (listed ? ListCodes((*codes)[i]) : ListRanges((*codes)[i])) + ",";
    }
    text += "});\n";
  }
  return text + "}\n";
}

}  // namespace qconform
