// What MatMulInteger's Operator says of single elements.
#include "oracle/core/operator.h"

#include <gtest/gtest.h>

#include "oracle/core/testing/codes_of_values.h"
#include "oracle/core/testing/dimensions_check.h"

namespace qconform::mat_mul_integer {

const Operator& GetOperator();

namespace {

using enum DataType;

std::unique_ptr<const BoundOperator> Bind() {
  auto bound = GetOperator().Bind({}, 10);
  EXPECT_TRUE(bound.ok());
  return *std::move(bound);
}

TEST(MatMulIntegerOperator, DimensionsAreThoseOfTheOperandsOfEachElement) {
  struct Row {
    Shape a, b;
    std::optional<Shape> a_zero_point{}, b_zero_point{};
  };
  const Row rows[] = {
      {{2, 3}, {3, 4}},
      {{2, 3}, {3, 4}, Shape{}, Shape{1}},
      {{2, 3}, {3, 4}, Shape{2}, Shape{4}},
      {{2, 3}, {3, 4}, {}, Shape{1, 4}},
      {{3}, {3}, Shape{}, Shape{}},
      {{3}, {2, 3, 4}, {}, Shape{2, 1, 4}},
      {{2, 2, 3}, {3}, Shape{2, 2, 1}, {}},
      {{2, 1, 2, 3}, {3, 3, 2}, Shape{2, 1, 2, 1}, Shape{3, 1, 2}},
      {{5, 2, 3}, {1, 3, 4}, Shape{2, 1}, Shape{1, 1, 4}},
      {{2, 0}, {0, 3}},
      {{0, 2}, {2, 3}, Shape{0}, {}},
  };
  const auto bound = Bind();
  for (const Row& row : rows) {
    SCOPED_TRACE(ShapeToString(row.a) + " " + ShapeToString(row.b));
    const auto zero_point = [](const std::optional<Shape>& shape) {
      return shape ? Numbered(kUint8, *shape) : Tensor();
    };
    ExpectDimensionsMatch(GetOperator(), *bound,
                          {Numbered(kUint8, row.a), Numbered(kUint8, row.b),
                           zero_point(row.a_zero_point), zero_point(row.b_zero_point)});
  }
  EXPECT_FALSE(bound->DimensionsOf({}).ok());
}

TEST(MatMulIntegerOperator, AnElementByItself_HasTheSameAnswer) {
  const Tensor a = TensorOf(kUint8, {2, 1, 2}, {1, 2, 3, 4});
  const Tensor b = TensorOf(kInt8, {1, 2, 2}, {5, 6, 7, 8});
  const Tensor b_zero = TensorOf(kInt8, {1, 1, 2}, {5, 7});
  const Operands operands{a.view(), b.view(), std::nullopt, b_zero.view()};
  const auto bound = Bind();
  const auto whole = bound->Evaluate(operands, {});
  ASSERT_TRUE(whole.ok());
  for (int64_t i = 0; i < 4; ++i) {
    const auto isolated = bound->IsolateElement(operands, 0, i);
    ASSERT_TRUE(isolated.ok());
    ASSERT_EQ(isolated->size(), 4u);
    EXPECT_EQ((*isolated)[2].type, kUndefined);
    const auto answer = bound->Evaluate(
        {(*isolated)[0].view(), (*isolated)[1].view(), {}, (*isolated)[3].view()}, {});
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ((*answer)[0].elements.at(0).code,
              (*whole)[0].elements[static_cast<size_t>(i)].code);
  }
  // Row (3, 4), column (6, 8) less 7.
  const auto elements = bound->OperandsOfElement(operands, 0, 3);
  ASSERT_TRUE(elements.ok());
  ASSERT_EQ(elements->size(), 5u);
  EXPECT_EQ((*elements)[0].name, "A[0 of 2]");
  EXPECT_EQ((*elements)[0].code, 3u);
  EXPECT_EQ((*elements)[1].name, "B[0 of 2]");
  EXPECT_EQ((*elements)[1].code, 6u);
  EXPECT_EQ((*elements)[4].name, "b_zero_point");
  EXPECT_EQ((*elements)[4].code, 7u);
}

TEST(MatMulIntegerOperator, AccumulatorsAreKnown) {
  const int64_t k = 33030;  // k * 255 * 255 = 2147775750
  Tensor a = Tensor::Zeros(kUint8, {1, k});
  std::fill(a.data.begin(), a.data.end(), std::byte{255});
  Tensor b = a;
  b.shape = {k, 1};
  const Operands operands{a.view(), b.view()};
  const auto bound = Bind();
  const auto answers = bound->Evaluate(operands, {});
  ASSERT_TRUE(answers.ok());
  const auto free = bound->FreeInputOf(operands, 0, 0, (*answers)[0].elements.at(0));
  ASSERT_TRUE(free.ok());
  ASSERT_TRUE(free->has_value());
  EXPECT_EQ((*free)->clause, "MI-02");
  const auto known = bound->KnownAnswers(operands, **free);
  ASSERT_TRUE(known.ok());
  ASSERT_EQ(known->size(), 2u);
  EXPECT_EQ((*known)[0].name, "modulo 2^32");
  EXPECT_EQ((*known)[0].answers[0].elements[0].code, 2147775750u);
  EXPECT_EQ((*known)[1].name, "saturating");
  EXPECT_EQ((*known)[1].answers[0].elements[0].code, 2147483647u);
}

TEST(MatMulIntegerOperator, Attributes_AreInvalid) {
  const std::vector<Attribute> attributes{{"axis", int64_t{1}}};
  const auto bound = GetOperator().Bind(attributes, 10);
  ASSERT_TRUE(bound.ok());
  const Tensor a = TensorOf(kUint8, {1, 1}, {1});
  const auto validity = (*bound)->Validate({a.view(), a.view()});
  ASSERT_TRUE(validity.ok());
  EXPECT_EQ(validity->kind, ModelValidity::Kind::kInvalid);
  EXPECT_EQ(validity->clause, "MI-07");
}

}  // namespace
}  // namespace qconform::mat_mul_integer
