// qconform model FILE: the parts of a model are listed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../testing/cli_folder.h"
#include "../testing/run_tool.h"
#include "cases/model/testing/model_bytes.h"
#include "oracle/base/json.h"

namespace qconform {
namespace {

class ListParts : public CliFolder {
 protected:
  void Write(const ModelToWrite& model) const {
    WriteBytes(Path("model.onnx"), ModelBytes(model));
  }
  Ran List(const std::string& flags = "") const {
    return RunTool("model " + Path("model.onnx") + " " + flags);
  }
};

// codes = QuantizeLinear(x), and a node of another domain.
ModelToWrite SmallModel() {
  ModelToWrite model;
  model.imports = {{"", 21}, {"com.microsoft", 1}};
  model.graph.inputs = {{"x", DataType::kFloat, {2, 3}}};
  model.graph.outputs = {{"codes", DataType::kInt8, {2, 3}}};
  model.graph.initializers = {{"scale", Tensor::Zeros(DataType::kFloat, {})},
                              {"zero", Tensor::Zeros(DataType::kInt8, {})}};
  model.graph.nodes = {
      {{"QuantizeLinear", "", {"x", "scale", "zero"}, {"codes"}, {}}, "quantize"},
      {{"QAttention", "com.microsoft", {"x"}, {"y"}, {}}, "attention"},
      {{"Softmax", "", {"x"}, {"z"}, {}}, "softmax"}};
  return model;
}

TEST_F(ListParts, ShowsWhatIsJudgedAndWhatIsNot) {
  Write(SmallModel());
  const Ran ran = List();
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  for (const char* text :
       {"IR version 10, opset_version 21 (com.microsoft 1)",
        "3 nodes, 1 of them quantized: 1 QuantizeLinear",
        "Judged, 1 part with all quantized nodes:",
        "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor", "Not judged, 1 part:",
        "com.microsoft.QAttention  attention  domain com.microsoft",
        "1 node between them that quantize nothing"}) {
    EXPECT_TRUE(Has(ran.output, text)) << text << "\n" << ran.output;
  }
}

// Other programs show Constant nodes as nodes, and those of bodies nowhere at first
// sight.
TEST_F(ListParts, CountsConstantNodesAndThoseOfBodies) {
  ModelToWrite model = SmallModel();
  GraphToWrite body;
  body.nodes = {{{"Relu", "", {"x"}, {"r"}, {}}, "relu"},
                {{"QuantizeLinear", "", {"r", "scale"}, {"q"}, {}}, "deep"}};
  body.outputs = {{"q", DataType::kUint8, {2, 3}}};
  model.graph.nodes.push_back({{"If", "", {"condition"}, {"chosen"}, {}},
                               "if",
                               {{"then_branch", body}, {"else_branch", body}}});
  model.graph.inputs.push_back({"condition", static_cast<DataType>(9), {}});
  model.graph.constants = {{.name = "numbers", .ints = {3, 4}}};
  model.functions = {
      {"com.example", "Twice", {"a"}, {"b"}, {{{"Add", "", {"a", "a"}, {"b"}, {}}}}}};
  Write(model);
  const Ran ran = List();
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output,
                  "4 nodes and 1 Constant node, 1 of them quantized: 1 QuantizeLinear\n"
                  "4 nodes besides Constant inside of others (bodies of If, Loop, "
                  "Scan), 2 of them quantized\n1 function of the model: "
                  "com.example.Twice (1 node)\n"))
      << ran.output;
  const auto json = ParseJson(List("--json").output, "the list");
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ((*json)["constant_nodes"].get<int>(), 1);
  EXPECT_EQ((*json)["nested_nodes"].get<int>(), 5);
}

TEST_F(ListParts, PrintsTheSelectionOfARun) {
  Write(SmallModel());
  const Ran ran = List("--cells");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.output, "--cells QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor\n");
}

TEST_F(ListParts, PrintsJson) {
  Write(SmallModel());
  const Ran ran = List("--json");
  EXPECT_EQ(ran.exit_code, 0);
  const auto json = ParseJson(ran.output, "the list");
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ((*json)["quantized"]["QuantizeLinear"]["judged"].get<int>(), 1);
  ASSERT_EQ((*json)["parts"].size(), 2u);
  const Json& part = (*json)["parts"][0];
  EXPECT_EQ(part["name"].text(), "quantize");
  EXPECT_TRUE(part["judged"].get<bool>());
  EXPECT_EQ((*json)["parts"][1]["not_judged"].text(), "domain com.microsoft");
  EXPECT_EQ((*json)["others"]["Softmax"].get<int>(), 1);
}

TEST_F(ListParts, SaysThatAModelIsNotQuantized) {
  ModelToWrite model = SmallModel();
  model.graph.nodes = {{{"Softmax", "", {"x"}, {"codes"}, {}}, "softmax"}};
  model.graph.outputs = {{"codes", DataType::kFloat, {2, 3}}};
  model.graph.initializers.clear();
  Write(model);
  const Ran ran = List();
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_TRUE(Has(ran.output, "The model has no quantization operator of ONNX"))
      << ran.output;
  EXPECT_FALSE(Has(ran.output, "constants of at most 8 bits")) << ran.output;
  EXPECT_EQ(List("--cells").output, "");
}

TEST_F(ListParts, SaysThatIntegersHaveNoQuantizationOperator) {
  ModelToWrite model = SmallModel();
  model.graph.nodes = {{{"Cast", "", {"zero"}, {"f"}, {{"to", int64_t{1}}}}, "cast"},
                       {{"Mul", "", {"f", "scale"}, {"codes"}, {}}, "multiply"}};
  model.graph.outputs = {{"codes", DataType::kFloat, {}}};
  Write(model);
  const Ran ran = List();
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_TRUE(Has(ran.output,
                  "1 constant of at most 8 bits an element, read by Cast (1): integers "
                  "without quantization operators"))
      << ran.output;
}

TEST_F(ListParts, RejectsWhatIsNoModel) {
  WriteBytes(Path("model.onnx"), "no model");
  const Ran ran = List();
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_TRUE(Has(ran.output, "not an ONNX model")) << ran.output;
  EXPECT_EQ(RunTool("model " + Path("missing.onnx")).exit_code, 2);
  Write(SmallModel());
  for (const char* flags :
       {"--size 0", "--size batch=x", "--size =3", "--cells --json"}) {
    EXPECT_EQ(List(flags).exit_code, 2) << flags;
  }
}

}  // namespace
}  // namespace qconform
