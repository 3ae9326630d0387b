// QL-34 at run time: the model is legal as it is declared, what it is fed is not.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

Operand Fed(Operand operand, Shape declared) {
  operand.declared_shape = std::move(declared);
  return operand;
}

Operand FedAs(DataType type, DataType declared) {
  return {.type = type, .shape = {}, .values = {}, .declared_type = declared};
}

}  // namespace

void AddQuantizeLinearFeeds(std::vector<NegativeModel>& models) {
  const QuantizeLinearRows add{"QL-34", ModelKind::kInvalid, kRun, models};
  add("fed_scale_too_short", "y_scale is declared as [3] and fed as [2]", kWithAxis,
      {.y_scale = Fed({kFloat, {2}}, {3}), .axis = 1});
  add("fed_scale_too_long", "y_scale is declared as [3] and fed as [4]", kWithAxis,
      {.y_scale = Fed({kFloat, {4}}, {3}), .axis = 1});
  add("fed_x_wider", "x is declared as [2,3] and fed as [2,4], y_scale has 3 elements",
      kWithAxis,
      {.x = Fed({kFloat, {2, 4}}, {2, 3}), .y_scale = {kFloat, {3}}, .axis = 1});
  add("fed_zero_point_vector", "y_zero_point is declared as a scalar and fed as [3]",
      kEvery, {.y_zero_point = Fed({kUint8, {3}}, {})});
  add("fed_too_few_blocks", "y_scale is declared as [2,3] and fed as [2,2]", kWithBlocks,
      {.x = {kFloat, {2, 6}}, .y_scale = Fed({kFloat, {2, 2}}, {2, 3}), .block_size = 2});
  add("fed_x_longer_than_blocks",
      "x is declared as [2,6] and fed as [2,8], for 3 blocks of 2", kWithBlocks,
      {.x = Fed({kFloat, {2, 8}}, {2, 6}), .y_scale = {kFloat, {2, 3}}, .block_size = 2});
  add("fed_zero_point_other_blocks", "y_zero_point is declared as [2,3] and fed as [3,2]",
      kWithBlocks,
      {.x = {kFloat, {2, 6}},
       .y_scale = {kFloat, {2, 3}},
       .y_zero_point = Fed({kUint8, {3, 2}}, {2, 3}),
       .block_size = 2});
  add("fed_x_double", "x is declared as FLOAT and fed as DOUBLE", kEvery,
      {.x = FedAs(kDouble, kFloat)});
  add("fed_scale_double", "y_scale is declared as FLOAT and fed as DOUBLE", kEvery,
      {.y_scale = FedAs(kDouble, kFloat)});
  add("fed_zero_point_int32", "y_zero_point is declared as INT8 and fed as INT32", kEvery,
      {.y_zero_point = FedAs(kInt32, kInt8), .y = kInt8});
}

}  // namespace qconform::negative
