// The judge of graphs on small examples that were computed by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "oracle/exact/format.h"
#include "oracle/exact/graphs/admit.h"
#include "oracle/exact/graphs/compose.h"
#include "oracle/exact/graphs/integer_sum.h"
#include "oracle/exact/graphs/wires.h"

namespace qconform::exact {
namespace {

using Shape = std::vector<int64_t>;

uint64_t FloatCode(const mpq_class& v, int type = kFloat) {
  return Round(GetFormat(type), Value::Number(v), Overflow::kSpecial);
}

Codes Floats(const Shape& shape, const std::vector<mpq_class>& values,
             int type = kFloat) {
  Codes codes{type, shape, {}};
  for (const mpq_class& v : values) codes.codes.push_back(FloatCode(v, type));
  return codes;
}

Codes Integers(int type, const Shape& shape, const std::vector<int64_t>& values) {
  Codes codes{type, shape, {}};
  const int bits = GetFormat(type).bits;
  for (int64_t v : values) {
    codes.codes.push_back(bits == 64
                              ? static_cast<uint64_t>(v)
                              : static_cast<uint64_t>(v) & ((uint64_t{1} << bits) - 1));
  }
  return codes;
}

GraphAttribute Attribute(int64_t v) {
  GraphAttribute attribute;
  attribute.integer = v;
  return attribute;
}

GraphAttribute Attribute(const std::vector<int64_t>& v) {
  GraphAttribute attribute;
  attribute.integers = v;
  return attribute;
}

GraphNode Node(const std::string& op_type, int since_version,
               const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs,
               const std::map<std::string, GraphAttribute>& attributes = {}) {
  return {op_type, since_version, inputs, outputs, attributes};
}

GraphNode Dq(const std::string& x, const std::string& y) {
  return Node("DequantizeLinear", 13, {x, x + "_scale", x + "_zero_point"}, {y});
}

GraphNode Q(const std::string& x, const std::string& y) {
  return Node("QuantizeLinear", 13, {x, y + "_scale", y + "_zero_point"}, {y});
}

// A graph whose inputs are those of `inputs`.
struct Problem {
  std::map<std::string, Codes> inputs;
  std::vector<GraphNode> nodes;
  std::vector<std::string> outputs = {"y"};

  Graph graph() const {
    Graph graph;
    for (const auto& [name, codes] : inputs) graph.inputs.push_back(name);
    graph.outputs = outputs;
    graph.nodes = nodes;
    return graph;
  }
  GraphTensor Composed(size_t output = 0) const {
    return Compose(graph(), inputs).at(outputs[output]);
  }
  AdmittedTensor Admitted(size_t output = 0) const {
    const Graph it = graph();
    return Admit(it, Compose(it, inputs))[output];
  }
};

std::vector<uint64_t> CodesOfTensor(const GraphTensor& tensor) {
  return CanonicalCodes(std::optional(tensor))->codes;
}

// The FLOAT nearest to a decimal fraction.
mpq_class Nearest(const mpq_class& v) {
  return RoundToPrecision(GetFormat(kFloat), Value::Number(v)).number;
}

// GR-13's example: exactly -21.499999184, by composition -21.5, which is a tie.
TEST(GraphJudge, FusedRequantization_HoldsBothSidesOfTheComposedTie) {
  const mpq_class x_scale = Nearest(mpq_class("5828065425157547/100000000000000000"));
  const mpq_class y_scale = Nearest(mpq_class("2710728207603097/1000000000000000000"));
  const Problem problem = {{{"x", Integers(kInt8, {1}, {-1})},
                            {"x_scale", Floats({}, {x_scale})},
                            {"x_zero_point", Integers(kInt8, {}, {0})},
                            {"y_scale", Floats({}, {y_scale})},
                            {"y_zero_point", Integers(kInt8, {}, {0})}},
                           {Dq("x", "v"), Q("v", "y")}};
  const mpq_class exact = -x_scale / y_scale;
  EXPECT_GT(exact, mpq_class("-21499999185/1000000000"));
  EXPECT_LT(exact, mpq_class("-21499999183/1000000000"));
  EXPECT_EQ(CodesOfTensor(problem.Composed()), Integers(kInt8, {1}, {-22}).codes);
  const AdmittedTensor admitted = problem.Admitted();
  EXPECT_EQ(admitted.section, Section::kRequantized);
  EXPECT_EQ(admitted.elements[0].low, 0xEAu);   // -22
  EXPECT_EQ(admitted.elements[0].high, 0xEBu);  // -21
}

// Scales that are powers of two: nothing is rounded before the last step, and a tie is
// one. 3 * 1/2 / 1 = 1.5 gives 2; 5 * 1/2 = 2.5 gives 2.
TEST(GraphJudge, FusedRequantization_PowersOfTwoAreExact) {
  const Problem problem = {{{"x", Integers(kUint8, {3}, {3, 5, 255})},
                            {"x_scale", Floats({}, {mpq_class(1, 2)})},
                            {"x_zero_point", Integers(kUint8, {}, {0})},
                            {"y_scale", Floats({}, {1})},
                            {"y_zero_point", Integers(kUint8, {}, {200})}},
                           {Dq("x", "v"), Q("v", "y")}};
  // 255/2 = 127.5 rounds to 128, and 328 saturates.
  EXPECT_EQ(CodesOfTensor(problem.Composed()), (std::vector<uint64_t>{202, 202, 255}));
  for (const AdmittedElement& element : problem.Admitted().elements) {
    EXPECT_EQ(element.low, element.high);
    EXPECT_EQ(element.wider_low, element.wider_high);
  }
}

// Dequantization without QuantizeLinear behind movers stays bits.
TEST(GraphJudge, MoverBehindDequantizeLinear_IsBits) {
  const Problem problem = {{{"x", Integers(kUint8, {2, 3}, {0, 1, 2, 3, 4, 5})},
                            {"x_scale", Floats({}, {Nearest(mpq_class(1, 10))})},
                            {"x_zero_point", Integers(kUint8, {}, {1})}},
                           {Dq("x", "v"), Node("Transpose", 13, {"v"}, {"y"})}};
  const GraphTensor y = problem.Composed();
  EXPECT_EQ(y.shape, (Shape{3, 2}));
  const mpq_class s = Nearest(mpq_class(1, 10));
  EXPECT_EQ(CodesOfTensor(y), Floats({3, 2}, {-s, 2 * s, 0, 3 * s, s, 4 * s}).codes);
  EXPECT_TRUE(problem.Admitted().elements[0].is_set);
  EXPECT_TRUE(problem.Admitted().elements[0].possible.HasOneCode());
}

// Relu with a negative y_scale: the result is 0 or below in codes.
TEST(GraphJudge, ReluBeforeNegativeScale) {
  const Problem problem = {{{"x", Integers(kInt8, {3}, {-4, 0, 4})},
                            {"x_scale", Floats({}, {1})},
                            {"x_zero_point", Integers(kInt8, {}, {0})},
                            {"y_scale", Floats({}, {-2})},
                            {"y_zero_point", Integers(kInt8, {}, {10})}},
                           {Dq("x", "v"), Node("Relu", 14, {"v"}, {"r"}), Q("r", "y")}};
  EXPECT_EQ(CodesOfTensor(problem.Composed()), (std::vector<uint64_t>{10, 10, 8}));
}

// GR-04: the sign of a zero that Relu gives is free, and NaN is.
TEST(GraphJudge, Relu_LeavesZerosAndNanFree) {
  Codes x = Floats({3}, {-1, 0, 2});
  x.codes.push_back(0x7FC00000);
  x.shape = {4};
  const Problem problem = {{{"x", x}}, {Node("Relu", 14, {"x"}, {"y"})}};
  const GraphTensor y = problem.Composed();
  EXPECT_EQ(y.elements[0].code, 0u);
  EXPECT_EQ(y.elements[0].others, std::vector<uint64_t>{0x80000000});
  EXPECT_EQ(y.elements[1].others, std::vector<uint64_t>{0x80000000});
  EXPECT_TRUE(y.elements[2].HasOneCode());
  EXPECT_TRUE(y.elements[3].any_code);
}

// GR-05: 1/3 of a step from a tie is nobody's; a tie of the exact sum in decimal scales
// is within e. a = b = 5 of 0.1, y_scale = 0.4: v = 2.5 up to the scales' rounding.
TEST(GraphJudge, FusedArithmetic_HoldsBothSidesOfATie) {
  const auto problem = [](const mpq_class& s, const mpq_class& y_scale) {
    Problem one = {
        {{"a", Integers(kUint8, {1}, {5})},
         {"a_scale", Floats({}, {s})},
         {"a_zero_point", Integers(kUint8, {}, {0})},
         {"b", Integers(kUint8, {1}, {5})},
         {"b_scale", Floats({}, {s})},
         {"b_zero_point", Integers(kUint8, {}, {0})},
         {"y_scale", Floats({}, {y_scale})},
         {"y_zero_point", Integers(kUint8, {}, {7})}},
        {Dq("a", "v"), Dq("b", "w"), Node("Add", 14, {"v", "w"}, {"s"}), Q("s", "y")}};
    return one;
  };
  const Problem decimal = problem(Nearest(mpq_class(1, 10)), Nearest(mpq_class(2, 5)));
  const AdmittedTensor admitted = decimal.Admitted();
  EXPECT_EQ(admitted.section, Section::kArithmetic);
  EXPECT_EQ(admitted.elements[0].low, 9u);
  EXPECT_EQ(admitted.elements[0].high, 10u);
  // The same with powers of two is exactly 2.5: 2 + 7.
  const Problem binary = problem(mpq_class(1, 4), 1);
  EXPECT_EQ(CodesOfTensor(binary.Composed()), std::vector<uint64_t>{9});
  EXPECT_EQ(binary.Admitted().elements[0].high, 9u);
  EXPECT_EQ(binary.Admitted().elements[0].wider_high, 9u);
}

// v = 0.5 + 1/128 steps, by scales that are no powers of two: one code is open, for 2^-6
// of the terms reaches the tie, and more is not.
TEST(GraphJudge, ReducedPrecision_IsOneCodeAtMost) {
  const mpq_class third = Nearest(mpq_class(1, 3));
  const Problem problem = {
      {{"a", Integers(kUint8, {1}, {200})},
       {"a_scale", Floats({}, {third})},
       {"a_zero_point", Integers(kUint8, {}, {0})},
       {"b", Integers(kUint8, {1}, {201})},
       {"b_scale", Floats({}, {-third})},
       {"b_zero_point", Integers(kUint8, {}, {0})},
       {"y_scale", Floats({}, {third})},
       {"y_zero_point", Integers(kUint8, {}, {100})}},
      {Dq("a", "v"), Dq("b", "w"), Node("Add", 14, {"v", "w"}, {"s"}), Q("s", "y")}};
  // v = -1, sum |T_i| = 401: 2^-6 of it is 6.3 codes.
  const AdmittedElement element = problem.Admitted().elements[0];
  EXPECT_EQ(element.low, 99u);
  EXPECT_EQ(element.high, 99u);
  EXPECT_EQ(element.wider_low, 98u);
  EXPECT_EQ(element.wider_high, 100u);
}

// GR-06, K = 2: 3 * 4 + 1 * 2 = 14, with scales 1/4, 1/2 and 1/2: v = 14/4 = 3.5, a tie.
TEST(GraphJudge, Sum_ExactCaseKeepsTies) {
  const auto problem = [](const mpq_class& y_scale) {
    Problem one = {
        {{"a", Integers(kInt8, {1, 2}, {3, 1})},
         {"a_scale", Floats({}, {mpq_class(1, 4)})},
         {"a_zero_point", Integers(kInt8, {}, {0})},
         {"b", Integers(kInt8, {2, 1}, {4, 2})},
         {"b_scale", Floats({}, {mpq_class(1, 2)})},
         {"b_zero_point", Integers(kInt8, {}, {0})},
         {"y_scale", Floats({}, {y_scale})},
         {"y_zero_point", Integers(kInt8, {}, {0})}},
        {Dq("a", "v"), Dq("b", "w"), Node("MatMul", 13, {"v", "w"}, {"s"}), Q("s", "y")}};
    return one;
  };
  const Problem exact = problem(mpq_class(1, 2));
  EXPECT_EQ(CodesOfTensor(exact.Composed()), std::vector<uint64_t>{4});
  EXPECT_EQ(exact.Admitted().section, Section::kSum);
  EXPECT_EQ(exact.Admitted().elements[0].low, 4u);
  EXPECT_EQ(exact.Admitted().elements[0].wider_low, 4u);
  // y_scale = 7/6 gives v = 1.75 / (7/6) = 1.5 within its rounding: both codes.
  const Problem inexact = problem(Nearest(mpq_class(7, 6)));
  EXPECT_EQ(inexact.Admitted().elements[0].low, 1u);
  EXPECT_EQ(inexact.Admitted().elements[0].high, 2u);
}

// The bound of a sum with float outputs: n = K + 1 for the dequantized weight.
TEST(GraphJudge, Sum_FloatOutputIsWithinGamma) {
  const mpq_class third = Nearest(mpq_class(1, 3));
  const Problem problem = {
      {{"x", Floats({1, 2}, {1, Nearest(mpq_class(1, 5))})},
       {"w", Integers(kInt4, {2, 1}, {3, -5})},
       {"w_scale", Floats({}, {third})},
       {"w_zero_point", Integers(kInt4, {}, {0})}},
      {Node("DequantizeLinear", 21, {"w", "w_scale", "w_zero_point"}, {"d"}),
       Node("MatMul", 13, {"x", "d"}, {"y"})}};
  // v = third * (3 - 5 f32(1/5)), sum |T_i| = third * (3 + 5 f32(1/5)).
  const mpq_class fifth = Nearest(mpq_class(1, 5));
  const mpq_class v = third * (3 - 5 * fifth), sum = third * (3 + 5 * fifth);
  const mpq_class u = PowerOfTwo(-24), e = 3 * u / (1 - 3 * u) * sum;
  const AdmittedElement element = problem.Admitted().elements[0];
  const auto value = [](uint64_t code) {
    return ValueOf(GetFormat(kFloat), code).number;
  };
  EXPECT_GE(value(element.low), v - e);
  EXPECT_LT(value(element.low - 1), v - e);
  EXPECT_LE(value(element.high), v + e);
  EXPECT_GT(value(element.high + 1), v + e);
  EXPECT_LE(value(element.wider_high), v + sum / 64);
  EXPECT_GT(value(element.wider_high + 1), v + sum / 64);
}

TEST(GraphJudge, Wires_OfMovers) {
  const auto source = [](const GraphNode& node, const std::vector<Codes>& operands) {
    std::vector<std::optional<Codes>> all(operands.begin(), operands.end());
    std::vector<int64_t> indices;
    const std::vector<WiredOutput> outputs = WiresOf(node, all);
    for (const Wire& wire : outputs[0].elements) {
      const Place& place = wire.places[0];
      indices.push_back(
          place.operand ? static_cast<int64_t>(place.index + 100 * *place.operand) : -1);
    }
    return indices;
  };
  const Codes x = Floats({2, 3}, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(source(Node("Slice", 13, {"x", "s", "e", "a", "t"}, {"y"}),
                   {x, Integers(kInt64, {1}, {-1}), Integers(kInt64, {1}, {INT64_MIN}),
                    Integers(kInt64, {1}, {1}), Integers(kInt64, {1}, {-2})}),
            (Shape{2, 0, 5, 3}));
  EXPECT_EQ(source(Node("Pad", 13, {"x", "p"}, {"y"}),
                   {x, Integers(kInt64, {4}, {0, 1, 0, -1})}),
            (Shape{-1, 0, 1, -1, 3, 4}));
  EXPECT_EQ(source(Node("Gather", 13, {"x", "i"}, {"y"}, {{"axis", Attribute(1)}}),
                   {x, Integers(kInt64, {2}, {-1, 0})}),
            (Shape{2, 0, 5, 3}));
  EXPECT_EQ(
      source(Node("Concat", 13, {"x", "x"}, {"y"}, {{"axis", Attribute(1)}}), {x, x}),
      (Shape{0, 1, 2, 100, 101, 102, 3, 4, 5, 103, 104, 105}));
  EXPECT_EQ(source(Node("Tile", 13, {"x", "r"}, {"y"}),
                   {Floats({1, 2}, {0, 1}), Integers(kInt64, {2}, {2, 2})}),
            (Shape{0, 1, 0, 1, 0, 1, 0, 1}));
  // ONNX's text of DepthToSpace: DCR takes the block's channels with the blocks outside.
  const Codes depth = Floats({1, 8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(source(Node("DepthToSpace", 13, {"x"}, {"y"}, {{"blocksize", Attribute(2)}}),
                   {depth}),
            (Shape{0, 2, 4, 6, 1, 3, 5, 7}));
}

TEST(GraphJudge, Wires_OfPools) {
  const std::vector<std::optional<Codes>> x = {Floats({1, 1, 4}, {0, 1, 2, 3})};
  const auto pool = [&](int64_t ceil_mode) {
    GraphNode node = Node("MaxPool", 12, {"x"}, {"y"},
                          {{"kernel_shape", Attribute(Shape{3})},
                           {"strides", Attribute(Shape{2})},
                           {"ceil_mode", Attribute(ceil_mode)}});
    return WiresOf(node, x)[0];
  };
  EXPECT_EQ(pool(0).shape, (Shape{1, 1, 1}));
  EXPECT_EQ(pool(1).shape, (Shape{1, 1, 2}));
  EXPECT_EQ(pool(1).elements[1].places.size(), 2u);
}

// DQ-ArgMax-Cast: with a negative scale the largest value has the least code.
TEST(GraphJudge, ArgMax_OfNegativeScale) {
  const Problem problem = {
      {{"x", Integers(kUint8, {3}, {7, 3, 3})},
       {"x_scale", Floats({}, {mpq_class(-1, 2)})},
       {"x_zero_point", Integers(kUint8, {}, {0})}},
      {Dq("x", "v"), Node("ArgMax", 13, {"v"}, {"i"}),
       Node("Cast", 13, {"i"}, {"y"}, {{"to", Attribute(int64_t{kInt32})}})}};
  EXPECT_EQ(CodesOfTensor(problem.Composed()), std::vector<uint64_t>{1});
}

// GR-06: 3 * 4 + 1 * 2 = 14 codes of 1/4 * 1/2, by y_scale = 1/2: 3.5, and by f32 as
// well.
TEST(GraphJudge, IntegerSum_OfMatMul) {
  const Problem problem = {
      {{"a", Integers(kInt8, {1, 2}, {3, 1})},
       {"a_scale", Floats({}, {mpq_class(1, 4)})},
       {"a_zero_point", Integers(kInt8, {}, {0})},
       {"b", Integers(kInt8, {2, 1}, {4, 2})},
       {"b_scale", Floats({}, {mpq_class(1, 2)})},
       {"b_zero_point", Integers(kInt8, {}, {0})},
       {"y_scale", Floats({}, {mpq_class(1, 2)})},
       {"y_zero_point", Integers(kInt8, {}, {-3})}},
      {Dq("a", "v"), Dq("b", "w"), Node("MatMul", 13, {"v", "w"}, {"s"}),
       Node("Relu", 14, {"s"}, {"r"}), Q("r", "y")}};
  const Graph graph = problem.graph();
  const GraphValues values = Compose(graph, problem.inputs);
  for (const RequantizationReadings& readings : AllowedRequantizations(kFloat)) {
    const auto y = IntegerSum(graph, values, "y", readings);
    ASSERT_TRUE(y.has_value());
    EXPECT_EQ(y->elements[0].code, 1u);  // 4 - 3
  }
}

// GR-17: the first QuantizeLinear of DQ-Q-DQ may give two codes, and the result is the
// one or the other.
TEST(GraphJudge, CodesOfABoundedNode_GoOn) {
  const mpq_class x_scale = Nearest(mpq_class("5828065425157547/100000000000000000"));
  const mpq_class y_scale = Nearest(mpq_class("2710728207603097/1000000000000000000"));
  const Problem problem = {{{"x", Integers(kInt8, {1}, {-1})},
                            {"x_scale", Floats({}, {x_scale})},
                            {"x_zero_point", Integers(kInt8, {}, {0})},
                            {"q_scale", Floats({}, {y_scale})},
                            {"q_zero_point", Integers(kInt8, {}, {0})}},
                           {Dq("x", "v"), Q("v", "q"), Dq("q", "y")}};
  const AdmittedElement element = problem.Admitted().elements[0];
  ASSERT_TRUE(element.is_set);
  EXPECT_EQ(element.possible.code, FloatCode(-22 * y_scale));
  EXPECT_EQ(element.possible.others, std::vector<uint64_t>{FloatCode(-21 * y_scale)});
}

// GR-20: 2^-100 * 2^-40 is below 2^-126; 2^100 * 2^100 overflows.
TEST(GraphJudge, Tiers_OfFloatNodes) {
  const Problem problem = {{{"a", Floats({3}, {PowerOfTwo(-100), PowerOfTwo(100), 3})},
                            {"b", Floats({3}, {PowerOfTwo(-40), PowerOfTwo(100), 2})}},
                           {Node("Mul", 14, {"a", "b"}, {"y"})}};
  const GraphTensor y = problem.Composed();
  EXPECT_EQ(y.elements[0].tier, Tier::kSubnormal);
  EXPECT_EQ(y.elements[1].tier, Tier::kDegenerateScale);
  EXPECT_EQ(y.elements[2].tier, Tier::kRegular);
  EXPECT_EQ(y.elements[2].code, FloatCode(6));
}

// GR-20: 2^127 + 2^127 = 2^128 is above FLT_MAX = 2^128 - 2^104, although the mean 2^127
// is not. 2^127 + 2^126 = 1.5 * 2^127 is not, and its mean is 1.5 * 2^126.
TEST(GraphJudge, MeansOfLargeValues_AreFreeWhereTheirSumOverflows) {
  const Problem problem = {
      {{"x", Floats({1, 1, 3}, {PowerOfTwo(127), PowerOfTwo(127), PowerOfTwo(126)})}},
      {Node("AveragePool", 19, {"x"}, {"y"},
            {{"kernel_shape", Attribute(std::vector<int64_t>{2})}})}};
  const GraphTensor y = problem.Composed();
  ASSERT_EQ(y.elements.size(), 2u);
  EXPECT_TRUE(y.elements[0].any_code);
  EXPECT_EQ(y.elements[0].tier, Tier::kDegenerateScale);
  EXPECT_FALSE(y.elements[1].any_code);
  EXPECT_EQ(y.elements[1].tier, Tier::kRegular);
  EXPECT_EQ(y.elements[1].code, FloatCode(mpq_class(3, 2) * PowerOfTwo(126)));
}

// GR-20: the terms of the sum of products are 2^200 and -2^200, those of the addition
// 2^127 and -2^127. Both cancel; infinities of both signs are NaN.
TEST(GraphJudge, TermsThatCancel_AreFreeWhereTheirMagnitudesOverflow) {
  const mpq_class large = PowerOfTwo(100), larger = PowerOfTwo(127);
  const Problem sum = {
      {{"a", Floats({1, 2}, {large, -large})}, {"b", Floats({2, 1}, {large, large})}},
      {Node("MatMul", 13, {"a", "b"}, {"y"})}};
  EXPECT_TRUE(sum.Composed().elements[0].any_code);
  EXPECT_EQ(sum.Composed().elements[0].tier, Tier::kDegenerateScale);
  const Problem addition = {
      {{"a", Floats({2}, {larger, larger})}, {"b", Floats({2}, {-larger, larger / -2})}},
      {Node("Add", 14, {"a", "b"}, {"y"})}};
  const GraphTensor y = addition.Composed();
  EXPECT_TRUE(y.elements[0].any_code);
  EXPECT_EQ(y.elements[0].tier, Tier::kDegenerateScale);
  // 2^127 + 2^126 is within the range.
  EXPECT_FALSE(y.elements[1].any_code);
  EXPECT_EQ(y.elements[1].tier, Tier::kRegular);
  EXPECT_EQ(y.elements[1].code, FloatCode(larger / 2));
}

// GR-20 counts the error of the operations: |a| + |b| = 2^127 + (2^127 - 2^104) is
// FLT_MAX itself, which an intermediate rounding may leave. 2^127 + (2^127 - 2^110) is
// further away from it than gamma(4) * 2^128, about 2^106.
TEST(GraphJudge, TermsAtTheEndOfTheRange_AreFreeWithTheirError) {
  const mpq_class half = PowerOfTwo(127);
  const Problem problem = {
      {{"a", Floats({2}, {half, half})},
       {"b", Floats({2}, {half - PowerOfTwo(104), half - PowerOfTwo(110)})}},
      {Node("Add", 14, {"a", "b"}, {"y"})}};
  const GraphTensor y = problem.Composed();
  EXPECT_TRUE(y.elements[0].any_code);
  EXPECT_EQ(y.elements[0].tier, Tier::kDegenerateScale);
  EXPECT_FALSE(y.elements[1].any_code);
  EXPECT_EQ(y.elements[1].tier, Tier::kRegular);
}

// GR-20 does not name the terms of HardSwish. The oracle counts 6 |x|, as x * min(6, x +
// 3) is before its division by 6, and the judge does as well: 6 * 12000 = 72000 is above
// 65504, 6 * 10000 is not.
TEST(GraphJudge, HardSwishCountsItsProductBeforeTheDivision) {
  const Problem problem = {{{"x", Floats({2}, {12000, 10000}, kFloat16)}},
                           {Node("HardSwish", 22, {"x"}, {"y"})}};
  const GraphTensor y = problem.Composed();
  EXPECT_TRUE(y.elements[0].any_code);
  EXPECT_EQ(y.elements[0].tier, Tier::kDegenerateScale);
  EXPECT_FALSE(y.elements[1].any_code);
  EXPECT_EQ(y.elements[1].code, FloatCode(10000, kFloat16));
}

// Alpha may come before the sum or after it, and what is larger counts (GR-20): 200 * 200
// + 200 * 200 = 80000 is above 65504, and so is twice 40000; half of 80000 comes from it.
TEST(GraphJudge, GemmCountsItsTermsWithAndWithoutAlpha) {
  GraphAttribute half;
  half.number = mpq_class(1, 2);
  GraphAttribute two;
  two.number = 2;
  Problem problem = {{{"a", Floats({1, 2}, {200, 200}, kFloat16)},
                      {"b", Floats({2, 1}, {200, 200}, kFloat16)}},
                     {Node("Gemm", 13, {"a", "b"}, {"y"}, {{"alpha", half}})}};
  EXPECT_TRUE(problem.Composed().elements[0].any_code);
  problem.inputs["b"] = Floats({2, 1}, {100, 100}, kFloat16);
  EXPECT_FALSE(problem.Composed().elements[0].any_code);
  EXPECT_EQ(problem.Composed().elements[0].code, FloatCode(20000, kFloat16));
  problem.nodes[0].attributes = {{"alpha", two}};
  EXPECT_TRUE(problem.Composed().elements[0].any_code);
}

}  // namespace
}  // namespace qconform::exact
