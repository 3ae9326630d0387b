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
  const int used = static_cast<int>(static_cast<uint64_t>(*count) *
                                    static_cast<uint64_t>(BitWidth(a.type)) % 8);
  const auto elements = static_cast<std::byte>(used == 0 ? 0xFF : (1 << used) - 1);
  if (((a.data[byte] ^ b.data[byte]) & elements) == std::byte{0}) return std::nullopt;
  return byte;
}

}  // namespace qconform
