// Wrong graphs whose scales, zero points or places of data are wrong: what each gives on
// a small graph, computed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/graphs/testing/hand_made.h"

namespace qconform::graphs {
namespace {

using enum DataType;

constexpr Number kInfinity = std::numeric_limits<Number>::infinity();

// --- scales of channels -------------------------------------------------------------

TEST(WrongParameters, ChannelsOfATranspose) {
  // Columns (c - 0) * 1 and (c - 2) * 2: 1, 4; 3, 10. Transposed 1, 3; 4, 10. Rows / 1 +
  // 0 and / 0.5 + 10.
  ExpectAnswers(Draft(kMovers)
                    .Dequantize("x", {kInt8, {1, 2}, {0, 2}, 1}, {2, 2}, {1, 4, 3, 7})
                    .Add("Transpose", {"dx"}, "t")
                    .Quantize("t", "y", {kInt8, {1, 0.5L}, {0, 10}, 0}),
                kInt8, {1, 3, 18, 30},
                {// Codes 1, 3; 4, 7 by columns: 1, 2; 4, 10.
                 {"axis_not_moved", {1, 2, 18, 30}},
                 // 1, 4; 3, 10 by rows: 1, 4; 16, 30, then transposed.
                 {"axis_of_result_not_moved", {1, 16, 4, 30}},
                 {"data_not_moved", {1, 4, 16, 30}},
                 // 1, 4; 3, 7, transposed.
                 {"first_scale_of_operand_for_all", {1, 3, 18, 24}},
                 {"first_scale_of_result_for_all", {1, 3, 4, 10}},
                 // These act on the operand only. Columns c and c: 1, 4; 3, 7.
                 {"last_channel_takes_previous", {1, 3, 18, 24}},
                 // Columns (c - 2) * 2 and c: -2, 4; 2, 7.
                 {"next_channel_scale", {-2, 2, 18, 24}},
                 // Columns c and 2 c: 1, 8; 3, 14.
                 {"first_zero_point_of_channels", {1, 3, 26, 38}}});
}

TEST(WrongParameters, ChannelsOfWeights) {
  ExpectAnswers(Draft("graphs.sums")
                    .Dequantize("a", {kUint8, {1}}, {1, 1}, {3})
                    .Dequantize("w", {kInt8, {1, 2}, {0, 0}, 1}, {1, 2}, {1, 1})
                    .Add("MatMul", {"da", "dw"}, "y"),
                kFloat, {3, 6}, {{"first_scale_of_weights_for_all", {3, 3}}});
}

// --- one scale and zero point ---------------------------------------------------------

TEST(WrongParameters, SignOfScales) {
  // -4 and 6, by -1.
  ExpectAnswers(
      Draft(kRequantization)
          .Dequantize("x", {kInt8, {-2}}, {2}, {2, -3})
          .Quantize("dx", "y", {kInt8, {-1}, {0}}),
      kInt8, {4, -6},
      {{"absolute_scale_of_operand", {-4, 6}}, {"absolute_scale_of_result", {-4, 6}}});
}

TEST(WrongParameters, BitsOfScales) {
  ExpectAnswers(Draft(kRequantization)
                    .Dequantize("x", {kUint8, {3}}, {1}, {10})
                    .Quantize("dx", "y", {kUint8, {1}, {0}}),
                kUint8, {30}, {{"scale_as_power_of_two", {40}}});
  // 200 * (1 + 2^-9) = 200.390625 in quarters; BFLOAT16 has 8 bits.
  ExpectAnswers(Draft(kRequantization)
                    .Dequantize("x", {kUint8, {1 + 0x1p-9L}}, {1}, {200})
                    .Quantize("dx", "y", {kUint16, {0.25L}, {0}}),
                kUint16, {802}, {{"scale_through_bfloat16_in_graph", {800}}});
}

// 4 in codes of scale 1, dequantized with another scale.
Draft Pair(Number scale) {
  return Draft("graphs.round_trip")
      .Feed("x", Of(kFloat, {1}, {4}))
      .Quantize("x", "q", {kUint8, {1}, {0}})
      .Feed("other_scale", Of(kFloat, {}, {scale}))
      .Add("DequantizeLinear", {"q", "other_scale", "q_zero_point"}, "y");
}

TEST(WrongParameters, ScalesThatNearlyAgree) {
  const Number last_bit = 1 + 0x1p-23L;
  ExpectAnswers(Pair(last_bit), kFloat, {4 * last_bit},
                {{"scales_taken_as_equal", {4}}, {"scales_taken_as_close", {4}}});
  ExpectAnswers(Pair(1 + 0x1p-7L), kFloat, {4.03125L}, {{"scales_taken_as_close", {4}}});
  EXPECT_EQ(Pair(1 + 0x1p-7L).graph().By("scales_taken_as_equal"), Floats({4.03125L}));
}

// --- two operands and two results -----------------------------------------------------

// 4.5 = (11 - 2) * 0.5 and 3.75 = (20 - 5) * 0.25.
Draft Binary(const char* op_type, Number y_scale) {
  return Draft(kArithmetic)
      .Dequantize("a", {kUint8, {0.5L}, {2}}, {1}, {11})
      .Dequantize("b", {kUint8, {0.25L}, {5}}, {1}, {20})
      .Add(op_type, {"da", "db"}, "s")
      .Quantize("s", "y", {kInt8, {y_scale}, {0}});
}

TEST(WrongParameters, SecondOperand) {
  // 8.25 in quarters.
  ExpectAnswers(Binary("Add", 0.25L), kInt8, {33},
                {// 4.5 + 5.
                 {"zero_point_of_second_operand_ignored", {38}},
                 // 4.5 + (20 - 2) * 0.5.
                 {"second_operand_takes_first", {54}},
                 // 16.5 steps of 0.5 are 16.
                 {"result_in_codes_of_operand", {32}}});
  // 13.5, truncated.
  ExpectAnswers(Binary("Add", 1), kInt8, {8},
                {{"second_operand_takes_first_and_truncates", {13}}});
  ExpectAnswers(Binary("Sub", 0.25L), kInt8, {3}, {{"operands_swapped", {-3}}});
}

TEST(WrongParameters, SecondResult) {
  ExpectAnswers(Draft(kRequantization)
                    .Dequantize("x", {kUint8, {1}}, {1}, {8})
                    .Quantize("dx", "y", {kUint8, {1}, {0}})
                    .Quantize("dx", "z", {kUint8, {2}, {3}})
                    .Return({"y", "z"}),
                kUint8, {8, 7},
                {{"second_output_takes_first", {8, 8}}, {"outputs_swapped", {7, 8}}});
}

TEST(WrongParameters, ResultWithoutZeroPoint) {
  // 1.75 is code 2, plus 10.
  ExpectAnswers(Draft(kRequantization)
                    .Dequantize("x", {kUint8, {0.25L}}, {1}, {7})
                    .Quantize("dx", "y", {kUint8, {1}, {10}}),
                kUint8, {12}, {{"requantized_without_zero_point_and_truncated", {1}}});
}

// --- infinities -----------------------------------------------------------------------

TEST(WrongParameters, InfinitiesOfFloat8) {
  ExpectAnswers(Draft(kRequantization)
                    .Dequantize("x", {kFloat8E5M2, {1}}, {1}, {kInfinity})
                    .Quantize("dx", "y", {kFloat8E5M2, {1}, {0}}),
                kFloat8E5M2, {57344},
                {{"infinity_kept_where_pair_is_dropped", {kInfinity}}});
  ExpectAnswers(Draft(kMovers)
                    .Dequantize("x", {kFloat8E5M2, {2}}, {1, 1}, {-kInfinity})
                    .Add("Transpose", {"dx"}, "y"),
                kFloat, {-kInfinity}, {{"pair_inserted_behind_mover", {-114688}}});
}

// --- places of data -------------------------------------------------------------------

TEST(WrongParameters, DepthToSpace) {
  // DCR: the depth is (row, column, channel).
  const auto draft = [](std::vector<Attribute> attributes) {
    attributes.push_back({"blocksize", int64_t{2}});
    return Draft(kMovers)
        .Dequantize("x", {kUint8, {1}}, {1, 8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7})
        .Add("DepthToSpace", {"dx"}, "y", attributes);
  };
  const std::vector<Number> by_columns = {0, 2, 4, 6, 1, 3, 5, 7};
  const std::vector<Number> in_order = {0, 1, 2, 3, 4, 5, 6, 7};
  ExpectAnswers(
      draft({}), kFloat, by_columns,
      {{"depth_to_space_mode_ignored", in_order}, {"data_not_moved", in_order}});
  ExpectAnswers(draft({{"mode", std::string("CRD")}}), kFloat, in_order,
                {{"depth_to_space_mode_ignored", by_columns}});
}

TEST(WrongParameters, Padding) {
  ExpectAnswers(Draft(kMovers)
                    .Dequantize("x", {kUint8, {1}, {3}}, {1}, {4})
                    .Feed("pads", Of(kInt64, {2}, {1, 0}))
                    .Feed("value", Of(kFloat, {}, {5}))
                    .Add("Pad", {"dx", "pads", "value"}, "y"),
                kFloat, {5, 1},
                {{"pad_value_dropped", {0, 1}}, {"padding_with_raw_zero", {-3, 1}}});
}

TEST(WrongParameters, Indices) {
  ExpectAnswers(Draft(kMovers)
                    .Dequantize("x", {kUint8, {1}}, {3}, {10, 20, 30})
                    .Feed("indices", Of(kInt64, {2}, {0, 2}))
                    .Add("Gather", {"dx", "indices"}, "y"),
                kFloat, {10, 30}, {{"gather_next_index", {30, 10}}});
}

}  // namespace
}  // namespace qconform::graphs
