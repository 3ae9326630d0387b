// Lists of shapes, axes and blocks, with those that kernels forget: empty ones, tails of
// every length, squares, axes of every rank, blocks that do not divide their axis.
#ifndef QCONFORM_CASES_QUANTIZATION_SHAPES_H_
#define QCONFORM_CASES_QUANTIZATION_SHAPES_H_

#include <cstdint>
#include <span>

#include "cases/core/counter_rng.h"
#include "cases/quantization/channel_layout.h"

namespace qconform::generators {

// Returns the layout of a place of the list of a granularity; after its end shapes are
// random. `has_rank_one`: the list of axes has two of rank 1, in place of the empty ones.
ChannelLayout ListedLayout(ScaleGranularity granularity, int index, bool has_rank_one,
                           CounterRng& rng);

// The number of shapes that cells take turns with, at the start of the list.
int ShapeCount(ScaleGranularity granularity);
// Per tensor a scalar, rank 5 and one element; a block longer than its axis, and blocks
// of 1.
inline constexpr int kScalar = 2;
inline constexpr int kRankFive = 5;
inline constexpr int kOneElement = 33;
inline constexpr int kOverlongBlock = 9;
inline constexpr int kBlocksOfOne = 7;
inline constexpr int kDefaultAxisOfRankThree = 3;  // blocked: axis 1 is not the last
inline constexpr int kAxisOfOne = 7;               // per axis
int EmptyShape(ScaleGranularity granularity);
// Returns the index of the first shape of at least 64 elements, of which `remainder` are
// left after groups of four: of 6 bits, these do not fill three bytes.
// Precondition: 0 <= remainder < 4.
int ShapeThatLeaves(ScaleGranularity granularity, int64_t remainder);
// Shapes after those that cells take turns with: every cell is asked one of each group.
struct AlwaysShape {
  int first;  // its first index
  int count;
};
std::span<const AlwaysShape> AlwaysShapes(ScaleGranularity granularity);

// Sizes that tables of kernels and of accelerators end at: long axes and large blocks.
std::span<const AxisShape> LongShapes(ScaleGranularity granularity);
inline constexpr int kUsualLongShapes = 4;  // the first ones are as models have them
// Ranks that few kernels have a path for.
std::span<const AxisShape> HighRankShapes(ScaleGranularity granularity);
// Of 131 072 elements and more, and of no whole number of pages. A cell is asked two
// neighbours: one with long runs of a scale, one with short ones.
std::span<const AxisShape> HugeShapes(ScaleGranularity granularity);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_QUANTIZATION_SHAPES_H_
