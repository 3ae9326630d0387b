#include "harness/backends/simd/scale_feed.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

namespace qconform::simd {
namespace {

// Shorter runs of one scale, and shorter rows of a vector of scales, are laid
// out element by element together with their neighbours.
constexpr int64_t kShortestRun = 128;

// Shorter runs are not worth a block of the kernels; longer ones are worth a call.
constexpr int64_t kShortestRunAlone = 16;
constexpr int64_t kLongestRunOfMany = 2048;
constexpr int64_t kLongestBlock = 1 << 16;

constexpr int64_t kLongAxis = 512;

constexpr size_t kLine = 64;

// Two divisions for each scale must pay.
constexpr int64_t kUsesForReciprocals = 8;

size_t Smaller(int64_t a, size_t b) {
  return static_cast<size_t>(std::min(static_cast<uint64_t>(a), uint64_t{b}));
}

// Returns how many elements the scales of a whole axis take, or `most` + 1 where
// they are more.
int64_t PeriodOf(const Geometry& g, int64_t most) {
  // Each factor alone first: the product may overflow.
  if (g.axis > most || g.inner > most) return most + 1;
  return std::min(g.axis * g.inner, most + 1);
}

// Returns log2 of the run of one scale where blocks of it can go through the
// kernels without gaps, or -1.
int BlockShift(const ScaleSource& source) {
  const Geometry& g = source.geometry;
  const int64_t run = g.block * g.inner;
  const bool possible = source.blocks && g.scale_count > 1 && g.inner_stride == 0 &&
                        g.block_stride == 1 && run <= (int64_t{1} << 40) &&
                        std::has_single_bit(static_cast<uint64_t>(run)) &&
                        run >= static_cast<int64_t>(source.kernels->lanes()) &&
                        g.axis / g.block * run >= 2 * kShortestRun;
  return possible ? std::countr_zero(static_cast<uint64_t>(run)) : -1;
}

}  // namespace

template <typename Work, typename Zero>
ScaleFeed<Work, Zero>::ScaleFeed(const ScaleSource& source)
    : source_(source),
      window_(source),
      vector_reciprocals_(source.reciprocals_of_many &&
                          (source.uses >= kUsesForReciprocals || source.exact)) {
  PlanUnits();
  PlanRows();
  if (row_length_ == 0) PlanRuns();
}

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::PlanUnits() {
  const Geometry& g = source_.geometry;
  constexpr auto kMost = static_cast<int64_t>(kChunk);
  if (g.inner > kMost || g.axis > std::numeric_limits<int64_t>::max() / kMost) return;
  int64_t unit = 0;
  if (g.inner_stride == 0) {
    const int64_t blocks = (g.axis - 1) / g.block + 1;
    const bool ragged = g.axis % g.block != 0 && g.block_stride == 1;
    if (ragged && g.outer_stride == blocks) unit = g.axis * g.inner;
  } else if (g.block > 1 && g.block_stride == g.inner &&
             g.inner <= static_cast<int64_t>(source_.kernels->lanes())) {
    unit = g.block * g.inner;
  }
  if (unit <= kMost) unit_ = unit;
}

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::PlanRows() {
  const Geometry& g = source_.geometry;
  if (g.scale_count <= 1) return;
  const bool is_run = g.inner_stride == 0;
  if (is_run && g.block * g.inner >= kShortestRun) return;
  const int64_t most = source_.elements / 2;  // rows that no other is like are none
  const int64_t period = g.outer_stride == 0 ? PeriodOf(g, most) : most + 1;
  const int64_t copies = source_.elements / std::max<int64_t>(4 * period, 1);
  const bool fits_twice = 2 * period <= static_cast<int64_t>(kWindow) && copies >= 2;
  if (period <= most && (fits_twice || ((is_run || g.inner < kShortestRun) &&
                                        period <= static_cast<int64_t>(kWindow)))) {
    period_ = static_cast<size_t>(period);
    Cursor cursor = CursorAt(0);
    if (Expand(cursor, period_) < period_) {
      vector_reciprocals_ = false;  // not all of them are right
      cursor = CursorAt(0);
      Expand(cursor, period_);
    }
    size_t times = std::clamp<size_t>(static_cast<size_t>(copies), 1, kWindow / period_);
    // Rows of whole cache lines, where that is possible.
    const size_t lines = kLine / std::gcd(kLine, period_);
    if (times > lines) times -= times % lines;
    const Layout again = {.count = period_, .times = times};
    if (expanded_reciprocals_) {
      LayOut(again, expanded_reciprocal_, expanded_reciprocal_);
      LayOut(again, expanded_reciprocal_low_, expanded_reciprocal_low_);
    } else {
      LayOut(again, expanded_scale_, expanded_scale_);
    }
    if (window_.zero_points_vary()) {
      LayOut(again, expanded_zero_point_, expanded_zero_point_);
    }
    period_ *= times;
    row_length_ = static_cast<int64_t>(period_);
    rows_are_alike_ = true;
  } else if (is_run) {
    if (period > most || BlockShift(source_) >= 0) return;
    row_length_ = period;
    rows_are_alike_ = true;
  } else if (g.inner >= kShortestRun && g.inner <= most) {
    row_length_ = g.inner;
    rows_are_alike_ = g.outer_stride == 0 && g.axis <= g.block;
  }
}

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::PlanRuns() {
  const Geometry& g = source_.geometry;
  const int64_t run = g.block * g.inner;
  // What is left of an axis costs as much as several runs.
  const bool gapless =
      g.axis % g.block == 0 || (g.axis / g.block >= 8 && g.axis * g.inner > kLongAxis);
  if (!source_.blocks || g.scale_count <= 1 || g.inner_stride != 0 || !gapless ||
      run < kShortestRunAlone) {
    return;
  }
  block_shift_ = BlockShift(source_);
  // A call for each run writes parts of lines at its ends.
  const bool long_blocks = block_shift_ >= 0 && source_.long_blocks;
  if (run > (long_blocks ? kLongestBlock : kLongestRunOfMany)) {
    block_shift_ = -1;
    return;
  }
  if (std::is_same_v<Work, double> && block_shift_ < 0) return;  // for blocks only
  run_ = run;
}

template <typename Work, typename Zero>
int64_t ScaleFeed<Work, Zero>::RowsLike(int64_t row) const {
  if (rows_are_alike_) return std::numeric_limits<int64_t>::max();
  const Geometry& g = source_.geometry;
  const int64_t at_axis = row % g.axis;
  return std::min(g.block - at_axis % g.block, g.axis - at_axis);
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::RowPiece(int64_t begin,
                                                                      size_t n) {
  if (period_ != 0) {
    const size_t from = static_cast<size_t>(begin) % period_;
    return LaidOut(from, std::min(n, period_ - from));
  }
  cursor_ = CursorAt(begin);
  if (source_.geometry.inner_stride != 0) return VectorPiece(n);
  return LaidOut(0, Expand(cursor_, n));
}

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::Seek(int64_t begin) {
  if (period_ != 0) {
    phase_ = static_cast<size_t>(begin) % period_;
  } else {
    cursor_ = CursorAt(begin);
  }
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::Next(size_t limit) {
  if (period_ != 0) {
    const Piece piece = LaidOut(phase_, std::min({limit, kChunk, period_ - phase_}));
    phase_ += piece.n;
    if (phase_ == period_) phase_ = 0;
    return piece;
  }
  const int64_t rest = cursor_.length - cursor_.at;
  const size_t n = Smaller(rest, limit);
  const bool is_long = rest >= kShortestRun || n == limit;
  if (source_.geometry.inner_stride != 0) {
    return is_long ? VectorPiece(std::min(n, kChunk)) : ExpandedPiece(limit);
  }
  if (run_ != 0) {
    const bool whole = rest == run_ && n == static_cast<size_t>(rest);
    if (!whole) return UniformPiece(n);
    return block_shift_ >= 0 ? BlocksPiece(limit) : RunsPiece(limit);
  }
  return is_long ? UniformPiece(n) : ExpandedPiece(limit);
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::UniformPiece(size_t n) {
  const int64_t index = cursor_.scale;
  window_.Load(index, 1);
  Piece piece{.n = n, .operands = Operands::kUniform};
  Point(index, piece);
  Advance(cursor_, static_cast<int64_t>(n));
  return piece;
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::RunsPiece(size_t limit) {
  const Geometry& g = source_.geometry;
  const int64_t on_axis = (g.axis - cursor_.axis) / g.block;
  const size_t count =
      std::min(Smaller(on_axis, limit / static_cast<size_t>(run_)), kWindow);
  const int64_t index = cursor_.scale;
  window_.Load(index, count);
  Piece piece{.n = count * static_cast<size_t>(run_),
              .runs = count,
              .operands = Operands::kUniform,
              .one_zero_point = !window_.zero_points_vary()};
  Point(index, piece);
  SkipRuns(cursor_, static_cast<int64_t>(count));
  return piece;
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::BlocksPiece(size_t limit) {
  const Geometry& g = source_.geometry;
  const int64_t on_axis = (g.axis - cursor_.axis) / g.block;  // a partial block stays
  const size_t count = std::min(Smaller(on_axis, limit >> block_shift_), kWindow);
  const int64_t index = cursor_.scale;
  window_.Load(index, count);
  Piece piece{.n = count << block_shift_,
              .operands = Operands::kBlocks,
              .block_shift = block_shift_,
              .one_zero_point = !window_.zero_points_vary()};
  Point(index, piece);
  SkipRuns(cursor_, static_cast<int64_t>(count));
  return piece;
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::VectorPiece(size_t n) {
  const int64_t index = cursor_.scale + cursor_.at;
  window_.Load(index, n);
  Piece piece{.n = n,
              .operands = window_.zero_points_vary() ? Operands::kVectors
                                                     : Operands::kVectorScale};
  Point(index, piece);
  Advance(cursor_, static_cast<int64_t>(n));
  return piece;
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::ExpandedPiece(size_t limit) {
  return LaidOut(0, Expand(cursor_, std::min(limit, kChunk)));
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::LaidOut(size_t from,
                                                                     size_t n) const {
  Piece piece{.n = n,
              .operands = Operands::kVectorScale,
              .zero_point = window_.uniform_zero_point()};
  if (window_.zero_points_vary()) {
    piece.operands = Operands::kVectors;
    piece.zero_point = expanded_zero_point_ + from;
  }
  if (expanded_reciprocals_) {
    piece.reciprocal = expanded_reciprocal_ + from;
    piece.reciprocal_low = expanded_reciprocal_low_ + from;
  } else {
    piece.scale = expanded_scale_ + from;
  }
  return piece;
}

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::Point(int64_t index, Piece& piece) {
  piece.scale = window_.ScaleAt(index);
  piece.zero_point = window_.ZeroPointAt(index);
  const bool uniform = piece.operands == Operands::kUniform;
  const bool blocks = piece.operands == Operands::kBlocks;
  const bool several = (blocks && source_.reciprocals_of_many) || vector_reciprocals_;
  if (!source_.reciprocals || !(uniform || several)) return;
  if (!window_.Reciprocals()) return;
  piece.reciprocal = window_.ReciprocalAt(index);
  piece.reciprocal_low = window_.ReciprocalLowAt(index);
}

template <typename Work, typename Zero>
size_t ScaleFeed<Work, Zero>::Expand(Cursor& cursor, size_t n) {
  const bool is_run = source_.geometry.inner_stride == 0;
  size_t done = 0;
  while (done < n) {
    const bool at_unit = IsAtUnit(cursor);
    // A part of one would make parts of others.
    if (at_unit && done != 0 && n - done < static_cast<size_t>(unit_)) break;
    Cursor next = cursor;
    Layout layout;
    if (at_unit) layout = NextUnits(next, n - done);
    if (layout.rows == 0) {
      layout = is_run ? NextRuns(next, n - done) : NextRows(next, n - done);
    }
    window_.Load(layout.index, layout.count);
    const bool reciprocals = vector_reciprocals_ && window_.Reciprocals();
    if (done == 0) expanded_reciprocals_ = reciprocals;
    if (reciprocals != expanded_reciprocals_) break;
    if (reciprocals) {
      LayOut(layout, window_.ReciprocalAt(layout.index), expanded_reciprocal_ + done);
      LayOut(layout, window_.ReciprocalLowAt(layout.index),
             expanded_reciprocal_low_ + done);
    } else {
      LayOut(layout, window_.ScaleAt(layout.index), expanded_scale_ + done);
    }
    if (window_.zero_points_vary()) {
      LayOut(layout, window_.ZeroPointAt(layout.index), expanded_zero_point_ + done);
    }
    cursor = next;
    done += layout.elements();
  }
  return done;
}

template <typename Work, typename Zero>
template <typename T>
void ScaleFeed<Work, Zero>::LayOut(const Layout& layout, const T* from, T* to) const {
  if (layout.rows != 0) {
    const bool tiles = layout.pattern == Pattern::kTileRows;
    const size_t size = tiles ? layout.count / layout.rows : layout.repeat;
    if constexpr (sizeof(T) == sizeof(float)) {
      const Kernels& k = *source_.kernels;
      (tiles ? k.tile_rows : k.repeat_in_rows)(from, layout.rows, layout.row_length, size,
                                               to);
    } else {
      for (size_t row = 0; row < layout.rows; ++row, to += layout.row_length) {
        for (size_t i = 0; i < layout.row_length; ++i) {
          to[i] = from[tiles ? i % size : i / size];
        }
        from += layout.count / layout.rows;
      }
    }
    return;
  }
  if (layout.repeat == 1) {
    if (from != to) std::memcpy(to, from, layout.count * sizeof(T));
  } else if constexpr (sizeof(T) == sizeof(float)) {
    source_.kernels->repeat(from, layout.count, layout.repeat, to);
  } else {
    for (size_t i = 0; i < layout.count; ++i) {
      std::fill_n(to + i * layout.repeat, layout.repeat, from[i]);
    }
  }
  size_t have = layout.count * layout.repeat;
  for (const size_t total = have * layout.times; have < total;) {  // twice each time
    const size_t more = std::min(have, total - have);
    std::memcpy(to + have, to, more * sizeof(T));
    have += more;
  }
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Layout ScaleFeed<Work, Zero>::NextRuns(Cursor& cursor,
                                                                       size_t n) const {
  const Geometry& g = source_.geometry;
  const int64_t run = g.block * g.inner;
  Layout layout = {.index = cursor.scale, .count = 0};
  // Whole runs up to the end of the axis; their scales are neighbours.
  if (cursor.at == 0 && cursor.length == run && n >= static_cast<size_t>(run)) {
    layout.repeat = static_cast<size_t>(run);
    layout.count =
        std::min(n / layout.repeat, Smaller((g.axis - cursor.axis) / g.block, kWindow));
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

template <typename Work, typename Zero>
bool ScaleFeed<Work, Zero>::IsAtUnit(const Cursor& cursor) const {
  const bool is_run = source_.geometry.inner_stride == 0;
  return unit_ != 0 && cursor.at == 0 && (is_run ? cursor.axis : cursor.in_block) == 0;
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Layout ScaleFeed<Work, Zero>::NextUnits(Cursor& cursor,
                                                                        size_t n) const {
  const Geometry& g = source_.geometry;
  const bool is_run = g.inner_stride == 0;
  const int64_t scales = is_run ? g.outer_stride : g.inner;  // of one
  const auto length = static_cast<size_t>(unit_);
  size_t rows = std::min(n / length, kWindow / static_cast<size_t>(scales));
  if (!is_run) rows = Smaller((g.axis - cursor.axis) / g.block, rows);
  if (rows == 0) return {};
  const auto count = static_cast<int64_t>(rows);
  Layout layout = {.index = cursor.scale,
                   .count = rows * static_cast<size_t>(scales),
                   .rows = rows,
                   .row_length = length};
  if (is_run) {
    layout.repeat = static_cast<size_t>(g.block * g.inner);
    cursor.outer += count;
    cursor.scale = cursor.outer * g.outer_stride;
  } else {
    layout.pattern = Pattern::kTileRows;
    cursor.axis += count * g.block - 1;
    cursor.in_block = g.block - 1;
    cursor.scale += (count - 1) * g.block_stride;
    Advance(cursor, g.inner);
  }
  return layout;
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Layout ScaleFeed<Work, Zero>::NextRows(Cursor& cursor,
                                                                       size_t n) const {
  const Geometry& g = source_.geometry;
  Layout layout = {.index = cursor.scale + cursor.at};
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

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::SkipRuns(Cursor& cursor, int64_t count) const {
  cursor.axis += (count - 1) * source_.geometry.block;
  cursor.scale += count - 1;
  Advance(cursor, cursor.length);
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Cursor ScaleFeed<Work, Zero>::CursorAt(
    int64_t element) const {
  const Geometry& g = source_.geometry;
  const int64_t inner = element % g.inner;
  const int64_t rest = element / g.inner;
  const int64_t axis = rest % g.axis;
  Cursor c;
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

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::Advance(Cursor& c, int64_t n) const {
  c.at += n;
  if (c.at < c.length) return;
  const Geometry& g = source_.geometry;
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

template class ScaleFeed<float, int32_t>;
template class ScaleFeed<float, float>;
template class ScaleFeed<double, int32_t>;
template class ScaleFeed<double, float>;

}  // namespace qconform::simd
