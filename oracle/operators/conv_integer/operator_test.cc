// ConvInteger through the interface of operators.
#include "oracle/core/operator.h"

#include <gtest/gtest.h>

#include "oracle/core/testing/codes_of_values.h"

namespace qconform::conv_integer {

const Operator& GetOperator();

namespace {

using enum DataType;
using List = std::vector<int64_t>;

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

// An isolated element has the code that it had, with the attributes that it gets.
TEST(ConvIntegerOperator, IsolatedElements_KeepTheirCodes) {
  const std::vector<Attribute> kept{{"dilations", List{2, 1}}};
  std::vector<Attribute> attributes = kept;
  attributes.push_back({"group", int64_t{2}});
  attributes.push_back({"pads", List{3, 0, 2, 4}});
  attributes.push_back({"strides", List{1, 2}});
  const Tensor x = Scrambled(kInt8, {2, 4, 3, 4}, 1);
  const Tensor w = Scrambled(kUint8, {4, 2, 2, 3}, 2);
  const Tensor x_zero_point = Scrambled(kInt8, {}, 3);
  const Tensor w_zero_point = Scrambled(kUint8, {4}, 4);
  const Operands operands{x.view(), w.view(), x_zero_point.view(), w_zero_point.view()};
  const auto bound = GetOperator().Bind(attributes, 10);
  ASSERT_TRUE(bound.ok());
  const std::vector<uint32_t> codes = CodesOf((*bound)->Evaluate(operands, {}));
  EXPECT_EQ(codes.size(), 2u * 4 * 6 * 3);
  for (size_t i = 0; i < codes.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    const auto isolated = (*bound)->IsolateElement(operands, 0, index);
    ASSERT_TRUE(isolated.ok());
    auto its_own = (*bound)->IsolatedAttributes(operands, 0, index);
    ASSERT_TRUE(its_own.ok());
    its_own->insert(its_own->end(), kept.begin(), kept.end());
    Operands alone;
    for (const Tensor& tensor : *isolated) alone.push_back(tensor.view());
    const auto again = GetOperator().Bind(*its_own, 10);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(CodesOf((*again)->Evaluate(alone, {})), std::vector{codes[i]}) << i;
  }
}

TEST(ConvIntegerOperator, OperandsOfAnElement) {
  const Tensor x = TensorOf(kUint8, {1, 1, 2}, {1, 2});
  const Tensor w = TensorOf(kUint8, {2, 1, 1}, {5, 7});
  const Tensor w_zero_point = TensorOf(kUint8, {2}, {1, 4});
  const auto bound = GetOperator().Bind({}, 10);
  const Operands operands{x.view(), w.view(), std::nullopt, w_zero_point.view()};
  const auto elements = (*bound)->OperandsOfElement(operands, 0, 3);
  ASSERT_TRUE(elements.ok());
  std::string text;
  for (const ElementOperand& element : *elements) {
    text += element.name + "=" + std::to_string(element.code) + " ";
  }
  EXPECT_EQ(text, "x[0 of 1]=2 w[0 of 1]=7 w_zero_point=4 ");
}

TEST(ConvIntegerOperator, AccumulatorsAreKnown) {
  const std::vector<double> values(33026, 255);
  const Tensor x = TensorOf(kUint8, {1, 1, 33026}, values);
  const Tensor w = TensorOf(kUint8, {1, 1, 33026}, values);
  const Operands operands{x.view(), w.view()};
  const auto bound = GetOperator().Bind({}, 10);
  const auto answers = (*bound)->Evaluate(operands, {});
  ASSERT_TRUE(answers.ok());
  const auto free =
      (*bound)->FreeInputOf(operands, 0, 0, answers->front().elements.front());
  ASSERT_TRUE(free.ok() && free->has_value());
  EXPECT_EQ((*free)->clause, "CI-01b");
  const auto known = (*bound)->KnownAnswers(operands, **free);
  ASSERT_TRUE(known.ok());
  ASSERT_EQ(known->size(), 2u);
  EXPECT_EQ((*known)[1].name, "saturating");
  EXPECT_EQ((*known)[1].answers[0].elements[0].code, 0x7FFFFFFFu);
}

TEST(ConvIntegerOperator, WrongKindsOfAttributes_AreErrors) {
  for (const char* name : {"auto_pad", "group", "kernel_shape", "pads"}) {
    const std::vector<Attribute> attributes{{name, 1.0F}};
    EXPECT_FALSE(GetOperator().Bind(attributes, 10).ok()) << name;
  }
}

}  // namespace
}  // namespace qconform::conv_integer
