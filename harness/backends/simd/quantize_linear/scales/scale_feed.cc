#include "harness/backends/simd/quantize_linear/scales/scale_feed.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

#include "harness/backends/simd/core/prefetch.h"

namespace qconform::simd {
namespace {

// Shorter runs of one scale, and shorter rows of a vector of scales, are laid
// out element by element together with their neighbours.
constexpr int64_t kShortestRun = 128;

// Shorter runs are not worth a block of the kernels; longer ones are worth a call.
constexpr int64_t kShortestRunAlone = 16;
constexpr int64_t kLongestRunOfMany = 1 << 14;
constexpr int64_t kLongestRunOfStreamed = 2048;
constexpr int64_t kLongestRunOfBlocks = 2048;
constexpr int64_t kLongestBlock = 1 << 16;

// Shorter axes that end with a short block are laid out.
constexpr int64_t kLongAxis = static_cast<int64_t>(kChunk);

// What it takes to make a reciprocal must pay.
constexpr int64_t kUsesForReciprocals = 8;

// Returns how many elements the scales of a whole axis take, or `most` + 1 where
// they are more.
int64_t PeriodOf(const Geometry& g, int64_t most) {
  // Each factor is checked first: the product may overflow.
  if (g.axis > most || g.inner > most) return most + 1;
  return std::min(g.axis * g.inner, most + 1);
}

void LayOutRows(const Kernels& k, const LaidOutScales& layout, const void* from,
                void* to) {
  switch (layout.pattern) {
    case LaidOutScales::Pattern::kRepeatInRows:
      return k.repeat_in_rows(from, layout.rows, layout.row_length, layout.repeat, to);
    case LaidOutScales::Pattern::kTileRows:
      return k.tile_rows(from, layout.rows, layout.row_length, layout.tile, to);
    case LaidOutScales::Pattern::kTileInRows:
      return k.tile_in_rows(from, layout.rows, layout.row_length, layout.tile,
                            layout.repeat, to);
  }
}

// The same for values of other sizes.
template <typename T>
void LayOutRows(const LaidOutScales& layout, const T* from, T* to) {
  const size_t tile = std::max<size_t>(layout.tile, 1);
  for (size_t row = 0; row < layout.rows; ++row, to += layout.row_length) {
    for (size_t i = 0; i < layout.row_length; ++i) {
      to[i] = from[i / tile / layout.repeat * tile + i % tile];
    }
    from += layout.count / layout.rows;
  }
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
      walk_(source.geometry, source.kernels->lanes(), kWindow,
            static_cast<int64_t>(kChunk)),
      vector_reciprocals_(source.reciprocals_of_many &&
                          (source.uses >= kUsesForReciprocals || source.exact)) {
  PlanRows();
  if (row_length_ != 0) return;
  PlanRuns();
  // What is laid out for each element is used once: a second part of a reciprocal costs
  // more than a division.
  if (source.two_parts && !source.exact) vector_reciprocals_ = false;
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
    ScaleCursor cursor = walk_.CursorAt(0);
    if (Expand(cursor, period_) < period_) {
      assert(!source_.exact);
      vector_reciprocals_ = false;  // not all of them are right
      cursor = walk_.CursorAt(0);
      Expand(cursor, period_);
    }
    size_t times = std::clamp<size_t>(static_cast<size_t>(copies), 1, kWindow / period_);
    // Rows of whole cache lines, where that is possible.
    const size_t lines = kLine / std::gcd(kLine, period_);
    if (times > lines) times -= times % lines;
    const LaidOutScales again = {.count = period_, .times = times};
    if (expanded_reciprocals_) {
      LayOutReciprocals(again, Expanded(), 0);
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
  if (block_shift_ < 0 && run < source_.shortest_run) return;
  // A call for each run writes parts of lines at its ends.
  if (run > (source_.long_blocks ? kLongestBlock : kLongestRunOfBlocks)) {
    block_shift_ = -1;
  }
  if (block_shift_ < 0) {
    if (std::is_same_v<Work, double>) return;  // for blocks only
    if (run > (source_.streams ? kLongestRunOfStreamed : kLongestRunOfMany)) return;
  }
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
  cursor_ = walk_.CursorAt(begin);
  if (source_.geometry.inner_stride != 0) return VectorPiece(n);
  return LaidOut(0, Expand(cursor_, n));
}

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::Seek(int64_t begin) {
  if (period_ != 0) {
    phase_ = static_cast<size_t>(begin) % period_;
  } else {
    cursor_ = walk_.CursorAt(begin);
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
  const bool is_unit =
      walk_.IsAtUnit(cursor_) && limit >= static_cast<size_t>(walk_.unit());
  return is_long && !is_unit ? UniformPiece(n) : ExpandedPiece(limit);
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::UniformPiece(size_t n) {
  const int64_t index = cursor_.scale;
  window_.Load(index, 1);
  Piece piece{.n = n, .operands = Operands::kUniform};
  Point(index, piece);
  walk_.Advance(cursor_, static_cast<int64_t>(n));
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
  walk_.SkipRuns(cursor_, static_cast<int64_t>(count));
  return piece;
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::BlocksPiece(size_t limit) {
  const Geometry& g = source_.geometry;
  const int64_t on_axis = (g.axis - cursor_.axis) / g.block;  // a partial block stays
  const size_t count = std::min(Smaller(on_axis, limit >> block_shift_), source_.window);
  const int64_t index = cursor_.scale;
  window_.Load(index, count);
  Piece piece{.n = count << block_shift_,
              .operands = Operands::kBlocks,
              .block_shift = block_shift_,
              .one_zero_point = !window_.zero_points_vary()};
  Point(index, piece);
  walk_.SkipRuns(cursor_, static_cast<int64_t>(count));
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
  walk_.Advance(cursor_, static_cast<int64_t>(n));
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
    piece.reciprocals = Expanded() + from;
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
  if (window_.HasReciprocals()) piece.reciprocals = window_.ReciprocalsAt(index);
}

template <typename Work, typename Zero>
size_t ScaleFeed<Work, Zero>::Expand(ScaleCursor& cursor, size_t n) {
  const bool is_run = source_.geometry.inner_stride == 0;
  size_t done = 0;
  while (done < n) {
    const bool at_unit = walk_.IsAtUnit(cursor);
    // A part of one would make parts of others.
    if (at_unit && done != 0 && n - done < static_cast<size_t>(walk_.unit())) break;
    ScaleCursor next = cursor;
    LaidOutScales layout;
    if (at_unit) layout = walk_.NextUnits(next, n - done);
    if (layout.rows == 0) {
      layout = is_run ? walk_.NextRuns(next, n - done) : walk_.NextRows(next, n - done);
    }
    window_.Load(layout.index, layout.count);
    const bool reciprocals = vector_reciprocals_ && window_.HasReciprocals();
    if (done == 0) expanded_reciprocals_ = reciprocals;
    if (reciprocals != expanded_reciprocals_) break;
    if (reciprocals) {
      LayOutReciprocals(layout, window_.ReciprocalsAt(layout.index), done);
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
void ScaleFeed<Work, Zero>::LayOutReciprocals(const LaidOutScales& layout,
                                              const Reciprocals& from, size_t to) {
  LayOut(layout, from.high, expanded_high_ + to);
  if (from.low != nullptr) LayOut(layout, from.low, expanded_low_ + to);
}

template <typename Work, typename Zero>
template <typename T>
void ScaleFeed<Work, Zero>::LayOut(const LaidOutScales& layout, const T* from,
                                   T* to) const {
  if (layout.rows != 0) {
    if constexpr (sizeof(T) == sizeof(float)) {
      LayOutRows(*source_.kernels, layout, from, to);
    } else {
      LayOutRows(layout, from, to);
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

template class ScaleFeed<float, int32_t>;
template class ScaleFeed<float, float>;
template class ScaleFeed<double, int32_t>;
template class ScaleFeed<double, float>;

}  // namespace qconform::simd
