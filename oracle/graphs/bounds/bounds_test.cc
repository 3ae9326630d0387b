// The bounds of float sections: GR-05, GR-06, GR-13 to GR-19. The examples were computed
// by hand with rational numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "oracle/core/answer.h"
#include "oracle/graphs/testing/small_graph.h"

namespace qconform::graph_test {
namespace {

using enum DataType;

// The answers by the first reading of a name.
std::vector<Answer> By(SmallGraph& graph, const std::string& name) {
  const auto bound = graph.Bind();
  const auto sets = bound->Readings(graph.operands());
  EXPECT_TRUE(sets) << sets.error().message;
  if (!sets) return {};
  for (const ReadingSet& set : *sets) {
    if (Spell(set) != name) continue;
    auto answers = bound->Evaluate(graph.operands(), set);
    EXPECT_TRUE(answers) << answers.error().message;
    return answers ? *std::move(answers) : std::vector<Answer>();
  }
  ADD_FAILURE() << "no reading " << name << "; the first is " << Spell(sets->front())
                << ", the last " << Spell(sets->back());
  return {};
}

bool Holds(const Answer& answer, size_t i, uint32_t code) {
  const ElementAnswer& element = answer.elements[i];
  if (element.freedom == Freedom::kAnyCode) return true;
  if (element.freedom == Freedom::kOneOf) {
    const auto& codes = answer.one_of.at(static_cast<int64_t>(i));
    return std::ranges::find(codes, code) != codes.end();
  }
  return IsWithin(answer.type, code, answer.bounds[i].low, answer.bounds[i].high);
}

uint32_t Code(DataType type, int64_t value) {
  return static_cast<uint32_t>(ReadCode(Integers(type, {}, {value}).view(), 0));
}

// GR-13: exactly -21.499999184, which gives -21; by composition -21.5, which gives -22.
TEST(GraphBounds, RequantizationWithoutTheRoundingBetween) {
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kInt8, {2}, {-1, -2}), 0.05828065425157547f, 0, "d");
  AddQuantize(graph, "d", kInt8, 0.002710728207603097f, 0, "y");
  graph.Output("y");
  const auto answers = By(graph, "GR-13:fused_requantization");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].code, Code(kInt8, -22));
  EXPECT_EQ(answers[0].bounds[0].low, Code(kInt8, -22));
  EXPECT_EQ(answers[0].bounds[0].high, Code(kInt8, -21));
  // -42.999998368 is near no tie.
  EXPECT_EQ(answers[0].bounds[1].low, Code(kInt8, -43));
  EXPECT_EQ(answers[0].bounds[1].high, Code(kInt8, -43));
}

TEST(GraphBounds, RequantizationByEqualScalesIsExact) {
  std::vector<int64_t> all;
  for (int64_t code = -128; code < 128; ++code) all.push_back(code);
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kInt8, {256}, all), 0.1f, 0, "d");
  AddQuantize(graph, "d", kInt8, 0.1f, 0, "y");
  graph.Output("y");
  const auto answers = By(graph, "GR-13:fused_requantization");
  ASSERT_EQ(answers.size(), 1u);
  for (size_t i = 0; i < 256; ++i) {
    EXPECT_EQ(answers[0].bounds[i].low, Code(kInt8, all[i]));
    EXPECT_EQ(answers[0].bounds[i].high, Code(kInt8, all[i]));
  }
}

// The round trip, and a DequantizeLinear without a QuantizeLinear, have no bound.
TEST(GraphBounds, RoundTripsAndMoversAreBits) {
  SmallGraph trip;
  trip.Input("x", Floats({2}, {1.0f, 2.0f}));
  AddQuantize(trip, "x", kUint8, 0.1f, 0, "q");
  trip.Input("s", Floats({}, {0.3f})).Add("DequantizeLinear", 21, {"q", "s"}, {"y"});
  trip.Output("y");
  SmallGraph mover;
  AddDequantize(mover, "x", Integers(kUint8, {2, 1}, {1, 2}), 0.1f, 0, "d");
  mover.Add("Relu", 14, {"d"}, {"r"}).Add("Transpose", 13, {"r"}, {"y"}).Output("y");
  for (SmallGraph* graph : {&trip, &mover}) {
    const auto sets = graph->Bind()->Readings(graph->operands());
    ASSERT_TRUE(sets);
    for (const ReadingSet& set : *sets) EXPECT_FALSE(set.is_bounded()) << Spell(set);
  }
}

// GR-05: e = gamma(5) * sum|T_i| for DQ,DQ-Add-Q. v = 100 * 0.1 + 100 * 0.1 - ... The
// terms 100 s and -99 s cancel to s, but the error is that of 199 s.
TEST(GraphBounds, AdditionHasTheErrorOfItsTerms) {
  SmallGraph graph;
  const float scale = 0.1f;
  AddDequantize(graph, "a", Integers(kInt8, {1}, {100}), scale, 0, "p");
  AddDequantize(graph, "b", Integers(kInt8, {1}, {-99}), scale, 0, "q");
  graph.Add("Add", 14, {"p", "q"}, {"s"}).Output("s");
  const auto answers = By(graph, "GR-05:fused_arithmetic");
  ASSERT_EQ(answers.size(), 1u);
  // No Q follows: m = 2, gamma(4) * 199 * s = 4 * 2^-24 * 19.9 = 4.74e-6; around
  // s = 0.1 one code is 2^-27 = 7.45e-9: about 637 codes on each side.
  const int64_t middle = static_cast<int64_t>(CodeOf(scale));
  const int64_t low = answers[0].bounds[0].low;
  const int64_t high = answers[0].bounds[0].high;
  EXPECT_NEAR(static_cast<double>(middle - low),
              4 * 199 * 0.1 / 16777216 / 7.450580597e-9, 2.0);
  EXPECT_NEAR(static_cast<double>(high - middle), static_cast<double>(middle - low), 2.0);
}

// GR-16: scales that are powers of two, and small codes: nothing can be rounded. A tie
// then has one answer, and rounds to even before the zero point is added.
TEST(GraphBounds, ExactCaseHasOneCode) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kUint8, {2}, {3, 5}), 0.5f, 0, "p");
  AddDequantize(graph, "b", Integers(kUint8, {2}, {0, 0}), 0.25f, 0, "q");
  graph.Add("Add", 14, {"p", "q"}, {"s"});
  AddQuantize(graph, "s", kUint8, 1.0f, 1, "y");
  graph.Output("y");
  for (const char* name : {"GR-05:fused_arithmetic", "GR-05:reduced_precision"}) {
    const auto answers = By(graph, name);
    ASSERT_EQ(answers.size(), 1u);
    // 1.5 gives 2, 2.5 gives 2; the zero point is 1.
    for (const size_t i : {size_t{0}, size_t{1}}) {
      EXPECT_EQ(answers[0].elements[i].code, 3u);
      EXPECT_EQ(answers[0].bounds[i].low, 3u);
      EXPECT_EQ(answers[0].bounds[i].high, 3u);
      EXPECT_EQ(answers[0].bounds[i].wider_high, 3u);
    }
  }
  const auto exact = graph.Bind()->InExactCase(graph.operands());
  ASSERT_TRUE(exact);
  EXPECT_EQ(*exact, (std::vector<std::vector<bool>>{{true, true}}));
}

TEST(GraphBounds, AScaleThatIsNoPowerOfTwoIsNotExact) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kUint8, {1}, {3}), 0.5f, 0, "p");
  graph.Input("c", Floats({1}, {0.0f})).Add("Add", 14, {"p", "c"}, {"s"});
  AddQuantize(graph, "s", kUint8, 3.0f, 1, "y");  // 1.5 / 3 is a tie
  graph.Output("y");
  const auto answers = By(graph, "GR-05:fused_arithmetic");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].bounds[0].low, 1u);
  EXPECT_EQ(answers[0].bounds[0].high, 2u);
}

// One code of the canonical answer, and 2^-6 of the terms.
TEST(GraphBounds, ReducedPrecisionIsOneCode) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kUint8, {2}, {200, 3}), 0.3f, 0, "p");
  graph.Input("c", Floats({1}, {3.0f})).Add("Mul", 14, {"p", "c"}, {"s"});
  AddQuantize(graph, "s", kUint8, 0.9f, 0, "y");
  graph.Output("y");
  const auto answers = By(graph, "GR-05:reduced_precision");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].code, 200u);
  EXPECT_EQ(answers[0].bounds[0].wider_low, 199u);
  EXPECT_EQ(answers[0].bounds[0].wider_high, 201u);
  // 2^-6 * 3 is less than half a code.
  EXPECT_EQ(answers[0].bounds[1].wider_low, 3u);
  EXPECT_EQ(answers[0].bounds[1].wider_high, 3u);
}

// GR-13 with a chooser: e = gamma(4) |v|, in BFLOAT16 4 / 252 of it. The greatest code of
// two rows, 208 codes of y.
TEST(GraphBounds, RequantizationBehindAChooser) {
  SmallGraph graph;
  graph
      .Input("x", Integers(kUint8, {4, 3, 1, 1},
                           {150, 88, 181, 88, 72, 222, 166, 199, 248, 160, 147, 166}))
      .Input("s", TensorOf(kBfloat16, {1}, {0x3fea}))
      .Input("z", Integers(kUint8, {1}, {0}))
      .Add("DequantizeLinear", 19, {"x", "s", "z"}, {"d"}, {{"axis", int64_t{3}}})
      .Input("axes", Integers(kInt64, {2}, {-3, 2}))
      .Add("ReduceMax", 18, {"d", "axes"}, {"m"})
      .Input("t", TensorOf(kBfloat16, {}, {0x3fcb}))
      .Input("w", Integers(kUint8, {}, {0}))
      .Add("QuantizeLinear", 19, {"m", "t", "w"}, {"y"})
      .Output("y");
  const auto answers = By(graph, "GR-13:fused_requantization");
  ASSERT_EQ(answers.size(), 1u);
  ASSERT_EQ(answers[0].elements.size(), 4u);
  EXPECT_EQ(answers[0].bounds[0].low, 0xcdu);
  EXPECT_EQ(answers[0].bounds[0].high, 0xd4u);
}

// GR-13: a constant of Pad has m = 1, so e = gamma(3) of it. Here v = 0x3d4517c4 /
// 0x3b69976e lies 1.06 u below the tie 13.5: gamma(1) does not reach it, gamma(3) does.
TEST(GraphBounds, ConstantsOfPadHaveTheDivision) {
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kInt8, {1}, {1}), 0.1f, 0, "d");
  graph.Input("pads", Integers(kInt64, {2}, {1, 0}))
      .Input("c", TensorOf(kFloat, {}, {0x3d4517c4}))
      .Add("Pad", 21, {"d", "pads", "c"}, {"p"})
      .Input("s", TensorOf(kFloat, {}, {0x3b69976e}))
      .Input("z", Integers(kInt8, {}, {0}))
      .Add("QuantizeLinear", 21, {"p", "s", "z"}, {"y"})
      .Output("y");
  const auto answers = By(graph, "GR-13:fused_requantization");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].bounds[0].low, 13u);
  EXPECT_EQ(answers[0].bounds[0].high, 14u);
}

// GR-18: Relu acts on the ends.
TEST(GraphBounds, ReluCutsTheInterval) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kInt8, {1}, {7}), 0.3f, 0, "p");
  AddDequantize(graph, "b", Integers(kInt8, {1}, {-7}), 0.3f, 0, "q");
  graph.Add("Add", 14, {"p", "q"}, {"s"}).Add("Relu", 14, {"s"}, {"y"}).Output("y");
  const auto answers = By(graph, "GR-05:fused_arithmetic");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_TRUE(Holds(answers[0], 0, 0));
  EXPECT_TRUE(Holds(answers[0], 0, static_cast<uint32_t>(CodeOf(1e-7f))));
  EXPECT_FALSE(Holds(answers[0], 0, static_cast<uint32_t>(CodeOf(-1e-7f))));
}

// GR-18: an index whose interval reaches the greatest lower end.
TEST(GraphBounds, PositionsWithinTheErrorOfEachOther) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kInt8, {1, 3}, {10, 30, 9}), 0.3f, 0, "p");
  graph.Input("c", Floats({1, 3}, {3.0f, 1.0f, 3.0f}))
      .Add("Mul", 14, {"p", "c"}, {"s"})
      .Add("ArgMax", 13, {"s"}, {"i"}, {{"axis", int64_t{1}}, {"keepdims", int64_t{0}}})
      .Add("Cast", 13, {"i"}, {"y"}, {{"to", int64_t{6}}})
      .Output("y");
  const auto answers = By(graph, "GR-05:fused_arithmetic");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_TRUE(Holds(answers[0], 0, 0));
  EXPECT_TRUE(Holds(answers[0], 0, 1));
  EXPECT_FALSE(Holds(answers[0], 0, 2));
}

// GR-06: gamma(K + 3) * sum|T_i|. 16 products of 100 * 100 and 16 of -100 * 100 and one
// of 1 * 1 with scales of 1 / 3.
TEST(GraphBounds, SumsHaveTheErrorOfAllTerms) {
  std::vector<int64_t> a;
  std::vector<int64_t> b;
  for (int i = 0; i < 32; ++i) {
    a.push_back(i % 2 == 0 ? 100 : -100);
    b.push_back(100);
  }
  a.push_back(1);
  b.push_back(1);
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kInt8, {1, 33}, a), 1.0f / 3, 0, "p");
  AddDequantize(graph, "b", Integers(kInt8, {33, 1}, b), 1.0f / 3, 0, "q");
  graph.Add("MatMul", 13, {"p", "q"}, {"s"});
  AddQuantize(graph, "s", kInt8, 1.0f / 9, 0, "y");
  graph.Output("y");
  auto answers = By(graph, "GR-06:float_sum");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].code, 1u);
  // gamma(36) * 320001 = 0.687 in units of y_scale: 1 +- 0.687 is 0.313 to 1.687.
  EXPECT_EQ(answers[0].bounds[0].low, 0u);
  EXPECT_EQ(answers[0].bounds[0].high, 2u);
  // max(33 * 2^-10, 2^-6) * 320001 holds everything.
  answers = By(graph, "GR-06:reduced_precision_accumulation");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].bounds[0].wider_low, Code(kInt8, -128));
  EXPECT_EQ(answers[0].bounds[0].wider_high, Code(kInt8, 127));
}

// GR-06: terms that are 0 do not widen the bound of reduced precision: 3 and 1021 zeros
// have that of 3 terms.
TEST(GraphBounds, ZerosAddNothingToReducedPrecision) {
  std::vector<int64_t> a(1024, 0);
  std::vector<float> b(1024, 0.3f);
  a[5] = a[6] = a[900] = 20000;
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kInt16, {1, 1024}, a), 1.0f, 0, "p");
  graph.Input("b", Floats({1024, 1}, b)).Add("MatMul", 13, {"p", "b"}, {"s"});
  AddQuantize(graph, "s", kInt16, 1.0f, 0, "y");
  graph.Output("y");
  const auto answers = By(graph, "GR-06:reduced_precision_accumulation");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].code, 18000u);
  // 18000 / 64 = 281.25
  EXPECT_EQ(answers[0].bounds[0].wider_low, 18000u - 281);
  EXPECT_EQ(answers[0].bounds[0].wider_high, 18000u + 281);
}

// An interval of more codes than a set has: 10000 +- 2^-6 * 260992 on both sides.
TEST(GraphBounds, WideIntervalsAreSymmetric) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kInt16, {1, 2}, {13559, -3559}), 1.0f, 0, "p");
  graph.Input("b", Floats({2, 1}, {15.25f, 15.25f})).Add("MatMul", 13, {"p", "b"}, {"s"});
  AddQuantize(graph, "s", kInt16, 15.25f, 0, "y");
  graph.Output("y");
  const auto answers = By(graph, "GR-06:reduced_precision_accumulation");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].code, 10000u);
  EXPECT_EQ(answers[0].elements[0].freedom, Freedom::kNone);
  // 17118 / 64 = 267.5
  EXPECT_EQ(answers[0].bounds[0].wider_low, 10000u - 267);
  EXPECT_EQ(answers[0].bounds[0].wider_high, 10000u + 267);
}

TEST(GraphBounds, WiderThanASetOfCodes) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kInt16, {1, 64}, std::vector<int64_t>(64, 20000)),
                1.0f, 0, "p");
  std::vector<float> factors(64, 0.3f);
  for (size_t i = 0; i < factors.size(); i += 2) factors[i] = -0.3f;
  graph.Input("b", Floats({64, 1}, factors)).Add("MatMul", 13, {"p", "b"}, {"s"});
  AddQuantize(graph, "s", kInt16, 1.0f, 0, "y");
  graph.Output("y");
  const auto answers = By(graph, "GR-06:reduced_precision_accumulation");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].code, 0u);
  EXPECT_EQ(answers[0].elements[0].freedom, Freedom::kNone);
  // 64 * 2^-10 * 384000 = 24000
  EXPECT_EQ(answers[0].bounds[0].wider_low, Code(kInt16, -24000));
  EXPECT_EQ(answers[0].bounds[0].wider_high, Code(kInt16, 24000));
}

// The exact twin of the same graph: one code, also for reduced precision (GR-12).
TEST(GraphBounds, ExactTwinHasOneCode) {
  SmallGraph graph;
  AddDequantize(graph, "a", Integers(kInt8, {1, 2}, {100, -99}), 0.25f, 0, "p");
  AddDequantize(graph, "b", Integers(kInt8, {2, 1}, {3, 3}), 0.5f, 0, "q");
  graph.Add("MatMul", 13, {"p", "q"}, {"s"});
  AddQuantize(graph, "s", kInt8, 0.25f, 0, "y");  // 3 / 8 / (1 / 4) = 1.5
  graph.Output("y");
  for (const char* name : {"GR-06:float_sum", "GR-06:reduced_precision_accumulation"}) {
    const auto answers = By(graph, name);
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_EQ(answers[0].elements[0].code, 2u);
    EXPECT_EQ(answers[0].bounds[0].low, 2u);
    EXPECT_EQ(answers[0].bounds[0].high, 2u);
    EXPECT_EQ(answers[0].bounds[0].wider_low, 2u);
    EXPECT_EQ(answers[0].bounds[0].wider_high, 2u);
  }
}

// GR-17: the two codes of the first QuantizeLinear, each dequantized; nothing between.
TEST(GraphBounds, OpenCodesInsideGiveSetsBehind) {
  SmallGraph graph;
  graph.Input("x", Floats({1}, {-0.05828065425157547f}));
  AddQuantize(graph, "x", kInt8, 0.05828065425157547f, 0, "q");
  graph.Add("DequantizeLinear", 21, {"q", "q_scale", "q_zero_point"}, {"d"});
  AddQuantize(graph, "d", kInt8, 0.002710728207603097f, 0, "r");
  graph.Input("s", Floats({}, {0.5f})).Add("DequantizeLinear", 21, {"r", "s"}, {"y"});
  graph.Output("y");
  const auto answers = By(graph, "GR-13:fused_requantization");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].freedom, Freedom::kOneOf);
  EXPECT_TRUE(Holds(answers[0], 0, static_cast<uint32_t>(CodeOf(-11.0f))));
  EXPECT_TRUE(Holds(answers[0], 0, static_cast<uint32_t>(CodeOf(-10.5f))));
  EXPECT_FALSE(Holds(answers[0], 0, static_cast<uint32_t>(CodeOf(-10.75f))));
}

// The same in BFLOAT16: 7 * 0x3db1 / 0x3c88 is 36.45, and e is 0.58.
TEST(GraphBounds, OpenCodesInsideGiveSetsBehindInBfloat16) {
  SmallGraph graph;
  graph.Input("x", TensorOf(kBfloat16, {1}, {0x3f1b}))
      .Input("s", TensorOf(kBfloat16, {}, {0x3db1}))
      .Input("z", Integers(kUint8, {}, {0}))
      .Add("QuantizeLinear", 23, {"x", "s", "z"}, {"q"})
      .Add("DequantizeLinear", 23, {"q", "s", "z"}, {"d"})
      .Input("t", TensorOf(kBfloat16, {}, {0x3c88}))
      .Input("w", Integers(kUint8, {}, {0x8f}))
      .Add("QuantizeLinear", 23, {"d", "t", "w"}, {"r"})
      .Add("DequantizeLinear", 23, {"r", "t", "w"}, {"y"})
      .Output("r")
      .Output("y");
  const auto answers = By(graph, "GR-13:fused_requantization");
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].bounds[0].low, 0x8fu + 36);
  EXPECT_EQ(answers[0].bounds[0].high, 0x8fu + 37);
  EXPECT_TRUE(Holds(answers[1], 0, 0x3f19));  // 36 * 0x3c88
  EXPECT_TRUE(Holds(answers[1], 0, 0x3f1d));  // 37 * 0x3c88
}

// Any code of the first pair is 0 or at least 255.5 steps of the second: what lies
// between is no code of it.
TEST(GraphBounds, EachCodeInsideHasItsOwnInterval) {
  SmallGraph graph;
  graph.Input("x", Floats({1}, {std::numeric_limits<float>::quiet_NaN()}));
  AddQuantize(graph, "x", kUint8, 0.1727f, 0, "q");
  graph.Add("DequantizeLinear", 21, {"q", "q_scale", "q_zero_point"}, {"d"});
  AddQuantize(graph, "d", kUint8, 6.759e-4f, 0, "r");
  graph.Output("r");
  const auto answers = By(graph, "GR-13:fused_requantization");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].freedom, Freedom::kOneOf);
  EXPECT_EQ(answers[0].one_of.at(0), (std::vector<uint32_t>{0, 255}));
}

// GR-14: less than half of the scale of an integer sum.
TEST(GraphBounds, ReducedPrecisionChangesNoSum) {
  SmallGraph graph;
  graph.Input("c", Integers(kInt32, {1}, {100001}))
      .Add("Cast", 13, {"c"}, {"f"}, {{"to", int64_t{1}}})
      .Input("s", Floats({}, {0.3f}))
      .Add("Mul", 14, {"f", "s"}, {"y"})
      .Output("y");
  const auto answers = By(graph, "GR-05:reduced_precision");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_FALSE(Holds(answers[0], 0, static_cast<uint32_t>(CodeOf(100001.6f * 0.3f))));
  EXPECT_TRUE(Holds(answers[0], 0, static_cast<uint32_t>(CodeOf(100001.4f * 0.3f))));
}

// Each part of a chooser has an error of its own: 8 is chosen and exact, whatever the
// lowest bits of the others are. BFLOAT16: 1 / u = 2^8.
TEST(GraphBounds, ChoosersHaveTheTermsOfTheChosen) {
  SmallGraph graph;
  graph.Input("x", Integers(kInt8, {1}, {2}))
      .Input("s", TensorOf(kBfloat16, {}, {0x4080}))  // 4
      .Add("DequantizeLinear", 23, {"x", "s"}, {"d"})
      .Input("c", TensorOf(kBfloat16, {1}, {0x3f84}))  // 1.03125
      .Add("Max", 13, {"d", "c"}, {"m"})
      .Input("y_scale", TensorOf(kBfloat16, {}, {0x3d80}))  // 2^-4
      .Input("y_zero_point", Integers(kUint8, {}, {0}))
      .Add("QuantizeLinear", 23, {"m", "y_scale", "y_zero_point"}, {"y"})
      .Output("y");
  const auto answers = By(graph, "GR-13:fused_requantization");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].code, 128u);
  EXPECT_EQ(answers[0].bounds[0].low, 128u);
  EXPECT_EQ(answers[0].bounds[0].high, 128u);
}

// A bound is no computed value: it has no reduced precision.
TEST(GraphBounds, ReducedPrecisionIsOfComputedValues) {
  SmallGraph graph;
  AddDequantize(graph, "x", Integers(kInt8, {2}, {100, 1}), 0.3f, 0, "d");
  graph.Add("HardSigmoid", 6, {"d"}, {"y"}).Output("y");
  const auto answers = By(graph, "GR-05:reduced_precision");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].bounds[0].wider_low, CodeOf(1.0f));
  EXPECT_EQ(answers[0].bounds[0].wider_high, CodeOf(1.0f));
  EXPECT_LT(answers[0].bounds[1].wider_low, answers[0].elements[1].code);
}

// GR-15: LeakyRelu's alpha of 0.01 is no FLOAT16, so its error is that of one more
// operation: gamma(m + 2) with m = 2, or 3.
TEST(GraphBounds, ConstantsThatTheTypeDoesNotHoldCountOne) {
  const auto width = [](float alpha) {
    SmallGraph graph;
    graph.Input("x", Integers(kInt8, {1}, {-127}))
        .Input("s", TensorOf(kFloat16, {}, {0x3c01}))  // 1 + 2^-10
        .Add("DequantizeLinear", 23, {"x", "s"}, {"d"})
        .Add("LeakyRelu", 16, {"d"}, {"y"}, {{"alpha", alpha}})
        .Output("y");
    const auto answers = By(graph, "GR-05:fused_arithmetic");
    return static_cast<int>(answers[0].bounds[0].low) -
           static_cast<int>(answers[0].bounds[0].high);
  };
  EXPECT_GT(width(0.01f), width(0.0100021362f));  // 0x211f of FLOAT16
}

// GR-19: BFLOAT16 with K = 300: n u >= 1, so everything.
TEST(GraphBounds, LongSumsInBfloat16AreFree) {
  SmallGraph graph;
  graph.Input("a", Integers(kInt8, {1, 300}, std::vector<int64_t>(300, 3)))
      .Input("s", TensorOf(kBfloat16, {}, {0x3f81}))
      .Add("DequantizeLinear", 21, {"a", "s"}, {"p"})
      .Input("b", TensorOf(kBfloat16, {300, 1}, std::vector<uint64_t>(300, 0x3f83)))
      .Add("MatMul", 13, {"p", "b"}, {"y"})
      .Output("y");
  const auto answers = By(graph, "GR-06:float_sum");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].elements[0].freedom, Freedom::kAnyCode);
}

}  // namespace
}  // namespace qconform::graph_test
