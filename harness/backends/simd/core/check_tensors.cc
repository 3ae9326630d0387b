#include "harness/backends/simd/core/check_tensors.h"

#include <algorithm>
#include <functional>
#include <string>

namespace qconform::simd {

int64_t CountOf(std::span<const int64_t> shape) {
  constexpr auto kSmall = uint64_t{1} << 31;
  int64_t count = 1;
  for (const int64_t size : shape) {
    if (static_cast<uint64_t>(count) >= kSmall || static_cast<uint64_t>(size) >= kSmall) {
      // If one of the sizes is 0, the others may be as large as they like.
      return std::ranges::min(shape) == 0 ? 0 : ElementCount(shape).value_or(-1);
    }
    count *= size;
  }
  return count <= kMostElements ? count : -1;
}

Status CheckTensor(std::string_view what, const TensorView& tensor) {
  const int64_t n = CountOf(tensor.shape);
  if (n < 0 || tensor.data.size() != PackedByteSize(tensor.type, n)) {
    return Error{std::string(what) + " of type " +
                 std::string(DataTypeName(tensor.type)) + " and shape " +
                 ShapeToString(tensor.shape) + " has " +
                 std::to_string(tensor.data.size()) + " bytes"};
  }
  return Ok();
}

bool Overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  constexpr std::less<const std::byte*> is_before;
  return !a.empty() && !b.empty() && is_before(a.data(), b.data() + b.size()) &&
         is_before(b.data(), a.data() + a.size());
}

}  // namespace qconform::simd
