// Wrong graphs whose rounding, activations, bounds and choices are wrong: what each gives
// on a small graph, computed by hand.
#include <gtest/gtest.h>

#include "harness/graphs/testing/hand_made.h"

namespace qconform::graphs {
namespace {

using enum DataType;

// --- rounding and saturation --------------------------------------------------------

TEST(WrongNodes, Rounding) {
  // -64, -1.5, -0.5, 0, 0.5, 1.5, 63.5; the zero point is odd.
  ExpectAnswers(Draft(kRequantization)
                    .Dequantize("x", {kInt8, {0.5L}}, {7}, {-128, -3, -1, 0, 1, 3, 127})
                    .Quantize("dx", "y", {kInt8, {1}, {1}}),
                kInt8, {-63, -1, 1, 1, 1, 3, 65},
                {{"rounds_down", {-63, -1, 0, 1, 1, 2, 64}},
                 {"rounds_up", {-63, 0, 1, 1, 2, 3, 65}},
                 {"zero_point_before_rounding", {-63, 0, 0, 1, 2, 2, 64}}});
}

TEST(WrongNodes, KernelsOfDivision) {
  // 3817.5 / 15 is 254.5; by 1/15 it is a little more.
  ExpectAnswers(Draft("graphs.round_trip")
                    .Feed("x", Of(kFloat, {2}, {3817.5L, 30}))
                    .Quantize("x", "q", {kUint8, {15}, {0}})
                    .DequantizeAgain("q", "y"),
                kFloat, {254 * 15, 30}, {{"reciprocal_multiply", {255 * 15, 30}}});
  // Of a subnormal scale: 2^-140 by 2^-140.
  ExpectAnswers(Draft(kRequantization)
                    .Dequantize("x", {kInt8, {0x1p-140L}}, {3}, {1, 100, -3})
                    .Quantize("dx", "y", {kInt8, {0x1p-140L}, {0}}),
                kInt8, {1, 100, -3}, {{"subnormals_between_nodes_are_zero", {0, 0, 0}}});
}

TEST(WrongNodes, Saturation) {
  // -256, -200, 0, 200 and 254, plus 100.
  ExpectAnswers(Draft(kRequantization)
                    .Dequantize("x", {kInt8, {1}}, {5}, {-128, -100, 0, 100, 127})
                    .Quantize("dx", "y", {kInt8, {0.5L}, {100}}),
                kInt8, {-128, -100, 100, 127, 127},
                {{"clamp_before_zero_point", {-28, -28, 100, 127, 127}},
                 {"wraps_at_output", {100, -100, 100, 44, 98}},
                 {"narrow_range", {-127, -100, 100, 127, 127}}});
  ExpectAnswers(Draft(kRequantization)
                    .Dequantize("x", {kUint8, {1}}, {3}, {0, 100, 200})
                    .Quantize("dx", "y", {kUint8, {1}, {0}}),
                kUint8, {0, 100, 200}, {{"unsigned_as_signed", {0, 100, 127}}});
}

TEST(WrongNodes, Lengths) {
  // 1.5 each: the 17th is behind the vectors, or is not written.
  std::vector<Number> right(17, 2);
  std::vector<Number> truncated = right;
  truncated.back() = 1;
  std::vector<Number> unwritten = right;
  unwritten.back() = 0x5a;  // what lies in memory
  ExpectAnswers(
      Draft(kRequantization)
          .Dequantize("x", {kUint8, {0.5L}}, {17}, std::vector<Number>(17, 3))
          .Quantize("dx", "y", {kUint8, {1}, {0}}),
      kUint8, right,
      {{"tail_truncates_16", truncated}, {"last_element_unwritten", unwritten}});
}

TEST(WrongNodes, Packing) {
  ExpectAnswers(Draft(kRequantization)
                    .Dequantize("x", {kUint4, {1}}, {3}, {1, 2, 3})
                    .Quantize("dx", "y", {kUint8, {1}, {0}}),
                kUint8, {1, 2, 3}, {{"operand_packing_swapped", {2, 1, 0}}});
  // 10 * 1 + 20 * 2, and 10 * 2 + 20 * 1.
  ExpectAnswers(Draft("graphs.sums")
                    .Dequantize("a", {kUint8, {1}}, {1, 2}, {10, 20})
                    .Dequantize("w", {kUint4, {1}}, {2, 1}, {1, 2})
                    .Add("MatMul", {"da", "dw"}, "y"),
                kFloat, {50}, {{"weights_packing_swapped", {40}}});
}

TEST(WrongNodes, InnerQuantizeLinear) {
  // 1.7 is 2; 300 is code 310, saturated 255, and 245 code 265, saturated 255 = 235.
  ExpectAnswers(Draft(kRequantization)
                    .Feed("x", Of(kFloat, {3}, {1.75L, 300, -5}))
                    .Quantize("x", "p", {kUint8, {1}, {10}})
                    .DequantizeAgain("p", "dp")
                    .Quantize("dp", "q", {kUint8, {1}, {20}})
                    .DequantizeAgain("q", "y"),
                kFloat, {2, 235, -5},
                {{"inner_truncates", {1, 235, -5}},
                 // 310 - 256 - 10.
                 {"inner_wraps", {2, 44, -5}},
                 {"pair_dropped", {1.75L, 300, -5}}});
}

// --- activations ----------------------------------------------------------------------

// Relu of -3, -1, 1, 5.
Draft Rectified(const Coding& y) {
  return Draft(kChoosers)
      .Dequantize("x", {kInt8, {1}}, {4}, {-3, -1, 1, 5})
      .Add("Relu", {"dx"}, "r")
      .Quantize("r", "y", y);
}

TEST(WrongNodes, ReluInFrontOfCodes) {
  ExpectAnswers(Rectified({kUint8, {1}, {10}}), kUint8, {10, 10, 11, 15},
                {{"relu_dropped_before_unsigned", {7, 9, 11, 15}}});
  // -127 - 3 saturates.
  ExpectAnswers(Rectified({kInt8, {1}, {-127}}), kInt8, {-127, -127, -126, -122},
                {{"relu_dropped_beside_minimum", {-128, -128, -126, -122}}});
  ExpectAnswers(Rectified({kInt4, {1}, {0}}), kInt4, {0, 0, 1, 5},
                {{"relu_dropped_unless_8_bits", {-3, -1, 1, 5}}});
  ExpectAnswers(Draft(kChoosers)
                    .Dequantize("x", {kInt8, {1}}, {2, 2}, {-3, 1, -3, 1})
                    .Add("Relu", {"dx"}, "r")
                    .Quantize("r", "y", {kUint8, {1, 1}, {0, 10}, 0}),
                kUint8, {0, 1, 10, 11},
                {{"relu_dropped_by_first_zero_point", {0, 1, 7, 11}}});
}

TEST(WrongNodes, ReluAndTies) {
  // -1.5 and 0.5.
  ExpectAnswers(Draft(kChoosers)
                    .Dequantize("x", {kInt8, {0.5L}}, {2}, {-3, 1})
                    .Add("Relu", {"dx"}, "r")
                    .Quantize("r", "y", {kInt8, {1}, {0}}),
                kInt8, {0, 0}, {{"activation_dropped_and_ties_away", {-2, 1}}});
}

TEST(WrongNodes, ReluBehindASum) {
  // -3 + 1 and 2 - 5; max(-3, 0) + 1 and 2 - 5.
  ExpectAnswers(Draft(kArithmetic)
                    .Dequantize("a", {kInt8, {1}}, {2}, {-3, 2})
                    .Dequantize("b", {kInt8, {1}}, {2}, {1, -5})
                    .Add("Add", {"da", "db"}, "s")
                    .Add("Relu", {"s"}, "r")
                    .Quantize("r", "y", {kInt8, {1}, {0}}),
                kInt8, {0, 0}, {{"relu_before_operation", {1, -3}}});
}

TEST(WrongNodes, Slopes) {
  ExpectAnswers(Draft(kArithmetic)
                    .Dequantize("x", {kInt8, {1}}, {2}, {-100, 6})
                    .Add("LeakyRelu", {"dx"}, "l", {{"alpha", 0.5f}})
                    .Quantize("l", "y", {kInt8, {1}, {0}}),
                kInt8, {-50, 6},
                {{"slope_taken_as_zero", {0, 6}},
                 // 0.01 * -100.
                 {"activation_with_default_attributes", {-1, 6}}});
  ExpectAnswers(Draft(kArithmetic)
                    .Dequantize("x", {kInt8, {1}}, {2}, {-4, -4})
                    .Dequantize("s", {kInt8, {0.25L}}, {2}, {2, 1})
                    .Add("PRelu", {"dx", "ds"}, "p")
                    .Quantize("p", "y", {kInt8, {1}, {0}}),
                kInt8, {-2, -1}, {{"first_slope_for_all", {-2, -2}}});
}

TEST(WrongNodes, HardActivations) {
  // x / 2 in quarters; by default x / 5 + 0.5: 0.3, 0.7 and 1.
  ExpectAnswers(Draft(kArithmetic)
                    .Dequantize("x", {kInt8, {1}}, {3}, {-1, 1, 4})
                    .Add("HardSigmoid", {"dx"}, "h", {{"alpha", 0.5f}, {"beta", 0.0f}})
                    .Quantize("h", "y", {kInt8, {0.25L}, {0}}),
                kInt8, {0, 2, 4}, {{"activation_with_default_attributes", {1, 3, 4}}});
  ExpectAnswers(Draft(kArithmetic)
                    .Dequantize("x", {kInt8, {1}}, {3}, {-3, 3, 6})
                    .Add("HardSwish", {"dx"}, "h")
                    .Quantize("h", "y", {kInt8, {1}, {0}}),
                kInt8, {0, 3, 6}, {{"hard_swish_as_hard_sigmoid", {0, 1, 1}}});
}

// --- bounds
// -----------------------------------------------------------------------------

// Clip to [-2.5, 7.5].
Draft Clipped(const std::vector<Number>& x, const Coding& y) {
  return Draft(kChoosers)
      .Dequantize("x", {kInt8, {1}}, {static_cast<int64_t>(x.size())}, x)
      .Feed("min", Of(kFloat, {}, {-2.5L}))
      .Feed("max", Of(kFloat, {}, {7.5L}))
      .Add("Clip", {"dx", "min", "max"}, "c")
      .Quantize("c", "y", y);
}

TEST(WrongNodes, Bounds) {
  // -2.5, -1, 3 and 7.5 in halves.
  ExpectAnswers(Clipped({-10, -1, 3, 20}, {kInt8, {0.5L}, {0}}), kInt8, {-5, -2, 6, 15},
                {{"low_bound_dropped", {-20, -2, 6, 15}},
                 {"high_bound_dropped", {-5, -2, 6, 40}},
                 {"bound_dropped", {-20, -2, 6, 40}},
                 {"bounds_to_integers", {-4, -2, 6, 14}},
                 // Codes of x are whole numbers: -2 and 8, the even ones.
                 {"bounds_in_codes_of_input", {-4, -2, 6, 16}},
                 {"clip_taken_as_relu6", {0, 0, 6, 12}}});
  // -1.25, 0.5, 1.5 and 3.75; without bounds -5, 0.5, 1.5 and 10.
  ExpectAnswers(Clipped({-10, 1, 3, 20}, {kInt8, {2}, {0}}), kInt8, {-1, 0, 2, 4},
                {{"bound_dropped_and_ties_up", {-5, 1, 2, 10}}});
  // The least code is 64, the greatest -63.5: compared in this order, all is inside.
  ExpectAnswers(Clipped({-10, 20}, {kInt8, {-0.5L}, {0}}), kInt8, {5, -15},
                {{"bound_dropped_outside_range", {20, -40}}});
}

// --- choices
// ----------------------------------------------------------------------------

TEST(WrongNodes, OrderOfNegativeScales) {
  // -1, -2, -3.
  ExpectAnswers(Draft(kChoosers)
                    .Dequantize("x", {kUint8, {-1}}, {1, 3}, {1, 2, 3})
                    .Feed("axes", Of(kInt64, {1}, {1}))
                    .Add("ReduceMax", {"dx", "axes"}, "m")
                    .Quantize("m", "y", {kInt8, {1}, {0}}),
                kInt8, {-1}, {{"order_by_codes", {-3}}, {"maximum_not_below_zero", {0}}});
  ExpectAnswers(Draft(kChoosers)
                    .Dequantize("x", {kUint8, {-1}}, {1, 3}, {1, 2, 3})
                    .Add("ArgMax", {"dx"}, "m", {{"axis", int64_t{1}}})
                    .Add("Cast", {"m"}, "y", {{"to", static_cast<int64_t>(kInt32)}}),
                kInt32, {0}, {{"order_of_argmax_by_codes", {2}}});
}

TEST(WrongNodes, EqualExtremes) {
  ExpectAnswers(Draft(kChoosers)
                    .Dequantize("x", {kUint8, {1}}, {1, 3}, {3, 1, 3})
                    .Add("ArgMax", {"dx"}, "m", {{"axis", int64_t{1}}})
                    .Add("Cast", {"m"}, "y", {{"to", static_cast<int64_t>(kInt32)}}),
                kInt32, {0}, {{"argmax_takes_last", {2}}});
}

}  // namespace
}  // namespace qconform::graphs
