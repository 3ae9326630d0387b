// ScaleFeed: walks over x and says, for each piece of it, with which scales and
// zero points it is quantized, converted to working values (scale_window.h).
//
// Where rows of x share a vector of scales, as they do per axis on the last
// dimension and in blocks along another one, it also says which: a part of such a
// vector is made once and used for all of them. Nothing is allocated: an object
// holds all its buffers, and is meant to lie on the stack of the thread that works.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_SCALE_FEED_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_SCALE_FEED_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/geometry.h"
#include "harness/backends/simd/kernels.h"
#include "harness/backends/simd/scale_window.h"

namespace qconform::simd {

// The most elements that go through the stages at once.
inline constexpr size_t kChunk = 1024;

template <typename Work, typename Zero>
struct ScalePiece {
  size_t n = 0;
  size_t runs = 1;  // kUniform: parts of equal length, each with operands of its own
  Operands operands = Operands::kUniform;
  int block_shift = 0;          // kBlocks
  bool one_zero_point = false;  // kBlocks and several runs: it is the same for all
  // One value (of a run), one for each element or one for each block. Where
  // there are reciprocals of vectors there may be no scales.
  const Work* scale = nullptr;
  const Zero* zero_point = nullptr;
  // 1 / scale in two parts, where they are right for all of n.
  const float* reciprocal = nullptr;
  const float* reciprocal_low = nullptr;

  // Returns `count` elements from element `from` on. Operands are vectors.
  ScalePiece Part(size_t from, size_t count) const {
    ScalePiece part = *this;
    part.n = count;
    if (scale != nullptr) part.scale += from;
    if (operands == Operands::kVectors) part.zero_point += from;
    if (reciprocal != nullptr) {
      part.reciprocal += from;
      part.reciprocal_low += from;
    }
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
  // Returns the next piece and moves behind it: at most `limit` elements, and
  // at most kChunk where the operands are vectors. It stays valid until the
  // next call. Precondition: limit > 0 and the elements exist.
  Piece Next(size_t limit);

  // x as rows of so many elements, some of which share a vector of operands; 0 where
  // it is none.
  int64_t row_length() const { return row_length_; }
  // Returns how many rows from `row` on have its operands; they may end before.
  int64_t RowsLike(int64_t row) const;
  // Returns the operands of elements [begin, begin + n) of x, or of fewer, which lie
  // in one row; n <= kWindow. Valid until the next call. The feed's position is lost.
  Piece RowPiece(int64_t begin, size_t n);

 private:
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
  // Elements whose operands are laid out: `count` scales from `index` on, each of
  // them `repeat` times, and all that `times` times. Or `rows` of row_length elements, as
  // `pattern` says: in each the last scale comes as often as there is room, or each is
  // some scales again and again.
  enum class Pattern : uint8_t { kRepeatInRows, kTileRows };
  struct Layout {
    int64_t index = 0;
    size_t count = 0;
    size_t repeat = 1;
    size_t times = 1;
    Pattern pattern = Pattern::kRepeatInRows;
    size_t rows = 0;
    size_t row_length = 0;

    size_t elements() const {
      return rows != 0 ? rows * row_length : count * repeat * times;
    }
  };

  void PlanUnits();
  void PlanRows();
  void PlanRuns();
  Cursor CursorAt(int64_t element) const;
  void Advance(Cursor& cursor,
               int64_t n) const;  // within the stretch, or to its end
  // Over `count` whole runs, none of which is beyond the axis' end.
  void SkipRuns(Cursor& cursor, int64_t count) const;

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
  size_t Expand(Cursor& cursor, size_t n);
  // Returns the next part of it, at most n elements, and moves behind it: some runs
  // of one scale each, or some rows with the same vector of scales.
  Layout NextRuns(Cursor& cursor, size_t n) const;
  // The same for some such rows, none where n is less than one.
  Layout NextUnits(Cursor& cursor, size_t n) const;
  bool IsAtUnit(const Cursor& cursor) const;
  Layout NextRows(Cursor& cursor, size_t n) const;
  template <typename T>
  void LayOut(const Layout& layout, const T* from, T* to) const;

  const ScaleSource& source_;
  ScaleWindow<Work, Zero> window_;
  // Where blocks follow each other without gap: their scales do, too.
  int block_shift_ = -1;
  // Where runs of one scale are quantized in turn: their length.
  int64_t run_ = 0;
  Cursor cursor_;
  int64_t row_length_ = 0;
  bool rows_are_alike_ = false;  // all of them
  // Where the pattern of scales repeats after few elements it is laid out once,
  // some times over: so many elements.
  size_t period_ = 0;
  size_t phase_ = 0;
  // Where elements are laid out in rows, several at once: the length of one. It is an
  // axis with a short block at its end, or a block of short rows; their scales are
  // neighbours.
  int64_t unit_ = 0;
  bool vector_reciprocals_ = false;
  bool expanded_reciprocals_ = false;  // what is laid out; else scales
  // `repeat` writes beyond the end.
  alignas(64) Work expanded_scale_[kWindow + kMaxLanes];
  alignas(64) Zero expanded_zero_point_[kWindow + kMaxLanes];
  alignas(64) float expanded_reciprocal_[kWindow + kMaxLanes];
  alignas(64) float expanded_reciprocal_low_[kWindow + kMaxLanes];
};

extern template class ScaleFeed<float, int32_t>;
extern template class ScaleFeed<float, float>;
extern template class ScaleFeed<double, int32_t>;
extern template class ScaleFeed<double, float>;

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_SCALE_FEED_H_
