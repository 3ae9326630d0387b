#include "harness/backends/simd/scale_feed.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "harness/backends/simd/zero_points.h"

namespace qconform::simd {
namespace {

// Shorter runs of one scale, and shorter rows of a vector of scales, are laid
// out element by element together with their neighbours.
constexpr int64_t kShortestRun = 128;

int64_t ScaleBytes(DataType type) { return BitWidth(type) / 8; }

}  // namespace

template <typename Work>
ScaleFeed<Work>::ScaleFeed(const ScaleSource& source)
    : source_(source),
      scale_as_it_is_(std::is_same_v<Work, float> &&
                      source.scale.type == DataType::kFloat &&
                      source.precision == Precision::kFloat),
      zero_points_vary_(source.zero_point_count > 1) {
  if (source.zero_point_count == 1) {
    LoadZeroPoints(*source.kernels, source.zero_point, 0, 1, &uniform_zero_point_);
  }
  const Geometry& g = source.geometry;
  // axis * inner can exceed 2^62 only where there are no elements.
  const bool repeats = g.outer_stride == 0 && g.scale_count > 1 &&
                       g.axis <= int64_t{kChunk} && g.inner <= int64_t{kChunk} &&
                       g.axis * g.inner <= int64_t{kChunk};
  if (repeats && (g.inner_stride == 1 || g.block * g.inner < kShortestRun)) {
    period_ = static_cast<size_t>(g.axis * g.inner);
    Expand(0, period_, expanded_scale_, expanded_zero_point_);
    // A chunk may begin anywhere in the period.
    for (size_t i = period_; i < period_ + kChunk; ++i) {
      expanded_scale_[i] = expanded_scale_[i - period_];
      if (zero_points_vary_) expanded_zero_point_[i] = expanded_zero_point_[i - period_];
    }
  }
}

template <typename Work>
typename ScaleFeed<Work>::Piece ScaleFeed<Work>::Next(int64_t begin, size_t limit) {
  const Geometry& g = source_.geometry;
  if (period_ != 0) {
    const size_t phase = static_cast<size_t>(begin) % period_;
    return {std::min(limit, kChunk), VectorOperands(), expanded_scale_ + phase,
            zero_points_vary_ ? expanded_zero_point_ + phase : &uniform_zero_point_};
  }
  const int64_t i = begin % g.inner;
  const int64_t rest = begin / g.inner;
  const int64_t a = rest % g.axis;
  const int64_t o = rest / g.axis;
  const int64_t scale_index =
      o * g.outer_stride + a / g.block * g.block_stride + i * g.inner_stride;
  if (g.inner_stride == 0) {
    const int64_t block_end = std::min(g.axis, (a / g.block + 1) * g.block);
    const int64_t run = (block_end - a) * g.inner - i;
    if (run >= kShortestRun || static_cast<uint64_t>(run) >= limit) {
      return UniformPiece(scale_index,
                          static_cast<size_t>(std::min<uint64_t>(run, limit)));
    }
  } else {
    const int64_t row = g.inner - i;
    if (row >= kShortestRun || static_cast<uint64_t>(row) >= limit) {
      return VectorPiece(scale_index,
                         std::min({static_cast<size_t>(row), limit, kChunk}));
    }
  }
  return ExpandedPiece(begin, std::min(limit, kChunk));
}

template <typename Work>
typename ScaleFeed<Work>::Piece ScaleFeed<Work>::UniformPiece(int64_t scale_index,
                                                              size_t n) {
  Load(scale_index, 1);
  std::memcpy(&uniform_scale_, ScaleAt(scale_index), sizeof(Work));  // may be unaligned
  return {n, Operands::kBothUniform, &uniform_scale_, ZeroPointAt(scale_index)};
}

template <typename Work>
typename ScaleFeed<Work>::Piece ScaleFeed<Work>::VectorPiece(int64_t scale_index,
                                                             size_t n) {
  Load(scale_index, n);
  return {n, VectorOperands(), ScaleAt(scale_index), ZeroPointAt(scale_index)};
}

template <typename Work>
typename ScaleFeed<Work>::Piece ScaleFeed<Work>::ExpandedPiece(int64_t begin, size_t n) {
  Expand(begin, n, expanded_scale_, expanded_zero_point_);
  return {n, VectorOperands(), expanded_scale_,
          zero_points_vary_ ? expanded_zero_point_ : &uniform_zero_point_};
}

template <typename Work>
void ScaleFeed<Work>::Load(int64_t index, size_t n) {
  if (scale_as_it_is_ && !zero_points_vary_) return;
  if (index >= window_begin_ && index + static_cast<int64_t>(n) <= window_end_) return;
  const auto count = static_cast<size_t>(
      std::min<int64_t>(kWindow, source_.geometry.scale_count - index));
  window_begin_ = index;
  window_end_ = index + static_cast<int64_t>(count);
  const Kernels& k = *source_.kernels;
  const TensorView& scale = source_.scale;
  const std::byte* in = scale.data.data() + index * ScaleBytes(scale.type);
  if constexpr (std::is_same_v<Work, double>) {
    k.to_double(scale.type, in, count, window_scale_);
  } else if (!scale_as_it_is_) {
    k.to_precision(scale.type, source_.precision, in, count, window_scale_);
  }
  if (zero_points_vary_) {
    LoadZeroPoints(k, source_.zero_point, index, count, window_zero_point_);
  }
}

template <typename Work>
void ScaleFeed<Work>::Expand(int64_t begin, size_t n, Work* scale, float* zero_point) {
  const Geometry& g = source_.geometry;
  int64_t i = begin % g.inner;
  const int64_t rest = begin / g.inner;
  int64_t a = rest % g.axis;
  int64_t o = rest / g.axis;
  for (size_t done = 0; done < n;) {
    const int64_t index =
        o * g.outer_stride + a / g.block * g.block_stride + i * g.inner_stride;
    int64_t length;  // of what lies in one run or one row
    if (g.inner_stride == 0) {
      const int64_t block_end = std::min(g.axis, (a / g.block + 1) * g.block);
      length = (block_end - a) * g.inner - i;
    } else {
      length = g.inner - i;
    }
    const auto count =
        static_cast<size_t>(std::min(length, static_cast<int64_t>(n - done)));
    if (g.inner_stride == 0) {
      Load(index, 1);
      Work value;  // a FLOAT scale may lie unaligned in y_scale
      std::memcpy(&value, ScaleAt(index), sizeof(Work));
      std::fill_n(scale + done, count, value);
      if (zero_points_vary_) std::fill_n(zero_point + done, count, *ZeroPointAt(index));
    } else {
      Load(index, count);
      std::memcpy(scale + done, ScaleAt(index), count * sizeof(Work));
      if (zero_points_vary_) {
        std::memcpy(zero_point + done, ZeroPointAt(index), count * sizeof(float));
      }
    }
    done += count;
    i += static_cast<int64_t>(count);
    a += i / g.inner;
    i %= g.inner;
    o += a / g.axis;
    a %= g.axis;
  }
}

template <typename Work>
const Work* ScaleFeed<Work>::ScaleAt(int64_t index) const {
  if (scale_as_it_is_) {
    return reinterpret_cast<const Work*>(source_.scale.data.data()) + index;
  }
  return window_scale_ + (index - window_begin_);
}

template <typename Work>
const float* ScaleFeed<Work>::ZeroPointAt(int64_t index) const {
  return zero_points_vary_ ? window_zero_point_ + (index - window_begin_)
                           : &uniform_zero_point_;
}

template <typename Work>
Operands ScaleFeed<Work>::VectorOperands() const {
  return zero_points_vary_ ? Operands::kBothVary : Operands::kUniformZeroPoint;
}

template class ScaleFeed<float>;
template class ScaleFeed<double>;

}  // namespace qconform::simd
