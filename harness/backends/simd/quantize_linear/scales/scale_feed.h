// ScaleFeed: walks over x and says, for each piece of it, with which scales and
// zero points it is quantized, converted to working values (scale_window.h).
//
// Where rows of x share a vector of scales, as they do per axis on the last
// dimension and in blocks along another one, it also says which: a part of such a
// vector is made once and used for all of them. Nothing is allocated: an object
// holds all its buffers, and is meant to lie on the stack of the thread that works.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_SCALES_SCALE_FEED_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_SCALES_SCALE_FEED_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/scales/scale_layout.h"
#include "harness/backends/simd/quantize_linear/scales/scale_window.h"

namespace qconform::simd {

// The most elements that go through the stages at once.
inline constexpr size_t kChunk = 1024;

template <typename Work, typename Zero>
struct ScalePiece {
  size_t n = 0;
  size_t runs = 1;  // kUniform: parts of equal length, each with its own operands
  Operands operands = Operands::kUniform;
  int block_shift = 0;          // kBlocks
  bool one_zero_point = false;  // kBlocks and several runs: it is the same for all
  // One value (of a run), one for each element or one for each block. Where
  // there are reciprocals of vectors there may be no scales.
  const Work* scale = nullptr;
  const Zero* zero_point = nullptr;
  // Where they are right for all of n.
  std::optional<Reciprocals> reciprocals = std::nullopt;

  // Returns `count` elements from element `from` on. Operands are vectors.
  ScalePiece Part(size_t from, size_t count) const {
    ScalePiece part = *this;
    part.n = count;
    if (scale != nullptr) part.scale += from;
    if (operands == Operands::kVectors) part.zero_point += from;
    if (reciprocals) part.reciprocals = *reciprocals + from;
    return part;
  }
};

template <typename Work, typename Zero>
class ScaleFeed {
 public:
  using Piece = ScalePiece<Work, Zero>;

  explicit ScaleFeed(const ScaleSource& source);

  // Moves to element `begin` of x.
  void Seek(int64_t begin);
  // Returns the next piece and moves past it: at most `limit` elements, and
  // at most kChunk where the operands are vectors. It stays valid until the
  // next call. Precondition: limit > 0 and the elements exist.
  Piece Next(size_t limit);

  // Whether whole runs of one scale come as kBlocks.
  bool has_blocks() const { return block_shift_ >= 0; }

  // The length of a row, if some rows of x share a vector of operands; 0 if x has no
  // such rows.
  int64_t row_length() const { return row_length_; }
  // Returns how many rows from `row` on have its operands; they may end before.
  int64_t RowsLike(int64_t row) const;
  // Returns the operands of elements [begin, begin + n) of x, or of fewer, which lie
  // in one row; n <= kWindow. Valid until the next call. The feed's position is lost.
  Piece RowPiece(int64_t begin, size_t n);

 private:
  void PlanRows();
  void PlanRuns();

  Piece UniformPiece(size_t n);
  Piece RunsPiece(size_t limit);
  Piece BlocksPiece(size_t limit);
  Piece VectorPiece(size_t n);
  Piece ExpandedPiece(size_t limit);
  // Returns the operands that are laid out from element `from` on.
  Piece LaidOut(size_t from, size_t n) const;

  // Sets a piece's operands to those of the scales from `index` on.
  void Point(int64_t index, Piece& piece);
  // Lays out the operands of the next elements, one for each; returns of how many: n
  // or, where it takes other operands to go on, fewer.
  size_t Expand(ScaleCursor& cursor, size_t n);
  Reciprocals Expanded() const {
    return {expanded_high_, source_.two_parts ? expanded_low_ : nullptr};
  }
  void LayOutReciprocals(const LaidOutScales& layout, const Reciprocals& from, size_t to);
  template <typename T>
  void LayOut(const LaidOutScales& layout, const T* from, T* to) const;

  const ScaleSource& source_;
  ScaleWindow<Work, Zero> window_;
  ScaleWalk walk_;
  // Where blocks follow each other without gap: their scales do, too.
  int block_shift_ = -1;
  // Where runs of one scale are quantized in turn: their length.
  int64_t run_ = 0;
  ScaleCursor cursor_;
  int64_t row_length_ = 0;
  bool rows_are_alike_ = false;  // all of them
  // If the pattern of scales repeats after few elements it is laid out once, several
  // times over: the elements of one repetition.
  size_t period_ = 0;
  size_t phase_ = 0;
  bool vector_reciprocals_ = false;
  bool expanded_reciprocals_ = false;  // reciprocals are laid out; else scales
  // `repeat` writes beyond the end.
  alignas(64) Work expanded_scale_[kWindow + kMaxLanes];
  alignas(64) Zero expanded_zero_point_[kWindow + kMaxLanes];
  static constexpr size_t kReciprocals =
      kMayHaveReciprocals<Work, Zero> ? kWindow + kMaxLanes : 1;
  alignas(64) float expanded_high_[kReciprocals];
  alignas(64) float expanded_low_[kReciprocals];
};

extern template class ScaleFeed<float, int32_t>;
extern template class ScaleFeed<float, float>;
extern template class ScaleFeed<double, int32_t>;
extern template class ScaleFeed<double, float>;

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_SCALES_SCALE_FEED_H_
