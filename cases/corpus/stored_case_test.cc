#include "cases/corpus/stored_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "testing/example_case.h"

namespace qconform {
namespace {

// Each row: a part of a case, its replacement, and words that the error must
// contain.
struct Damage {
  const char* part;
  const char* by;
  const char* words;
};

TEST(StoredCase, Text_RoundTrips) {
  const auto stored = ParseStoredCase(kExampleCase, "case.json");
  ASSERT_TRUE(stored.ok()) << stored.error().message;
  EXPECT_EQ(stored->why, "a tie");
  EXPECT_EQ(stored->model.node.inputs, (std::vector<std::string>{"x", "y_scale", ""}));
  EXPECT_EQ(stored->inputs.size(), 1u);
  EXPECT_EQ(stored->model.initializers.size(), 1u);
  const std::string text = StoredCaseText(*stored);
  const auto again = ParseStoredCase(text, "again");
  ASSERT_TRUE(again.ok()) << again.error().message << text;
  EXPECT_EQ(*again, *stored);
  EXPECT_EQ(StoredCaseText(*again), text);
}

// Four elements take three bytes, and codes have six bits.
TEST(StoredCase, SixBitOperands_AreTheirCodes) {
  constexpr const char* kCase = R"({"qconform_case": 1,
 "why": "two groups",
 "clauses": ["QL-52"],
 "op_type": "QuantizeLinear", "opset_version": 28,
 "operands": [
  {"name": "x", "form": "input", "type": "FLOAT", "shape": [], "codes": ["0x0"]},
  {"name": "y_scale", "form": "input", "type": "FLOAT", "shape": [], "codes": ["0x0"]},
  {"name": "y_zero_point", "form": "input", "type": "FLOAT6E3M2", "shape": [2, 3],
   "codes": ["0x01", "0x22", "0x14", "0x3b", "0x3f", "0x20"]}],
 "output": {"type": "FLOAT6E3M2", "shape": []}})";
  const auto stored = ParseStoredCase(kCase, "case.json");
  ASSERT_TRUE(stored.ok()) << stored.error().message;
  EXPECT_EQ(stored->clauses, std::vector<std::string>{"QL-52"});
  std::vector<std::byte> bytes;
  for (const int byte : {0x81, 0x48, 0xED, 0x3F, 0x08}) bytes.push_back(std::byte(byte));
  EXPECT_EQ(stored->inputs[2].data, bytes);
  const auto again = ParseStoredCase(StoredCaseText(*stored), "again");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, *stored);
  for (const auto& [part, by, words] :
       {Damage{"\"0x3f\"", "\"0x40\"", "of 6 bits, got \"0x40\""},
        Damage{"[\"QL-52\"]", "\"QL-52\"", "clauses: expected an array"},
        Damage{"[\"QL-52\"]", "[52]", "clauses[0]: expected a string, got 52"}}) {
    std::string text = kCase;
    text.replace(text.find(part), std::string(part).size(), by);
    const auto damaged = ParseStoredCase(text, "case.json");
    ASSERT_FALSE(damaged.ok()) << by;
    EXPECT_NE(damaged.error().message.find(words), std::string::npos)
        << damaged.error().message;
  }
}

// `replay` writes the path of the file that it shrank there.
TEST(StoredCase, OddText_IsWritten) {
  auto stored = ParseStoredCase(kExampleCase, "case.json");
  ASSERT_TRUE(stored.ok());
  stored->why = "shrunk from bad\xff.json";
  const auto again = ParseStoredCase(StoredCaseText(*stored), "again");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->why, "shrunk from bad\xEF\xBF\xBD.json");
}

TEST(StoredCase, SeveralOutputsAndOtherAttributes_AreTheSameWhenReadAgain) {
  StoredCase stored = *ParseStoredCase(kExampleCase, "case.json");
  stored.model.node.outputs = {"y", "y_scale_out"};
  stored.model.outputs.push_back({"y_scale_out", DataType::kFloat, {}});
  stored.model.node.attributes.push_back({"auto_pad", std::string("SAME_UPPER")});
  stored.model.node.attributes.push_back({"pads", std::vector<int64_t>{0, 1}});
  const auto again = ParseStoredCase(StoredCaseText(stored), "case.json");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, stored);
}

TEST(StoredCase, Graph_RoundTrips) {
  const auto stored = ParseStoredCase(kExampleGraph, "case.json");
  ASSERT_TRUE(stored.ok()) << stored.error().message;
  const Node& node = stored->model.node;
  EXPECT_EQ(node.op_type, "graphs.arithmetic");
  EXPECT_EQ(node.inputs, (std::vector<std::string>{"x", "x_scale", "y_scale"}));
  EXPECT_EQ(node.outputs, std::vector<std::string>{"y"});
  ASSERT_EQ(node.body.size(), 3u);
  EXPECT_EQ(node.body[1].attributes, (std::vector<Attribute>{{"alpha", 0.5f}}));
  EXPECT_EQ(stored->inputs.size(), 2u);
  EXPECT_EQ(stored->model.initializers.size(), 1u);
  const std::string text = StoredCaseText(*stored);
  const auto again = ParseStoredCase(text, "again");
  ASSERT_TRUE(again.ok()) << again.error().message << text;
  EXPECT_EQ(*again, *stored);
  EXPECT_EQ(StoredCaseText(*again), text);
}

// Its bits, because a decimal number may be that of another FLOAT.
TEST(StoredCase, FloatAttribute_IsItsBits) {
  StoredCase stored = *ParseStoredCase(kExampleCase, "case.json");
  stored.model.node.attributes = {{"alpha", 0.1f}, {"beta", -0.0f}};
  const std::string text = StoredCaseText(stored);
  EXPECT_NE(text.find("\"0x3dcccccd\""), std::string::npos) << text;
  const auto again = ParseStoredCase(text, "case.json");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, stored);
  EXPECT_TRUE(std::signbit(std::get<float>(again->model.node.attributes[1].value)));
}

TEST(StoredCase, DamagedGraph_IsAnErrorThatNamesTheField) {
  const Damage kRows[] = {
      {"\"0x3f000000\"", "\"0x13f000000\"", "the bits of a FLOAT"},
      {"{\"float\": ", "{\"double\": ", "float"},
      {"[\"x_real\"], \"outputs\": [\"y_real\"]", "[\"z\"], \"outputs\": [\"y_real\"]",
       "nodes: node input 'z' is neither"},
      {"[\"x_real\"], \"outputs\": [\"y_real\"]",
       "[\"y_real\"], \"outputs\": [\"y_real\"]",
       "case.json: nodes: expected an order in which each node follows its inputs, got a "
       "cycle"},
      {"\"inputs\": [\"x\", \"x_scale\"]", "\"inputs\": [\"x_scale\", \"x\"]",
       "first uses of operands"},
      {"\"name\": \"y_scale\"", "\"name\": \"x\"", "graph input 'x' is there twice"},
      {"\"op_type\": \"graphs.arithmetic\"", "\"op_type\": \"Relu\"",
       "a family or Graph"},
      {"\"nodes\": [", "\"nodes\": [], \"old\": [", "nodes: expected 2 to 8, got 0"},
  };
  for (const Damage& row : kRows) {
    std::string text = kExampleGraph;
    const size_t at = text.find(row.part);
    ASSERT_NE(at, std::string::npos) << row.part;
    text.replace(at, std::string(row.part).size(), row.by);
    const auto stored = ParseStoredCase(text, "case.json");
    ASSERT_FALSE(stored.ok()) << row.by;
    EXPECT_NE(stored.error().message.find(row.words), std::string::npos)
        << stored.error().message;
  }
}

TEST(StoredCase, Damaged_IsAnErrorThatNamesTheField) {
  const Damage kRows[] = {
      {"\"qconform_case\": 1", "\"qconform_case\": 2", "version 2"},
      {"\"qconform_case\"", "\"something\"", "qconform_case"},
      {"\"FLOAT\", \"shape\": [2]", "\"FLOAT9\", \"shape\": [2]", "FLOAT9"},
      {"\"shape\": [2], \"codes\"", "\"shape\": [3], \"codes\"", "2 entries"},
      {"\"shape\": [2], \"codes\"", "\"shape\": [-2], \"codes\"", "got -2"},
      {"\"shape\": [2], \"codes\"", "\"shape\": [4611686018427387904,8], \"codes\"",
       "shape"},
      {"\"0x0\"", "\"0x100000000\"", "0x100000000"},
      {"\"0x0\"", "\"zero\"", "zero"},
      {"\"0x0\"", "0", "codes"},
      {"\"form\": \"input\"", "\"form\": \"output\"", "'output'"},
      {"\"axis\": 0", "\"axis\": 0.5", "axis"},
      // -1, 21 and 2 again, with bits beyond the element that are dropped.
      {"\"axis\": 0", "\"axis\": 18446744073709551615", "18446744073709551615"},
      {"\"output\": {", "\"outputs\": [], \"old\": {", "outputs: expected at least one"},
      {"\"opset_version\": 21", "\"opset_version\": 4294967317", "4294967317"},
      {"\"shape\": [2], \"codes\"", "\"shape\": [18446744073709551615], \"codes\"",
       "18446744073709551615"},
      {"\"op_type\": \"QuantizeLinear\"", "\"op_type\": 3", "op_type"},
      {"\"operands\"", "\"operand\"", "operands"},
      {"\"name\": \"x\"", "\"name\": \"x\\n\"",
       "operands: expected a name of printable characters, got 'x?'"},
      {"\"axis\": 0", "\"ax\\u001bis\": 0", "attributes: expected a name of printable"},
      {"\"op_type\": \"QuantizeLinear\"", "\"op_type\": \"Quantize\\nLinear\"",
       "op_type: expected a name of printable characters, got 'Quantize?Linear'"},
      {"{\n", "", "JSON"},
      {"{\n", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n",
       "at most 64 levels of nesting"},
  };
  for (const Damage& row : kRows) {
    std::string text = kExampleCase;
    const size_t at = text.find(row.part);
    ASSERT_NE(at, std::string::npos) << row.part;
    text.replace(at, std::string(row.part).size(), row.by);
    const auto stored = ParseStoredCase(text, "case.json");
    ASSERT_FALSE(stored.ok()) << row.by;
    EXPECT_NE(stored.error().message.find(row.words), std::string::npos)
        << stored.error().message;
    EXPECT_EQ(stored.error().message.rfind("case.json", 0), 0u) << stored.error().message;
  }
}

TEST(StoredCase, ZeroByteAndMore_IsAnError) {
  const auto stored =
      ParseStoredCase(std::string(kExampleCase) + '\0' + "garbage", "case.json");
  ASSERT_FALSE(stored.ok());
  EXPECT_NE(stored.error().message.find("byte 0"), std::string::npos)
      << stored.error().message;
}

}  // namespace
}  // namespace qconform
