#include <span>
#include <utility>
#include <vector>

#include "cases/quantization/shapes.h"

namespace qconform::generators {
namespace {

// Long ones, and those of high rank.
using Lists = std::pair<std::vector<AxisShape>, std::vector<AxisShape>>;

const Lists& ListsOf(ScaleGranularity granularity) {
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
  if (granularity == ScaleGranularity::kPerTensor) return per_tensor;
  return granularity == ScaleGranularity::kBlocked ? blocked : per_axis;
}

const std::vector<AxisShape>& HugeList(ScaleGranularity granularity) {
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
  if (granularity == ScaleGranularity::kPerTensor) return per_tensor;
  return granularity == ScaleGranularity::kBlocked ? blocked : per_axis;
}

}  // namespace

std::span<const AxisShape> LongShapes(ScaleGranularity granularity) {
  return ListsOf(granularity).first;
}

std::span<const AxisShape> HighRankShapes(ScaleGranularity granularity) {
  return ListsOf(granularity).second;
}

std::span<const AxisShape> HugeShapes(ScaleGranularity granularity) {
  return HugeList(granularity);
}

}  // namespace qconform::generators
