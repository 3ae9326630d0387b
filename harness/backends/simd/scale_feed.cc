#include "harness/backends/simd/scale_feed.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "harness/backends/simd/zero_points.h"

namespace qconform::simd {
namespace {

// Shorter runs of one scale, and shorter rows of a vector of scales, are laid
// out element by element together with their neighbours.
constexpr int64_t kShortestRun = 128;

int64_t ScaleBytes(DataType type) { return BitWidth(type) / 8; }

size_t Smaller(int64_t a, size_t b) {
  return static_cast<size_t>(std::min(static_cast<uint64_t>(a), uint64_t{b}));
}

// Two divisions for each scale must pay.
constexpr int64_t kUsesForReciprocals = 8;

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
      scale_as_it_is_(std::is_same_v<Work, float> &&
                      source.scale.type == DataType::kFloat &&
                      source.precision == DataType::kFloat),
      zero_points_vary_(source.zero_point_count > 1),
      block_shift_(BlockShift(source)),
      // A row is in the window as long as it is used.
      vector_reciprocals_(source.reciprocals && source.uses >= kUsesForReciprocals &&
                          source.geometry.inner <= static_cast<int64_t>(kWindow)) {
  if (source.zero_point_count == 1) {
    LoadZeroPoints(*source.kernels, source.zero_point, 0, 1, source.min,
                   &uniform_zero_point_);
  } else {
    uniform_zero_point_ = static_cast<Zero>(-source.min);
  }
  const Geometry& g = source.geometry;
  if (block_shift_ >= 0 && !zero_points_vary_) {
    std::fill_n(window_zero_point_, Smaller(g.scale_count, kWindow), uniform_zero_point_);
  }
  // Each factor alone first: the product may overflow.
  constexpr auto kMost = static_cast<int64_t>(kChunk);
  const bool repeats = g.outer_stride == 0 && g.scale_count > 1 && g.axis <= kMost &&
                       g.inner <= kMost && g.axis * g.inner <= kMost;
  if (repeats && (g.inner_stride == 1 || g.block * g.inner < kShortestRun)) {
    period_ = static_cast<size_t>(g.axis * g.inner);
    Cursor cursor = CursorAt(0);
    Expand(cursor, period_);
    // A chunk may begin anywhere in the period.
    for (size_t i = period_; i < period_ + kChunk; ++i) {
      expanded_scale_[i] = expanded_scale_[i - period_];
      if (zero_points_vary_) expanded_zero_point_[i] = expanded_zero_point_[i - period_];
    }
    if constexpr (std::is_same_v<Work, float>) {
      if (source.reciprocals && source.uses >= 4 * kUsesForReciprocals) {
        period_range_ =
            source.kernels->reciprocals(expanded_scale_, period_ + kChunk,
                                        expanded_reciprocal_, expanded_reciprocal_low_);
      }
    }
  }
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
    const size_t n = std::min(limit, kChunk);
    Piece piece{.n = n,
                .operands = Operands::kVectorScale,
                .scale = expanded_scale_ + phase_,
                .zero_point = &uniform_zero_point_};
    if (zero_points_vary_) {
      piece.operands = Operands::kVectors;
      piece.zero_point = expanded_zero_point_ + phase_;
    }
    if (period_range_ == ReciprocalRange::kAll) {
      piece.reciprocal = expanded_reciprocal_ + phase_;
      piece.reciprocal_low = expanded_reciprocal_low_ + phase_;
    }
    phase_ = static_cast<uint32_t>(phase_ + n) % static_cast<uint32_t>(period_);
    return piece;
  }
  const int64_t rest = cursor_.length - cursor_.at;
  const size_t n = Smaller(rest, limit);
  const bool is_long = rest >= kShortestRun || n == limit;
  if (source_.geometry.inner_stride != 0) {
    return is_long ? VectorPiece(std::min(n, kChunk)) : ExpandedPiece(limit);
  }
  if (block_shift_ >= 0) {
    const bool whole =
        rest == int64_t{1} << block_shift_ && n == static_cast<size_t>(rest);
    return whole ? BlocksPiece(limit) : UniformPiece(n);
  }
  return is_long ? UniformPiece(n) : ExpandedPiece(limit);
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::UniformPiece(size_t n) {
  const int64_t index = cursor_.scale;
  Load(index, 1);
  Piece piece{.n = n, .operands = Operands::kUniform};
  Point(index, piece);
  std::memcpy(&uniform_scale_, piece.scale,
              sizeof(Work));  // may lie unaligned in y_scale
  piece.scale = &uniform_scale_;
  Advance(cursor_, static_cast<int64_t>(n));
  return piece;
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::BlocksPiece(size_t limit) {
  const Geometry& g = source_.geometry;
  const int64_t on_axis = (g.axis - cursor_.axis) / g.block;  // a partial block stays
  const size_t count = std::min(Smaller(on_axis, limit >> block_shift_), kWindow);
  const int64_t index = cursor_.scale;
  Load(index, count);
  Piece piece{.n = count << block_shift_,
              .operands = Operands::kBlocks,
              .block_shift = block_shift_};
  Point(index, piece);
  if (!zero_points_vary_) piece.zero_point = window_zero_point_;
  SkipRuns(cursor_, static_cast<int64_t>(count));
  return piece;
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::VectorPiece(size_t n) {
  const int64_t index = cursor_.scale + cursor_.at;
  Load(index, n);
  Piece piece{
      .n = n,
      .operands = zero_points_vary_ ? Operands::kVectors : Operands::kVectorScale};
  Point(index, piece);
  Advance(cursor_, static_cast<int64_t>(n));
  return piece;
}

template <typename Work, typename Zero>
typename ScaleFeed<Work, Zero>::Piece ScaleFeed<Work, Zero>::ExpandedPiece(size_t limit) {
  const size_t n = std::min(limit, kChunk);
  Expand(cursor_, n);
  Piece piece{.n = n,
              .operands = Operands::kVectorScale,
              .scale = expanded_scale_,
              .zero_point = &uniform_zero_point_};
  if (zero_points_vary_) {
    piece.operands = Operands::kVectors;
    piece.zero_point = expanded_zero_point_;
  }
  return piece;
}

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::Load(int64_t index, size_t n) {
  if (scale_as_it_is_ && !zero_points_vary_ && !source_.reciprocals) return;
  if (index >= window_begin_ && index + static_cast<int64_t>(n) <= window_end_) return;
  const size_t count = Smaller(source_.geometry.scale_count - index, kWindow);
  window_begin_ = index;
  window_end_ = index + static_cast<int64_t>(count);
  window_has_reciprocals_ = false;
  const Kernels& k = *source_.kernels;
  const TensorView& scale = source_.scale;
  const std::byte* in = scale.data.data() + index * ScaleBytes(scale.type);
  if constexpr (std::is_same_v<Work, double>) {
    k.to_double(scale.type, in, count, window_scale_);
  } else if (!scale_as_it_is_) {
    k.scales(scale.type, in, count, source_.precision, window_scale_);
  }
  if (zero_points_vary_) {
    LoadZeroPoints(k, source_.zero_point, index, count, source_.min, window_zero_point_);
  }
}

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::Point(int64_t index, Piece& piece) {
  piece.scale = ScaleAt(index);
  piece.zero_point = ZeroPointAt(index);
  if constexpr (std::is_same_v<Work, float>) {
    const bool uniform = piece.operands == Operands::kUniform;
    const bool blocks = piece.operands == Operands::kBlocks;
    if (!source_.reciprocals || !(uniform || blocks || vector_reciprocals_)) return;
    if (!window_has_reciprocals_) {
      window_range_ = source_.kernels->reciprocals(
          ScaleAt(window_begin_), static_cast<size_t>(window_end_ - window_begin_),
          reciprocal_, reciprocal_low_);
      window_has_reciprocals_ = true;
    }
    // One scale out of range sends its whole window to the division.
    if (window_range_ == ReciprocalRange::kNone) return;
    if (!uniform && window_range_ != ReciprocalRange::kAll) return;
    piece.reciprocal = reciprocal_ + (index - window_begin_);
    piece.reciprocal_low = reciprocal_low_ + (index - window_begin_);
  }
}

template <typename Work, typename Zero>
void ScaleFeed<Work, Zero>::Expand(Cursor& cursor, size_t n) {
  const bool is_run = source_.geometry.inner_stride == 0;
  for (size_t done = 0; done < n;) {
    done +=
        is_run ? ExpandRuns(cursor, done, n - done) : ExpandRows(cursor, done, n - done);
  }
}

template <typename Work, typename Zero>
size_t ScaleFeed<Work, Zero>::ExpandRuns(Cursor& cursor, size_t done, size_t n) {
  const Geometry& g = source_.geometry;
  const int64_t run = g.block * g.inner;
  // Whole runs up to the end of the axis; their scales are neighbours.
  size_t count = 0;
  if (cursor.at == 0 && cursor.length == run && n >= static_cast<size_t>(run)) {
    count = std::min(n / static_cast<size_t>(run),
                     Smaller((g.axis - cursor.axis) / g.block, kWindow));
  }
  if (count == 0) {  // a part of one
    const size_t part = Smaller(cursor.length - cursor.at, n);
    Load(cursor.scale, 1);
    Work value;  // a FLOAT scale may lie unaligned in y_scale
    std::memcpy(&value, ScaleAt(cursor.scale), sizeof(Work));
    std::fill_n(expanded_scale_ + done, part, value);
    if (zero_points_vary_) {
      std::fill_n(expanded_zero_point_ + done, part, *ZeroPointAt(cursor.scale));
    }
    Advance(cursor, static_cast<int64_t>(part));
    return part;
  }
  Load(cursor.scale, count);
  const auto length = static_cast<size_t>(run);
  const Work* scale = ScaleAt(cursor.scale);
  if constexpr (sizeof(Work) == sizeof(float)) {
    source_.kernels->repeat(scale, count, length, expanded_scale_ + done);
  } else {
    for (size_t i = 0; i < count; ++i) {
      std::fill_n(expanded_scale_ + done + i * length, length, scale[i]);
    }
  }
  if (zero_points_vary_) {
    source_.kernels->repeat(ZeroPointAt(cursor.scale), count, length,
                            expanded_zero_point_ + done);
  }
  SkipRuns(cursor, static_cast<int64_t>(count));
  return count * length;
}

template <typename Work, typename Zero>
size_t ScaleFeed<Work, Zero>::ExpandRows(Cursor& cursor, size_t done, size_t n) {
  const Geometry& g = source_.geometry;
  const int64_t index = cursor.scale + cursor.at;
  const size_t first = Smaller(cursor.length - cursor.at, n);
  const auto copy = [&](size_t to, int64_t from, size_t count) {
    std::memcpy(expanded_scale_ + to, ScaleAt(from), count * sizeof(Work));
    if (zero_points_vary_) {
      std::memcpy(expanded_zero_point_ + to, ZeroPointAt(from), count * sizeof(Zero));
    }
  };
  const auto row = static_cast<size_t>(g.inner);
  const size_t rows =  // that have the same scales and fit
      std::min(Smaller(std::min(g.block - cursor.in_block, g.axis - cursor.axis), n),
               n / row);
  if (cursor.at != 0 || rows <= 1) {
    Load(index, first);
    copy(done, index, first);
    Advance(cursor, static_cast<int64_t>(first));
    return first;
  }
  Load(index, row);
  copy(done, index, row);
  const size_t total = rows * row;
  for (size_t have = row; have < total;) {  // twice as much each time
    const size_t more = std::min(have, total - have);
    std::memcpy(expanded_scale_ + done + have, expanded_scale_ + done,
                more * sizeof(Work));
    if (zero_points_vary_) {
      std::memcpy(expanded_zero_point_ + done + have, expanded_zero_point_ + done,
                  more * sizeof(Zero));
    }
    have += more;
  }
  cursor.axis += static_cast<int64_t>(rows) - 1;
  cursor.in_block += static_cast<int64_t>(rows) - 1;
  Advance(cursor, g.inner);
  return total;
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

template <typename Work, typename Zero>
const Work* ScaleFeed<Work, Zero>::ScaleAt(int64_t index) const {
  if (scale_as_it_is_) {
    return reinterpret_cast<const Work*>(source_.scale.data.data()) + index;
  }
  return window_scale_ + (index - window_begin_);
}

template <typename Work, typename Zero>
const Zero* ScaleFeed<Work, Zero>::ZeroPointAt(int64_t index) const {
  return zero_points_vary_ ? window_zero_point_ + (index - window_begin_)
                           : &uniform_zero_point_;
}

template class ScaleFeed<float, int32_t>;
template class ScaleFeed<float, float>;
template class ScaleFeed<double, int32_t>;
template class ScaleFeed<double, float>;

}  // namespace qconform::simd
