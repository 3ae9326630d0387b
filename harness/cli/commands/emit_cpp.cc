#include "harness/cli/commands/emit_cpp.h"

#include <cctype>
#include <cstdio>
#include <string_view>

#include "harness/backends/operands.h"
#include "harness/compare/inference.h"

namespace qconform {
namespace {

constexpr std::string_view kHead = R"(#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Data as in ONNX's raw_data: row-major, little-endian, elements of 4 and 2 bits packed
// from the lowest bits of each byte.
struct Tensor {
  int data_type = 0;  // number in TensorProto.DataType; 0: left out
  std::vector<int64_t> dims;
  std::vector<uint8_t> data;
};

struct Node {
  std::string op_type;
  int opset_version = 0;
  std::map<std::string, int64_t> attributes;  // those that the node has
};

// Fill this in with the operator under test. `operands` are in the order of its schema.
Tensor Compute(const Node& node, const std::vector<Tensor>& operands);

)";

constexpr std::string_view kTail = R"(
  const Tensor actual = Compute(node, operands);
  ASSERT_EQ(actual.data_type, y.data_type);
  ASSERT_EQ(actual.dims, y.dims);
  ASSERT_EQ(actual.data.size(), (expected.size() * bits + 7) / 8);
  for (size_t i = 0; i < expected.size(); ++i) {
    uint32_t code = 0;
    if (bits == 16) {
      code = actual.data[2 * i] | uint32_t{actual.data[2 * i + 1]} << 8;
    } else {
      const size_t per_byte = 8 / bits;
      code = (actual.data[i / per_byte] >> (i % per_byte * bits)) & ((1u << bits) - 1);
    }
    bool allowed = expected[i].empty();
    for (const uint32_t one : expected[i]) allowed = allowed || one == code;
    EXPECT_TRUE(allowed) << "y[" << i << "] has the code " << code << ", canonical is "
                         << expected[i].front();
  }
}
)";

template <typename Values>
std::string List(const Values& values) {
  std::string text;
  for (const auto value : values) {
    text += (text.empty() ? "" : ", ") + std::to_string(value);
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

std::string Quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string Header(const std::string& title, const Model& model) {
  return "// " + title + "\n// " + model.node.op_type + ", opset_version " +
         std::to_string(model.opset_version) +
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
  if (answer.outputs.size() != 1) {
    return Error{"--emit: expected an operator with one output, got " +
                 std::to_string(answer.outputs.size())};
  }
  const auto codes = AdmissibleCodes(content);
  if (!codes) return codes.error();
  std::string name;
  for (const char c : title) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  std::string text = Header(title, model) + std::string(kHead);
  text += "TEST(QconformCase, " + name +
          ") {\n  Node node;\n  node.op_type = " + Quoted(model.node.op_type) +
          ";\n  node.opset_version = " + std::to_string(model.opset_version) + ";\n";
  for (const Attribute& attribute : model.node.attributes) {
    if (const auto* value = std::get_if<int64_t>(&attribute.value)) {
      text += "  node.attributes[" + Quoted(attribute.name) +
              "] = " + std::to_string(*value) + ";\n";
    }
  }
  text += "  const std::vector<Tensor> operands = {\n";
  for (size_t i = 0; i < operands->size(); ++i) {
    const auto& operand = (*operands)[i];
    if (!operand) {
      text += "      {},  // left out\n";
      continue;
    }
    text += "      // " + model.node.inputs[i] + ": " +
            std::string(DataTypeName(operand->type)) + ShapeToString(operand->shape) +
            "\n      {" + std::to_string(static_cast<int>(operand->type)) + ", " +
            List(operand->shape) + ", " + Bytes(operand->data) + "},\n";
  }
  const OutputForm& y = answer.outputs.front();
  text += "  };\n  const Tensor y{" + std::to_string(static_cast<int>(y.type)) + ", " +
          List(y.shape) + ", {}};  // " + std::string(DataTypeName(y.type)) +
          "\n  const size_t bits = " + std::to_string(BitWidth(y.type)) +
          ";\n  // The codes that each element may have; none: any.\n"
          "  const std::vector<std::vector<uint32_t>> expected = {";
  for (size_t i = 0; i < codes->size(); ++i) {
    text += (i % 8 == 0 ? "\n      " : " ") + List((*codes)[i]) + ",";
  }
  return text + "};\n" + std::string(kTail);
}

}  // namespace qconform
