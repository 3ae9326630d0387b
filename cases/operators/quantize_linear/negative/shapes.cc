// QL-34: `axis` out of range, and shapes of per-axis scales and of zero points.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

}  // namespace

void AddQuantizeLinearShapes(std::vector<NegativeModel>& models) {
  const QuantizeLinearRows add{"QL-34", ModelKind::kInvalid, kLoad, models};
  add("axis_above_range", "axis is 2 for x of rank 2", kWithAxis,
      {.y_scale = {kFloat, {3}}, .axis = 2});
  add("axis_below_range", "axis is -3 for x of rank 2", kWithAxis,
      {.y_scale = {kFloat, {2}}, .axis = -3});
  add("axis_far_out_of_range",
      "axis is 2^62, which overflows where it is added to a rank", kWithAxis,
      {.y_scale = {kFloat, {3}}, .axis = int64_t{1} << 62});
  add("axis_above_range_blocked", "axis is 2 for x of rank 2, with a blocked y_scale",
      kWithBlocks,
      {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 3}}, .axis = 2, .block_size = 2});
  add("axis_below_range_blocked", "axis is -3 for x of rank 2, with a blocked y_scale",
      kWithBlocks,
      {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 3}}, .axis = -3, .block_size = 2});

  add("scale_too_short", "y_scale has 2 elements, the default axis 3", kEvery,
      {.y_scale = {kFloat, {2}}});
  add("scale_too_long", "y_scale has 4 elements, the axis 3", kWithAxis,
      {.y_scale = {kFloat, {4}}, .axis = 1});
  add("scale_of_other_axis", "y_scale has the length of axis 1, axis is 0", kWithAxis,
      {.y_scale = {kFloat, {3}}, .axis = 0});
  add("scale_empty", "y_scale has no element, the axis 3", kWithAxis,
      {.y_scale = {kFloat, {0}}, .axis = 1});
  add("scale_vector_for_scalar_x", "x is a scalar, y_scale has 3 elements", kWithAxis,
      {.x = {kFloat, {}}, .y_scale = {kFloat, {3}}});
  add("scale_of_other_length_rank_1", "x has 5 elements, y_scale 3", kWithAxis,
      {.x = {kFloat, {5}}, .y_scale = {kFloat, {3}}, .axis = 0});
  // A kernel that goes on reading after the last scale shows here.
  add("scale_too_short_by_one_of_many", "y_scale has 1023 elements, the axis 1024",
      kWithAxis, {.x = {kFloat, {2, 1024}}, .y_scale = {kFloat, {1023}}, .axis = 1});

  add("zero_point_too_short", "y_scale has 3 elements, y_zero_point 2", kWithAxis,
      {.y_scale = {kFloat, {3}}, .y_zero_point = Operand{kUint8, {2}}, .axis = 1});
  add("zero_point_vector_for_scalar_scale",
      "y_scale is a scalar, y_zero_point has 3 elements", kEvery,
      {.y_zero_point = Operand{kUint8, {3}, {1, 0, 2}}},
      QuantizeLinearSpec{.y_scale = {kFloat, {3}, {2, 2, 2}},
                         .y_zero_point = Operand{kUint8, {3}, {1, 0, 2}}},
      LegalSince{13});
  add("zero_point_one_for_vector_scale",
      "y_scale has 3 elements, y_zero_point has shape [1]", kWithAxis,
      {.y_scale = {kFloat, {3}}, .y_zero_point = Operand{kUint8, {1}, {2}}, .axis = 1},
      QuantizeLinearSpec{.y_scale = {kFloat, {3}},
                         .y_zero_point = Operand{kUint8, {3}, {2, 2, 2}},
                         .axis = 1});
  add("zero_point_matrix_for_vector_scale",
      "y_scale has shape [3], y_zero_point has shape [1,3]", kWithAxis,
      {.y_scale = {kFloat, {3}},
       .y_zero_point = Operand{kUint8, {1, 3}, {2, 1, 0}},
       .axis = 1},
      QuantizeLinearSpec{.y_scale = {kFloat, {3}},
                         .y_zero_point = Operand{kUint8, {3}, {2, 1, 0}},
                         .axis = 1});
  add("zero_point_scalar_for_blocks", "y_scale has shape [2,3], y_zero_point is a scalar",
      kWithBlocks,
      {.x = {kFloat, {2, 6}},
       .y_scale = {kFloat, {2, 3}},
       .y_zero_point = Operand{kUint8, {}, {2}},
       .block_size = 2},
      QuantizeLinearSpec{.x = {kFloat, {2, 6}},
                         .y_scale = {kFloat, {2, 3}},
                         .y_zero_point = Operand{kUint8, {2, 3}, {2}},
                         .block_size = 2});
  add("zero_point_of_other_blocks", "y_scale has shape [2,3], y_zero_point [2,2]",
      kWithBlocks,
      {.x = {kFloat, {2, 6}},
       .y_scale = {kFloat, {2, 3}},
       .y_zero_point = Operand{kUint8, {2, 2}},
       .block_size = 2});
  add("zero_point_empty", "y_scale is a scalar, y_zero_point has no element", kEvery,
      {.y_zero_point = Operand{kUint8, {0}}});
}

}  // namespace qconform::negative
