// Sizes that tables of kernels and of accelerators end at: long axes, large blocks, and
// ranks that few kernels have a path for.
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

}  // namespace

int LargeShapes(Granularity granularity, bool high_rank) {
  const Lists& lists = ListsOf(granularity);
  return static_cast<int>((high_rank ? lists.second : lists.first).size());
}

void FillLarge(QuantizeLinearQuestion& question) {
  constexpr ScaleFamily kScales[] = {ScaleFamily::kFull, ScaleFamily::kFewBits};
  constexpr ZeroPointFamily kZeroPoints[] = {ZeroPointFamily::kAny,
                                             ZeroPointFamily::kOdd};
  const Granularity granularity = question.cell.granularity;
  const Lists& lists = ListsOf(granularity);
  const auto index = static_cast<size_t>(question.index);
  const std::vector<AxisShape>& shapes = index % 2 == 0 ? lists.first : lists.second;
  question.SetLayout(LayoutOf(granularity, shapes[index / 2 % shapes.size()]));
  question.SetChannels(kScales, question.PlainZeroPoints(kZeroPoints));
  SpreadAllX(question);
}

}  // namespace qconform::generators
