// Sizes that tables of kernels and of accelerators end at: long axes, large blocks, and
// ranks that few kernels have a path for; and tensors that kernels cut into parts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"

namespace qconform::generators {
namespace {

// Long ones, and those of high rank.
using Lists = std::pair<std::vector<AxisShape>, std::vector<AxisShape>>;

const Lists& ListsOf(QuantizeLinearGranularity granularity) {
  using enum AxisForm;
  // A quarter of the elements, rounded up, is odd in most: where four threads share codes
  // of less than a byte.
  static const Lists per_tensor = {{{{4090}},
                                    {{3, 1363}},
                                    {{2, 3, 13, 37}},
                                    {{33, 124}},
                                    {{64, 63}},
                                    {{2050}},
                                    {{4096}}},
                                   {{{2, 3, 1, 2, 3, 5}},
                                    {{2, 1, 2, 3, 1, 2, 7}},
                                    {{2, 1, 2, 1, 2, 1, 2, 3}},
                                    {{1, 1, 1, 1, 1, 1}},
                                    {{3, 5, 7, 6}}}};
  // Long runs, long rows, many rows, and what has more than a few of all.
  static const Lists per_axis = {{{{2, 16, 9, 9}, 1, kDefault},
                                  {{16, 66}, 1, kNegative},
                                  {{3, 1363}, 0, kPositive},
                                  {{3, 70, 17}, 1, kPositive},
                                  {{1, 4096}, 1, kNegative},
                                  {{2, 1030}, 1, kDefault},
                                  {{1030, 2}, 0, kPositive},
                                  {{37, 5, 13}, 2, kNegative},
                                  {{4096, 1}, 0, kNegative},
                                  {{2, 5, 407}, 1, kPositive},
                                  {{62, 65}, 1, kPositive},
                                  {{3, 1025}, 1, kPositive}},
                                 {{{2, 3, 1, 2, 3, 2}, 4, kPositive},
                                  {{2, 3, 2, 2, 1, 2}, 1, kDefault},
                                  {{2, 1, 2, 3, 1, 2, 2}, 3, kNegative},
                                  {{3, 2, 1, 2, 2, 1, 2}, 0, kPositive},
                                  {{2, 1, 2, 1, 2, 3, 1, 2}, 5, kPositive},
                                  {{1, 2, 1, 2, 1, 2, 1, 5}, 7, kNegative},
                                  {{2, 1, 2, 2, 1, 4}, 5, kPositive}}};
  static const Lists blocked = {{{{64, 33}, 0, kPositive, 32},
                                 {{6, 322}, 1, kNegative, 64},
                                 {{2, 64, 3, 5}, 1, kDefault, 32},
                                 {{5, 514}, 1, kDefault, 128},
                                 {{2, 1024}, 1, kNegative, 256},
                                 {{1, 4096}, 1, kDefault, 32},
                                 {{512, 4}, 0, kPositive, 256},
                                 {{34, 25}, 0, kNegative, 16},
                                 {{2, 1536}, 1, kPositive, 512},
                                 {{2, 96, 17}, 1, kNegative, 32},
                                 {{1, 2064}, 1, kNegative, 16},
                                 {{3, 700}, 1, kPositive, 256},
                                 {{300, 7}, 0, kNegative, 64},
                                 {{2, 2048}, 1, kDefault, 1024}},
                                {{{2, 3, 1, 2, 4, 2}, 4, kPositive, 2},
                                 {{2, 5, 2, 2, 1, 2}, 1, kDefault, 2},
                                 {{2, 1, 2, 4, 1, 2, 2}, 3, kNegative, 3},
                                 {{5, 2, 1, 2, 2, 1, 2}, 0, kPositive, 4},
                                 {{2, 1, 2, 1, 2, 4, 1, 2}, 5, kPositive, 3},
                                 {{1, 2, 1, 2, 1, 2, 1, 8}, 7, kNegative, 4},
                                 {{2, 1, 2, 2, 1, 4}, 5, kPositive, 16}}};
  if (granularity == QuantizeLinearGranularity::kPerTensor) return per_tensor;
  return granularity == QuantizeLinearGranularity::kBlocked ? blocked : per_axis;
}

// Of 131 072 elements and more, and of no whole number of pages. A cell is asked two
// neighbours: one with long runs of a scale, one with short ones.
const std::vector<AxisShape>& HugeShapes(QuantizeLinearGranularity granularity) {
  using enum AxisForm;
  static const std::vector<AxisShape> per_tensor = {
      {{131105}}, {{363, 365}}, {{3, 43711}}, {{43717, 3}}, {{7, 13, 37, 41}}};
  static const std::vector<AxisShape> per_axis = {
      {{3, 43711}, 0, kPositive},   {{363, 365}, 1, kDefault},
      {{5, 3, 8743}, 1, kDefault},  {{1, 131101}, 1, kNegative},
      {{7, 18731}, 0, kNegative},   {{131101, 1}, 0, kPositive},
      {{2, 71, 929}, 1, kPositive}, {{5, 4099, 7}, 1, kPositive}};
  static const std::vector<AxisShape> blocked = {
      {{3, 43711}, 1, kPositive, 4096}, {{365, 363}, 0, kPositive, 32},
      {{363, 365}, 1, kDefault, 128},   {{129, 1023}, 0, kNegative, 16},
      {{513, 257}, 1, kDefault, 64},    {{5, 4099, 7}, 1, kPositive, 3},
      {{33, 4001}, 1, kNegative, 500},  {{4105, 32}, 1, kNegative, 32}};
  if (granularity == QuantizeLinearGranularity::kPerTensor) return per_tensor;
  return granularity == QuantizeLinearGranularity::kBlocked ? blocked : per_axis;
}

// Values that vector kernels leave to other code, among many others: infinities,
// subnormals, quotients beyond all integers, NaN.
void ScatterSpecials(QuantizeLinearQuestion& question) {
  const std::span<const uint32_t> specials = SpecialCodes(question.x);
  const auto count = static_cast<uint32_t>(specials.size());
  Stride order(count, question.rng);
  // In each run of a scale, however long or short they are.
  constexpr uint32_t kOneIn = 23;
  for (uint32_t& code : question.x_codes) {
    if (question.rng.OneIn(kOneIn)) code = specials[order.Next()];
  }
}

// Some scales subnormal, or all the same with other zero points.
void ChangeScales(QuantizeLinearQuestion& question, uint32_t turn) {
  const int64_t count = question.layout.channel_count;
  if (turn % 4 == 1) {
    for (int64_t c = 1; c < count; ++c)
      question.SetScale(c, question.channels[0].scale_code);
  }
  // The one scale of the largest tensors is left: most of what a cell is asked is
  // regular.
  const bool is_most = count == 1 && question.layout.element_count > 3000;
  if (turn % 4 != 2 || is_most || question.y_scale.kind != NumberKind::kFloat) return;
  const auto subnormals = static_cast<uint32_t>(
      std::min<uint64_t>(SmallestNormal(question.y_scale) - 1, 1 << 20));
  for (int64_t c = count == 1 ? 0 : 1; c < count; c += 5) {
    question.SetScale(
        c, SmallestNormal(question.y_scale) - 1 - question.rng.Below(subnormals));
  }
}

// `large` and `huge` are about shapes.
void FillShape(QuantizeLinearQuestion& question, const AxisShape& shape) {
  question.SetLayout(LayoutOf(question.granularity, shape));
  question.SetChannels({ScaleFamily::kFull, ScaleFamily::kFewBits},
                       {ZeroPointFamily::kAny, ZeroPointFamily::kOdd});
  ChangeScales(question, question.rng.Below(4));
  SpreadAllX(question);
  ScatterSpecials(question);
}

}  // namespace

int LargeShapes(QuantizeLinearGranularity granularity, bool high_rank) {
  const Lists& lists = ListsOf(granularity);
  return static_cast<int>((high_rank ? lists.second : lists.first).size());
}

void FillLarge(QuantizeLinearQuestion& question) {
  const Lists& lists = ListsOf(question.granularity);
  const auto index = static_cast<size_t>(question.index);
  const std::vector<AxisShape>& shapes = index % 2 == 0 ? lists.first : lists.second;
  FillShape(question, shapes[index / 2 % shapes.size()]);
}

int HugeShapeCount(QuantizeLinearGranularity granularity) {
  return static_cast<int>(HugeShapes(granularity).size());
}

void FillHuge(QuantizeLinearQuestion& question) {
  const std::vector<AxisShape>& shapes = HugeShapes(question.granularity);
  FillShape(question, shapes[static_cast<size_t>(question.index) % shapes.size()]);
}

}  // namespace qconform::generators
