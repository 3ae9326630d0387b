#include "harness/backends/simd/scale_layout.h"

#include <algorithm>
#include <limits>

namespace qconform::simd {
ScaleWalk::ScaleWalk(const Geometry& geometry, size_t lanes, size_t most_scales,
                     int64_t longest_unit)
    : geometry_(geometry), most_(most_scales) {
  PlanUnits(lanes, longest_unit);
}

void ScaleWalk::PlanUnits(size_t lanes, int64_t longest) {
  const Geometry& g = geometry_;
  if (g.inner > longest || g.axis > std::numeric_limits<int64_t>::max() / longest) return;
  int64_t unit = 0;
  if (g.inner_stride == 0) {
    const int64_t blocks = (g.axis - 1) / g.block + 1;
    const bool ragged = g.axis % g.block != 0 && g.block_stride == 1;
    if (ragged && g.outer_stride == blocks) unit = g.axis * g.inner;
  } else if (g.block > 1 && g.block_stride == g.inner &&
             g.inner <= static_cast<int64_t>(lanes)) {
    unit = g.block * g.inner;
  }
  if (unit <= longest) unit_ = unit;
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

ScaleLayout ScaleWalk::NextRuns(ScaleCursor& cursor, size_t n) const {
  const Geometry& g = geometry_;
  const int64_t run = g.block * g.inner;
  ScaleLayout layout = {.index = cursor.scale, .count = 0};
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

ScaleLayout ScaleWalk::NextRows(ScaleCursor& cursor, size_t n) const {
  const Geometry& g = geometry_;
  ScaleLayout layout = {.index = cursor.scale + cursor.at};
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

ScaleLayout ScaleWalk::NextUnits(ScaleCursor& cursor, size_t n) const {
  const Geometry& g = geometry_;
  const bool is_run = g.inner_stride == 0;
  const int64_t scales = is_run ? g.outer_stride : g.inner;  // of one
  const auto length = static_cast<size_t>(unit_);
  size_t rows = std::min(n / length, most_ / static_cast<size_t>(scales));
  if (!is_run) rows = Smaller((g.axis - cursor.axis) / g.block, rows);
  if (rows == 0) return {};
  const auto count = static_cast<int64_t>(rows);
  ScaleLayout layout = {.index = cursor.scale,
                        .count = rows * static_cast<size_t>(scales),
                        .rows = rows,
                        .row_length = length};
  if (is_run) {
    layout.repeat = static_cast<size_t>(g.block * g.inner);
    cursor.outer += count;
    cursor.scale = cursor.outer * g.outer_stride;
  } else {
    layout.pattern = ScaleLayout::Pattern::kTileRows;
    cursor.axis += count * g.block - 1;
    cursor.in_block = g.block - 1;
    cursor.scale += (count - 1) * g.block_stride;
    Advance(cursor, g.inner);
  }
  return layout;
}

bool ScaleWalk::IsAtUnit(const ScaleCursor& cursor) const {
  const bool is_run = geometry_.inner_stride == 0;
  return unit_ != 0 && cursor.at == 0 && (is_run ? cursor.axis : cursor.in_block) == 0;
}

}  // namespace qconform::simd
