#include "harness/backends/simd/quantize_linear/scales/scale_window.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "harness/backends/simd/core/prefetch.h"
#include "harness/backends/simd/quantize_linear/zero_points.h"

namespace qconform::simd {

template <typename Work, typename Zero>
ScaleWindow<Work, Zero>::ScaleWindow(const ScaleSource& source)
    : source_(source),
      scale_as_it_is_(
          std::is_same_v<Work, float> && source.scale.type == DataType::kFloat &&
          source.precision == DataType::kFloat &&
          reinterpret_cast<uintptr_t>(source.scale.data.data()) % alignof(float) == 0),
      zero_points_vary_(source.zero_point_count > 1) {
  if (source.zero_point_count == 1) {
    LoadZeroPoints(*source.kernels, source.zero_point, 0, 1, source.min,
                   &uniform_zero_point_);
  } else {
    uniform_zero_point_ = static_cast<Zero>(-source.min);
  }
}

template <typename Work, typename Zero>
void ScaleWindow<Work, Zero>::Load(int64_t index, size_t n) {
  if (scale_as_it_is_ && !zero_points_vary_ && !source_.reciprocals) return;
  if (index >= begin_ && index + static_cast<int64_t>(n) <= end_) return;
  const auto left = static_cast<uint64_t>(source_.geometry.scale_count - index);
  const auto count =
      static_cast<size_t>(std::min<uint64_t>(left, std::max(n, source_.window)));
  begin_ = index;
  end_ = index + static_cast<int64_t>(count);
  has_reciprocals_ = false;
  const Kernels& k = *source_.kernels;
  const TensorView& scale = source_.scale;
  const size_t size = static_cast<size_t>(BitWidth(scale.type)) / 8;
  const std::byte* in = scale.data.data() + static_cast<size_t>(index) * size;
  // The next window, mostly: by itself a CPU fetches no further than the page.
  if (source_.fetch) WillRead(in, count * size, count * size);
  if constexpr (std::is_same_v<Work, double>) {
    k.to_double(scale.type, in, count, scale_);
    if (source_.inverses) k.invert(count, scale_);
  } else if (!scale_as_it_is_) {
    k.scales(scale.type, in, count, source_.precision, scale_);
  }
  if (zero_points_vary_) {
    LoadZeroPoints(k, source_.zero_point, index, count, source_.min, zero_point_);
  }
}

template <typename Work, typename Zero>
const Work* ScaleWindow<Work, Zero>::ScaleAt(int64_t index) const {
  if (scale_as_it_is_) {
    return reinterpret_cast<const Work*>(source_.scale.data.data()) + index;
  }
  return scale_ + (index - begin_);
}

template <typename Work, typename Zero>
bool ScaleWindow<Work, Zero>::HasReciprocals() {
  if constexpr (kMayHaveReciprocals<Work, Zero>) {
    if (source_.reciprocals && !has_reciprocals_) {
      const auto n = static_cast<size_t>(end_ - begin_);
      if (source_.exact) {
        const std::byte* scale = source_.scale.data.data();
        source_.kernels->reciprocals_of_int32(scale + begin_ * 4, n, source_.clamp, high_,
                                              low_, limit_);
        in_range_ = true;
      } else {
        in_range_ =
            source_.kernels->reciprocals(ScaleAt(begin_), n, source_.clamp, high_,
                                         source_.two_parts ? low_ : nullptr, limit_);
      }
      has_reciprocals_ = true;
    }
  }
  return in_range_;
}

template class ScaleWindow<float, int32_t>;
template class ScaleWindow<float, float>;
template class ScaleWindow<double, int32_t>;
template class ScaleWindow<double, float>;

}  // namespace qconform::simd
