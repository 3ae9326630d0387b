#include "cases/quantization/shapes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace qconform::generators {
namespace {

// Lengths around vector lengths of 2 to 512 lanes.
int64_t RandomLength(CounterRng& rng) {
  const int64_t power = int64_t{1} << rng.Between(1, 8);
  return power * (rng.OneIn(3) ? 2 : 1) + rng.Between(-1, 1);
}

// The lists of shapes: a cell is asked the first few, and some of the others
// (FixedShapes, ShapeCount). Behind their ends shapes are random.
const std::vector<Shape>& PerTensorShapes() {
  static const std::vector<Shape> shapes = {{127},
                                            {4, 64},
                                            {},
                                            {3, 43},
                                            {2, 0, 3},
                                            {5, 3, 1, 7, 3},
                                            {1, 3, 1, 5, 1, 3, 1, 7},
                                            // Whole vectors, and tails of every length.
                                            {2},
                                            {16},
                                            {4},
                                            {32},
                                            {6},
                                            {48},
                                            {8},
                                            {64},
                                            {10},
                                            {96},
                                            {12},
                                            {128},
                                            {14},
                                            {1, 256},
                                            {18},
                                            {22},
                                            {34},
                                            {60},
                                            {2, 100},
                                            {1024},
                                            {2, 3, 4, 8},
                                            {8, 8, 8},
                                            {2, 2048},
                                            {4, 1022},
                                            {1, 1, 66},
                                            {0},
                                            {1},
                                            {3, 3, 3},
                                            {7, 3, 3, 3},
                                            {129},
                                            {31},
                                            {33},
                                            {63},
                                            {65}};
  return shapes;
}

// Square shapes come first: with them a wrong default axis goes unnoticed by
// everything but the values.
const std::vector<AxisShape>& PerAxisShapes() {
  using enum AxisForm;
  static const std::vector<AxisShape> shapes = {
      {{11, 11}, 1, kDefault, 0},
      {{5, 5, 5}, 1, kDefault, 0},
      {{2, 3, 4, 16}, 1, kNegative, 0},
      {{3, 129}, 0, kPositive, 0},
      {{5, 65}, 1, kNegative, 0},
      {{2, 3, 2, 3, 2}, 3, kPositive, 0},
      {{1, 2, 1, 3, 2, 1, 3, 1}, 6, kNegative, 0},
      {{5, 1}, 1, kDefault, 0},
      {{0, 5}, 1, kDefault, 0},
      {{3, 0}, 1, kPositive, 0},
      {{4, 4, 4, 4}, 1, kDefault, 0},
      {{4, 4, 4}, 1, kNegative, 0},
      {{7, 2, 9}, 0, kNegative, 0},
      // Every axis of every rank, and even sizes.
      {{16, 6}, 0, kNegative, 0},
      {{6, 32}, 1, kPositive, 0},
      {{4, 3, 6}, 0, kPositive, 0},
      {{4, 3, 6}, 1, kPositive, 0},
      {{4, 3, 6}, 2, kPositive, 0},
      {{2, 3, 4, 5}, 0, kPositive, 0},
      {{2, 3, 4, 5}, 1, kPositive, 0},
      {{2, 3, 4, 5}, 2, kPositive, 0},
      {{2, 3, 4, 5}, 3, kPositive, 0},
      {{2, 3, 4, 5}, 0, kNegative, 0},
      {{2, 3, 4, 5}, 2, kNegative, 0},
      {{2, 3, 4, 5}, 3, kNegative, 0},
      {{2, 3, 2, 4, 3}, 0, kPositive, 0},
      {{2, 3, 2, 4, 3}, 1, kPositive, 0},
      {{2, 3, 2, 4, 3}, 1, kDefault, 0},
      {{2, 3, 2, 4, 3}, 2, kPositive, 0},
      {{2, 3, 2, 4, 3}, 4, kPositive, 0},
      {{2, 3, 2, 4, 3}, 0, kNegative, 0},
      {{2, 3, 2, 4, 3}, 1, kNegative, 0},
      {{2, 3, 2, 4, 3}, 2, kNegative, 0},
      {{2, 3, 2, 4, 3}, 3, kNegative, 0},
      {{2, 3, 2, 4, 3}, 4, kNegative, 0},
      {{2, 256}, 1, kDefault, 0},
      {{2, 259}, 1, kNegative, 0},
      {{130, 2}, 0, kNegative, 0},
      {{1, 64}, 1, kDefault, 0},
      {{3, 1, 64}, 1, kDefault, 0},
      {{8, 66}, 0, kPositive, 0},
      {{2, 2}, 1, kDefault, 0},
      {{10, 7}, 0, kPositive, 0},
      {{7, 2}, 1, kDefault, 0},
      {{1, 4, 7}, 1, kPositive, 0},
      // Always: channels of one image, filters, and channels last.
      {{1, 5, 3, 4}, 1, kDefault, 0},
      {{1, 6, 2, 3}, 1, kNegative, 0},
      {{1, 3, 5, 3}, 1, kPositive, 0},
      {{6, 2, 3, 3}, 0, kPositive, 0},
      {{5, 3, 1, 3}, 0, kNegative, 0},
      {{2, 3, 3, 6}, 3, kPositive, 0},
      {{1, 4, 3, 5}, 3, kNegative, 0}};
  return shapes;
}

const std::vector<AxisShape>& BlockedShapes() {
  using enum AxisForm;
  static const std::vector<AxisShape> shapes = {
      {{9, 9}, 1, kDefault, 2},
      {{4, 64}, 1, kPositive, 32},
      {{3, 129}, 1, kPositive, 32},
      {{5, 5, 5}, 1, kDefault, 3},
      {{65, 3}, 0, kPositive, 16},
      {{3, 67}, 1, kNegative, 33},
      {{1, 2, 1, 3, 2, 1, 5, 1}, 6, kNegative, 2},
      {{5, 9}, 1, kDefault, 1},
      {{5, 9}, 1, kDefault, 9},
      {{9, 5}, 0, kNegative, 100},
      {{0, 5}, 1, kDefault, 2},
      {{3, 0}, 1, kPositive, 2},
      {{4, 4, 4}, 1, kNegative, 3},
      {{7, 2, 9}, 0, kNegative, 3},
      {{3, 7, 5, 2}, 1, kDefault, 4},
      // Whole blocks, and every axis of every rank.
      {{3, 16}, 1, kNegative, 2},
      {{6, 16}, 1, kDefault, 4},
      {{2, 24}, 1, kPositive, 8},
      {{4, 48}, 1, kNegative, 16},
      {{2, 128}, 1, kNegative, 64},
      {{1, 256}, 1, kDefault, 128},
      {{64, 6}, 0, kPositive, 16},
      {{96, 5}, 0, kNegative, 32},
      {{128, 2}, 0, kPositive, 64},
      {{2, 64, 4}, 1, kDefault, 32},
      {{3, 64, 2}, 1, kNegative, 16},
      {{2, 32, 64}, 1, kPositive, 16},
      {{3, 32}, 1, kDefault, 32},
      {{2, 65}, 1, kDefault, 32},
      {{33, 4}, 0, kPositive, 8},
      {{6, 4, 3}, 0, kPositive, 2},
      {{2, 3, 8}, 2, kPositive, 4},
      {{2, 3, 10}, 2, kNegative, 4},
      {{4, 3, 4, 5}, 0, kPositive, 2},
      {{4, 6, 4, 5}, 1, kPositive, 3},
      {{2, 3, 4, 5}, 2, kPositive, 2},
      {{2, 3, 4, 8}, 3, kPositive, 4},
      {{4, 3, 4, 5}, 0, kNegative, 3},
      {{2, 6, 4, 5}, 1, kNegative, 2},
      {{2, 3, 4, 5}, 2, kNegative, 3},
      {{2, 3, 4, 8}, 3, kNegative, 8},
      {{4, 3, 2, 4, 3}, 0, kPositive, 2},
      {{2, 6, 2, 4, 3}, 1, kDefault, 2},
      {{2, 6, 2, 4, 3}, 1, kPositive, 3},
      {{2, 3, 4, 4, 3}, 2, kPositive, 2},
      {{2, 3, 2, 4, 3}, 3, kPositive, 2},
      {{2, 3, 2, 4, 6}, 4, kPositive, 3},
      {{4, 3, 2, 4, 3}, 0, kNegative, 3},
      {{2, 6, 2, 4, 3}, 1, kNegative, 4},
      {{2, 3, 4, 4, 3}, 2, kNegative, 3},
      {{2, 3, 2, 4, 3}, 3, kNegative, 4},
      {{2, 3, 2, 4, 6}, 4, kNegative, 2},
      // Always: channels last, and an axis of 1.
      {{1, 2, 3, 16}, 3, kPositive, 4},
      {{2, 3, 2, 10}, 3, kNegative, 4},
      {{5, 1}, 1, kDefault, 2},
      {{1, 7}, 0, kPositive, 1},
      {{3, 1, 5}, 1, kNegative, 3},
      {{1, 2, 3}, 0, kNegative, 16}};
  return shapes;
}

AxisShape OfRankOne(int index, const AxisShape& otherwise) {
  if (index == 8) return {{129}, 0, AxisForm::kPositive, 0};
  if (index == 9) return {{31}, 0, AxisForm::kNegative, 0};
  return otherwise;
}

AxisShape RandomAxisShape(ScaleGranularity granularity, CounterRng& rng) {
  const int64_t length = RandomLength(rng);
  const int64_t other = rng.Between(1, 4);
  const bool blocked = granularity == ScaleGranularity::kBlocked;
  const int64_t block_size = blocked ? rng.Between(1, length + 1) : 0;
  if (rng.OneIn(2)) return {{other, length}, 1, AxisForm::kDefault, block_size};
  return {{length, other}, 0, AxisForm::kNegative, block_size};
}

}  // namespace

ChannelLayout ListedLayout(ScaleGranularity granularity, int index, bool has_rank_one,
                           CounterRng& rng) {
  const auto place = static_cast<size_t>(index);
  if (granularity == ScaleGranularity::kPerTensor) {
    const std::vector<Shape>& shapes = PerTensorShapes();
    return PerTensorLayout(place < shapes.size() ? shapes[place]
                                                 : Shape{RandomLength(rng)});
  }
  const bool blocked = granularity == ScaleGranularity::kBlocked;
  const std::vector<AxisShape>& shapes = blocked ? BlockedShapes() : PerAxisShapes();
  AxisShape chosen =
      place < shapes.size() ? shapes[place] : RandomAxisShape(granularity, rng);
  if (!blocked && has_rank_one) chosen = OfRankOne(index, chosen);
  return LayoutOf(granularity, std::move(chosen));
}

int ShapeCount(ScaleGranularity granularity) {
  if (granularity == ScaleGranularity::kPerTensor)
    return static_cast<int>(PerTensorShapes().size());
  return AlwaysShapes(granularity)[0].first;
}

int EmptyShape(ScaleGranularity granularity) {
  if (granularity == ScaleGranularity::kPerTensor) return 4;
  return granularity == ScaleGranularity::kBlocked ? 10 : 8;
}

int ShapeThatLeaves(ScaleGranularity granularity, int64_t remainder) {
  const auto fits = [remainder](const Shape& shape) {
    const int64_t elements = std::accumulate(shape.begin(), shape.end(), int64_t{1},
                                             std::multiplies<int64_t>());
    return elements >= 64 && elements % 4 == remainder;
  };
  if (granularity == ScaleGranularity::kPerTensor) {
    const std::vector<Shape>& shapes = PerTensorShapes();
    return static_cast<int>(std::ranges::find_if(shapes, fits) - shapes.begin());
  }
  const std::vector<AxisShape>& shapes =
      granularity == ScaleGranularity::kBlocked ? BlockedShapes() : PerAxisShapes();
  return static_cast<int>(std::ranges::find_if(shapes, fits, &AxisShape::shape) -
                          shapes.begin());
}

std::span<const AlwaysShape> AlwaysShapes(ScaleGranularity granularity) {
  static const int axes = static_cast<int>(PerAxisShapes().size());
  static const int blocks = static_cast<int>(BlockedShapes().size());
  static const std::array per_axis = {AlwaysShape{axes - 7, 3}, AlwaysShape{axes - 4, 2},
                                      AlwaysShape{axes - 2, 2}};
  static const std::array blocked = {AlwaysShape{blocks - 6, 2},
                                     AlwaysShape{blocks - 4, 4}};
  if (granularity == ScaleGranularity::kPerTensor) return {};
  if (granularity == ScaleGranularity::kBlocked) return blocked;
  return per_axis;
}

}  // namespace qconform::generators
