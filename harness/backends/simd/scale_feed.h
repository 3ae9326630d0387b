// ScaleFeed: walks over x and says, for each piece of it, with which scales and
// zero points it is quantized, converted to working values.
//
// Work is FLOAT, or DOUBLE for P = DOUBLE. Zero is int32_t, zero_point - min,
// for integer targets, and FLOAT where a float target's zero point is added to
// the quotient. Nothing is allocated: an object holds all its buffers, and is
// meant to lie on the stack of the thread that works.
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
  DataType precision = DataType::kFloat;  // FLOAT, FLOAT16, BFLOAT16; or DOUBLE
  TensorView scale;
  TensorView zero_point;         // one element, or as many as the scale has
  int64_t zero_point_count = 0;  // 0: there is none
  int32_t min = 0;               // of integer targets
  bool blocks = false;           // Operands::kBlocks may be used
  bool reciprocals = false;      // Piece::reciprocal may be used
  int64_t uses = 0;              // elements of x for each scale
};

template <typename Work, typename Zero>
struct ScalePiece {
  size_t n = 0;
  Operands operands = Operands::kUniform;
  int block_shift = 0;  // kBlocks
  // One value, one for each element or one for each block, as Operands says.
  const Work* scale = nullptr;
  const Zero* zero_point = nullptr;
  // 1 / scale in two parts, where they are right for all of n.
  const float* reciprocal = nullptr;
  const float* reciprocal_low = nullptr;
};

template <typename Work, typename Zero>
class ScaleFeed {
 public:
  using Piece = ScalePiece<Work, Zero>;

  explicit ScaleFeed(const ScaleSource& source);

  // Moves to element `begin` of x.
  void Seek(int64_t begin);
  // Returns the next piece and moves behind it: at most `limit` elements, and
  // at most kChunk where the operands are vectors. It stays valid until the
  // next call. Precondition: limit > 0 and the elements exist.
  Piece Next(size_t limit);

 private:
  static constexpr size_t kWindow = 4 * kChunk;

  // A position in x: `at` of the `length` elements of a stretch, which is a run
  // of one scale (inner_stride 0) or a row of a vector of scales.
  struct Cursor {
    int64_t outer = 0;
    int64_t axis = 0;      // where the stretch begins
    int64_t in_block = 0;  // axis % block
    int64_t scale = 0;     // index of the stretch's first scale
    int64_t at = 0;
    int64_t length = 0;
  };
  Cursor CursorAt(int64_t element) const;
  void Advance(Cursor& cursor,
               int64_t n) const;  // within the stretch, or to its end
  // Over `count` whole runs, none of which is beyond the axis' end.
  void SkipRuns(Cursor& cursor, int64_t count) const;

  Piece UniformPiece(size_t n);
  Piece BlocksPiece(size_t limit);
  Piece VectorPiece(size_t n);
  Piece ExpandedPiece(size_t n);

  // Makes the converted scales of [index, index + n) available, n <= kWindow.
  void Load(int64_t index, size_t n);
  // Sets a piece's operands to those of the scales from `index` on.
  void Point(int64_t index, Piece& piece);
  // Lays out the operands of the next n elements, one for each.
  void Expand(Cursor& cursor, size_t n);
  // The parts of it, from element `done` on: some runs of one scale each, or
  // some rows with the same vector of scales. Return how many elements.
  size_t ExpandRuns(Cursor& cursor, size_t done, size_t n);
  size_t ExpandRows(Cursor& cursor, size_t done, size_t n);

  const Work* ScaleAt(int64_t index) const;
  const Zero* ZeroPointAt(int64_t index) const;

  const ScaleSource& source_;
  const bool scale_as_it_is_;    // y_scale's bytes are working values
  const bool zero_points_vary_;  // one for each scale
  // Where blocks follow each other without gap: their scales do, too.
  int block_shift_ = -1;
  Cursor cursor_;
  // Where the pattern of scales repeats after few elements it is laid out once.
  size_t period_ = 0;
  size_t phase_ = 0;
  int64_t window_begin_ = 0;
  int64_t window_end_ = 0;
  bool window_has_reciprocals_ = false;
  ReciprocalRange window_range_ = ReciprocalRange::kNone;
  ReciprocalRange period_range_ = ReciprocalRange::kNone;
  bool vector_reciprocals_ = false;  // of rows of scales
  Work uniform_scale_ = 0;
  Zero uniform_zero_point_ = 0;
  alignas(64) Work window_scale_[kWindow];
  alignas(64) Zero window_zero_point_[kWindow];
  alignas(64) float reciprocal_[kWindow];
  alignas(64) float reciprocal_low_[kWindow];
  alignas(64) Work expanded_scale_[2 * kChunk + kMaxLanes];
  alignas(64) Zero expanded_zero_point_[2 * kChunk + kMaxLanes];
  alignas(64) float expanded_reciprocal_[2 * kChunk];
  alignas(64) float expanded_reciprocal_low_[2 * kChunk];
};

extern template class ScaleFeed<float, int32_t>;
extern template class ScaleFeed<float, float>;
extern template class ScaleFeed<double, int32_t>;
extern template class ScaleFeed<double, float>;

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_SCALE_FEED_H_
