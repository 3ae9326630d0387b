// What DynamicQuantizeLinear's Operator says of readings and of single elements.
#include "oracle/core/operator.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "oracle/core/testing/codes_of_values.h"
#include "oracle/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"

namespace qconform::dynamic_quantize_linear {

const Operator& GetOperator();

namespace {

using enum DataType;

std::unique_ptr<const BoundOperator> Bind() {
  auto bound = GetOperator().Bind({}, 11);
  EXPECT_TRUE(bound.ok());
  return *std::move(bound);
}

TEST(DynamicQuantizeLinearOperator, Readings) {
  const Tensor x = TensorOf(kFloat, {2}, {1, 2});
  const auto sets = Bind()->Readings({x.view()});
  ASSERT_TRUE(sets.ok());
  EXPECT_EQ(sets->size(), 9u);
  EXPECT_TRUE(sets->front().is_canonical());
  EXPECT_EQ(sets->front().code, 0u);
  std::set<uint64_t> codes;
  std::set<std::string> names;
  for (const ReadingSet& set : *sets) {
    codes.insert(set.code);
    names.insert(Spell(set));
    EXPECT_EQ(EncodeReadings(DecodeReadings(set.code)), set.code);
  }
  EXPECT_EQ(codes.size(), 9u);
  EXPECT_TRUE(names.contains("DYN-01:fused_range_in_double+DYN-04:one_255th"));
  EXPECT_EQ(names.size(), 9u);
}

TEST(DynamicQuantizeLinearOperator, AnElementByItself_HasTheSameAnswer) {
  const Tensor x = TensorOf(kFloat, {2, 3}, {-3, 2, 1.25, 0, -2.5, 0.5});
  const Operands operands{x.view()};
  const auto bound = Bind();
  const auto whole = bound->Evaluate(operands, {});
  ASSERT_TRUE(whole.ok());
  for (size_t output = 0; output < 3; ++output) {
    const auto& elements = (*whole)[output].elements;
    for (size_t i = 0; i < elements.size(); ++i) {
      const auto isolated =
          bound->IsolateElement(operands, output, static_cast<int64_t>(i));
      ASSERT_TRUE(isolated.ok());
      EXPECT_LE(*ElementCount(isolated->front().shape), 3);
      const auto answer = bound->Evaluate({isolated->front().view()}, {});
      ASSERT_TRUE(answer.ok());
      EXPECT_EQ((*answer)[output].elements.at(0).code, elements[i].code);
    }
  }
  const auto of_y = bound->OperandsOfElement(operands, 0, 4);
  ASSERT_TRUE(of_y.ok());
  ASSERT_EQ(of_y->size(), 3u);
  EXPECT_EQ((*of_y)[0].code, FloatBits(-2.5F));
  EXPECT_EQ((*of_y)[1].code, FloatBits(2));
  EXPECT_EQ((*of_y)[2].code, FloatBits(-3));
  EXPECT_EQ(bound->OperandsOfElement(operands, 2, 0)->size(), 2u);
}

TEST(DynamicQuantizeLinearOperator, DimensionsAreThoseOfXAndY) {
  const Tensor x = Tensor::Zeros(kFloat, {2, 0, 3});
  const auto dimensions = Bind()->DimensionsOf({x.view()});
  ASSERT_TRUE(dimensions.ok());
  ASSERT_EQ(dimensions->size(), 3u);
  EXPECT_EQ((*dimensions)[2].name, "d2");
  EXPECT_EQ((*dimensions)[2].size, 3);
  EXPECT_EQ((*dimensions)[2].operands, (std::vector<AxisPlace>{{0, 2}}));
  EXPECT_EQ((*dimensions)[2].outputs, (std::vector<AxisPlace>{{0, 2}}));
  EXPECT_FALSE((*dimensions)[0].is_summed);
  EXPECT_FALSE(Bind()->DimensionsOf({}).ok());
}

TEST(DynamicQuantizeLinearOperator, FreeElementsHaveReasons) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const struct {
    std::vector<double> x;
    size_t output;
    const char* clause;
    const char* input;
  } rows[] = {
      {{1, std::numeric_limits<double>::quiet_NaN()}, 0, "DYN-05", "NaN in x"},
      {{}, 1, "DYN-07", "no elements"},
      {{0, 0}, 2, "DYN-04", "all x are 0"},
      {{-0.0}, 1, "DYN-04", "sign of a zero scale"},
      {{kInf, 1}, 0, "DYN-06", "an infinite x"},
      {{1, -kInf}, 0, "DYN-06", "finite x next to an x of -Inf"},
      {{-kInf, 1}, 2, "DYN-06", "an x of -Inf"},
      {{0x1p-149}, 2, "DYN-06", "a scale that underflows to 0"},
  };
  const auto bound = Bind();
  for (const auto& row : rows) {
    const Tensor x = TensorOf(kFloat, {static_cast<int64_t>(row.x.size())}, row.x);
    const Operands operands{x.view()};
    const auto answers = bound->Evaluate(operands, {});
    ASSERT_TRUE(answers.ok());
    const auto free = bound->FreeInputOf(operands, row.output, 0,
                                         (*answers)[row.output].elements.at(0));
    ASSERT_TRUE(free.ok());
    ASSERT_TRUE(free->has_value()) << row.input;
    EXPECT_EQ((*free)->clause, row.clause);
    EXPECT_EQ((*free)->input, row.input);
  }
}

TEST(DynamicQuantizeLinearOperator, OtherModels_AreInvalid) {
  const auto kind = [](const Tensor& x, std::vector<Attribute> attributes,
                       int since_version) {
    const auto bound = GetOperator().Bind(attributes, since_version);
    const auto validity = (*bound)->Validate({x.view()});
    EXPECT_EQ((*bound)->Evaluate({x.view()}, {}).ok(),
              validity->kind != ModelValidity::Kind::kInvalid);
    if (validity->kind == ModelValidity::Kind::kInvalid) {
      EXPECT_EQ(validity->clause, "DYN-10");
    }
    return validity->kind;
  };
  using Kind = ModelValidity::Kind;
  const Tensor x = TensorOf(kFloat, {2}, {1, 2});
  EXPECT_EQ(kind(x, {}, 11), Kind::kValid);
  EXPECT_EQ(kind(x, {}, 10), Kind::kInvalid);
  EXPECT_EQ(kind(x, {{"axis", int64_t{1}}}, 11), Kind::kInvalid);
  for (const DataType type : {kFloat16, kBfloat16, kDouble, kInt32, kInt8, kUint8}) {
    EXPECT_EQ(kind(Tensor::Zeros(type, {2}), {}, 11), Kind::kInvalid);
  }
  EXPECT_EQ(kind(Tensor::Zeros(kFloat, {2, 0}), {}, 11), Kind::kOpen);
  Tensor short_x = x;
  short_x.data.pop_back();
  EXPECT_EQ(kind(short_x, {}, 11), Kind::kInvalid);
}

// y and y_zero_point have one type: only the output's position tells them apart.
TEST(DynamicQuantizeLinearOperator, EachOutput_HasAClauseOfItsOwn) {
  const auto offended = [](size_t output, DataType type, Tier tier) {
    return GetOperator().ClauseOffendedAt(output, type, {.tier = tier}, 1);
  };
  EXPECT_EQ(offended(0, kUint8, Tier::kRegular), "DYN-03");
  EXPECT_EQ(offended(1, kFloat, Tier::kRegular), "DYN-01");
  EXPECT_EQ(offended(2, kUint8, Tier::kRegular), "DYN-02");
  EXPECT_EQ(offended(2, kUint8, Tier::kDegenerateScale), "DYN-06");
}

}  // namespace
}  // namespace qconform::dynamic_quantize_linear
