#include "harness/core/named_dimensions.h"

#include <gtest/gtest.h>

#include "cases/model/serialize.h"

namespace qconform {
namespace {

using Dims = std::vector<std::string>;

Model QuantizeLinear(const Shape& x, const Shape& scale, int64_t axis, int64_t block,
                     bool constant) {
  Model model;
  model.opset_version = 25;
  model.ir_version = 10;
  model.node = {"QuantizeLinear", "", {"x", "y_scale"}, {"y"}, {{"axis", axis}}};
  if (block != 0) model.node.attributes.push_back({"block_size", block});
  model.inputs = {{"x", DataType::kFloat, x}};
  model.outputs = {{"y", DataType::kUint8, x}};
  if (constant) {
    Tensor tensor = Tensor::Zeros(DataType::kFloat, scale);
    model.initializers = {{"y_scale", tensor}};
  } else {
    model.inputs.push_back({"y_scale", DataType::kFloat, scale});
  }
  return model;
}

void ExpectValid(const Model& model) {
  const Status status = CheckModel(SerializeModel(model));
  EXPECT_TRUE(status.ok()) << status.error().message;
}

TEST(NamedDimensions, PerTensor_AllOfXAndY) {
  const auto named = *WithNamedDimensions(QuantizeLinear({2, 3}, {1}, 1, 0, false));
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->inputs[0].dim_params, (Dims{"x_0", "x_1"}));
  EXPECT_EQ(named->inputs[0].shape, (Shape{-1, -1}));
  EXPECT_EQ(named->inputs[1].shape, (Shape{1}));
  EXPECT_TRUE(named->inputs[1].dim_params.empty());
  EXPECT_EQ(named->outputs[0].dim_params, (Dims{"x_0", "x_1"}));
  EXPECT_TRUE(HasNamedDimensions(*named));
  ExpectValid(*named);
}

TEST(NamedDimensions, PerAxis_TheScalesHaveTheNameOfTheAxis) {
  const auto named = *WithNamedDimensions(QuantizeLinear({2, 3, 4}, {3}, -2, 0, false));
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->inputs[1].dim_params, (Dims{"x_1"}));
  ExpectValid(*named);
}

TEST(NamedDimensions, WhatAConstantHas_StaysFixed) {
  const auto named = *WithNamedDimensions(QuantizeLinear({2, 3, 4}, {3}, 1, 0, true));
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->inputs[0].shape, (Shape{-1, 3, -1}));
  EXPECT_EQ(named->inputs[0].dim_params, (Dims{"x_0", "", "x_2"}));
  EXPECT_EQ(named->outputs[0].shape, (Shape{-1, 3, -1}));
  ExpectValid(*named);
  // Nothing is left where each size is one of a constant's.
  EXPECT_FALSE(*WithNamedDimensions(QuantizeLinear({4, 6}, {4, 2}, 1, 3, true)));
  EXPECT_FALSE(*WithNamedDimensions(QuantizeLinear({}, {}, 1, 0, false)));
}

TEST(NamedDimensions, Blocked_TheNumberOfBlocksHasANameOfItsOwn) {
  const auto named = *WithNamedDimensions(QuantizeLinear({4, 6}, {4, 2}, 1, 3, false));
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->inputs[0].dim_params, (Dims{"x_0", "x_1"}));
  EXPECT_EQ(named->inputs[1].dim_params, (Dims{"x_0", "x_1_by_3"}));
  ExpectValid(*named);
}

TEST(NamedDimensions, QLinearMatMul_RowsColumnsAndK) {
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node = {"QLinearMatMul",
                "",
                {"a", "a_scale", "a_zero_point", "b", "b_scale", "b_zero_point",
                 "y_scale", "y_zero_point"},
                {"y"},
                {}};
  const auto feed = [&](const char* name, DataType type, Shape shape) {
    model.inputs.push_back({name, type, std::move(shape)});
  };
  feed("a", DataType::kUint8, {5, 2, 3});
  feed("a_scale", DataType::kFloat, {5, 2, 1});
  feed("a_zero_point", DataType::kUint8, {5, 2, 1});
  feed("b", DataType::kUint8, {3, 4});
  feed("b_scale", DataType::kFloat, {4});
  feed("b_zero_point", DataType::kUint8, {4});
  feed("y_scale", DataType::kFloat, {});
  feed("y_zero_point", DataType::kUint8, {});
  model.outputs = {{"y", DataType::kUint8, {5, 2, 4}}};
  auto named = *WithNamedDimensions(model);
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->inputs[0].dim_params, (Dims{"batch_0", "m", "k"}));
  EXPECT_EQ(named->inputs[1].dim_params, (Dims{"batch_0", "m", ""}));
  EXPECT_EQ(named->inputs[3].dim_params, (Dims{"k", "n"}));
  EXPECT_EQ(named->inputs[4].dim_params, (Dims{"n"}));
  EXPECT_TRUE(named->inputs[6].dim_params.empty());
  EXPECT_EQ(named->outputs[0].dim_params, (Dims{"batch_0", "m", "n"}));
  ExpectValid(*named);
  // A constant b fixes K and N.
  model.initializers = {{"b", Tensor::Zeros(DataType::kUint8, {3, 4})}};
  model.inputs.erase(model.inputs.begin() + 3);
  named = *WithNamedDimensions(model);
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->inputs[0].shape, (Shape{-1, -1, 3}));
  EXPECT_EQ(named->outputs[0].shape, (Shape{-1, -1, 4}));
  EXPECT_EQ(named->inputs[3].shape, (Shape{4}));
  ExpectValid(*named);
}

}  // namespace
}  // namespace qconform
