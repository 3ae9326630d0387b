// Sizes that tables of kernels and of accelerators end at: long axes, large blocks, and
// ranks that few kernels have a path for; and tensors that kernels cut into parts.
#include <cstddef>
#include <utility>
#include <vector>

#include "cases/generators/quantize_linear_cases.h"
#include "cases/generators/quantize_linear_values.h"

namespace qconform::generators {
namespace {

// Long ones, and those of high rank.
using Lists = std::pair<std::vector<AxisShape>, std::vector<AxisShape>>;

const Lists& ListsOf(Granularity granularity) {
  using enum AxisForm;
  static const Lists per_tensor = {{{{4096}}, {{3, 1365}}, {{64, 63}}, {{2050}}},
                                   {{{2, 3, 1, 2, 3, 5}},
                                    {{2, 1, 2, 3, 1, 2, 7}},
                                    {{2, 1, 2, 1, 2, 1, 2, 3}},
                                    {{1, 1, 1, 1, 1, 1}}}};
  static const Lists per_axis = {{{{1, 4096}, 1, kNegative},
                                  {{2, 1030}, 1, kDefault},
                                  {{1030, 2}, 0, kPositive},
                                  {{2, 520, 3}, 1, kPositive},
                                  {{4096, 1}, 0, kNegative},
                                  {{3, 1025}, 1, kPositive}},
                                 {{{2, 3, 1, 2, 3, 2}, 4, kPositive},
                                  {{2, 3, 2, 2, 1, 2}, 1, kDefault},
                                  {{2, 1, 2, 3, 1, 2, 2}, 3, kNegative},
                                  {{3, 2, 1, 2, 2, 1, 2}, 0, kPositive},
                                  {{2, 1, 2, 1, 2, 3, 1, 2}, 5, kPositive},
                                  {{1, 2, 1, 2, 1, 2, 1, 5}, 7, kNegative},
                                  {{2, 1, 2, 2, 1, 4}, 5, kPositive}}};
  static const Lists blocked = {{{{2, 1024}, 1, kNegative, 256},
                                 {{1, 4096}, 1, kDefault, 32},
                                 {{512, 4}, 0, kPositive, 256},
                                 {{2, 1536}, 1, kPositive, 512},
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
  if (granularity == Granularity::kPerTensor) return per_tensor;
  return granularity == Granularity::kBlocked ? blocked : per_axis;
}

// Of 131 072 elements and more, and of no whole number of vectors or pages. One with long
// runs of a scale follows one with short runs, in any two neighbours.
const std::vector<AxisShape>& HugeShapes(Granularity granularity) {
  using enum AxisForm;
  static const std::vector<AxisShape> per_tensor = {
      {{131101}}, {{363, 365}}, {{3, 43711}}, {{43717, 3}}, {{7, 13, 37, 41}}};
  static const std::vector<AxisShape> per_axis = {
      {{3, 43711}, 0, kPositive},  {{363, 365}, 1, kDefault},
      {{5, 3, 8743}, 1, kDefault}, {{1, 131101}, 1, kNegative},
      {{7, 18731}, 0, kNegative},  {{131101, 1}, 0, kPositive},
      {{5, 4099, 7}, 1, kPositive}};
  static const std::vector<AxisShape> blocked = {
      {{3, 43711}, 1, kPositive, 4096}, {{365, 363}, 0, kPositive, 32},
      {{363, 365}, 1, kDefault, 128},   {{129, 1023}, 0, kNegative, 16},
      {{257, 512}, 1, kNegative, 32},   {{5, 4099, 7}, 1, kPositive, 3},
      {{513, 257}, 1, kDefault, 64}};
  if (granularity == Granularity::kPerTensor) return per_tensor;
  return granularity == Granularity::kBlocked ? blocked : per_axis;
}

// What `large` and `huge` are about is their shapes.
void FillShape(QuantizeLinearQuestion& question, const AxisShape& shape) {
  constexpr ScaleFamily kScales[] = {ScaleFamily::kFull, ScaleFamily::kFewBits};
  constexpr ZeroPointFamily kZeroPoints[] = {ZeroPointFamily::kAny,
                                             ZeroPointFamily::kOdd};
  question.SetLayout(LayoutOf(question.cell.granularity, shape));
  question.SetChannels(kScales, question.PlainZeroPoints(kZeroPoints));
  SpreadAllX(question);
}

}  // namespace

int LargeShapes(Granularity granularity, bool high_rank) {
  const Lists& lists = ListsOf(granularity);
  return static_cast<int>((high_rank ? lists.second : lists.first).size());
}

void FillLarge(QuantizeLinearQuestion& question) {
  const Lists& lists = ListsOf(question.cell.granularity);
  const auto index = static_cast<size_t>(question.index);
  const std::vector<AxisShape>& shapes = index % 2 == 0 ? lists.first : lists.second;
  FillShape(question, shapes[index / 2 % shapes.size()]);
}

int HugeShapeCount(Granularity granularity) {
  return static_cast<int>(HugeShapes(granularity).size());
}

void FillHuge(QuantizeLinearQuestion& question) {
  const std::vector<AxisShape>& shapes = HugeShapes(question.cell.granularity);
  FillShape(question, shapes[static_cast<size_t>(question.index) % shapes.size()]);
}

}  // namespace qconform::generators
