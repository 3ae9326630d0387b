// ScaleWindow: some neighbouring scales, their zero points and reciprocals, as
// working values.
//
// Work is FLOAT, or DOUBLE for P = DOUBLE. Zero is int32_t, zero_point - min,
// for integer targets, and FLOAT where a float target's zero point is added to
// the quotient. Nothing is allocated.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_SCALES_SCALE_WINDOW_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_SCALES_SCALE_WINDOW_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// The most scales that are held at once, and the most operands that are laid out
// one for each element.
inline constexpr size_t kWindow = 4096;
// So many are made at once where x has four bytes and comes from cache.
inline constexpr size_t kWindowInCache = 2048;
// The same for blocks of a line of x at most where y is streamed: x on its way drives
// them out of L1.
inline constexpr size_t kWindowFromMemory = 256;

// Where scales and zero points come from; the same for all threads of a call.
struct ScaleSource {
  const Kernels* kernels = nullptr;
  Geometry geometry;
  // FLOAT, FLOAT16, BFLOAT16 or DOUBLE; kUndefined: quotients are exact.
  DataType precision = DataType::kFloat;
  TensorView scale;
  TensorView zero_point;             // one element, or one for each scale
  int64_t zero_point_count = 0;      // 0: there is none
  int32_t min = 0;                   // of integer targets
  float clamp = 0;                   // of float targets
  bool blocks = false;               // Operands::kBlocks may be used
  bool reciprocals = false;          // these may be used for one scale
  bool reciprocals_of_many = false;  // and for several
  bool streams = false;              // runs that share a kernel call are not streamed
  bool long_blocks = false;          // kBlocks is not slower than a call for each
  int64_t shortest_run = 0;  // of one scale; shorter ones are laid out, unless in blocks
  bool two_parts = true;     // reciprocals have them
  bool inverses = false;     // DOUBLE scales are given as 1 / scale
  // Kernels that read x themselves, with quotients in FLOAT, prefetch it; the scales that
  // come next are prefetched, too.
  bool fetch = false;
  bool exact = false;       // scales are INT32, all above 0; reciprocals are used
  int64_t elements = 0;     // of x
  int64_t uses = 0;         // elements of x for each scale
  size_t window = kWindow;  // at least this many scales are made at once
};

// Whether scales may have reciprocals; the others need no room for them on the stack.
template <typename Work, typename Zero>
inline constexpr bool kMayHaveReciprocals =
    (std::is_same_v<Work, float>)&&(std::is_same_v<Zero, int32_t>);

template <typename Work, typename Zero>
class ScaleWindow {
 public:
  explicit ScaleWindow(const ScaleSource& source);

  // Makes scales [index, index + n) available, n <= kWindow.
  void Load(int64_t index, size_t n);
  // Returns a scale that is available; the next ones follow it.
  const Work* ScaleAt(int64_t index) const;
  // The zero point of all, where they do not vary.
  const Zero* ZeroPointAt(int64_t index) const {
    return zero_points_vary_ ? zero_point_ + (index - begin_) : &uniform_zero_point_;
  }
  // Returns whether the window's reciprocals may be used, which are made when this is
  // first asked. One scale out of range is one too many.
  bool HasReciprocals();
  Reciprocals ReciprocalsAt(int64_t index) const {
    const Reciprocals all = {high_, source_.two_parts ? low_ : nullptr, limit_};
    return all + static_cast<size_t>(index - begin_);
  }

  bool zero_points_vary() const { return zero_points_vary_; }
  const Zero* uniform_zero_point() const { return &uniform_zero_point_; }

 private:
  const ScaleSource& source_;
  const bool scale_as_it_is_;    // y_scale's bytes are working values
  const bool zero_points_vary_;  // one for each scale
  int64_t begin_ = 0;
  int64_t end_ = 0;
  bool has_reciprocals_ = false;
  bool in_range_ = false;
  Zero uniform_zero_point_ = 0;
  alignas(64) Work scale_[kWindow];
  alignas(64) Zero zero_point_[kWindow];
  static constexpr size_t kReciprocals = kMayHaveReciprocals<Work, Zero> ? kWindow : 1;
  alignas(64) float high_[kReciprocals];
  alignas(64) float low_[kReciprocals];
  alignas(64) float limit_[kReciprocals];
};

extern template class ScaleWindow<float, int32_t>;
extern template class ScaleWindow<float, float>;
extern template class ScaleWindow<double, int32_t>;
extern template class ScaleWindow<double, float>;

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_SCALES_SCALE_WINDOW_H_
