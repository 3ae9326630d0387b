// ScaleFeed: walks over x and says, for each piece of it, with which scales and
// zero points it is quantized, converted to working values.
//
// Work is FLOAT, or DOUBLE for P = DOUBLE. Nothing is allocated: an object holds
// all its buffers, and is meant to lie on the stack of the thread that works.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_SCALE_FEED_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_SCALE_FEED_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/geometry.h"
#include "harness/backends/simd/kernels.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// The most elements that go through the stages at once.
inline constexpr size_t kChunk = 1024;

// Where scales and zero points come from; the same for all threads of a call.
struct ScaleSource {
  const Kernels* kernels = nullptr;
  Geometry geometry;
  Precision precision = Precision::kFloat;  // for Work = float
  TensorView scale;
  // Absent where data is empty. One element, or as many as the scale has.
  TensorView zero_point;
  int64_t zero_point_count = 0;
};

template <typename Work>
class ScaleFeed {
 public:
  explicit ScaleFeed(const ScaleSource& source);

  struct Piece {
    size_t n = 0;
    // What scale and zero_point point to: one value, or n of them.
    Operands operands = Operands::kBothUniform;
    const Work* scale = nullptr;
    const float* zero_point = nullptr;
  };
  // Returns the piece that begins at element `begin` of x; at most `limit` long,
  // and at most kChunk where it is not uniform. It stays valid until the next
  // call. Precondition: limit > 0 and the elements exist.
  Piece Next(int64_t begin, size_t limit);

 private:
  static constexpr size_t kWindow = 2 * kChunk;

  Piece UniformPiece(int64_t scale_index, size_t n);
  Piece VectorPiece(int64_t scale_index, size_t n);
  Piece ExpandedPiece(int64_t begin, size_t n);

  // Makes the converted scales of [index, index + n) available.
  // Precondition: n <= kWindow / 2 + 1, and the indices exist.
  void Load(int64_t index, size_t n);
  // Lays out the scales of elements [begin, begin + n) of x, one for each.
  void Expand(int64_t begin, size_t n, Work* scale, float* zero_point);

  const Work* ScaleAt(int64_t index) const;
  const float* ZeroPointAt(int64_t index) const;
  Operands VectorOperands() const;

  const ScaleSource& source_;
  const bool scale_as_it_is_;    // y_scale's bytes are working values
  const bool zero_points_vary_;  // one for each scale
  // Where the pattern of scales repeats after few elements it is laid out once.
  size_t period_ = 0;
  int64_t window_begin_ = 0;
  int64_t window_end_ = 0;
  Work uniform_scale_ = 0;
  float uniform_zero_point_ = 0;
  alignas(64) Work window_scale_[kWindow];
  alignas(64) float window_zero_point_[kWindow];
  alignas(64) Work expanded_scale_[2 * kChunk];
  alignas(64) float expanded_zero_point_[2 * kChunk];
};

extern template class ScaleFeed<float>;
extern template class ScaleFeed<double>;

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_SCALE_FEED_H_
