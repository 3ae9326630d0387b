// How scales lie along x: a position in x, and parts of it whose operands are laid out
// element by element.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_SCALES_SCALE_LAYOUT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_SCALES_SCALE_LAYOUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/core/geometry.h"

namespace qconform::simd {

// The smaller of a number that is not negative and a size.
inline size_t Smaller(int64_t a, size_t b) {
  return static_cast<size_t>(std::min(static_cast<uint64_t>(a), uint64_t{b}));
}

// A position in x: `at` of the `length` elements of a stretch, which is a run of one
// scale (inner_stride 0) or a row of a vector of scales.
struct ScaleCursor {
  int64_t outer = 0;
  int64_t axis = 0;      // where the stretch begins
  int64_t in_block = 0;  // axis % block
  int64_t scale = 0;     // index of the stretch's first scale
  int64_t at = 0;
  int64_t length = 0;
};

// Elements whose operands are laid out: `count` scales from `index` on, each of them
// `repeat` times, and all that `times` times. Or `rows` of row_length elements.
struct LaidOutScales {
  // What a row is.
  enum class Pattern : uint8_t {
    kRepeatInRows,  // each scale `repeat` times, the last as often as there is room
    kTileRows,      // `tile` scales again and again
    kTileInRows,    // `tile` scales `repeat` times, then the next; the last as above
  };

  int64_t index = 0;
  size_t count = 0;
  size_t repeat = 1;
  size_t times = 1;
  Pattern pattern = Pattern::kRepeatInRows;
  size_t rows = 0;
  size_t row_length = 0;
  size_t tile = 0;

  size_t elements() const {
    return rows != 0 ? rows * row_length : count * repeat * times;
  }
};

// Walks over x.
class ScaleWalk {
 public:
  // lanes: of a vector of FLOATs. LaidOutScales have at most `most_scales`.
  ScaleWalk(const Geometry& geometry, size_t lanes, size_t most_scales,
            int64_t longest_unit);

  ScaleCursor CursorAt(int64_t element) const;
  // Moves by n elements within the stretch, or to its end and so to the next.
  void Advance(ScaleCursor& cursor, int64_t n) const;
  // Moves over `count` whole runs, all within the axis.
  void SkipRuns(ScaleCursor& cursor, int64_t count) const;

  // Returns the next part of x, at most n elements, and moves past it: some runs of one
  // scale each; or some rows with the same vector of scales.
  LaidOutScales NextRuns(ScaleCursor& cursor, size_t n) const;
  LaidOutScales NextRows(ScaleCursor& cursor, size_t n) const;
  // The same for some units; none if n is less than one.
  LaidOutScales NextUnits(ScaleCursor& cursor, size_t n) const;
  bool IsAtUnit(const ScaleCursor& cursor) const;
  // The length of a unit, or 0 if there are none: an axis with a short block at its
  // end, or a block of rows that are not too long. Its scales are neighbours; several
  // units are laid out at once.
  int64_t unit() const { return unit_; }

 private:
  void PlanUnits(int64_t longest);

  Geometry geometry_;
  size_t lanes_;
  size_t most_;
  int64_t unit_ = 0;
  bool unit_is_axis_ = false;
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_SCALES_SCALE_LAYOUT_H_
