// QC-01 to QC-09: values. Expected numbers are ONNX's node test, or worked out on paper
// from the sums and scales that stand next to them.
#include "oracle/operators/q_linear_conv/q_linear_conv.h"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/operators/q_linear_conv/testing/test_support.h"

namespace qconform::q_linear_conv {
namespace {

using enum DataType;

Tensor Constant(DataType type, const Shape& shape, double value) {
  return TensorOf(type, shape,
                  std::vector<double>(static_cast<size_t>(*ElementCount(shape)), value));
}

// test_qlinearconv.
TEST(QLinearConv, NodeTest) {
  Tensors tensors;
  tensors.x = TensorOf(
      kUint8, {1, 1, 7, 7},
      {255, 174, 162, 25,  203, 168, 58,  15,  59,  237, 95,  129, 0,  64,  56, 242, 153,
       221, 168, 12,  166, 232, 178, 186, 195, 237, 162, 237, 188, 39, 124, 77, 80,  102,
       43,  127, 230, 21,  83,  41,  40,  134, 255, 154, 92,  141, 42, 148, 247});
  tensors.w = TensorOf(kUint8, {1, 1, 1, 1}, {0});
  SetScales(tensors, 0.00369204697F, 0, 0.00162681262F);
  tensors.w_scale = TensorOf(kFloat, {1}, {0.00172794575F});
  tensors.x_zero_point = TensorOf(kUint8, {}, {132});
  tensors.w_zero_point = TensorOf(kUint8, {1}, {255});
  tensors.y_zero_point = TensorOf(kUint8, {}, {123});
  const Answer y = Evaluate(tensors);
  EXPECT_EQ(y.type, kUint8);
  EXPECT_EQ(y.shape, (Shape{1, 1, 7, 7}));
  EXPECT_EQ(ValuesOf(y),
            (List{0,   81,  93,  230, 52,  87,  197, 240, 196, 18,  160, 126, 255,
                  191, 199, 13,  102, 34,  87,  243, 89,  23,  77,  69,  60,  18,
                  93,  18,  67,  216, 131, 178, 175, 153, 212, 128, 25,  234, 172,
                  214, 215, 121, 0,   101, 163, 114, 213, 107, 8}));
  for (const ElementAnswer& element : y.elements) {
    EXPECT_EQ(element.tier, Tier::kRegular);
    EXPECT_EQ(element.freedom, Freedom::kNone);
    EXPECT_TRUE(element.features & kFeatureZeroPoint);
  }
}

// 64770 / 1024 = 63.25, -65280 / 1024 = -63.75.
TEST(QLinearConv, PairsOfProducts_NeedMoreThan16Bits) {
  Tensors tensors;
  tensors.x = Constant(kUint8, {1, 1, 2}, 255);
  tensors.w = TensorOf(kInt8, {2, 1, 2}, {127, 127, -128, -128});
  SetScales(tensors, 1, 1, 1024);
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{63, -64}));
}

TEST(QLinearConv, Roundings) {
  struct Row {
    int64_t twice_v, zero_point;
    List expected;  // in the order of kAllRoundings
  };
  const Row rows[] = {
      {5, 1, {3, 4, 4, 4, 4}},   // 2.5: 2 + 1, 3 + 1, 3 + 1, 3.5
      {5, 2, {4, 5, 5, 4, 5}},   // 4.5
      {-5, 5, {3, 2, 3, 2, 3}},  // -2.5: -2 + 5, -3 + 5, -2 + 5, 2.5
      {-5, 0, {0, 0, 0, 0, 0}},  // saturates in UINT8
      {1, 0, {0, 1, 1, 0, 1}},   // 0.5
      {-1, 1, {1, 0, 1, 0, 1}},  // -0.5: -0 + 1, -1 + 1, 0 + 1, 0.5
      {-3, 9, {7, 7, 8, 8, 8}},  // -1.5: -2, -2, -1, 7.5
      {6, 4, {7, 7, 7, 7, 7}},
  };
  for (const Row& row : rows) {
    Tensors tensors = TensorsOfSum(row.twice_v, kUint8);
    SetScales(tensors, 1, 1, 2);
    tensors.y_zero_point = TensorOf(kUint8, {}, {static_cast<double>(row.zero_point)});
    for (size_t i = 0; i < std::size(kAllRoundings); ++i) {
      EXPECT_EQ(ValuesOf(Evaluate(tensors, {.rounding = kAllRoundings[i]})),
                List{row.expected[i]})
          << row.twice_v << " " << row.zero_point << " " << i;
    }
    EXPECT_EQ((Evaluate(tensors).elements[0].features & kFeatureTie) != 0,
              row.twice_v % 2 != 0 && row.twice_v + 2 * row.zero_point >= 0);
  }
}

TEST(QLinearConv, BothEndsOfTheRange_Saturate) {
  for (const int64_t c : {-1000, -129, 128, 1000}) {
    Tensors tensors = TensorsOfSum(c);
    EXPECT_EQ(ValuesOf(Evaluate(tensors)), List{c < 0 ? -128 : 127});
    tensors.y_zero_point = TensorOf(kInt8, {}, {c < 0 ? 127.0 : -128.0});
    const List inside = {c == -129 ? -2 : c == 128 ? 0 : c < 0 ? -128 : 127};
    EXPECT_EQ(ValuesOf(Evaluate(tensors)), inside);
  }
}

// 5 + 10 and 5 - 20 over 2: 7.5 and -7.5.
TEST(QLinearConv, BiasIsAddedBeforeRequantization) {
  Tensors tensors;
  tensors.x = TensorOf(kUint8, {1, 1, 1}, {5});
  tensors.w = Constant(kInt8, {2, 1, 1}, 1);
  tensors.bias = TensorOf(kInt32, {2}, {10, -20});
  SetScales(tensors, 1, 1, 2);
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{8, -8}));
  SetScales(tensors, 0.5, 4, 2);  // its scale is x_scale * w_scale
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{15, -15}));
}

TEST(QLinearConv, EachChannelHasItsScale) {
  Tensors tensors;
  tensors.x = TensorOf(kUint8, {1, 1, 3}, {10, 20, 30});
  tensors.w = TensorOf(kInt8, {3, 1, 1}, {1, 2, 3});
  tensors.w_scale = TensorOf(kFloat, {3}, {1, 2, 0.5});
  tensors.w_zero_point = TensorOf(kInt8, {3}, {0, 1, -1});
  // 1, 2 * (2 - 1), 0.5 * (3 + 1)
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{10, 20, 30, 20, 40, 60, 20, 40, 60}));
}

TEST(QLinearConv, PaddedPositions_ContributeNothing) {
  Tensors tensors;
  tensors.x = TensorOf(kUint8, {1, 1, 1}, {5});
  tensors.w = TensorOf(kInt8, {1, 1, 3}, {1, 2, 3});
  tensors.x_zero_point = TensorOf(kUint8, {}, {3});
  tensors.y_zero_point = TensorOf(kInt8, {}, {-1});
  tensors.attributes.pads = List{3, 2};
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{-1, 5, 3, 1}));
}

// Two groups of one channel; the corners of a cube of 0 to 26 and of 27 to 53.
TEST(QLinearConv, ThreeSpatialAxesAndGroups) {
  Tensors tensors;
  std::vector<double> values(54);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  tensors.x = TensorOf(kUint8, {1, 2, 3, 3, 3}, values);
  tensors.w = Constant(kInt8, {2, 1, 2, 2, 2}, 1);
  tensors.w_scale = TensorOf(kFloat, {2}, {1, 0.25});
  tensors.w_zero_point = TensorOf(kInt8, {2}, {0, 0});
  tensors.attributes.group = 2;
  tensors.attributes.dilations = List{2, 2, 2};
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{104, 80}));  // (104 + 8 * 27) / 4
}

// +-65025 / 512 = +-127.002.
TEST(QLinearConv, AllTypes_AtTheirEnds) {
  for (const DataType x : {kUint8, kInt8}) {
    for (const DataType w : {kUint8, kInt8}) {
      for (const DataType y : {kUint8, kInt8}) {
        const double x_low = x == kInt8 ? -128 : 0;
        const double w_low = w == kInt8 ? -128 : 0;
        Tensors tensors;
        tensors.x = TensorOf(x, {1, 1, 2}, {x_low, x_low + 255});
        tensors.w = TensorOf(w, {1, 1, 1}, {w_low});
        tensors.x_zero_point = TensorOf(x, {}, {x_low});
        tensors.w_zero_point = TensorOf(w, {}, {w_low + 255});
        tensors.y_zero_point = TensorOf(y, {}, {y == kInt8 ? 0.0 : 255.0});
        SetScales(tensors, 1, 1, 512);
        const Answer answer = Evaluate(tensors);
        EXPECT_EQ(answer.type, y);
        EXPECT_EQ(ValuesOf(answer), y == kInt8 ? (List{0, -127}) : (List{255, 128}));
      }
    }
  }
}

// 33026 * 65025 = 2^31 + 32002, which is -2^31 + 32002 modulo 2^32.
TEST(QLinearConv, SumsBeyondInt32_AreFree) {
  Tensors tensors;
  tensors.x = Constant(kUint8, {1, 1, 33026}, 255);
  tensors.w = Constant(kUint8, {1, 1, 33026}, 255);
  tensors.w_zero_point = Tensor::Zeros(kUint8, {});
  SetScales(tensors, 1, 1, std::ldexp(1.0, 25));
  const auto by = [&](Accumulator accumulator) {
    return ValuesOf(
        *EvaluateQLinearConv(tensors.problem(), {.accumulator = accumulator}));
  };
  const Answer y = Evaluate(tensors);
  EXPECT_EQ(y.elements[0].tier, Tier::kAccumulatorOverflow);
  EXPECT_EQ(y.elements[0].freedom, Freedom::kAnyCode);
  EXPECT_EQ(ValuesOf(y), List{-64});
  EXPECT_EQ(by(Accumulator::kWide), List{64});
  EXPECT_EQ(by(Accumulator::kSaturating32), List{64});
  // Only the sum without its bias is beyond.
  tensors.bias = TensorOf(kInt32, {1}, {-1073741824});
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), List{32});
  EXPECT_EQ(Evaluate(tensors).elements[0].tier, Tier::kAccumulatorOverflow);
  EXPECT_EQ(by(Accumulator::kSaturating32), List{32});
  // Only the bias takes it there.
  Tensors with_bias = TensorsOfSum(2147483647);
  with_bias.x = TensorOf(kUint8, {1, 1, 2}, {0, 1});
  SetScales(with_bias, 1, 1, std::ldexp(1.0, 25));
  const Answer both = Evaluate(with_bias);
  EXPECT_EQ(ValuesOf(both), (List{64, -64}));
  EXPECT_EQ(both.elements[0].tier, Tier::kRegular);
  EXPECT_EQ(both.elements[1].tier, Tier::kAccumulatorOverflow);
}

TEST(QLinearConv, DegenerateScales_AreExtendedReals) {
  struct Row {
    int64_t c;
    double x, w, y;
    std::optional<int64_t> expected;  // nothing: NaN, any code
  };
  const double inf = INFINITY;
  const Row rows[] = {
      {3, 1, 1, 0, 127},
      {-3, 1, 1, 0, -128},
      {0, 1, 1, 0, {}},
      {3, 0, 1, 1, 0},
      {3, 0, inf, 1, {}},
      {3, inf, 1, 1, 127},
      {3, inf, 1, inf, {}},
      {3, 1, 1, inf, 0},
      {3, 1, -2, 1, -6},
      {3, 1, 1, -1, -3},
      {3, NAN, 1, 1, {}},
      {3, 1, 1, NAN, {}},
      {-3, 1, inf, 1, -128},
      {0, inf, 1, 1, {}},
      {3, 0x1p-140, 0x1p100, 0x1p-40, 3},
      {3, 0x1p-100, 0x1p-100, 0x1p-120, 0},
  };
  for (const Row& row : rows) {
    Tensors tensors = TensorsOfSum(row.c);
    SetScales(tensors, row.x, row.w, row.y);
    const Answer answer = Evaluate(tensors);
    const ElementAnswer& element = answer.elements[0];
    EXPECT_EQ(element.tier, Tier::kDegenerateScale);
    EXPECT_EQ(element.freedom, row.expected ? Freedom::kNone : Freedom::kAnyCode);
    if (row.expected) {
      EXPECT_EQ(ValuesOf(answer), List{*row.expected})
          << row.c << " " << row.x << " " << row.w << " " << row.y;
    }
  }
}

// A bias of 2^31 leaves FLOAT's range sooner than one product of 2^16: 2^31 * 2^96.
TEST(QLinearConv, TheTierCountsTheBias) {
  Tensors tensors;
  SetScales(tensors, 0x1p60, 0x1p36, 0x1p80);
  EXPECT_EQ(Evaluate(tensors).elements[0].tier, Tier::kRegular);
  tensors.bias = TensorOf(kInt32, {1}, {0});
  EXPECT_EQ(Evaluate(tensors).elements[0].tier, Tier::kDegenerateScale);
  SetScales(tensors, 0x1p60, 0x1p34, 0x1p80);
  EXPECT_EQ(Evaluate(tensors).elements[0].tier, Tier::kRegular);
}

// --- models ------------------------------------------------------------------------

ModelValidity ValidityOf(const Tensors& tensors) {
  return Resolve(tensors.problem()).validity;
}

TEST(QLinearConvModels, Qc05AndQc06_AreOpenAndAnswered) {
  struct Row {
    const char* clause;
    Tensors tensors;
  };
  std::vector<Row> rows;
  const Tensor one = TensorOf(kFloat, {1}, {1});
  Tensors two;  // two output channels
  two.w = TensorOf(kInt8, {2, 1, 1}, {1, 1});
  const auto add = [&rows](const char* clause, const Tensors& from) -> Tensors& {
    return rows.emplace_back(Row{clause, from}).tensors;
  };
  Tensors& x = add("QC-06", {});
  x.x_scale = one;
  x.x_zero_point = Tensor::Zeros(kUint8, {1});
  Tensors& y = add("QC-06", {});
  y.y_scale = one;
  y.y_zero_point = Tensor::Zeros(kInt8, {1});
  Tensors& w = add("QC-06", two);
  w.w_scale = one;
  w.w_zero_point = Tensor::Zeros(kInt8, {1});
  add("QC-09", {}).x_scale = one;
  add("QC-09", {}).w_scale = one;
  add("QC-09", two).w_scale = one;
  add("QC-09", {}).y_zero_point = Tensor::Zeros(kInt8, {1});
  Tensors& pads = add("QC-05", {});
  pads.attributes.auto_pad = "VALID";
  pads.attributes.pads = List{0, 0};
  add("QC-05", {}).x = Tensor::Zeros(kUint8, {0, 1, 1});
  add("QC-05", {}).w = Tensor::Zeros(kInt8, {1, 1, 2});
  for (size_t i = 0; i < rows.size(); ++i) {
    const ModelValidity validity = ValidityOf(rows[i].tensors);
    EXPECT_EQ(validity.kind, ModelValidity::Kind::kOpen) << i;
    EXPECT_EQ(validity.clause, rows[i].clause) << i;
    for (const int64_t value : ValuesOf(Evaluate(rows[i].tensors))) EXPECT_EQ(value, 1);
  }
  // [1] is [M] where M = 1.
  Tensors legal;
  legal.w_scale = one;
  legal.w_zero_point = Tensor::Zeros(kInt8, {1});
  EXPECT_EQ(ValidityOf(legal).kind, ModelValidity::Kind::kValid);
}

TEST(QLinearConvModels, Qc09_IsInvalid) {
  EXPECT_EQ(ValidityOf({}).kind, ModelValidity::Kind::kValid);
  std::vector<Tensors> wrong(18);
  wrong[0].x = Tensor::Zeros(kInt16, {1, 1, 1});
  wrong[1].w = Tensor::Zeros(kFloat, {1, 1, 1});
  wrong[2].x_scale = Tensor::Zeros(kFloat16, {});
  wrong[3].x_zero_point = Tensor::Zeros(kInt8, {});
  wrong[4].w_zero_point = Tensor::Zeros(kUint8, {});
  wrong[5].y_zero_point = Tensor::Zeros(kInt32, {});
  wrong[6].y_scale = Tensor::Zeros(kFloat, {2});
  wrong[7].w_scale = Tensor::Zeros(kFloat, {2});
  wrong[8].w_scale = Tensor::Zeros(kFloat, {1, 1});
  wrong[9].w_scale = Tensor{};
  wrong[10].y_zero_point = Tensor{};
  wrong[11].bias = Tensor::Zeros(kInt32, {});
  wrong[12].bias = Tensor::Zeros(kInt32, {2});
  wrong[13].bias = Tensor::Zeros(kInt32, {1, 1});
  wrong[14].bias = Tensor::Zeros(kInt8, {1});
  wrong[15].attributes.group = 2;
  wrong[16].x = Tensor::Zeros(kUint8, {1, 1});
  wrong[17].w = Tensor::Zeros(kInt8, {2, 1, 1});
  wrong[17].w_scale = TensorOf(kFloat, {2}, {1, 1});  // [M] and a scalar
  for (size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(ValidityOf(wrong[i]).kind, ModelValidity::Kind::kInvalid) << i;
    EXPECT_EQ(ValidityOf(wrong[i]).clause, "QC-09") << i;
    EXPECT_FALSE(EvaluateQLinearConv(wrong[i].problem()).ok()) << i;
  }
}

}  // namespace
}  // namespace qconform::q_linear_conv
