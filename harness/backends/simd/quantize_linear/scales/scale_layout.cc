#include "harness/backends/simd/quantize_linear/scales/scale_layout.h"

#include <algorithm>
#include <limits>

namespace qconform::simd {
ScaleWalk::ScaleWalk(const Geometry& geometry, size_t lanes, size_t most_scales,
                     int64_t longest_unit)
    : geometry_(geometry), lanes_(lanes), most_(most_scales) {
  PlanUnits(longest_unit);
}

void ScaleWalk::PlanUnits(int64_t longest) {
  // As many are worth a call each.
  constexpr int64_t kFewLongBlocks = 3;
  constexpr int64_t kLongBlock = 128;
  const Geometry& g = geometry_;
  if (g.inner > longest || g.axis > std::numeric_limits<int64_t>::max() / longest) return;
  const bool is_run = g.inner_stride == 0;
  const int64_t scales = is_run ? 1 : g.inner;  // of a block
  const int64_t blocks = (g.axis - 1) / g.block + 1;
  if (g.block_stride != scales || (!is_run && g.block == 1)) return;
  const bool fits = g.axis * g.inner <= longest;
  if (fits && g.axis % g.block != 0 && g.outer_stride == blocks * scales) {
    if (is_run && blocks <= kFewLongBlocks && g.block * g.inner >= kLongBlock) return;
    unit_ = g.axis * g.inner;
    unit_is_axis_ = true;
  } else if (!is_run && g.block * g.inner <= longest) {
    unit_ = g.block * g.inner;
  }
}

ScaleCursor ScaleWalk::CursorAt(int64_t element) const {
  const Geometry& g = geometry_;
  const int64_t inner = element % g.inner;
  const int64_t rest = element / g.inner;
  const int64_t axis = rest % g.axis;
  ScaleCursor c;
  c.outer = rest / g.axis;
  c.scale = c.outer * g.outer_stride + axis / g.block * g.block_stride;
  if (g.inner_stride == 0) {
    c.axis = axis / g.block * g.block;
    c.at = (axis - c.axis) * g.inner + inner;
    c.length = std::min(g.block, g.axis - c.axis) * g.inner;
  } else {
    c.axis = axis;
    c.in_block = axis % g.block;
    c.at = inner;
    c.length = g.inner;
  }
  return c;
}

void ScaleWalk::Advance(ScaleCursor& c, int64_t n) const {
  c.at += n;
  if (c.at < c.length) return;
  const Geometry& g = geometry_;
  const bool is_run = g.inner_stride == 0;
  c.at = 0;
  c.axis += is_run ? g.block : 1;
  ++c.in_block;
  if (c.axis >= g.axis) {
    ++c.outer;
    c.axis = 0;
    c.in_block = 0;
    c.scale = c.outer * g.outer_stride;
  } else if (is_run || c.in_block == g.block) {
    c.in_block = 0;
    c.scale += g.block_stride;
  }
  if (is_run) c.length = std::min(g.block, g.axis - c.axis) * g.inner;
}

void ScaleWalk::SkipRuns(ScaleCursor& cursor, int64_t count) const {
  cursor.axis += (count - 1) * geometry_.block;
  cursor.scale += count - 1;
  Advance(cursor, cursor.length);
}

LaidOutScales ScaleWalk::NextRuns(ScaleCursor& cursor, size_t n) const {
  const Geometry& g = geometry_;
  const int64_t run = g.block * g.inner;
  LaidOutScales layout = {.index = cursor.scale, .count = 0};
  // Whole runs up to the end of the axis; their scales are neighbours.
  if (cursor.at == 0 && cursor.length == run && n >= static_cast<size_t>(run)) {
    layout.repeat = static_cast<size_t>(run);
    layout.count =
        std::min(n / layout.repeat, Smaller((g.axis - cursor.axis) / g.block, most_));
  }
  if (layout.count != 0) {
    SkipRuns(cursor, static_cast<int64_t>(layout.count));
    return layout;
  }
  layout.count = 1;  // a part of one
  layout.repeat = Smaller(cursor.length - cursor.at, n);
  Advance(cursor, static_cast<int64_t>(layout.repeat));
  return layout;
}

LaidOutScales ScaleWalk::NextRows(ScaleCursor& cursor, size_t n) const {
  const Geometry& g = geometry_;
  LaidOutScales layout = {.index = cursor.scale + cursor.at};
  const auto row = static_cast<size_t>(g.inner);
  const size_t rows =  // that have the same scales and fit
      std::min(Smaller(std::min(g.block - cursor.in_block, g.axis - cursor.axis), n),
               n / row);
  if (cursor.at != 0 || rows <= 1) {
    layout.count = Smaller(cursor.length - cursor.at, n);
    Advance(cursor, static_cast<int64_t>(layout.count));
    return layout;
  }
  layout.count = row;
  layout.times = rows;
  cursor.axis += static_cast<int64_t>(rows) - 1;
  cursor.in_block += static_cast<int64_t>(rows) - 1;
  Advance(cursor, g.inner);
  return layout;
}

LaidOutScales ScaleWalk::NextUnits(ScaleCursor& cursor, size_t n) const {
  const Geometry& g = geometry_;
  const bool is_run = g.inner_stride == 0;
  const int64_t scales = unit_is_axis_ ? g.outer_stride : g.inner;  // of one
  const auto length = static_cast<size_t>(unit_);
  size_t rows = std::min(n / length, most_ / static_cast<size_t>(scales));
  if (!unit_is_axis_) rows = Smaller((g.axis - cursor.axis) / g.block, rows);
  if (rows == 0) return {};
  const auto count = static_cast<int64_t>(rows);
  LaidOutScales layout = {.index = cursor.scale,
                          .count = rows * static_cast<size_t>(scales),
                          .rows = rows,
                          .row_length = length};
  if (is_run) {
    layout.repeat = static_cast<size_t>(g.block * g.inner);
  } else {
    using enum LaidOutScales::Pattern;
    layout.tile = static_cast<size_t>(g.inner);
    layout.repeat = static_cast<size_t>(g.block);
    layout.pattern = unit_is_axis_ || layout.tile > lanes_ ? kTileInRows : kTileRows;
  }
  if (unit_is_axis_) {
    cursor.outer += count;
    cursor.scale = cursor.outer * g.outer_stride;
  } else {
    cursor.axis += count * g.block - 1;
    cursor.in_block = g.block - 1;
    cursor.scale += (count - 1) * g.block_stride;
    Advance(cursor, g.inner);
  }
  return layout;
}

bool ScaleWalk::IsAtUnit(const ScaleCursor& cursor) const {
  return unit_ != 0 && cursor.at == 0 &&
         (unit_is_axis_ ? cursor.axis : cursor.in_block) == 0;
}

}  // namespace qconform::simd
