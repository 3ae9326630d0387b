// ONNX's checker rejects models by name. (That it accepts those of every cell:
// cases/core/case_test.cc.)

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

void AddInput(Model& model, const std::string& name, DataType type, Shape shape) {
  model.node.inputs.push_back(name);
  model.inputs.push_back({name, type, std::move(shape)});
}

// Returns the smallest model of a cell of QuantizeLinear that has its granularity.
Model SmallModel(const Cell& cell, int opset_version) {
  Model model;
  model.opset_version = opset_version;
  model.ir_version = IrVersionFor(opset_version);
  model.node.op_type = cell.op_type;
  model.node.outputs = {"y"};
  Shape scale;
  if (cell.granularity == "per_axis") scale = {3};
  if (cell.granularity == "blocked") {
    scale = {2, 2};
    model.node.attributes = {{"block_size", int64_t{2}}};
  }
  AddInput(model, "x", cell.types[0], {2, 3});
  AddInput(model, "y_scale", cell.types[1], scale);
  AddInput(model, "y_zero_point", cell.types[2], scale);
  model.outputs = {{"y", cell.types[2], {2, 3}}};
  return model;
}

TEST(CheckModel, TypesOfALaterSinceVersion_AreRefused) {
  int refused = 0;
  for (const Cell& cell : CellsOf("QuantizeLinear")) {
    if (cell.since_version != 25 || cell.types[2] != DataType::kInt2) continue;
    EXPECT_THAT(CheckModel(SerializeModel(SmallModel(cell, 24))).error().message,
                StartsWith("shape inference: "));
    ++refused;
  }
  EXPECT_EQ(refused, 4 * 5 * 3);
}

Model ValidModel() { return SmallModel(CellsOf("QuantizeLinear").back(), 25); }

TEST(CheckModel, BrokenModels_NameThePhase) {
  Model unknown = ValidModel();
  unknown.node.attributes.push_back({"no_such_attribute", int64_t{1}});
  EXPECT_THAT(CheckModel(SerializeModel(unknown)).error().message,
              StartsWith("checker: Unrecognized attribute: no_such_attribute"));
  Model shape = ValidModel();
  shape.outputs[0].shape = {3, 2};
  EXPECT_THAT(CheckModel(SerializeModel(shape)).error().message,
              StartsWith("shape inference: "));
  Model type = ValidModel();
  type.inputs[0].type = DataType::kDouble;
  EXPECT_THAT(CheckModel(SerializeModel(type)).error().message,
              StartsWith("shape inference: "));
  Model withdrawn = ValidModel();
  withdrawn.node.op_type = "Affine";
  EXPECT_THAT(CheckModel(SerializeModel(withdrawn)).error().message,
              HasSubstr("withdrew"));
  Model future = ValidModel();
  future.ir_version = 1000;
  EXPECT_THAT(CheckModel(SerializeModel(future)).error().message,
              StartsWith("checker: "));
}

}  // namespace
}  // namespace qconform
