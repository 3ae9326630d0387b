// Graphs one of whose quantizing nodes is invalid because of what the graph makes of its
// input: GR-01.
#include "cases/graphs/negative/graph_spec.h"

namespace qconform::negative::graphs {
namespace {

using enum DataType;
using enum ModelPhase;

// Q-DQ of x [2,3].
GraphSpec RoundTrip(DataType q_zero_point, DataType dq_zero_point) {
  return {"graphs.round_trip",
          {Fed("x", kFloat, {2, 3}), Constant("q_scale", kFloat, {}),
           Constant("q_zero_point", q_zero_point, {}),
           Constant("d_zero_point", dq_zero_point, {})},
          {Quantize("x", "q"),
           MakeNode("DequantizeLinear", {"q", "q_scale", "d_zero_point"}, {"y"})},
          {{"y", kFloat, {2, 3}}}};
}

// Q without a zero point in front of DQ with one.
GraphSpec DefaultType(DataType dq_zero_point) {
  return {"graphs.round_trip",
          {Fed("x", kFloat, {2, 3}), Constant("q_scale", kFloat, {}),
           Constant("d_zero_point", dq_zero_point, {})},
          {MakeNode("QuantizeLinear", {"x", "q_scale"}, {"q"}),
           MakeNode("DequantizeLinear", {"q", "q_scale", "d_zero_point"}, {"y"})},
          {{"y", kFloat, {2, 3}}}};
}

// DQ-Q of x [2,3] with scales along axes.
GraphSpec PerAxis(Shape x_scale, int64_t x_axis, Shape y_scale, int64_t y_axis) {
  return {
      "graphs.requantization",
      {Fed("x", kUint8, {2, 3}), Constant("x_scale", kFloat, x_scale),
       Constant("x_zero_point", kUint8, x_scale), Constant("y_scale", kFloat, y_scale),
       Constant("y_zero_point", kInt8, y_scale)},
      {Dequantize("x", "d", {{"axis", x_axis}}), Quantize("d", "y", {{"axis", y_axis}})},
      {{"y", kInt8, {2, 3}}}};
}

// DQ-Transpose-Q of x [2,3].
GraphSpec Transposed(Shape y_scale, int64_t y_axis) {
  return {"graphs.movers",
          {Fed("x", kInt8, {2, 3}), Constant("x_scale", kFloat, {3}),
           Constant("x_zero_point", kInt8, {3}), Constant("y_scale", kFloat, y_scale),
           Constant("y_zero_point", kInt8, y_scale)},
          {Dequantize("x", "d", {{"axis", int64_t{1}}}),
           MakeNode("Transpose", {"d"}, {"t"}, {{"perm", std::vector<int64_t>{1, 0}}}),
           Quantize("t", "y", {{"axis", y_axis}})},
          {{"y", kInt8, {3, 2}}}};
}

// Flatten-Q of x [2,3,4]: rank 2 is left.
GraphSpec Flattened(int64_t axis) {
  return {"graphs.movers",
          {Fed("x", kFloat, {2, 3, 4}), Constant("y_scale", kFloat, {12}),
           Constant("y_zero_point", kUint8, {12})},
          {MakeNode("Flatten", {"x"}, {"f"}), Quantize("f", "y", {{"axis", axis}})},
          {{"y", kUint8, {2, 12}}}};
}

// Q-DQ of x [2,7] in blocks along axis 1.
GraphSpec Blocked(Shape scale, int64_t block_size) {
  return {"graphs.round_trip",
          {Fed("x", kFloat, {2, 7}), Constant("q_scale", kFloat, scale),
           Constant("q_zero_point", kUint8, scale)},
          {Quantize("x", "q", {{"axis", int64_t{1}}, {"block_size", block_size}}),
           MakeNode("DequantizeLinear", {"q", "q_scale", "q_zero_point"}, {"y"},
                    {{"axis", int64_t{1}}, {"block_size", block_size}})},
          {{"y", kFloat, {2, 7}}}};
}

// DQ-Relu-Q whose QuantizeLinear has an output_dtype beside its zero point.
GraphSpec OutputType(DataType zero_point, DataType output_type) {
  return {"graphs.choosers",
          {Fed("x", kUint8, {2, 3}), Constant("x_scale", kFloat, {}),
           Constant("x_zero_point", kUint8, {}), Constant("y_scale", kFloat, {}),
           Constant("y_zero_point", zero_point, {})},
          {Dequantize("x", "d"), MakeNode("Relu", {"d"}, {"r"}),
           Quantize("r", "y", {{"output_dtype", static_cast<int64_t>(output_type)}})},
          {{"y", zero_point, {2, 3}}}};
}

// DQ-Relu-Q with x_scale as it is given.
GraphSpec WithScale(Operand x_scale, Operand x_zero_point) {
  return {"graphs.choosers",
          {Fed("x", kUint8, {2, 3}),
           {"x_scale", std::move(x_scale)},
           {"x_zero_point", std::move(x_zero_point)},
           Constant("y_scale", kFloat, {}),
           Constant("y_zero_point", kUint8, {})},
          {Dequantize("x", "d", {{"axis", int64_t{0}}}), MakeNode("Relu", {"d"}, {"r"}),
           Quantize("r", "y")},
          {{"y", kUint8, {2, 3}}}};
}

}  // namespace

void AddInvalidParameters(std::vector<NegativeModel>& models) {
  const GraphRows inference{"GR-01", ModelKind::kInvalid, kShapeInference, models};
  inference("zero_points_of_a_pair_differ_in_type",
            "QuantizeLinear gives UINT8, DequantizeLinear's zero point is INT8", kEvery,
            RoundTrip(kUint8, kInt8));
  inference("default_type_is_uint8",
            "QuantizeLinear without a zero point gives UINT8, DequantizeLinear's zero "
            "point is INT8",
            kEvery, DefaultType(kInt8));
  inference("output_dtype_contradicts_zero_point",
            "behind a Relu output_dtype is INT8 and y_zero_point UINT8", kWithBlocks,
            OutputType(kUint8, kInt8));

  const GraphRows load{"GR-01", ModelKind::kInvalid, kLoad, models};
  load("scales_of_x_do_not_fit_the_axis", "axis 0 has 2 elements, x_scale 3", kEvery,
       PerAxis({3}, 0, {3}, 1));
  load("scales_of_y_do_not_fit_the_axis", "axis 1 has 3 elements, y_scale 2", kEvery,
       PerAxis({3}, 1, {2}, 1));
  load("axis_of_scales_not_moved",
       "the Transpose makes [3,2] of [2,3], y_scale has 3 elements for axis 1", kEvery,
       Transposed({3}, 1), Transposed({3}, 0));
  load("blocks_do_not_divide", "7 elements in blocks of 3 are 3 blocks, scales have 2",
       kWithBlocks, Blocked({2, 2}, 3));
  load("block_size_negative", "block_size is -3", kWithBlocks, Blocked({2, 3}, -3));
  load("zero_points_do_not_fit_scales", "x_scale has 2 elements, x_zero_point 3", kEvery,
       WithScale({kFloat, {2}}, {kUint8, {3}}));

  const GraphRows ranks{"GR-01", ModelKind::kInvalid, kLoad, models};
  ranks("axis_above_rank_behind_flatten", "the Flatten leaves rank 2, axis is 2", kEvery,
        Flattened(2), Flattened(1));

  const GraphRows run{"GR-01", ModelKind::kInvalid, kRun, models};
  run("feeds_scales_that_do_not_fit",
      "x_scale is declared as [2] and fed with 3 elements, for an axis of 2", kEvery,
      WithScale({.type = kFloat, .shape = {3}, .declared_shape = Shape{2}},
                {.type = kUint8, .shape = {3}, .declared_shape = Shape{2}}));
}

}  // namespace qconform::negative::graphs
