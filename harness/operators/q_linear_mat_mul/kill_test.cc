// Do the cases of QLinearMatMul kill? Wrong models against the oracle's answers and
// bounds, cell by cell.
#include <gtest/gtest.h>

#include "cases/operators/q_linear_mat_mul/testing/problem.h"
#include "harness/core/testing/survivors.h"
#include "harness/operators/q_linear_mat_mul/fault_switches.h"

namespace qconform {
namespace {

using S = QLinearMatMulSwitches;
using P = S::Place;

std::vector<WrongModel> Models() {
  std::vector<WrongModel> all;
  const auto add = [&](std::string name, S switches) {
    all.push_back({std::move(name), switches});
  };
  add("sum.pairs_saturate_16", {.sum = S::Sum::kPairsSaturate16});
  add("sum.wrap_16", {.sum = S::Sum::kWrap16});
  add("sum.bfloat16", {.sum = S::Sum::kBfloat16});
  for (const int lanes : {2, 4, 8, 16, 32, 64}) {
    const std::string text = std::to_string(lanes);
    add("k.lost_tail_" + text, {.lost_tail = lanes});
    add("k.uncorrected_tail_" + text, {.uncorrected_tail = lanes});
  }
  add("k.empty_is_zero", {.empty_is_zero = true});
  add("zero_point.no_a", {.no_a_zero_point = true});
  add("zero_point.no_b", {.no_b_zero_point = true});
  add("zero_point.no_cross_term", {.no_cross_term = true});
  add("zero_point.cross_term_subtracted", {.cross_term_subtracted = true});
  add("zero_point.no_y", {.order = S::Order::kIgnored});
  add("zero_point.before_rounding", {.order = S::Order::kBeforeRounding});
  add("place.first_batch", {.first_batch = true});
  add("place.a_scale_first", {.a_scale = P::kFirst});
  add("place.a_scale_next", {.a_scale = P::kNext});
  add("place.a_scale_swapped", {.a_scale = P::kSwapped});
  add("place.b_scale_first", {.b_scale = P::kFirst});
  add("place.b_scale_next", {.b_scale = P::kNext});
  add("place.b_scale_swapped", {.b_scale = P::kSwapped});
  add("place.a_zero_point_first", {.a_zero_point = P::kFirst});
  add("place.b_zero_point_first", {.b_zero_point = P::kFirst});
  add("place.b_zero_point_next", {.b_zero_point = P::kNext});
  add("scales.bfloat16", {.scales_as = DataType::kBfloat16});
  add("scales.float16", {.scales_as = DataType::kFloat16});
  add("requantization.by_reciprocal", {.multiplier = S::Multiplier::kReciprocal});
  add("requantization.sum_truncated", {.multiplier = S::Multiplier::kTruncatedSum});
  add("scales.a_with_y", {.swapped_scales = S::Swap::kAWithY});
  add("scales.b_with_y", {.swapped_scales = S::Swap::kBWithY});
  add("scales.absolute", {.absolute_scales = true});
  add("rounding.zero", {.rounding = S::Rounding::kTowardZero});
  add("rounding.down", {.rounding = S::Rounding::kDown});
  add("rounding.up", {.rounding = S::Rounding::kUp});
  add("overflow.wrap", {.overflow = S::Overflow::kWrap});
  add("overflow.int32_min", {.overflow = S::Overflow::kInt32Minimum});
  add("overflow.clamp_first", {.order = S::Order::kAfterClamp});
  return all;
}

TEST(MatMulKill, Standard_LeavesNoSurvivorInSampledCells) {
  const KillTest test{.op_type = "QLinearMatMul",
                      .one_in = 131,
                      .models = Models(),
                      .no_mistake = S{},
                      .answer_of =
                          [](const OpCase& made) {
                            return EvaluateQLinearMatMul(generators::ProblemOf(made), {},
                                                         MatMulBounds::kAll);
                          },
                      .more_of =
                          [](const CaseKey& key) {
                            if (key.generator == "overflow" || key.generator == "sizes") {
                              return std::vector<CaseKey>();
                            }
                            std::vector<CaseKey> others{key};
                            others.front().index += 100;
                            return others;
                          }};
  test.ExpectNoSurvivor();
}

}  // namespace
}  // namespace qconform
