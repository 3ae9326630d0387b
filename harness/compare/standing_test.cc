#include "harness/compare/standing.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "harness/core/oracle_model.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

constexpr DataType kY = DataType::kFloat8E4M3FN;

Tensor TensorOf(DataType type, Shape shape, const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

// x = 1.13 and the smallest subnormal, y_scale = 1, y_zero_point = 1 (QL-24). Of 1.13
// the answers are 2.25; zero_point_ignored 1.125; round_then_add 2. Of the other, in a
// tier of its own: 1; zero_point_ignored 0; round_then_add 1.
class StandingOfTwoTiers : public testing::Test {
 protected:
  StandingOfTwoTiers()
      : inputs_{TensorOf(DataType::kFloat, {2}, {0x3F90A3D7, 0x00000001}),
                TensorOf(DataType::kFloat, {}, {0x3F800000}), TensorOf(kY, {}, {0x38})},
        model_{.opset_version = 21,
               .ir_version = 10,
               .node = {},
               .inputs = {},
               .outputs = {{"y", kY, {2}}},
               .initializers = {}} {
    model_.node.op_type = "QuantizeLinear";
    model_.node.outputs = {"y"};
    for (const char* name : {"x", "y_scale", "y_zero_point"}) {
      const Tensor& input = inputs_[model_.inputs.size()];
      model_.node.inputs.emplace_back(name);
      model_.inputs.push_back({name, input.type, input.shape});
    }
    content_ = ContentAnswers::Create(model_, ViewsOf(inputs_)).value();
    answer_ = content_->canonical();
  }

  void SetUp() override {
    ASSERT_EQ(answer_->elements.size(), 2u);
    ASSERT_EQ(answer_->elements[0].code, 0x41u);
    ASSERT_EQ(answer_->elements[1].code, 0x38u);
    ASSERT_EQ(answer_->elements[0].tier, Tier::kRegular);
    ASSERT_EQ(answer_->elements[1].tier, Tier::kSubnormal);
  }

  Standing Of(const Outputs& outputs) const {
    auto standing = StandingOf(content_, outputs);
    EXPECT_TRUE(standing.ok());
    return *std::move(standing);
  }
  Standing Of(const std::vector<uint64_t>& codes) const {
    return Of(Outputs{TensorOf(kY, {2}, codes)});
  }

  std::vector<Tensor> inputs_;
  Model model_;
  std::shared_ptr<ContentAnswers> content_;
  std::shared_ptr<const CaseAnswer> answer_;
};

TEST_F(StandingOfTwoTiers, CanonicalCodes_AreAllowedByNoReading) {
  const Standing standing = Of({0x41, 0x38});
  EXPECT_TRUE(standing.allowed());
  EXPECT_EQ(standing.ReadingNames(), "");
  EXPECT_FALSE(standing.first);
}

TEST_F(StandingOfTwoTiers, OneReadingOfBoth_IsNamedOnce) {
  const Standing standing = Of({0x39, 0x00});
  EXPECT_TRUE(standing.allowed());
  EXPECT_EQ(standing.ReadingNames(), "QL-24:zero_point_ignored");
}

TEST_F(StandingOfTwoTiers, AReadingOfEach_AreBothNamed) {
  const Standing standing = Of({0x40, 0x00});
  EXPECT_TRUE(standing.allowed());
  EXPECT_EQ(standing.ReadingNames(), "QL-24:round_then_add, QL-24:zero_point_ignored");
}

// The element that is shown is one that no reading explains, wherever it stands.
TEST_F(StandingOfTwoTiers, WhatNoReadingExplains_IsShown) {
  const Standing behind = Of({0x39, 0x50});
  EXPECT_FALSE(behind.allowed());
  EXPECT_EQ(behind.unexplained, 1);
  EXPECT_EQ(behind.ReadingNames(), "QL-24:zero_point_ignored");
  ASSERT_TRUE(behind.first);
  EXPECT_EQ(behind.first->index, 1);
  EXPECT_EQ(behind.first->actual, 0x50u);
  const Standing before = Of({0x50, 0x00});
  EXPECT_FALSE(before.allowed());
  ASSERT_TRUE(before.first);
  EXPECT_EQ(before.first->index, 0);
  EXPECT_EQ(Of({0x50, 0x50}).unexplained, 2);
}

TEST_F(StandingOfTwoTiers, OutputsOfAWrongForm_AreNotAllowed) {
  EXPECT_FALSE(Of(Outputs{}).allowed());
  const Standing shape = Of(Outputs{TensorOf(kY, {1, 2}, {0x41, 0x38})});
  EXPECT_FALSE(shape.allowed());
  EXPECT_NE(shape.invalid_output, "");
}

}  // namespace
}  // namespace qconform
