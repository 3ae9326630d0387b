// Wrong graphs whose sums, means or dynamic scales are wrong: what each gives on a small
// graph, computed by hand.
#include <gtest/gtest.h>

#include "harness/graphs/testing/hand_made.h"

namespace qconform::graphs {
namespace {

using enum DataType;

// --- products
// ---------------------------------------------------------------------------

// a [1,K] by w [K,1].
Draft Product(const Coding& a, const std::vector<Number>& a_codes, const Coding& w,
              const std::vector<Number>& w_codes) {
  const auto terms = static_cast<int64_t>(a_codes.size());
  return Draft(kSums)
      .Dequantize("a", a, {1, terms}, a_codes)
      .Dequantize("w", w, {terms, 1}, w_codes)
      .Add("MatMul", {"da", "dw"}, "y");
}

TEST(WrongSums, Products) {
  ExpectAnswers(Product({kUint8, {1}}, {1, 1, 1, 1, 1}, {kInt8, {1}}, {1, 1, 1, 1, 7}),
                kFloat, {11}, {{"term_tail_lost", {4}}});
  // (5 - 2) * (7 - 3), less 2 * 3.
  ExpectAnswers(Product({kUint8, {1}, {2}}, {5}, {kInt8, {1}, {3}}, {7}), kFloat, {12},
                {{"product_of_zero_points_missing", {6}}});
  // Code 200 as -56.
  ExpectAnswers(Product({kUint8, {1}}, {1}, {kUint8, {1}}, {200}), kFloat, {200},
                {{"unsigned_weights_as_signed", {-56}}});
  // 255 * 126 * 2; 255 * 127 * 2 saturates.
  ExpectAnswers(Product({kUint8, {1}}, {255, 255}, {kInt8, {1}, {1}}, {127, 127}), kFloat,
                {64260}, {{"symmetric_weights_and_sum_in_16_bits", {32767}}});
}

TEST(WrongSums, FloatActivations) {
  // 127 steps of the largest one: 0.375 is 0 of them.
  ExpectAnswers(Draft("graphs.weights")
                    .Feed("a", Of(kFloat, {1, 2}, {127, 0.375L}))
                    .Dequantize("w", {kInt8, {1}}, {2, 1}, {0, 1})
                    .Add("MatMul", {"a", "dw"}, "y"),
                kFloat, {0.375L}, {{"activations_quantized", {0}}});
}

// --- biases
// -----------------------------------------------------------------------------

// 1.5, 2 by the transposed weights 0.25, 0.5; 0.75, 1: 1.375 and 3.125. The bias is 2,
// -2.
Draft Gemm(std::vector<Attribute> attributes = {}) {
  attributes.push_back({"transB", int64_t{1}});
  return Draft(kSums)
      .Dequantize("a", {kUint8, {0.5L}}, {1, 2}, {3, 4})
      .Dequantize("w", {kInt8, {0.25L}}, {2, 2}, {1, 2, 3, 4})
      .Dequantize("b", {kInt32, {0.25L}}, {2}, {8, -8})
      .Add("Gemm", {"da", "dw", "db"}, "y", attributes);
}

TEST(WrongSums, Biases) {
  ExpectAnswers(Gemm(), kFloat, {3.375L, 1.125L},
                {{"bias_dropped", {1.375L, 3.125L}},
                 {"bias_added_twice", {5.375L, -0.875L}},
                 // Codes 8 and -8 in steps of 0.5 * 0.25.
                 {"bias_scale_ignored", {2.375L, 2.125L}},
                 {"first_bias_for_all", {3.375L, 5.125L}},
                 // 1.5 * 0.25 + 2 * 0.75, and 1.5 * 0.5 + 2 * 1.
                 {"transposition_ignored", {3.875L, 0.75L}}});
}

TEST(WrongSums, AlphaAndBeta) {
  // 0.6875 + 6 and 1.5625 - 6.
  ExpectAnswers(Gemm({{"alpha", 0.5f}, {"beta", 3.0f}}), kFloat, {6.6875L, -4.4375L},
                {{"alpha_ignored", {7.375L, -2.875L}},
                 {"beta_ignored", {2.6875L, -0.4375L}},
                 {"alpha_on_bias", {3.6875L, -1.4375L}}});
}

TEST(WrongSums, BiasInFrontOfAnActivation) {
  // 2 * -3 + 2 * 2, and 2 * -3 + 2.
  ExpectAnswers(Draft(kSums)
                    .Dequantize("x", {kUint8, {1}}, {1, 1, 1}, {2})
                    .Dequantize("w", {kInt8, {1}}, {1, 1, 1}, {-3})
                    .Dequantize("b", {kInt32, {2}}, {1}, {2})
                    .Add("Conv", {"dx", "dw", "db"}, "c")
                    .Add("Relu", {"c"}, "r")
                    .Quantize("r", "y", {kInt8, {1}, {0}}),
                kInt8, {0}, {{"bias_scale_ignored_and_activation_dropped", {-4}}});
}

// --- means
// ------------------------------------------------------------------------------

TEST(WrongSums, Means) {
  // 1.5 in halves; as a code of x it is 2, or truncated 1.
  ExpectAnswers(Draft(kSums)
                    .Dequantize("x", {kUint8, {1}}, {1, 1, 1, 2}, {1, 2})
                    .Add("GlobalAveragePool", {"dx"}, "m")
                    .Quantize("m", "y", {kUint8, {0.5L}, {0}}),
                kUint8, {3},
                {{"interpolated_in_codes", {4}}, {"mean_truncated_in_codes", {2}}});
  // 4 of one element, and (4 + 8) / 2.
  ExpectAnswers(Draft(kSums)
                    .Dequantize("x", {kUint8, {1}}, {1, 1, 2}, {4, 8})
                    .Add("AveragePool", {"dx"}, "m",
                         {{"kernel_shape", std::vector<int64_t>{2}},
                          {"pads", std::vector<int64_t>{1, 0}}})
                    .Quantize("m", "y", {kUint8, {1}, {0}}),
                kUint8, {4, 6}, {{"divisor_counts_padding", {2, 6}}});
}

// --- dynamic quantization
// ---------------------------------------------------------------

// The values of x after DynamicQuantizeLinear.
Draft Dynamic(const std::vector<Number>& x) {
  Draft draft(kDynamic);
  draft.Feed("x", Of(kFloat, {static_cast<int64_t>(x.size())}, x));
  draft.AddOf("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"});
  return draft.Add("DequantizeLinear", {"q", "s", "z"}, "y");
}

TEST(WrongSums, DynamicRanges) {
  ExpectAnswers(Dynamic({0, 51, 255}), kFloat, {0, 51, 255},
                {// Scale 255 / 256: codes 0, 51 and 255.
                 {"range_over_256", {0, 50.80078125L, 254.00390625L}},
                 {"zero_point_is_128", {0, 51, 127}}});
  // From -127.5 to 127.5: scale 1, zero point 128.
  ExpectAnswers(Dynamic({0, 127.5L}), kFloat, {0, 127.5L},
                {{"range_symmetric", {0, 127}}});
  ExpectAnswers(Dynamic({-255, 0}), kFloat, {-255, 0}, {{"range_from_zero", {0, 0}}});
  // From 255 to 510: scale 1; the zero point -255 saturates to 0. By the text the scale
  // is 2, and 255 / 2 a tie.
  ExpectAnswers(Dynamic({255, 510}), kFloat, {256, 510},
                {{"range_without_zero", {255, 255}}});
  // 100 / 255 lies below the nearest FLOAT: times 255 it is 100, or the number before it.
  ExpectAnswers(Dynamic({0, 100}), kFloat, {0, 100},
                {{"scale_truncated", {0, 100 - 0x1p-17L}}});
}

TEST(WrongSums, DynamicZeroPoints) {
  // Scale 1, zero point 100.75, which is 101.
  ExpectAnswers(Dynamic({-100.75L, 154.25L, 0.75L}), kFloat, {-101, 154, 1},
                {{"zero_point_truncated", {-100, 154, 1}},
                 {"zero_point_output_is_zero", {0, 255, 102}}});
}

// Three times x by b [3,2], then factors 0.5 and 0.25.
Draft DynamicProduct(const std::vector<Number>& x, const std::vector<Number>& b,
                     Number b_zero_point, const std::vector<Number>& factors) {
  Draft draft(kDynamic);
  const auto terms = static_cast<int64_t>(x.size());
  draft.Feed("x", Of(kFloat, {1, terms}, x));
  draft.Feed("b", Of(kInt8, {terms, static_cast<int64_t>(factors.size())}, b));
  draft.Feed("b_zero_point", Of(kInt8, {}, {b_zero_point}));
  draft.Feed("factor", Of(kFloat, {static_cast<int64_t>(factors.size())}, factors));
  draft.AddOf("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"});
  return draft.Add("MatMulInteger", {"q", "b", "z", "b_zero_point"}, "i")
      .Add("Cast", {"i"}, "c", {{"to", static_cast<int64_t>(kFloat)}})
      .Add("Mul", {"c", "factor"}, "y");
}

TEST(WrongSums, DynamicFactors) {
  // Codes 0 and 255: 255 and 510.
  ExpectAnswers(
      DynamicProduct({0, 255}, {1, 2, 1, 2}, 0, {0.5L, 0.25L}), kFloat, {127.5L, 127.5L},
      {{"scale_of_sum_dropped", {255, 510}}, {"first_factor_for_all", {127.5L, 255}}});
}

TEST(WrongSums, DynamicIntegers) {
  // Codes 0 and 255, zero point 128: -128 and 127. b is 2 and 4.
  ExpectAnswers(DynamicProduct({-128, 127}, {3, 5}, 1, {1}), kFloat, {252},
                {{"a_zero_point_missing", {1020}},
                 // -128 * 3 + 127 * 5.
                 {"b_zero_point_missing", {251}},
                 {"zero_points_missing", {1275}}});
  // b is -4 and 4; as unsigned codes 253 - 1 and 4.
  ExpectAnswers(DynamicProduct({-128, 127}, {-3, 5}, 1, {1}), kFloat, {1020},
                {{"b_sign_confused", {-31748}}});
  ExpectAnswers(DynamicProduct({255, 255}, {127, 127}, 0, {1}), kFloat, {64770},
                {{"int16_accumulator", {32767}}});
}

}  // namespace
}  // namespace qconform::graphs
