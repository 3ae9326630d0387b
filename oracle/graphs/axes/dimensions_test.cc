#include "oracle/graphs/axes/dimensions.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "oracle/core/testing/dimensions_check.h"
#include "oracle/graphs/graph.h"

namespace qconform {
namespace {

using enum DataType;
using Texts = std::vector<std::string>;
using Integers = std::vector<int64_t>;

Node GraphNodeOf(const char* op_type, Texts inputs, Texts outputs,
                 std::vector<Attribute> attributes = {}) {
  Node node;
  node.op_type = op_type;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  node.attributes = std::move(attributes);
  return node;
}

Node DequantizeTo(const char* x, const char* to, std::vector<Attribute> attributes = {}) {
  return GraphNodeOf("DequantizeLinear", {x, std::string(x) + "_scale"}, {to},
                     std::move(attributes));
}

Node QuantizeFrom(const char* from, std::vector<Attribute> attributes = {}) {
  return GraphNodeOf("QuantizeLinear", {from, "y_scale"}, {"y"}, std::move(attributes));
}

Node GraphOf(Texts inputs, std::vector<Node> body, Texts outputs = {"y"}) {
  Node graph;
  graph.op_type = kGraphOpType;
  graph.inputs = std::move(inputs);
  graph.outputs = std::move(outputs);
  graph.body = std::move(body);
  return graph;
}

Tensor Int64s(const Integers& values) {
  Tensor tensor = Tensor::Zeros(kInt64, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i),
              static_cast<uint64_t>(values[i]));
  }
  return tensor;
}

std::unique_ptr<const BoundGraph> Bind(const Node& graph) {
  auto bound = BindGraph(graph, std::vector<int>(graph.body.size(), 21));
  EXPECT_TRUE(bound.ok()) << (bound ? "" : bound.error().message);
  return bound ? *std::move(bound) : nullptr;
}

// Returns a line for each dimension: "d0=3 summed whole rows: x.0 w.1/2 -> y.0".
Texts DimensionTexts(const Node& graph, const std::vector<Tensor>& tensors) {
  const auto bound = Bind(graph);
  if (bound == nullptr) return {};
  Operands operands;
  for (const Tensor& tensor : tensors) {
    // Only amounts have data.
    const bool is_amount = tensor.type == kInt64;
    operands.push_back(TensorView{tensor.type, tensor.shape, {}});
    if (is_amount) operands.back() = tensor.view();
  }
  const auto dimensions = bound->DimensionsOf(operands);
  if (!dimensions) return {dimensions.error().message};
  Texts lines;
  for (const Dimension& dimension : *dimensions) {
    std::string line = dimension.name + "=" + std::to_string(dimension.size);
    if (dimension.is_summed) line += " summed";
    if (dimension.is_whole) line += " whole";
    if (dimension.is_rows) line += " rows";
    line += ":";
    const auto add = [&](const Texts& names, const AxisPlace& place) {
      line += " " + names[place.tensor] + "." + std::to_string(place.axis);
      if (place.block != 1) line += "/" + std::to_string(place.block);
    };
    for (const AxisPlace& place : dimension.operands) add(graph.inputs, place);
    line += " ->";
    for (const AxisPlace& place : dimension.outputs) add(graph.outputs, place);
    lines.push_back(line);
  }
  return lines;
}

Tensor Codes(Shape shape) { return Tensor::Zeros(kUint8, std::move(shape)); }
Tensor Scale(Shape shape = {}) { return Tensor::Zeros(kFloat, std::move(shape)); }

TEST(GraphDimensions, Elementwise_AxesGoThrough) {
  const Node graph = GraphOf({"x", "x_scale", "y_scale"},
                             {DequantizeTo("x", "d", {{"axis", int64_t{1}}}),
                              GraphNodeOf("Relu", {"d"}, {"r"}), QuantizeFrom("r")});
  EXPECT_EQ(DimensionTexts(graph, {Codes({2, 3}), Scale({3}), Scale()}),
            (Texts{"d0=2: x.0 -> y.0", "d1=3: x.1 x_scale.0 -> y.1"}));
}

TEST(GraphDimensions, Blocks_AreAxesOfTheirDimension) {
  const Node graph =
      GraphOf({"x", "x_scale", "y_scale"},
              {DequantizeTo("x", "d", {{"axis", int64_t{1}}, {"block_size", int64_t{2}}}),
               GraphNodeOf("Transpose", {"d"}, {"t"}), QuantizeFrom("t")});
  EXPECT_EQ(DimensionTexts(graph, {Codes({2, 4}), Scale({2, 2}), Scale()}),
            (Texts{"d0=2: x.0 x_scale.0 -> y.1", "d1=4: x.1 x_scale.1/2 -> y.0"}));
}

TEST(GraphDimensions, Broadcasting_LeavesAxesOfSize1Out) {
  const Node graph =
      GraphOf({"a", "a_scale", "b", "b_scale", "y_scale"},
              {DequantizeTo("a", "da"), DequantizeTo("b", "db"),
               GraphNodeOf("Add", {"da", "db"}, {"s"}), QuantizeFrom("s")});
  EXPECT_EQ(DimensionTexts(graph, {Codes({2, 3}), Scale(), Codes({3}), Scale(), Scale()}),
            (Texts{"d0=2: a.0 -> y.0", "d1=3: a.1 b.0 -> y.1"}));
  EXPECT_EQ(
      DimensionTexts(graph, {Codes({2, 3}), Scale(), Codes({2, 1}), Scale(), Scale()}),
      (Texts{"d0=2: a.0 b.0 -> y.0", "d1=3: a.1 -> y.1"}));
}

TEST(GraphDimensions, MatMul_HasRowsAndASummedDimension) {
  const Node graph =
      GraphOf({"a", "a_scale", "b", "b_scale", "y_scale"},
              {DequantizeTo("a", "da"), DequantizeTo("b", "db"),
               GraphNodeOf("MatMul", {"da", "db"}, {"s"}), QuantizeFrom("s")});
  EXPECT_EQ(
      DimensionTexts(graph, {Codes({2, 3}), Scale(), Codes({3, 4}), Scale(), Scale()}),
      (Texts{"d0=2 rows: a.0 -> y.0", "d1=3 summed: a.1 b.0 ->", "d2=4: b.1 -> y.1"}));
  // All sizes equal.
  EXPECT_EQ(
      DimensionTexts(graph, {Codes({2, 2}), Scale(), Codes({2, 2}), Scale(), Scale()}),
      (Texts{"d0=2 rows: a.0 -> y.0", "d1=2 summed: a.1 b.0 ->", "d2=2: b.1 -> y.1"}));
}

TEST(GraphDimensions, Conv_WindowsAreWhole) {
  const auto graph = [](std::vector<Attribute> attributes) {
    return GraphOf(
        {"x", "x_scale", "w", "w_scale", "bias", "y_scale"},
        {DequantizeTo("x", "dx"), DequantizeTo("w", "dw", {{"axis", int64_t{0}}}),
         GraphNodeOf("Conv", {"dx", "dw", "bias"}, {"s"}, std::move(attributes)),
         QuantizeFrom("s")});
  };
  EXPECT_EQ(DimensionTexts(graph({}), {Codes({2, 3, 5}), Scale(), Codes({4, 3, 2}),
                                       Scale({4}), Scale({4}), Scale()}),
            (Texts{"d0=2: x.0 -> y.0", "d1=3 summed: x.1 w.1 ->", "d2=5 whole: x.2 ->",
                   "d3=4: w.0 w_scale.0 bias.0 -> y.1", "d4=2 whole: w.2 ->",
                   "d5=4 whole: -> y.2"}));
  // Depthwise: the attribute group counts the channels.
  EXPECT_EQ(DimensionTexts(graph({{"group", int64_t{3}}}),
                           {Codes({2, 3, 5}), Scale(), Codes({3, 1, 1}), Scale({3}),
                            Scale({3}), Scale()}),
            (Texts{"d0=2: x.0 -> y.0", "d1=3 whole: x.1 w.0 w_scale.0 bias.0 -> y.1",
                   "d2=5: x.2 -> y.2"}));
}

TEST(GraphDimensions, Reductions_AreSummed) {
  const Node graph =
      GraphOf({"x", "x_scale", "axes", "y_scale"},
              {DequantizeTo("x", "d"),
               GraphNodeOf("ReduceMax", {"d", "axes"}, {"r"}, {{"keepdims", int64_t{0}}}),
               QuantizeFrom("r")});
  EXPECT_EQ(DimensionTexts(graph, {Codes({2, 3}), Scale(), Int64s({-1}), Scale()}),
            (Texts{"d0=2: x.0 -> y.0", "d1=3 summed: x.1 ->"}));
}

Node Moving(const char* op_type, const char* amounts,
            std::vector<Attribute> attributes = {}) {
  return GraphOf({"x", "x_scale", amounts, "y_scale"},
                 {DequantizeTo("x", "d"),
                  GraphNodeOf(op_type, {"d", amounts}, {"m"}, std::move(attributes)),
                  QuantizeFrom("m")});
}

// Attributes and amounts that name sizes or positions.
TEST(GraphDimensions, AxesThatAmountsName_AreWhole) {
  const auto of = [](const Node& graph, Shape x, const Integers& amounts) {
    return DimensionTexts(graph,
                          {Codes(std::move(x)), Scale(), Int64s(amounts), Scale()});
  };
  EXPECT_EQ(of(Moving("Reshape", "shape"), {2, 3}, {2, 3}),
            (Texts{"d0=2 whole: x.0 -> y.0", "d1=3 whole: x.1 -> y.1",
                   "d2=2 whole: shape.0 ->"}));
  EXPECT_EQ(of(Moving("Reshape", "shape"), {2, 3, 4}, {0, -1}),
            (Texts{"d0=2: x.0 -> y.0", "d1=3 whole: x.1 ->", "d2=4 whole: x.2 ->",
                   "d3=2 whole: shape.0 ->", "d4=12 whole: -> y.1"}));
  EXPECT_EQ(
      of(Moving("Gather", "indices", {{"axis", int64_t{0}}}), {2, 3}, {0, 1}),
      (Texts{"d0=2 whole: x.0 -> y.0", "d1=3: x.1 -> y.1", "d2=2 whole: indices.0 ->"}));
  EXPECT_EQ(of(Moving("Pad", "pads"), {2, 3}, {0, 1, 0, 0}),
            (Texts{"d0=2: x.0 -> y.0", "d1=3 whole: x.1 ->", "d2=4 whole: pads.0 ->",
                   "d3=4 whole: -> y.1"}));
}

// Scales along an axis that a node makes go with it, and with no axis of x.
TEST(GraphDimensions, AxesThatNodesMake_AreWhole) {
  const Node graph = GraphOf({"x", "x_scale", "indices", "y_scale"},
                             {DequantizeTo("x", "d", {{"axis", int64_t{0}}}),
                              GraphNodeOf("Gather", {"d", "indices"}, {"m"}),
                              QuantizeFrom("m", {{"axis", int64_t{0}}})});
  EXPECT_EQ(
      DimensionTexts(graph, {Codes({2, 3}), Scale({2}), Int64s({1, 0, 1}), Scale({3})}),
      (Texts{"d0=2 whole: x.0 x_scale.0 ->", "d1=3: x.1 -> y.1",
             "d2=3 whole: indices.0 ->", "d3=3 whole: y_scale.0 -> y.0"}));
}

TEST(GraphDimensions, AmountsWithoutData_MakeAllOperandsWhole) {
  const auto bound = Bind(Moving("Reshape", "shape"));
  ASSERT_NE(bound, nullptr);
  const Tensor x = Codes({2, 3}), scale = Scale(), shape = Int64s({6});
  Operands operands{x.view(), scale.view(), TensorView{kInt64, shape.shape, {}},
                    scale.view()};
  const auto dimensions = bound->DimensionsOf(operands);
  ASSERT_TRUE(dimensions.ok()) << dimensions.error().message;
  ASSERT_EQ(dimensions->size(), 2u);
  EXPECT_TRUE((*dimensions)[0].is_whole);
  operands[2] = shape.view();
  EXPECT_EQ(bound->DimensionsOf(operands)->size(), 3u);
}

TEST(GraphDimensions, SeveralOutputs_ShareDimensions) {
  const Node graph = GraphOf({"x", "x_scale", "y_scale"},
                             {DequantizeTo("x", "d"), GraphNodeOf("Relu", {"d"}, {"r"}),
                              QuantizeFrom("d"), GraphNodeOf("Neg", {"r"}, {"n"})},
                             {"y", "n"});
  EXPECT_EQ(DimensionTexts(graph, {Codes({2}), Scale(), Scale()}),
            (Texts{"d0=2: x.0 -> y.0 n.0"}));
}

// The dimensions agree with what each element is made of.
TEST(GraphDimensions, AgreeWithTheOperandsOfElements) {
  const Node graph =
      GraphOf({"a", "a_scale", "b", "b_scale", "y_scale"},
              {DequantizeTo("a", "da", {{"axis", int64_t{1}}}), DequantizeTo("b", "db"),
               GraphNodeOf("Add", {"da", "db"}, {"s"}), QuantizeFrom("s")});
  const auto bound = Bind(graph);
  ASSERT_NE(bound, nullptr);
  ExpectDimensionsMatch(
      bound->op(), *bound,
      {Numbered(kUint8, {2, 3}), Numbered(kFloat, {3}), Numbered(kUint8, {2, 1}),
       Numbered(kFloat, {}), Numbered(kFloat, {})});
}

}  // namespace
}  // namespace qconform
