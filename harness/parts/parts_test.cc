// Models with every construct that a file may have, and the parts that are found in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cases/model/model_file.h"
#include "cases/model/serialize.h"
#include "cases/model/testing/model_bytes.h"
#include "harness/parts/part.h"
#include "oracle/base/testing/temporary_directory.h"

namespace qconform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;
using enum DataType;

Tensor Floats(Shape shape, float value) {
  Tensor tensor = Tensor::Zeros(kFloat, std::move(shape));
  for (size_t i = 0; i + 4 <= tensor.data.size(); i += 4) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    std::ranges::copy(bytes, tensor.data.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return tensor;
}

Tensor Zeros(DataType type, Shape shape = {}) {
  return Tensor::Zeros(type, std::move(shape));
}

// A model under construction: each function adds nodes and returns the value they give.
class Builder {
 public:
  explicit Builder(int opset_version = 21) { model.imports = {{"", opset_version}}; }

  std::string Input(const std::string& name, DataType type, Shape shape) {
    model.graph.inputs.push_back({name, type, std::move(shape)});
    return name;
  }
  std::string Constant(const std::string& name, Tensor tensor) {
    // The nodes on both sides of codes share their scale.
    const auto& all = model.graph.initializers;
    if (std::ranges::find(all, name, &Initializer::name) == all.end()) {
      model.graph.initializers.push_back({name, std::move(tensor)});
    }
    return name;
  }
  std::string Add(const std::string& op_type, std::vector<std::string> inputs,
                  const std::string& output, std::vector<Attribute> attributes = {}) {
    model.graph.nodes.push_back(
        {{op_type, "", std::move(inputs), {output}, std::move(attributes)},
         "node_" + output});
    return output;
  }
  // DequantizeLinear with a scale of its own.
  std::string Dequantize(const std::string& codes, DataType type, Shape scales = {},
                         int64_t axis = 1) {
    Constant(codes + "_scale", Floats(scales, 0.25f));
    Constant(codes + "_zero", Zeros(type, scales));
    std::vector<Attribute> attributes;
    if (!scales.empty()) attributes.push_back({"axis", axis});
    return Add("DequantizeLinear", {codes, codes + "_scale", codes + "_zero"},
               codes + "_float", std::move(attributes));
  }
  std::string Quantize(const std::string& value, DataType type,
                       const std::string& output) {
    Constant(output + "_scale", Floats({}, 0.5f));
    Constant(output + "_zero", Zeros(type));
    return Add("QuantizeLinear", {value, output + "_scale", output + "_zero"}, output);
  }
  void Output(const std::string& name) {
    model.graph.outputs.push_back({name, kUndefined, {}});
  }

  ModelToWrite model;
};

class PartsTest : public testing::Test {
 protected:
  void Find(const Builder& builder) { Find(builder.model); }
  void Find(const ModelToWrite& model) {
    const std::string path = (directory_ / "model.onnx").string();
    WriteBytes(path, ModelBytes(model));
    auto file = ModelFile::Open(path);
    ASSERT_TRUE(file) << file.error().message;
    file_ = std::make_unique<ModelFile>(*std::move(file));
    sizes_ = file_->ChooseSizes({});
    found_ = FindParts(*file_, sizes_);
  }

  std::vector<std::string> Graphs() const {
    std::vector<std::string> graphs;
    for (const Part& part : found_.parts) graphs.push_back(part.graph);
    return graphs;
  }

  const Part& PartOf(const std::string& graph) const {
    static const Part kNone;
    const auto found = std::ranges::find(found_.parts, graph, &Part::graph);
    if (found != found_.parts.end()) return *found;
    ADD_FAILURE() << "no part " << graph;
    return kNone;
  }

  // Cuts the part out and checks it with ONNX.
  Model Cut(const std::string& graph) const {
    const Part& part = PartOf(graph);
    EXPECT_EQ(part.not_judged, "");
    auto model = CutOut(*file_, part, sizes_);
    if (!model) {
      ADD_FAILURE() << model.error().message;
      return {};
    }
    const std::string bytes = SerializeModel(*model);
    const Status checked = CheckModel(bytes);
    EXPECT_TRUE(checked) << (checked ? "" : checked.error().message);
    const auto parsed = ParseModel(bytes);
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
    return *std::move(model);
  }

  static std::vector<std::string> Names(const std::vector<ValueInfo>& infos) {
    std::vector<std::string> names;
    for (const ValueInfo& info : infos) names.push_back(info.name);
    return names;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<ModelFile> file_;
  Sizes sizes_;
  PartsOfModel found_;
};

// x -> Q -> DQ -> Conv(DQ w, DQ b) -> Relu -> Q -> DQ -> output
Builder QdqConvolution() {
  Builder b;
  b.Input("x", kFloat, {1, 2, 5, 5});
  b.Quantize("x", kInt8, "x_codes");
  b.Constant("w", Zeros(kInt8, {3, 2, 3, 3}));
  b.Constant("bias", Zeros(kInt32, {3}));
  const std::string x = b.Dequantize("x_codes", kInt8);
  const std::string w = b.Dequantize("w", kInt8, {3}, 0);
  const std::string bias = b.Dequantize("bias", kInt32, {3}, 0);
  b.Add("Conv", {x, w, bias}, "sum");
  b.Add("Relu", {"sum"}, "relu");
  b.Quantize("relu", kInt8, "y_codes");
  b.Output(b.Dequantize("y_codes", kInt8));
  return b;
}

TEST_F(PartsTest, FindAConvolutionBetweenItsQuantizers) {
  Find(QdqConvolution());
  EXPECT_THAT(Graphs(),
              ElementsAre("QuantizeLinear", "DQ,DQ,DQ-Conv-Relu-Q", "DequantizeLinear"));
  const Part& part = PartOf("DQ,DQ,DQ-Conv-Relu-Q");
  EXPECT_EQ(part.name, "node_sum");
  EXPECT_EQ(part.granularity, "per_axis");
  EXPECT_EQ(part.family, "graphs.sums");
  ASSERT_TRUE(part.cell);
  EXPECT_EQ(CellId(*part.cell),
            "graphs.sums/21/INT8-INT8-FLOAT-INT8/DQ,DQ,DQ-Conv-Relu-Q.per_axis");
  const Model model = Cut("DQ,DQ,DQ-Conv-Relu-Q");
  EXPECT_THAT(Names(model.inputs), ElementsAre("x_codes"));
  ASSERT_EQ(model.outputs.size(), 1u);
  EXPECT_EQ(model.outputs[0].name, "y_codes");
  EXPECT_EQ(model.outputs[0].type, kInt8);
  EXPECT_EQ(model.outputs[0].shape, (Shape{1, 3, 3, 3}));
  EXPECT_EQ(model.node.body.size(), 6u);
  EXPECT_EQ(model.node.op_type, "graphs.sums");
  EXPECT_EQ(model.opset_version, 21);
  EXPECT_TRUE(found_.others.empty());
}

TEST_F(PartsTest, CopyASharedDequantizeLinear) {
  Builder b;
  const std::string x = b.Dequantize(b.Input("x", kInt8, {2, 3}), kInt8);
  b.Add("Relu", {x}, "relu");
  b.Output(b.Quantize("relu", kInt8, "y"));
  b.Add("Transpose", {x}, "turned");
  b.Output(b.Quantize("turned", kInt8, "z"));
  b.Output(b.Add("Softmax", {x}, "softmax"));
  Find(b);
  // Once more by itself, because Softmax reads it.
  EXPECT_THAT(Graphs(),
              UnorderedElementsAre("DequantizeLinear", "DQ-Relu-Q", "DQ-Transpose-Q"));
  EXPECT_THAT(found_.others,
              ElementsAre(std::pair<const std::string, int64_t>{"Softmax", 1}));
  EXPECT_THAT(Names(Cut("DQ-Transpose-Q").inputs), ElementsAre("x"));
}

TEST_F(PartsTest, KeepChainsThatMoveElementsTogether) {
  Builder b;
  const std::string x = b.Dequantize(b.Input("x", kInt8, {2, 3}), kInt8);
  Tensor shape = Zeros(kInt64, {1});
  shape.data[0] = std::byte{6};
  b.Constant("shape", shape);
  b.Add("Transpose", {x}, "turned");
  b.Add("Reshape", {"turned", "shape"}, "flat");
  b.Output(b.Quantize("flat", kInt8, "y"));
  Find(b);
  EXPECT_THAT(Graphs(), ElementsAre("DQ-Transpose-Reshape-Q"));
  const Model model = Cut("DQ-Transpose-Reshape-Q");
  EXPECT_FALSE(found_.parts[0].cell);  // no family has it, but it is judged
  EXPECT_EQ(found_.parts[0].family, "");
  EXPECT_EQ(model.outputs[0].shape, Shape{6});
}

TEST_F(PartsTest, KeepWeightsThatAreQuantizedOrMovedWhenTheModelIsLoaded) {
  Builder b;
  const std::string x = b.Dequantize(b.Input("x", kInt8, {2, 3}), kInt8);
  b.Constant("w", Floats({4, 3}, 1));
  b.Quantize("w", kInt8, "w_codes");
  const std::string w = b.Dequantize("w_codes", kInt8);
  b.Add("Transpose", {w}, "turned");
  b.Add("MatMul", {x, "turned"}, "product");
  b.Output(b.Quantize("product", kInt8, "y"));
  Find(b);
  EXPECT_THAT(Graphs(), ElementsAre("DQ,Q-DQ-Transpose-MatMul-Q"));
  EXPECT_THAT(Names(Cut(Graphs()[0]).inputs), ElementsAre("x"));
}

TEST_F(PartsTest, JudgeMovedWeightsByThemselvesIfNoGraphNeedsThem) {
  Builder b;
  b.Input("indices", kInt64, {2});
  const std::string w = b.Dequantize(b.Constant("w", Zeros(kInt8, {4, 3})), kInt8);
  b.Add("Transpose", {w}, "turned");
  b.Output(b.Add("Gather", {"turned", "indices"}, "y"));
  Find(b);
  EXPECT_THAT(Graphs(), ElementsAre("DQ-Transpose"));
  EXPECT_THAT(Names(Cut("DQ-Transpose").inputs), ElementsAre("w"));
}

TEST_F(PartsTest, EndWithAFloatThatOthersNeed) {
  Builder b;
  const std::string x = b.Dequantize(b.Input("x", kUint8, {2, 3}), kUint8);
  const std::string w = b.Dequantize(b.Constant("w", Zeros(kUint8, {3, 4})), kUint8);
  b.Add("MatMul", {x, w}, "product");
  b.Output(b.Add("Erf", {"product"}, "erf"));
  b.Output(b.Quantize("product", kUint8, "y"));
  Find(b);
  EXPECT_THAT(Graphs(), UnorderedElementsAre("DQ,DQ-MatMul", "QuantizeLinear"));
  EXPECT_EQ(Cut("DQ,DQ-MatMul").outputs[0].type, kFloat);
}

// At an opset_version whose Cast the clauses do not know, the nodes stand by themselves.
TEST_F(PartsTest, JudgeNodesByThemselvesWhereTheClausesDoNotKnowADefinition) {
  Builder b(12);
  b.Input("x", kFloat, {2, 8});
  b.model.graph.nodes.push_back(
      {{"DynamicQuantizeLinear", "", {"x"}, {"codes", "scale", "zero"}, {}}, "quantize"});
  b.Constant("w", Zeros(kInt8, {8, 3}));
  b.Add("MatMulInteger", {"codes", "w", "zero"}, "sums");
  b.Add("Cast", {"sums"}, "floats", {{"to", int64_t{1}}});
  b.Output(b.Add("Mul", {"floats", "scale"}, "y"));
  Find(b);
  EXPECT_THAT(Graphs(), ElementsAre("DynamicQuantizeLinear", "MatMulInteger"));
  Cut("MatMulInteger");
}

TEST_F(PartsTest, FindWhatIsQuantizedWhenItRuns) {
  Builder b;
  b.Input("x", kFloat, {2, 8});
  b.model.graph.nodes.push_back(
      {{"DynamicQuantizeLinear", "", {"x"}, {"codes", "scale", "zero"}, {}}, "quantize"});
  b.Constant("w", Zeros(kInt8, {8, 3}));
  b.Constant("w_scale", Floats({3}, 0.1f));
  b.Constant("w_zero", Zeros(kInt8));
  b.Constant("bias", Floats({3}, 1));
  b.Add("MatMulInteger", {"codes", "w", "zero", "w_zero"}, "sums");
  b.Add("Mul", {"scale", "w_scale"}, "scales");
  b.Add("Cast", {"sums"}, "floats", {{"to", int64_t{1}}});
  b.Add("Mul", {"floats", "scales"}, "scaled");
  b.Output(b.Add("Add", {"bias", "scaled"}, "y"));
  Find(b);
  EXPECT_THAT(Graphs(), ElementsAre("DQL-MatMulInteger-Cast-Mul-Mul-Add"));
  ASSERT_TRUE(found_.parts[0].cell);
  EXPECT_EQ(found_.parts[0].cell->op_type, "graphs.dynamic");
  EXPECT_THAT(Names(Cut(Graphs()[0]).inputs), ElementsAre("x"));
}

TEST_F(PartsTest, JudgeNodesByThemselvesWhereAGraphIsTooLarge) {
  Builder b;
  std::vector<std::string> values;
  for (int i = 0; i < 8; ++i) {
    values.push_back(
        b.Dequantize(b.Input("x" + std::to_string(i), kUint8, {1, 2}), kUint8));
  }
  b.Add("Concat", values, "all", {{"axis", int64_t{0}}});
  b.Output(b.Quantize("all", kUint8, "y"));
  Find(b);
  EXPECT_EQ(std::ranges::count(Graphs(), "DequantizeLinear"), 8);
  EXPECT_EQ(std::ranges::count(Graphs(), "QuantizeLinear"), 1);
  EXPECT_EQ(found_.others.at("Concat"), 1);
}

TEST_F(PartsTest, FindOperatorsByThemselves) {
  Builder b;
  b.Input("a", kUint8, {2, 4});
  for (const char* name : {"a", "b", "y"}) {
    b.Constant(std::string(name) + "_scale",
               Floats(std::string(name) == "b" ? Shape{3} : Shape{}, 0.5f));
    b.Constant(std::string(name) + "_zero",
               Zeros(kUint8, std::string(name) == "b" ? Shape{3} : Shape{}));
  }
  b.Constant("b", Zeros(kUint8, {4, 3}));
  b.Output(b.Add(
      "QLinearMatMul",
      {"a", "a_scale", "a_zero", "b", "b_scale", "b_zero", "y_scale", "y_zero"}, "y"));
  Find(b);
  ASSERT_EQ(found_.parts.size(), 1u);
  const Part& part = found_.parts[0];
  ASSERT_TRUE(part.cell);
  EXPECT_EQ(CellId(*part.cell),
            "QLinearMatMul/21/FLOAT-UINT8-UINT8-UINT8/per_tensor-per_column");
  EXPECT_THAT(Names(Cut("QLinearMatMul").inputs), ElementsAre("a"));
}

// --- every construct ------------------------------------------------------------------

TEST_F(PartsTest, NameOtherDomains) {
  Builder b(19);
  b.model.imports["com.microsoft"] = 1;
  b.model.imports["onnx.brevitas"] = 2;
  b.Input("x", kFloat, {2, 3});
  b.model.graph.nodes.push_back(
      {{"Quant", "onnx.brevitas", {"x"}, {"fake"}, {}}, "quant"});
  b.model.graph.nodes.push_back(
      {{"QuantizeLinear", "com.microsoft", {"x", "s"}, {"codes"}, {}}, "ms"});
  b.Constant("s", Floats({}, 1));
  b.Output(b.Quantize("x", kInt8, "y"));
  b.Output("fake");
  Find(b);
  EXPECT_THAT(Graphs(), ElementsAre("onnx.brevitas.Quant", "com.microsoft.QuantizeLinear",
                                    "QuantizeLinear"));
  EXPECT_EQ(found_.parts[0].not_judged, "domain onnx.brevitas");
  EXPECT_EQ(found_.parts[1].not_judged, "domain com.microsoft");
  EXPECT_EQ(CellId(*found_.parts[2].cell),
            "QuantizeLinear/19/FLOAT-FLOAT-INT8/per_tensor");
}

TEST_F(PartsTest, ListFunctionsAndSubgraphs) {
  Builder b;
  b.Input("x", kFloat, {2, 3});
  b.Input("condition", static_cast<DataType>(9), {});
  b.Constant("s", Floats({}, 1));
  b.model.imports["com.example"] = 1;
  b.model.functions = {
      {"com.example",
       "Round",
       {"a", "scale"},
       {"b"},
       {{{"QuantizeLinear", "", {"a", "scale"}, {"q"}, {}}, "inner_q"},
        {{"DequantizeLinear", "", {"q", "scale"}, {"b"}, {}}, "inner_dq"}}}};
  b.model.graph.nodes.push_back(
      {{"Round", "com.example", {"x", "s"}, {"rounded"}, {}}, "call"});
  GraphToWrite body;
  body.nodes = {{{"QuantizeLinear", "", {"x", "s"}, {"q"}, {}}, "in_if"},
                {{"Relu", "", {"x"}, {"r"}, {}}, "relu_in_if"}};
  body.outputs = {{"q", kUint8, {2, 3}}};
  b.model.graph.nodes.push_back({{"If", "", {"condition"}, {"chosen"}, {}},
                                 "if",
                                 {{"then_branch", body}, {"else_branch", body}}});
  GraphToWrite loop;
  loop.inputs = {{"i", kInt64, {}}, {"going", static_cast<DataType>(9), {}}};
  loop.nodes = {{{"Identity", "", {"going"}, {"still"}, {}}},
                {{"DequantizeLinear", "", {"chosen", "s"}, {"f"}, {}}, "in_loop"}};
  loop.outputs = {{"still", static_cast<DataType>(9), {}}, {"f", kFloat, {2, 3}}};
  b.Constant("times", Zeros(kInt64));
  b.model.graph.nodes.push_back(
      {{"Loop", "", {"times", "condition"}, {"looped"}, {}}, "loop", {{"body", loop}}});
  b.Output("looped");
  b.Output("rounded");
  Find(b);
  EXPECT_THAT(Graphs(),
              ElementsAre("com.example.Round", "QuantizeLinear", "DequantizeLinear",
                          "QuantizeLinear", "QuantizeLinear", "DequantizeLinear"));
  EXPECT_EQ(found_.parts[0].not_judged, "a function of the model");
  EXPECT_EQ(found_.parts[1].not_judged, "inside of function com.example.Round");
  EXPECT_EQ(found_.parts[3].not_judged, "inside of else_branch of If 'if'");
  EXPECT_EQ(found_.parts[5].not_judged, "inside of body of Loop 'loop'");
  const auto cut = CutOut(*file_, found_.parts[1], sizes_);
  ASSERT_FALSE(cut);
  EXPECT_THAT(cut.error().message, HasSubstr("expected nodes of the graph"));
}

// To look for the first free number of each would take 200 million tries.
TEST_F(PartsTest, NumberManyPartsOfOneName) {
  constexpr int kNodes = 20000;
  Builder b;
  b.Input("x", kFloat, {2, 3});
  b.Constant("s", Floats({}, 1));
  b.Output(b.Quantize("x", kInt8, "same"));
  b.model.imports["com.example"] = 1;
  b.model.functions = {{"com.example", "Round", {"a", "scale"}, {"b"}, {}}};
  for (int i = 0; i < kNodes; ++i) {
    b.model.functions[0].nodes.push_back(
        {{"DequantizeLinear", "", {"a", "scale"}, {"b" + std::to_string(i)}, {}}, "n"});
  }
  Find(b);
  ASSERT_EQ(found_.parts.size(), size_t{kNodes + 1});
  EXPECT_EQ(found_.parts[1].name, "n");
  EXPECT_EQ(found_.parts[2].name, "n #2");
  EXPECT_EQ(found_.parts[kNodes].name, "n #20000");
}

TEST_F(PartsTest, TakeAFunctionForItsOperator) {
  Builder b;
  b.Input("x", kFloat, {2, 3});
  b.Constant("s", Floats({}, 1));
  b.model.functions = {{"",
                        "QuantizeLinear",
                        {"x", "y_scale"},
                        {"y"},
                        {{{"Relu", "", {"x"}, {"y"}, {}}}}}};
  b.Output(b.Add("QuantizeLinear", {"x", "s"}, "y"));
  Find(b);
  EXPECT_EQ(found_.parts[0].not_judged, "a function of the model");
}

TEST_F(PartsTest, ShareInitializersAndConstantNodes) {
  Builder b;
  b.Input("x", kFloat, {2, 3});
  // One scale for all; zero points by a Constant node, and absent.
  b.Constant("s", Floats({}, 0.5f));
  b.model.graph.constants = {{.name = "zero", .tensor = Zeros(kInt8)}};
  b.Add("QuantizeLinear", {"x", "s", "zero"}, "q");
  b.Output(b.Add("DequantizeLinear", {"q", "s"}, "f"));
  b.Output(b.Add("QuantizeLinear", {"x", "s"}, "unsigned"));
  Find(b);
  EXPECT_THAT(Graphs(), UnorderedElementsAre("Q-DQ", "QuantizeLinear"));
  const Model pair = Cut("Q-DQ");
  EXPECT_EQ(pair.initializers.size(), 2u);
  EXPECT_EQ(CellId(*PartOf("QuantizeLinear").cell),
            "QuantizeLinear/21/FLOAT-FLOAT-UINT8/per_tensor");
}

TEST_F(PartsTest, CutBlocksAndExternalData) {
  Builder b;
  b.Input("x", kFloat, {2, 10});
  WriteBytes((directory_ / "weights").string(), std::string(10 * 3 / 2, '\x53'));
  b.model.graph.externals = {
      {"w", kInt4, {10, 3}, {{"location", "weights"}, {"length", "15"}}}};
  // Blocks of 4, the last of which has 2 elements.
  b.Constant("w_scale", Floats({3, 3}, 0.5f));
  b.Add("DequantizeLinear", {"w", "w_scale"}, "weights",
        {{"axis", int64_t{0}}, {"block_size", int64_t{4}}});
  b.Output(b.Add("MatMul", {"x", "weights"}, "y"));
  Find(b);
  EXPECT_THAT(Graphs(), ElementsAre("DQ-MatMul"));
  ASSERT_TRUE(found_.parts[0].cell);
  EXPECT_EQ(CellId(*found_.parts[0].cell),
            "graphs.weights/21/INT4-FLOAT-FLOAT/DQ-MatMul.blocked");
  const Model model = Cut("DQ-MatMul");
  const auto w = std::ranges::find(model.initializers, "w", &Initializer::name);
  ASSERT_NE(w, model.initializers.end());
  EXPECT_EQ(w->tensor.data[0], std::byte{0x53});
}

TEST_F(PartsTest, FeedTheDataOfAPartThatHasOnlyConstants) {
  Builder b;
  b.Constant("w", Floats({2, 3}, 1));
  b.Output(b.Quantize("w", kInt8, "y"));
  Find(b);
  EXPECT_THAT(Names(Cut("QuantizeLinear").inputs), ElementsAre("w"));
}

TEST_F(PartsTest, FindNothingInAFloatModel) {
  Builder b;
  b.Output(b.Add("Relu", {b.Input("x", kFloat, {2})}, "y"));
  Find(b);
  EXPECT_TRUE(found_.parts.empty());
  EXPECT_TRUE(found_.unclaimed_constants.empty());
}

TEST_F(PartsTest, FindIntegersWithoutQuantizationOperators) {
  Builder b;
  b.Input("x", kFloat, {2, 3});
  b.Constant("w", Zeros(kInt8, {3, 4}));
  b.Constant("scale", Floats({}, 0.1f));
  b.Add("Cast", {"w"}, "w_float", {{"to", int64_t{1}}});
  b.Add("Mul", {"w_float", "scale"}, "weights");
  b.Output(b.Add("MatMul", {"x", "weights"}, "y"));
  Find(b);
  EXPECT_TRUE(found_.parts.empty());
  EXPECT_THAT(found_.unclaimed_constants,
              ElementsAre(std::pair<const std::string, int64_t>{"Cast", 1}));
}

TEST_F(PartsTest, NameAnInvalidNodeThatOnnxsCheckerAccepts) {
  Builder b;
  const std::string x = b.Dequantize(b.Input("x", kInt8, {1, 4}), kInt8, {10}, 0);
  b.Add("Softmax", {x}, "y");
  b.model.graph.outputs = {{"y", kFloat, {1, 4}}};
  Find(b);
  EXPECT_EQ(file_->checker(), "");
  ASSERT_EQ(found_.parts.size(), 1u);
  EXPECT_TRUE(found_.parts[0].is_invalid);
  EXPECT_EQ(found_.parts[0].name, "node_x_float");
  EXPECT_THAT(found_.parts[0].not_judged,
              HasSubstr("x_scale has shape [10]: per axis 0 its length must be 1"));
}

TEST_F(PartsTest, NameTheInvalidNodeOfAGraph) {
  Builder b = QdqConvolution();
  // The bias has 3 elements; a scale that is 4 long belongs to none.
  for (Initializer& one : b.model.graph.initializers) {
    if (one.name == "bias_scale") one.tensor = Floats({4}, 1);
    if (one.name == "bias_zero") one.tensor = Zeros(kInt32, {4});
  }
  Find(b);
  const Part& part = PartOf("DQ,DQ,DQ-Conv-Relu-Q");
  EXPECT_TRUE(part.is_invalid);
  EXPECT_THAT(part.not_judged,
              HasSubstr("invalid: node 'node_bias_float': DequantizeLinear, "));
}

TEST_F(PartsTest, ChooseSizesThatFitTheConstants) {
  Builder b;
  b.model.graph.inputs.push_back({"x", kInt8, {-1, -1}, {"n", "channels"}});
  const std::string x = b.Dequantize("x", kInt8, {10}, 1);
  b.Output(b.Add("Softmax", {x}, "y"));
  Find(b);
  EXPECT_EQ(Cut("DequantizeLinear").inputs[0].shape, (Shape{1, 10}));
  const PartsOfModel sized = FindParts(*file_, {.named = {{"n", 3}, {"channels", 10}}});
  const auto model =
      CutOut(*file_, sized.parts[0], {.named = {{"n", 3}, {"channels", 10}}});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->inputs[0].shape, (Shape{3, 10}));
}

TEST_F(PartsTest, FindShapesBehindOtherDomains) {
  Builder b;
  b.model.imports["com.example"] = 1;
  b.Input("input", kFloat, {1, 2});
  b.model.graph.nodes.push_back({{"Foo", "com.example", {"input"}, {"a"}, {}}, "foo"});
  for (const char* name : {"a", "b", "y"}) {
    b.Constant(std::string(name) + "_scale", Floats({}, 0.5f));
    b.Constant(std::string(name) + "_zero", Zeros(kUint8));
  }
  b.Constant("b", Zeros(kUint8, {40, 30}));
  b.Output(b.Add(
      "QLinearMatMul",
      {"a", "a_scale", "a_zero", "b", "b_scale", "b_zero", "y_scale", "y_zero"}, "y"));
  Find(b);
  const Model model = Cut("QLinearMatMul");
  EXPECT_EQ(model.inputs[0].type, kUint8);
  EXPECT_EQ(model.inputs[0].shape, (Shape{1, 40}));
}

TEST_F(PartsTest, FindShapesOfWindowsBehindOtherDomains) {
  Builder b;
  b.model.imports["com.example"] = 1;
  b.Input("input", kFloat, {1, 2});
  b.model.graph.nodes.push_back({{"Foo", "com.example", {"input"}, {"a"}, {}}, "foo"});
  const std::string pooled = b.Add("MaxPool", {b.Dequantize("a", kUint8)}, "pooled",
                                   {{"kernel_shape", std::vector<int64_t>{3, 3}}});
  b.Output(b.Quantize(pooled, kUint8, "y"));
  Find(b);
  EXPECT_EQ(PartOf("DQ-MaxPool-Q").not_judged, "");
  EXPECT_EQ(Cut("DQ-MaxPool-Q").inputs[0].shape, (Shape{1, 1, 8, 8}));
}

// Each node has the definition that its domain's opset_version selects. ONNX's own domain
// has two names, and others have versions of their own.
TEST_F(PartsTest, MixOpsetVersions) {
  for (const auto& [opset_version, since_version] :
       {std::pair(10, 10), std::pair(12, 10), std::pair(13, 13), std::pair(20, 19)}) {
    Builder b(opset_version);
    b.model.imports["com.microsoft"] = 1;
    b.model.imports["ai.onnx.ml"] = 5;
    b.Input("x", kFloat, {2, 3});
    const std::string codes = b.Quantize("x", kInt8, "codes");
    b.model.graph.nodes.back().node.domain = "ai.onnx";
    b.model.graph.nodes.push_back(
        {{"DequantizeLinear", "com.microsoft", {codes, "codes_scale"}, {"f"}, {}}, "ms"});
    b.Output("f");
    Find(b);
    EXPECT_THAT(Graphs(), ElementsAre("QuantizeLinear", "com.microsoft.DequantizeLinear"))
        << opset_version;
    ASSERT_TRUE(found_.parts[0].cell) << opset_version;
    EXPECT_EQ(found_.parts[0].cell->since_version, since_version);
    EXPECT_EQ(Cut("QuantizeLinear").opset_version, opset_version);
    EXPECT_EQ(found_.parts[1].not_judged, "domain com.microsoft");
  }
}

TEST_F(PartsTest, DoNotAccuseANodeOfASizeThatWasChosen) {
  Builder b;
  b.model.graph.inputs.push_back({"x", kInt8, {-1, 7}, {"n", ""}});
  const std::string x = b.Dequantize("x", kInt8, {10}, 1);
  b.Output(b.Add("Softmax", {x}, "y"));
  Find(b);
  EXPECT_FALSE(found_.parts[0].is_invalid);
  EXPECT_THAT(found_.parts[0].not_judged, HasSubstr("with the sizes that were chosen"));
}

TEST_F(PartsTest, SayWhichOpsetVersionsAreNotJudged) {
  Builder old(9);
  old.Input("x", kFloat, {2});
  old.Constant("s", Floats({}, 1));
  old.Output(old.Add("QuantizeLinear", {"x", "s"}, "y"));
  Find(old);
  EXPECT_THAT(found_.parts[0].not_judged, HasSubstr("opset_version 9"));
  old.model.imports = {{"com.example", 1}};
  Find(old);
  EXPECT_THAT(found_.parts[0].not_judged, HasSubstr("no opset_version"));
}

TEST_F(PartsTest, SurviveNodesWithoutOperands) {
  Builder b;
  const std::string x = b.Dequantize(b.Input("x", kInt8, {2}), kInt8);
  b.Output(b.Quantize(x, kInt8, "y"));
  const ModelToWrite whole = b.model;
  for (size_t node = 0; node < whole.graph.nodes.size(); ++node) {
    b.model = whole;
    b.model.graph.nodes[node].node.outputs.clear();
    b.model.graph.outputs = {{"x", kInt8, {2}}};
    Find(b);
    b.model = whole;
    b.model.graph.nodes[node].node.inputs.clear();
    Find(b);
    for (const Part& part : found_.parts) (void)CutOut(*file_, part, sizes_);
  }
}

TEST_F(PartsTest, GiveEachPartANameOfItsOwn) {
  Builder b;
  b.Input("x", kFloat, {2});
  b.Output(b.Quantize("x", kInt8, "y"));
  b.Output(b.Quantize("x", kUint8, "z"));
  for (NodeToWrite& node : b.model.graph.nodes) node.name = "same";
  Find(b);
  EXPECT_EQ(found_.parts[0].name, "same");
  EXPECT_EQ(found_.parts[1].name, "same #2");
}

}  // namespace
}  // namespace qconform
