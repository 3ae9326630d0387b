#include "harness/runner/shrink/shrink.h"

#include <gtest/gtest.h>

#include "harness/core/operands.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/ask/repeats.h"
#include "harness/runner/runner.h"
#include "harness/runner/shrink/shrink_cuts.h"
#include "harness/runner/testing/changed_backend.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Of a case with hundreds of elements, one that shows the fault is left.
TEST(Shrink, AWrongTie_BecomesOneElement) {
  ChangedBackend backend([](const Model& model, auto inputs, RunResult result) {
    const auto oracle = OracleModel::Create(model);
    const CaseAnswer answer = *oracle->Evaluate(inputs);
    Tensor& y = FirstOutput(result);
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      const ElementAnswer& element = answer.elements[i];
      if ((element.features & kFeatureTie) == 0 || element.tier != Tier::kRegular)
        continue;
      WriteCode(y.mutable_view(), static_cast<int64_t>(i), element.code ^ 1);
    }
    return result;
  });
  const auto selected = SelectCells({"QuantizeLinear/21/FLOAT-FLOAT-INT4/blocked"});
  const StillDeviates deviates = DeviatesOn(backend);
  int shrunk = 0;
  for (const CaseKey& key :
       CasesOf(selected->front().cell, selected->front().versions, Level::kSmoke)) {
    const OpCase op_case = *MakeCase(key, 1);
    const StoredCase start{op_case.model, op_case.inputs, ""};
    if (!deviates(start).value()) continue;
    const StoredCase small = Shrink(start, deviates).stored;
    EXPECT_TRUE(deviates(small).value());
    EXPECT_EQ(small.inputs.front().shape, Shape{1}) << CaseId(key);
    ++shrunk;
  }
  EXPECT_GT(shrunk, 0);
}

// x[3, 10] -> y[3, 10] and a scale for each block of 4 columns, y_scale[3, 3].
FedModel WithBlocksAlongAnOutput() {
  FedModel whole;
  whole.model.node.inputs = {"x"};
  whole.model.inputs = {{"x", DataType::kUint8, {3, 10}}};
  whole.model.outputs = {{"y", DataType::kUint8, {3, 10}},
                         {"y_scale", DataType::kFloat, {3, 3}}};
  whole.inputs = {Tensor::Zeros(DataType::kUint8, {3, 10})};
  return whole;
}
const Dimensions kWithBlocksAlongAnOutput = {
    {.name = "m", .size = 3, .operands = {{0, 0}}, .outputs = {{0, 0}, {1, 0}}},
    {.name = "n", .size = 10, .operands = {{0, 1}}, .outputs = {{0, 1}, {1, 1, 4}}}};

TEST(Halves, CutNoBlockOfAnOutput) {
  const std::vector<FedModel> halves =
      Halves(WithBlocksAlongAnOutput(), kWithBlocksAlongAnOutput);
  std::vector<std::vector<Shape>> shapes;
  for (const FedModel& half : halves) {
    shapes.push_back(
        {half.inputs[0].shape, half.model.outputs[0].shape, half.model.outputs[1].shape});
  }
  using Shapes = std::vector<Shape>;
  EXPECT_EQ(shapes, (std::vector<Shapes>{{{1, 10}, {1, 10}, {1, 3}},
                                         {{2, 10}, {2, 10}, {2, 3}},
                                         {{3, 4}, {3, 4}, {3, 1}},
                                         {{3, 6}, {3, 6}, {3, 2}}}));
}

TEST(TurnedByOne, TurnsNoDimensionThatAnOutputHasInBlocks) {
  const Dimension* turning = FindTurning(kWithBlocksAlongAnOutput);
  ASSERT_NE(turning, nullptr);
  const std::vector<int64_t> sources =
      SourcesOf(WithBlocksAlongAnOutput().model, *turning);
  ASSERT_EQ(sources.size(), 39u);
  // Rows are turned: row 0 was row 2.
  EXPECT_EQ(sources[0], 20);
  EXPECT_EQ(sources[10], 0);
  EXPECT_EQ(sources[30], 36);
}

TEST(Halves, AWholeDimension_IsNeitherCutNorTurned) {
  Dimensions dimensions = kWithBlocksAlongAnOutput;
  dimensions[0].is_whole = true;
  EXPECT_EQ(Halves(WithBlocksAlongAnOutput(), dimensions).size(), 2u);
  EXPECT_EQ(FindTurning(dimensions), nullptr);
}

// A sum of a million products: all models that lack some would not fit in memory.
TEST(AnyWithoutProducts, MakesOneModelAtATime) {
  constexpr int64_t kSummed = 1 << 20;
  FedModel whole;
  whole.model.node.inputs = {"x"};
  whole.model.inputs = {{"x", DataType::kUint8, {kSummed}}};
  whole.inputs = {Tensor::Zeros(DataType::kUint8, {kSummed})};
  const Dimensions dimensions = {{.name = "k",
                                  .size = kSummed,
                                  .is_summed = true,
                                  .operands = {{0, 0}},
                                  .outputs = {}}};
  std::vector<int64_t> sizes;
  const bool found = AnyWithoutProducts(whole, dimensions, [&](const FedModel& shorter) {
    sizes.push_back(shorter.inputs.front().shape.front());
    return sizes.size() == 3;
  });
  EXPECT_TRUE(found);
  EXPECT_EQ(sizes, (std::vector<int64_t>{kSummed / 2, kSummed / 2, kSummed / 4 * 3}));
}

// A fault of indexing needs more than one element, and keeps no more than that.
TEST(Shrink, AWrongIndex_KeepsFewElements) {
  ChangedBackend backend([](const Model&, auto, RunResult result) {
    Tensor& y = FirstOutput(result);
    const int64_t count = *ElementCount(y.shape);
    if (count > 1) {
      WriteCode(y.mutable_view(), count - 1, ReadCode(y.view(), count - 1) ^ 1);
    }
    return result;
  });
  const auto selected = SelectCells({"QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis"});
  const StillDeviates deviates = DeviatesOn(backend);
  const auto keys =
      CasesOf(selected->front().cell, selected->front().versions, Level::kSmoke);
  const OpCase op_case = *MakeCase(keys.front(), 1);
  const StoredCase start{op_case.model, op_case.inputs, ""};
  ASSERT_TRUE(deviates(start).value());
  const StoredCase small = Shrink(start, deviates).stored;
  EXPECT_TRUE(deviates(small).value());
  EXPECT_LE(*ElementCount(small.inputs.front().shape), 3);
}

// A wrong product is left with its element and its K.
TEST(Shrink, AWrongProduct_KeepsIt) {
  // As if 8-bit products of a first pair saturated: wrong where both are large.
  ChangedBackend backend([](const Model& model, auto inputs, RunResult result) {
    const Operands operands = *ResolveOperands(model, inputs);
    const TensorView a = *operands[0];
    const TensorView b = *operands[3];
    const int64_t k = a.shape.back();
    const int64_t columns = b.shape.back();
    if (a.shape.size() != 2 || b.shape.size() != 2) return result;
    Tensor& y = FirstOutput(result);
    for (int64_t i = 0; i < *ElementCount(y.shape); ++i) {
      const int64_t row = i / columns;
      for (int64_t j = 0; j < k; ++j) {
        if (ReadCode(a, row * k + j) < 0xC0) continue;
        if (ReadCode(b, j * columns + i % columns) != 0x7F) continue;
        WriteCode(y.mutable_view(), i, ReadCode(y.view(), i) ^ 0x80);
        break;
      }
    }
    return result;
  });
  const auto selected =
      SelectCells({"QLinearMatMul/21/FLOAT-UINT8-INT8-UINT8/per_row-per_column"});
  const StillDeviates deviates = DeviatesOn(backend);
  int shrunk = 0;
  for (const CaseKey& key :
       CasesOf(selected->front().cell, selected->front().versions, Level::kStandard)) {
    if (key.generator != "extremes" || key.form != OperandForm::kInitializers) continue;
    const OpCase op_case = *MakeCase(key, 1);
    const StoredCase start{op_case.model, op_case.inputs, ""};
    if (!deviates(start).value()) continue;
    const StoredCase small = Shrink(start, deviates).stored;
    EXPECT_TRUE(deviates(small).value());
    EXPECT_EQ(small.inputs.front().shape, (Shape{1, 1})) << CaseId(key);
    EXPECT_EQ(small.model.outputs.front().shape, (Shape{1, 1}));
    ++shrunk;
  }
  EXPECT_GT(shrunk, 0);
}

// If one element by itself is right, rows, columns and batches are halved.
TEST(Shrink, AWrongColumn_KeepsFewOfThem) {
  ChangedBackend backend([](const Model& model, auto inputs, RunResult result) {
    const Operands operands = *ResolveOperands(model, inputs);
    const int64_t columns = operands[3]->shape.back();
    Tensor& y = FirstOutput(result);
    for (int64_t i = 0; columns > 2 && i < *ElementCount(y.shape); ++i) {
      if (i % columns == 2) WriteCode(y.mutable_view(), i, ReadCode(y.view(), i) ^ 0x40);
    }
    return result;
  });
  const auto selected =
      SelectCells({"QLinearMatMul/21/FLOAT-UINT8-INT8-UINT8/per_tensor-per_column"});
  const StillDeviates deviates = DeviatesOn(backend);
  const auto keys =
      CasesOf(selected->front().cell, selected->front().versions, Level::kSmoke);
  int shrunk = 0;
  for (const CaseKey& key : keys) {
    const OpCase op_case = *MakeCase(key, 1);
    const StoredCase start{op_case.model, op_case.inputs, ""};
    if (!deviates(start).value()) continue;
    const StoredCase small = Shrink(start, deviates).stored;
    EXPECT_TRUE(deviates(small).value());
    const Shape& y = small.model.outputs.front().shape;
    EXPECT_EQ(y[0], 1) << CaseId(key);
    EXPECT_LE(y[1], 5) << CaseId(key);
    ++shrunk;
  }
  EXPECT_GT(shrunk, 0);
}

}  // namespace
}  // namespace qconform
