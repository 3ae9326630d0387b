// The canonical answer of graphs: each node's, one after the other (GR-01), and what is
// free (GR-02).
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "oracle/graphs/evaluate.h"
#include "oracle/graphs/testing/small_graph.h"

namespace qconform::graph_test {
namespace {

using enum DataType;

TEST(GraphComposition, ReluBetweenDequantizeAndQuantize) {
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kUint8, {4}, {0, 128, 129, 255}), 0.5f, 128, "d");
  graph.Add("Relu", 14, {"d"}, {"r"});
  AddQuantize(graph, "r", kUint8, 0.25f, 3, "y");
  graph.Output("y");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(CodesOf(answers[0]), (std::vector<uint32_t>{3, 3, 5, 255}));
  EXPECT_NE(answers[0].elements[3].features & kFeatureSaturatedHigh, 0);
}

// GR-13: d = -1 gives exactly -21.499999184, and -21.5 by composition.
TEST(GraphComposition, RoundsBetweenTheNodes) {
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kInt8, {1}, {-1}), 0.05828065425157547f, 0, "d");
  AddQuantize(graph, "d", kInt8, 0.002710728207603097f, 0, "y");
  graph.Output("y");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(CodesOf(answers[0]), (std::vector<uint32_t>{0x100 - 22}));
  EXPECT_NE(answers[0].elements[0].features & kFeatureTie, 0);
}

TEST(GraphComposition, MatMulIsTheExactSumRoundedOnce) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kUint8, {1, 2}, {3, 5}), 0.5f, 1, "p");
  AddDequantize(graph, "w", Integers(kInt8, {2, 2}, {1, -2, 3, 4}), 2.0f, 0, "q");
  graph.Add("MatMul", 13, {"p", "q"}, {"s"}).Output("s");
  AddQuantize(graph, "s", kUint8, 1.0f, 10, "y");
  graph.Output("y");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(CodesOf(answers[0]),
            (std::vector<uint32_t>{static_cast<uint32_t>(CodeOf(14.0f)),
                                   static_cast<uint32_t>(CodeOf(12.0f))}));
  EXPECT_EQ(CodesOf(answers[1]), (std::vector<uint32_t>{24, 22}));
}

TEST(GraphComposition, ArgMaxGivesPositions) {
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kUint8, {2, 3}, {1, 7, 7, 9, 2, 3}), -0.5f, 0, "d");
  graph.Add("ArgMax", 13, {"d"}, {"i"}, {{"axis", int64_t{1}}, {"keepdims", int64_t{0}}})
      .Add("Cast", 13, {"i"}, {"y"}, {{"to", int64_t{6}}})
      .Output("y");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].type, kInt32);
  EXPECT_EQ(CodesOf(answers[0]), (std::vector<uint32_t>{0, 1}));
}

TEST(GraphComposition, DynamicQuantizationByComposition) {
  SmallGraph graph;
  graph.Input("x", Floats({1, 2}, {0.0f, 255.0f}))
      .Add("DynamicQuantizeLinear", 11, {"x"}, {"q", "q_scale", "q_zero_point"})
      .Input("w", Integers(kInt8, {2, 1}, {1, 2}))
      .Add("MatMulInteger", 10, {"q", "w", "q_zero_point"}, {"c"})
      .Add("Cast", 13, {"c"}, {"f"}, {{"to", int64_t{1}}})
      .Add("Mul", 14, {"f", "q_scale"}, {"y"})
      .Output("c")
      .Output("y");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(CodesOf(answers[0]), (std::vector<uint32_t>{510}));
  EXPECT_EQ(CodesOf(answers[1]),
            (std::vector<uint32_t>{static_cast<uint32_t>(CodeOf(510.0f))}));
  const auto bound = graph.Bind();
  const auto steps = bound->Intermediates(graph.operands());
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->size(), 4u);
  EXPECT_EQ(ReadCode((*steps)[0][0].view(), 1), 255u);
}

// GR-02: NaN may become any code of UINT8, so y is one of 256 floats.
TEST(GraphComposition, FreeCodesArePassedOn) {
  SmallGraph graph;
  graph.Input("x", TensorOf(kFloat, {2}, {0x7fc00000, CodeOf(3.0f)}));
  AddQuantize(graph, "x", kUint8, 1.0f, 0, "q");
  graph.Input("s", Floats({}, {0.5f}))
      .Add("DequantizeLinear", 21, {"q", "s"}, {"d"})
      .Add("Add", 14, {"d", "d"}, {"y"})
      .Output("d")
      .Output("y");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 2u);
  const Answer& d = answers[0];
  EXPECT_EQ(d.elements[0].freedom, Freedom::kOneOf);
  ASSERT_EQ(d.one_of.at(0).size(), 256u);
  EXPECT_EQ(d.one_of.at(0)[1], CodeOf(0.5f));
  EXPECT_EQ(d.elements[1].freedom, Freedom::kNone);
  EXPECT_EQ(d.elements[1].code, CodeOf(1.5f));
  // Two readers may be computed twice.
  EXPECT_EQ(answers[1].elements[0].freedom, Freedom::kAnyCode);
  EXPECT_EQ(answers[1].elements[1].code, CodeOf(3.0f));
}

TEST(GraphComposition, NeighboursOfFreeElementsAreJudged) {
  SmallGraph graph;
  graph.Input("x", TensorOf(kFloat, {2, 2},
                            {0x7fc00000, CodeOf(3.0f), CodeOf(1.0f), CodeOf(2.0f)}));
  AddQuantize(graph, "x", kUint8, 1.0f, 0, "q");
  graph.Input("w", Integers(kInt8, {2, 2}, {0, 1, 5, 6}))
      .Add("MatMulInteger", 10, {"q", "w"}, {"y"})
      .Output("y");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 1u);
  const auto& y = answers[0].elements;
  EXPECT_EQ(y[0].freedom, Freedom::kNone);  // the free element times 0
  EXPECT_EQ(y[0].code, 15u);
  // 256 codes, times 1, and 3 times 6.
  EXPECT_EQ(y[1].freedom, Freedom::kOneOf);
  ASSERT_EQ(answers[0].one_of.at(1).size(), 256u);
  EXPECT_EQ(answers[0].one_of.at(1).front(), 18u);
  EXPECT_EQ(answers[0].one_of.at(1).back(), 18u + 255);
  EXPECT_EQ(y[2].freedom, Freedom::kNone);
  EXPECT_EQ(y[3].code, 1u + 12u);
}

TEST(GraphComposition, ZerosOfRelu_HaveNoSign) {
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kInt8, {2}, {-5, 2}), 0.5f, 0, "d");
  graph.Add("Relu", 14, {"d"}, {"r"})
      .Input("shape", Integers(kInt64, {2}, {2, 1}))
      .Add("Reshape", 14, {"r", "shape"}, {"y"})
      .Output("y");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].shape, (Shape{2, 1}));
  EXPECT_TRUE(answers[0].elements[0].zero_sign_is_free);
  EXPECT_FALSE(answers[0].elements[1].zero_sign_is_free);
}

TEST(GraphComposition, TiersAreTheLastOfAllNodes) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kInt8, {2}, {100, 1}), 0x1p126f, 0, "p");
  AddDequantize(graph, "b", Integers(kInt8, {2}, {100, 1}), 0x1p-120f, 0, "q");
  graph.Add("Mul", 14, {"p", "q"}, {"m"}).Output("m");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[1].tier, Tier::kRegular);
  // 100 * 2^126 overflows.
  EXPECT_EQ(answers[0].elements[0].tier, Tier::kDegenerateScale);
}

// The mean of 912 times 4.27e35 is in FLOAT's range, the sum before the division is not:
// a partial sum may be infinite, and then so is what follows.
TEST(GraphComposition, PartialSumsBeyondTheRangeAreFree) {
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kUint8, {1, 1, 1, 4}, {228, 228, 228, 228}),
                4.27e35f, 0, "d");
  graph.Add("GlobalAveragePool", 1, {"d"}, {"m"});
  AddQuantize(graph, "m", kUint8, 8e35f, 0, "y");
  graph.Output("y");
  auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].code, 122u);
  EXPECT_EQ(answers[0].elements[0].tier, Tier::kDegenerateScale);
  EXPECT_EQ(answers[0].elements[0].freedom, Freedom::kAnyCode);

  // Below it everything is regular.
  graph.tensor(1) = Floats({}, {4.27e34f});
  graph.tensor(3) = Floats({}, {8e34f});
  answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].code, 122u);
  EXPECT_EQ(answers[0].elements[0].tier, Tier::kRegular);
  EXPECT_EQ(answers[0].elements[0].freedom, Freedom::kNone);
}

TEST(GraphComposition, TermsThatCancelBeyondTheRangeAreFree) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kInt8, {1, 2}, {100, -100}), 2e36f, 0, "p");
  AddDequantize(graph, "b", Integers(kInt8, {2, 1}, {1, 1}), 1.0f, 0, "q");
  graph.Add("MatMul", 13, {"p", "q"}, {"y"}).Output("y");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].tier, Tier::kDegenerateScale);
  EXPECT_EQ(answers[0].elements[0].freedom, Freedom::kAnyCode);
}

// Row 1 does not use the subnormal x of row 0.
TEST(GraphComposition, TiersOfIntegerSums) {
  SmallGraph graph;
  graph.Input("x", TensorOf(kFloat, {2, 2},
                            {0x007fffff, CodeOf(3.0f), CodeOf(1.0f), CodeOf(2.0f)}));
  AddQuantize(graph, "x", kUint8, 1.0f, 0, "q");
  graph.Input("w", Integers(kInt8, {2, 1}, {4, 1}))
      .Add("MatMulInteger", 10, {"q", "w"}, {"y"})
      .Output("y");
  const auto answers = graph.Evaluate();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].tier, Tier::kSubnormal);
  EXPECT_EQ(answers[0].elements[1].tier, Tier::kRegular);
}

TEST(GraphComposition, InvalidGraphsSayWhichNode) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kInt8, {2}, {1, 2}), 1.0f, 0, "p");
  graph.Input("b", Floats({3}, {1.0f, 2.0f, 3.0f}))
      .Add("Add", 14, {"p", "b"}, {"y"})
      .Output("y");
  const auto bound = graph.Bind();
  const auto validity = bound->Validate(graph.operands());
  ASSERT_TRUE(validity);
  EXPECT_EQ(validity->kind, ModelValidity::Kind::kInvalid);
  EXPECT_NE(validity->reason.find("Add"), std::string::npos) << validity->reason;
}

TEST(GraphComposition, EvidenceNamesTheOperandsOfAnElement) {
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kUint8, {2}, {4, 9}), 0.5f, 128, "d");
  graph.Add("Relu", 14, {"d"}, {"r"});
  AddQuantize(graph, "r", kUint8, 0.25f, 3, "y");
  graph.Output("y");
  const auto bound = graph.Bind();
  const auto operands = bound->OperandsOfElement(graph.operands(), 0, 1);
  ASSERT_TRUE(operands);
  std::vector<std::string> names;
  for (const ElementOperand& operand : *operands) names.push_back(operand.name);
  EXPECT_EQ(names, (std::vector<std::string>{"x", "x_scale", "x_zero_point", "y_scale",
                                             "y_zero_point"}));
  EXPECT_EQ(operands->front().code, 9u);
}

// The products of a sum that count, not the weights that lie on padding.
TEST(GraphComposition, EvidenceOfAConvolutionLeavesOutPadding) {
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kUint8, {1, 1, 2}, {4, 9}), 0.5f, 0, "d");
  AddDequantize(graph, "w", Integers(kInt8, {1, 1, 7}, {1, 2, 3, 4, 5, 6, 7}), 1.0f, 0,
                "k");
  graph.Add("Conv", 11, {"d", "k"}, {"y"}, {{"pads", std::vector<int64_t>{5, 5}}})
      .Output("y");
  const auto bound = graph.Bind();
  const auto operands = bound->OperandsOfElement(graph.operands(), 0, 0);
  ASSERT_TRUE(operands) << operands.error().message;
  std::vector<std::string> names;
  for (const ElementOperand& operand : *operands) names.push_back(operand.name);
  EXPECT_EQ(names, (std::vector<std::string>{"x[0]", "x_scale", "x_zero_point", "w[5]",
                                             "w_scale", "w_zero_point", "x[1]", "w[6]"}));
}

TEST(GraphReadings, EachNodeHasItsOwn) {
  SmallGraph graph;
  graph.Input("x", TensorOf(kBfloat16, {2}, {0x3f80, 0x4000}))
      .Input("s", TensorOf(kBfloat16, {}, {0x3f80}))
      .Input("z", Integers(kInt8, {}, {0}))
      .Add("QuantizeLinear", 23, {"x", "s", "z"}, {"q"})
      .Add("DequantizeLinear", 23, {"q", "s", "z"}, {"y"})
      .Output("y");
  const auto bound = graph.Bind();
  const auto sets = bound->Readings(graph.operands());
  ASSERT_TRUE(sets) << sets.error().message;
  ASSERT_GT(sets->size(), 1u);
  EXPECT_TRUE(sets->front().is_canonical());
  std::set<uint64_t> codes;
  std::set<std::string> names;
  for (const ReadingSet& set : *sets) {
    EXPECT_TRUE(codes.insert(set.code).second);
    EXPECT_TRUE(names.insert(Spell(set)).second) << Spell(set);
    EXPECT_TRUE(bound->Evaluate(graph.operands(), set)) << Spell(set);
  }
}

TEST(GraphFloatNodes, AreEvaluatedAlone) {
  const Tensor a = Floats({2}, {1.0f, 2.0f});
  const Tensor b = Floats({1}, {3.0f});
  const auto outputs = EvaluateFloatNode({.op_type = "Add",
                                          .domain = {},
                                          .inputs = {"a", "b"},
                                          .outputs = {"y"},
                                          .attributes = {}},
                                         14, {a.view(), b.view()});
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_EQ((*outputs)[0], Floats({2}, {4.0f, 5.0f}));
}

}  // namespace
}  // namespace qconform::graph_test
