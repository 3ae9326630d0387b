// QLinearConv through the interface of operators.
#include "oracle/core/operator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/operators/q_linear_conv/testing/test_support.h"

namespace qconform::q_linear_conv {

const Operator& GetOperator();

namespace {

using enum DataType;

Tensor Scrambled(DataType type, const Shape& shape, uint32_t seed) {
  Tensor tensor = Tensor::Zeros(type, shape);
  for (int64_t i = 0; i < *ElementCount(shape); ++i) {
    seed = seed * 1664525 + 1013904223;
    WriteCode(tensor.mutable_view(), i, seed >> 24);
  }
  return tensor;
}

std::vector<uint32_t> CodesOf(const Result<std::vector<Answer>>& answers) {
  std::vector<uint32_t> codes;
  if (!answers.ok()) {
    ADD_FAILURE() << answers.error().message;
    return codes;
  }
  for (const ElementAnswer& element : answers->front().elements) {
    codes.push_back(element.code);
  }
  return codes;
}

Operands ViewsOfAll(const std::vector<Tensor>& tensors) {
  Operands operands;
  for (const Tensor& tensor : tensors) {
    operands.push_back(tensor.type == kUndefined ? std::nullopt
                                                 : std::optional(tensor.view()));
  }
  return operands;
}

// Two groups; pads, strides and dilations that differ.
const std::vector<Attribute> kKept{{"dilations", List{2, 1}}};
std::vector<Attribute> AttributesOfGroups() {
  std::vector<Attribute> attributes = kKept;
  attributes.push_back({"group", int64_t{2}});
  attributes.push_back({"pads", List{3, 0, 2, 4}});
  attributes.push_back({"strides", List{1, 2}});
  return attributes;
}
std::vector<Tensor> OperandsOfGroups() {
  return {Scrambled(kInt8, {2, 4, 3, 4}, 1),
          TensorOf(kFloat, {}, {0.03}),
          Scrambled(kInt8, {}, 2),
          Scrambled(kUint8, {4, 2, 2, 3}, 3),
          TensorOf(kFloat, {4}, {0.01, 0.02, 0.005, 0.1}),
          Scrambled(kUint8, {4}, 4),
          TensorOf(kFloat, {}, {17.3}),
          Scrambled(kInt8, {}, 5),
          TensorOf(kInt32, {4}, {1000, -2000, 3000, 100000})};
}

// An isolated element has the code that it had, with the attributes that it gets.
TEST(QLinearConvOperator, IsolatedElements_KeepTheirCodes) {
  for (const bool with_bias : {true, false}) {
    std::vector<Tensor> tensors = OperandsOfGroups();
    if (!with_bias) tensors.back() = {};
    const Operands operands = ViewsOfAll(tensors);
    const auto bound = GetOperator().Bind(AttributesOfGroups(), 10);
    ASSERT_TRUE(bound.ok());
    const std::vector<uint32_t> codes = CodesOf((*bound)->Evaluate(operands, {}));
    ASSERT_EQ(codes.size(), 2u * 4 * 6 * 3);
    for (size_t i = 0; i < codes.size(); ++i) {
      const auto index = static_cast<int64_t>(i);
      const auto isolated = (*bound)->IsolateElement(operands, 0, index);
      ASSERT_TRUE(isolated.ok());
      auto its_own = (*bound)->IsolatedAttributes(operands, 0, index);
      ASSERT_TRUE(its_own.ok());
      its_own->insert(its_own->end(), kKept.begin(), kKept.end());
      const auto again = GetOperator().Bind(*its_own, 10);
      ASSERT_TRUE(again.ok());
      const Operands alone = ViewsOfAll(*isolated);
      EXPECT_EQ((*again)->Validate(alone)->kind, ModelValidity::Kind::kValid);
      EXPECT_EQ(CodesOf((*again)->Evaluate(alone, {})), std::vector{codes[i]}) << i;
    }
  }
}

TEST(QLinearConvOperator, OperandsOfAnElement) {
  const std::vector<Tensor> tensors{
      TensorOf(kUint8, {1, 1, 2}, {1, 2}), TensorOf(kFloat, {}, {1}),
      TensorOf(kUint8, {}, {3}),           TensorOf(kUint8, {2, 1, 1}, {5, 7}),
      TensorOf(kFloat, {2}, {1, 2}),       TensorOf(kUint8, {2}, {1, 4}),
      TensorOf(kFloat, {}, {1}),           TensorOf(kInt8, {}, {6}),
      TensorOf(kInt32, {2}, {8, 9})};
  const auto bound = GetOperator().Bind({}, 10);
  const auto elements = (*bound)->OperandsOfElement(ViewsOfAll(tensors), 0, 3);
  ASSERT_TRUE(elements.ok());
  std::string text;
  for (const ElementOperand& element : *elements) {
    text += element.name + "=" + std::to_string(static_cast<int32_t>(element.code)) + " ";
  }
  EXPECT_EQ(text,
            "x[0 of 1]=2 w[0 of 1]=7 C=-3 x_scale=1065353216 x_zero_point=3 "
            "w_scale=1073741824 w_zero_point=4 y_scale=1065353216 y_zero_point=6 B=9 ");
}

TEST(QLinearConvOperator, AccumulatorsAreKnown) {
  std::vector<Tensor> tensors(9);
  const std::vector<double> values(33026, 255);
  tensors[0] = TensorOf(kUint8, {1, 1, 33026}, values);
  tensors[3] = TensorOf(kUint8, {1, 1, 33026}, values);
  tensors[1] = tensors[4] = TensorOf(kFloat, {}, {1});
  tensors[2] = tensors[5] = tensors[7] = TensorOf(kUint8, {}, {0});
  tensors[6] = TensorOf(kFloat, {}, {std::ldexp(1.0, 25)});
  const Operands operands = ViewsOfAll(tensors);
  const auto bound = GetOperator().Bind({}, 10);
  const auto answers = (*bound)->Evaluate(operands, {});
  ASSERT_TRUE(answers.ok());
  const auto free =
      (*bound)->FreeInputOf(operands, 0, 0, answers->front().elements.front());
  ASSERT_TRUE(free.ok() && free->has_value());
  EXPECT_EQ((*free)->clause, "QC-02b");
  const auto known = (*bound)->KnownAnswers(operands, **free);
  ASSERT_TRUE(known.ok());
  ASSERT_EQ(known->size(), 3u);
  EXPECT_EQ((*known)[0].answers[0].elements[0].code, 0u);  // modulo: -64
  EXPECT_EQ((*known)[1].answers[0].elements[0].code, 64u);
}

TEST(QLinearConvOperator, DimensionsNeedNoData) {
  const std::vector<Tensor> tensors = OperandsOfGroups();
  Operands operands = ViewsOfAll(tensors);
  for (auto& operand : operands) operand->data = {};
  const auto bound = GetOperator().Bind(AttributesOfGroups(), 10);
  const auto dimensions = (*bound)->DimensionsOf(operands);
  ASSERT_TRUE(dimensions.ok());
  std::string text;
  for (const Dimension& dimension : *dimensions) {
    text += dimension.name + "=" + std::to_string(dimension.size) + " ";
  }
  EXPECT_EQ(text, "n=2 m=4 c=2 channels=4 in_0=3 k_0=2 out_0=6 in_1=4 k_1=3 out_1=3 ");
  // m: w, its scales and zero points, and B.
  EXPECT_EQ((*dimensions)[1].operands.size(), 4u);
}

TEST(QLinearConvOperator, Readings_CanonicalFirst) {
  const std::vector<Tensor> tensors = OperandsOfGroups();
  const Operands operands = ViewsOfAll(tensors);
  const auto bound = GetOperator().Bind(AttributesOfGroups(), 10);
  const auto sets = (*bound)->Readings(operands);
  ASSERT_TRUE(sets.ok());
  EXPECT_TRUE(sets->front().is_canonical());
  EXPECT_EQ(Spell(sets->back()), "QC-04:unspecified_requantization");
  EXPECT_EQ(sets->back().kind, ReadingSet::Kind::kWider);
  for (const ReadingSet& set : *sets) {
    const auto answers = (*bound)->Evaluate(operands, set);
    ASSERT_TRUE(answers.ok());
    EXPECT_EQ(answers->front().bounds.empty(), !set.is_bounded());
  }
}

}  // namespace
}  // namespace qconform::q_linear_conv
