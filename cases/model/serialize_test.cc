#include "cases/model/serialize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"

namespace qconform {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// QuantizeLinear-21, FLOAT to INT4, blocked; scale and zero point are
// initializers or inputs.
Model BlockedModel(bool initializers) {
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node = {.op_type = "QuantizeLinear",
                .domain = "",
                .inputs = {"x", "y_scale", "y_zero_point"},
                .outputs = {"y"},
                .attributes = {{"axis", int64_t{-1}}, {"block_size", int64_t{2}}}};
  model.inputs = {{"x", DataType::kFloat, {2, 3}}};
  model.outputs = {{"y", DataType::kInt4, {2, 3}}};
  Tensor scale = Tensor::Zeros(DataType::kFloat, {2, 2});
  scale.data[3] = std::byte{0x3F};  // 0.5
  Tensor zero_point = Tensor::Zeros(DataType::kInt4, {2, 2});
  zero_point.data[0] = std::byte{0x8F};
  if (initializers) {
    model.initializers = {{"y_scale", scale}, {"y_zero_point", zero_point}};
  } else {
    model.inputs.push_back({"y_scale", scale.type, scale.shape});
    model.inputs.push_back({"y_zero_point", zero_point.type, zero_point.shape});
  }
  return model;
}

// DequantizeLinear, LeakyRelu, QuantizeLinear; both scales are initializers.
Model GraphModel() {
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node = {
      .op_type = kGraphOpType,
      .domain = "",
      .inputs = {"x", "x_scale", "y_scale", "y_zero_point"},
      .outputs = {"y"},
      .attributes = {},
      .body = {
          {"DequantizeLinear", "", {"x", "x_scale"}, {"x_real"}, {{"axis", int64_t{0}}}},
          {"LeakyRelu", "", {"x_real"}, {"y_real"}, {{"alpha", 0.5f}}},
          {"QuantizeLinear", "", {"y_real", "y_scale", "y_zero_point"}, {"y"}, {}}}};
  model.inputs = {{"x", DataType::kInt8, {2, 3}}};
  model.outputs = {{"y", DataType::kUint8, {2, 3}}};
  Tensor scale = Tensor::Zeros(DataType::kFloat, {});
  scale.data[3] = std::byte{0x3F};  // 0.5
  model.initializers = {{"x_scale", scale},
                        {"y_scale", scale},
                        {"y_zero_point", Tensor::Zeros(DataType::kUint8, {})}};
  return model;
}

onnx::ModelProto ProtoOf(const Model& model) {
  onnx::ModelProto proto;
  EXPECT_TRUE(proto.ParseFromString(SerializeModel(model)));
  return proto;
}

TEST(SerializeModel, RoundTrips) {
  for (const bool initializers : {true, false}) {
    const Model model = BlockedModel(initializers);
    const std::string bytes = SerializeModel(model);
    const Result<Model> parsed = ParseModel(bytes);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(*parsed, model);
    EXPECT_EQ(SerializeModel(*parsed), bytes);
    EXPECT_TRUE(CheckModel(bytes).ok()) << CheckModel(bytes).error().message;
  }
}

TEST(SerializeModel, Graphs_RoundTrip) {
  for (const char* op_type : {kGraphOpType, "graphs.arithmetic"}) {
    Model model = GraphModel();
    model.node.op_type = op_type;
    const std::string bytes = SerializeModel(model);
    EXPECT_EQ(ProtoOf(model).graph().name(), op_type);
    const Result<Model> parsed = ParseModel(bytes);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(*parsed, model);
    EXPECT_EQ(SerializeModel(*parsed), bytes);
    EXPECT_TRUE(CheckModel(bytes).ok()) << CheckModel(bytes).error().message;
  }
}

TEST(SerializeModel, OddModels_RoundTrip) {
  Model model = BlockedModel(false);
  model.node.inputs = {"x", "y_scale", ""};  // left out by an empty name
  model.inputs.pop_back();
  model.node.domain = "com.example";
  model.node.attributes = {{"f", 0.5f},
                           {"s", std::string("text")},
                           {"i", std::numeric_limits<int64_t>::min()},
                           {"n", std::vector<int64_t>{1, -1}},
                           {"none", std::vector<int64_t>{}}};
  model.inputs[0].shape = {};  // a scalar
  model.outputs[0].shape = {4, 0, 1};
  const Result<Model> parsed = ParseModel(SerializeModel(model));
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(*parsed, model);
}

TEST(SerializeModel, OldIrVersion_ListsInitializersAsInputs) {
  Model model = BlockedModel(true);
  model.ir_version = 3;
  const std::string bytes = SerializeModel(model);
  EXPECT_TRUE(CheckModel(bytes).ok()) << CheckModel(bytes).error().message;
  EXPECT_EQ(ParseModel(bytes).value(), model);
}

TEST(SerializeModel, Bytes_AreTheSameForEver) {
  // Exported corpora are compared by digest, so a change here changes all of them.
  Model model;
  model.opset_version = 10;
  model.ir_version = 5;
  model.node = {"QuantizeLinear", "", {"x", "s"}, {"y"}, {}};
  model.inputs = {{"x", DataType::kFloat, {2}}};
  model.outputs = {{"y", DataType::kUint8, {2}}};
  model.initializers = {{"s", Tensor::Zeros(DataType::kFloat, {})}};
  const std::string bytes = SerializeModel(model);
  std::string hex;
  for (const char c : bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[c & 15];
  }
  EXPECT_EQ(
      hex,
      "0805120871636f6e666f726d3a540a190a01780a0173120179220e5175616e74697a654c696e6561"
      "72120871636f6e666f726d2a0b10014201734a04000000005a0f0a0178120a0a08080112040a0208"
      "02620f0a0179120a0a08080212040a02080242040a00100a");
}

TEST(ParseModel, ConstantNodes_CountAsInitializers) {
  onnx::ModelProto proto = ProtoOf(BlockedModel(true));
  onnx::GraphProto& graph = *proto.mutable_graph();
  const onnx::NodeProto node = graph.node(0);
  graph.mutable_node()->RemoveLast();
  const onnx::TensorProto zero_point = graph.initializer(1);
  graph.mutable_initializer()->RemoveLast();
  onnx::NodeProto& constant = *graph.add_node();
  constant.set_op_type("Constant");
  constant.add_output("y_zero_point");
  onnx::AttributeProto& attribute = *constant.add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  *attribute.mutable_t() = zero_point;
  *graph.add_node() = node;
  const Result<Model> parsed = ParseModel(proto.SerializeAsString());
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(*parsed, BlockedModel(true));
  EXPECT_TRUE(CheckModel(proto.SerializeAsString()).ok());
  EXPECT_THAT(OperatorsOf(proto.SerializeAsString()).value(),
              ElementsAre("QuantizeLinear"));

  attribute.set_name("value_float");
  attribute.set_type(onnx::AttributeProto::FLOAT);
  attribute.clear_t();
  attribute.set_f(1.0f);
  EXPECT_EQ(ParseModel(proto.SerializeAsString())->initializers[1].tensor,
            (Tensor{DataType::kFloat,
                    {},
                    {std::byte{0}, std::byte{0}, std::byte{0x80}, std::byte{0x3F}}}));
}

TEST(ParseModel, Hostile_IsAnErrorThatSaysWhat) {
  struct Row {
    std::string says;
    std::function<void(onnx::ModelProto&)> spoil;
  };
  using Proto = onnx::ModelProto;
  const auto input = [](Proto& m) {
    return m.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
  };
  const auto attribute = [](Proto& m) {
    return m.mutable_graph()->mutable_node(0)->mutable_attribute(0);
  };
  const Row kRows[] = {
      {"no graph", [](Proto& m) { m.clear_graph(); }},
      {"ir_version 0 is missing", [](Proto& m) { m.clear_ir_version(); }},
      {"ir_version", [](Proto& m) { m.set_ir_version(int64_t{1} << 40); }},
      {"opset_import: ONNX's own domain \"\" is missing",
       [](Proto& m) { m.clear_opset_import(); }},
      {"domain \"\" is missing",
       [](Proto& m) { m.mutable_opset_import(0)->set_domain("ai.onnx.ml"); }},
      {"imported as 21 and as 20",
       [](Proto& m) { m.add_opset_import()->set_version(20); }},
      {"version 0", [](Proto& m) { m.mutable_opset_import(0)->clear_version(); }},
      {"version -1", [](Proto& m) { m.mutable_opset_import(0)->set_version(-1); }},
      {"functions", [](Proto& m) { m.add_functions()->set_name("QuantizeLinear"); }},
      {"has 0 nodes", [](Proto& m) { m.mutable_graph()->clear_node(); }},
      {"the graph has 9 nodes besides Constant; models with 1 to 8 are read",
       [](Proto& m) {
         for (int i = 0; i < 8; ++i) {
           *m.mutable_graph()->add_node() = onnx::NodeProto(m.graph().node(0));
         }
       }},
      {"op_type has no name",
       [](Proto& m) { m.mutable_graph()->mutable_node(0)->clear_op_type(); }},
      {"is neither a graph input nor an initializer",
       [](Proto& m) { m.mutable_graph()->mutable_node(0)->set_input(0, "z"); }},
      {"graph input has no name",
       [](Proto& m) { m.mutable_graph()->mutable_input(0)->clear_name(); }},
      {"is not UTF-8",
       [](Proto& m) { m.mutable_graph()->mutable_input(0)->set_name("\xFF"); }},
      {"is not UTF-8",
       [](Proto& m) { m.mutable_graph()->mutable_node(0)->set_domain("\xFF"); }},
      {"graph input: name 'x?' has characters that cannot be printed",
       [](Proto& m) { m.mutable_graph()->mutable_input(0)->set_name("x\n"); }},
      {"has characters that cannot be printed",
       [](Proto& m) { m.mutable_graph()->mutable_node(0)->set_domain("a\u202eb"); }},
      {"is there twice",
       [](Proto& m) { m.mutable_graph()->add_input()->CopyFrom(m.graph().input(0)); }},
      {"is there twice",
       [](Proto& m) {
         m.mutable_graph()->add_initializer()->CopyFrom(m.graph().initializer(0));
       }},
      {"an initializer has no name",
       [](Proto& m) { m.mutable_graph()->mutable_initializer(0)->clear_name(); }},
      {"sparse", [](Proto& m) { m.mutable_graph()->add_sparse_initializer(); }},
      {"initializer 'y_scale': raw_data has 15 bytes",
       [](Proto& m) {
         m.mutable_graph()->mutable_initializer(0)->mutable_raw_data()->pop_back();
       }},
      {"external_data",
       [](Proto& m) {
         m.mutable_graph()->mutable_initializer(0)->set_data_location(
             onnx::TensorProto::EXTERNAL);
       }},
      {"is not a tensor",
       [](Proto& m) { m.mutable_graph()->mutable_input(0)->clear_type(); }},
      {"data type 9 (BOOL)", [&](Proto& m) { input(m)->set_elem_type(9); }},
      {"has no shape", [&](Proto& m) { input(m)->clear_shape(); }},
      {"dimension 1 has no fixed size",
       [&](Proto& m) { input(m)->mutable_shape()->mutable_dim(1)->set_dim_param("N"); }},
      {"negative dimension",
       [&](Proto& m) { input(m)->mutable_shape()->mutable_dim(0)->set_dim_value(-1); }},
      {"more than 2^58",
       [&](Proto& m) {
         input(m)->mutable_shape()->mutable_dim(0)->set_dim_value(int64_t{1} << 62);
       }},
      {"differs from its initializer's",
       [](Proto& m) { m.mutable_graph()->mutable_input(0)->set_name("y_scale"); }},
      {"the graph has no output", [](Proto& m) { m.mutable_graph()->clear_output(); }},
      {"is not an output of the node",
       [](Proto& m) { m.mutable_graph()->mutable_output(0)->set_name("x"); }},
      {"has a second source",
       [](Proto& m) { m.mutable_graph()->mutable_node(0)->set_output(0, "x"); }},
      {"type GRAPH is not read",
       [&](Proto& m) { attribute(m)->set_type(onnx::AttributeProto::GRAPH); }},
      {"type UNDEFINED", [&](Proto& m) { attribute(m)->clear_type(); }},
      {"refers to an attribute", [&](Proto& m) { attribute(m)->set_ref_attr_name("a"); }},
      {"given twice", [&](Proto& m) { attribute(m)->set_name("block_size"); }},
      {"attribute has no name", [&](Proto& m) { attribute(m)->clear_name(); }},
  };
  int visited = 0;
  for (const Row& row : kRows) {
    onnx::ModelProto proto = ProtoOf(BlockedModel(true));
    row.spoil(proto);
    const Result<Model> parsed = ParseModel(proto.SerializeAsString());
    ASSERT_FALSE(parsed.ok()) << row.says;
    EXPECT_THAT(parsed.error().message, HasSubstr(row.says));
    ++visited;
  }
  EXPECT_EQ(visited, 39);
}

TEST(ParseModel, SeveralNodes_AreOneWithABody) {
  onnx::ModelProto proto = ProtoOf(GraphModel());
  onnx::GraphProto& graph = *proto.mutable_graph();
  graph.set_name("main");
  // Out of order, with a Constant between them.
  graph.mutable_node()->SwapElements(0, 2);
  onnx::NodeProto& constant = *graph.add_node();
  constant.set_op_type("Constant");
  constant.add_output("y_zero_point");
  onnx::AttributeProto& attribute = *constant.add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  *attribute.mutable_t() = graph.initializer(2);
  graph.mutable_initializer()->RemoveLast();
  graph.mutable_node()->SwapElements(1, 3);
  const Result<Model> parsed = ParseModel(proto.SerializeAsString());
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(*parsed, GraphModel());
  EXPECT_THAT(OperatorsOf(proto.SerializeAsString()).value(),
              ElementsAre("QuantizeLinear", "DequantizeLinear", "LeakyRelu"));
}

TEST(ParseModel, NodesInNeedOfNoOrder_StayInTheirs) {
  // Both read x; the second result is not an output of the graph.
  Model model = GraphModel();
  model.node.body = {{"LeakyRelu", "", {"x"}, {"b"}, {}},
                     {"LeakyRelu", "", {"x"}, {"a"}, {}},
                     {"Split", "", {"x", ""}, {"c", "", "d"}, {}}};
  model.node.inputs = {"x"};
  model.node.outputs = {"a", "d"};
  model.outputs = {{"a", DataType::kFloat, {2}}, {"d", DataType::kFloat, {2}}};
  model.initializers.clear();
  const Result<Model> parsed = ParseModel(SerializeModel(model));
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(*parsed, model);
}

TEST(ParseModel, GraphName_IsAFamilyOnlyIfItIsAWord) {
  for (const auto& [name, op_type] :
       std::vector<std::pair<std::string, std::string>>{{"graphs.sums", "graphs.sums"},
                                                        {"graphs.\xff", kGraphOpType},
                                                        {"graphs./2", kGraphOpType},
                                                        {"torch-jit", kGraphOpType},
                                                        {"", kGraphOpType}}) {
    onnx::ModelProto proto = ProtoOf(GraphModel());
    proto.mutable_graph()->set_name(name);
    const Result<Model> parsed = ParseModel(proto.SerializePartialAsString());
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(parsed->node.op_type, op_type) << name;
  }
}

TEST(ParseModel, HostileGraph_IsAnErrorThatSaysWhat) {
  struct Row {
    std::string says;
    std::function<void(onnx::GraphProto&)> spoil;
  };
  using Graph = onnx::GraphProto;
  const Row kRows[] = {
      {"node input 'z' is neither a graph input nor an initializer nor another node's",
       [](Graph& g) { g.mutable_node(1)->set_input(0, "z"); }},
      {"an order in which each node follows its inputs, got a cycle with node output",
       [](Graph& g) { g.mutable_node(0)->set_input(0, "y_real"); }},
      {"a cycle", [](Graph& g) { g.mutable_node(1)->set_input(0, "y_real"); }},
      {"node output 'y' has a second source",
       [](Graph& g) { g.mutable_node(0)->add_output("y"); }},
      {"node output 'x_scale' has a second source",
       [](Graph& g) { g.mutable_node(2)->add_output("x_scale"); }},
      {"graph output 'x' is not an output of a node",
       [](Graph& g) { g.mutable_output(0)->set_name("x"); }},
      {"graph output 'y' is not an output of a node, or is there twice",
       [](Graph& g) { *g.add_output() = onnx::ValueInfoProto(g.output(0)); }},
  };
  for (const Row& row : kRows) {
    onnx::ModelProto proto = ProtoOf(GraphModel());
    row.spoil(*proto.mutable_graph());
    const Result<Model> parsed = ParseModel(proto.SerializePartialAsString());
    ASSERT_FALSE(parsed.ok()) << row.says;
    EXPECT_THAT(parsed.error().message, HasSubstr(row.says));
  }
}

TEST(ParseModel, ForeignAndTruncatedBytes_AreErrors) {
  EXPECT_FALSE(ParseModel("").ok());
  EXPECT_THAT(ParseModel("\x89PNG\r\n").error().message, HasSubstr("not an ONNX model"));
  EXPECT_THAT(CheckModel("\x89PNG\r\n").error().message,
              StartsWith("checker: not an ONNX"));
  EXPECT_FALSE(OperatorsOf("#!/bin/sh\n").ok());
  const std::string bytes = SerializeModel(BlockedModel(true));
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(ParseModel(bytes.substr(0, length)).ok()) << length;
  }
}

TEST(OperatorsOf, NamesDomains) {
  onnx::ModelProto proto = ProtoOf(BlockedModel(true));
  onnx::NodeProto& other = *proto.mutable_graph()->add_node();
  other.set_op_type("Foo");
  other.set_domain("com.example");
  EXPECT_THAT(OperatorsOf(proto.SerializeAsString()).value(),
              ElementsAre("QuantizeLinear", "com.example.Foo"));
}

TEST(OnnxVersion, IsARelease) {
  EXPECT_THAT(std::string(OnnxVersion()), ::testing::MatchesRegex("[0-9]+\\.[0-9]+.*"));
}

// Changes bytes of valid models: the result is an Error, or a model that is valid enough
// to be written and read again.
TEST(ParseModel, SpoiledBytes_NeverCrash) {
  constexpr int kRounds = 20000;
  std::mt19937 random(1);  // its values are fixed by the standard
  const std::string seeds[] = {SerializeModel(BlockedModel(true)),
                               SerializeModel(BlockedModel(false)),
                               SerializeModel(GraphModel())};
  int accepted = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = seeds[random() % std::size(seeds)];
    for (uint32_t flips = random() % 4; flips > 0; --flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    if (random() % 8 == 0)
      bytes.insert(random() % (bytes.size() + 1), bytes.substr(0, 16));
    (void)ParseTensor(bytes);
    (void)OperatorsOf(bytes);
    if (round % 8 == 0) (void)CheckModel(bytes);
    const Result<Model> model = ParseModel(bytes);
    if (!model) {
      EXPECT_FALSE(model.error().message.empty());
      continue;
    }
    ++accepted;
    const std::string again = SerializeModel(*model);
    const Result<Model> second = ParseModel(again);
    ASSERT_TRUE(second.ok()) << "round " << round << ": " << second.error().message;
    EXPECT_EQ(SerializeModel(*second), again) << "round " << round;
  }
  // Both results occurred often enough for the test to mean something.
  EXPECT_GT(accepted, kRounds / 10);
  EXPECT_LT(accepted, kRounds * 9 / 10);
}

}  // namespace
}  // namespace qconform
