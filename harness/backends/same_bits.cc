#include "harness/backends/same_bits.h"

#include <algorithm>
#include <cstring>

namespace qconform {

std::optional<size_t> FirstDifferingByte(const Tensor& a, const Tensor& b) {
  const size_t size = std::min(a.data.size(), b.data.size());
  // Not std::mismatch alone, which takes std::byte one by one.
  if (a.data.size() == b.data.size() &&
      (size == 0 || std::memcmp(a.data.data(), b.data.data(), size) == 0)) {
    return std::nullopt;
  }
  const auto differ =
      std::mismatch(a.data.begin(), a.data.begin() + size, b.data.begin());
  const auto byte = static_cast<size_t>(differ.first - a.data.begin());
  const auto count = ElementCount(a.shape);
  if (!count || a.data.size() != b.data.size() || byte + 1 != size ||
      size != PackedByteSize(a.type, *count)) {
    return byte;
  }
  const std::byte differing =
      (a.data[byte] ^ b.data[byte]) & LastByteMask(a.type, *count);
  if (differing == std::byte{0}) return std::nullopt;
  return byte;
}

}  // namespace qconform
