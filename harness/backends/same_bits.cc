#include "harness/backends/same_bits.h"

#include <algorithm>
#include <cstring>

namespace qconform {

std::optional<size_t> FirstDifferingByte(const Tensor& a, const Tensor& b) {
  const size_t size = std::min(a.data.size(), b.data.size());
  // std::mismatch by itself compares std::byte one by one.
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

bool HaveSameForm(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Tensor& one, const Tensor& other) {
                      return one.type == other.type && one.shape == other.shape &&
                             one.data.size() == other.data.size();
                    });
}

std::string ByteName(size_t output, size_t byte) {
  return "byte " + std::to_string(byte) + " of output " + std::to_string(output);
}

std::optional<std::string> FirstDifference(const std::vector<Tensor>& a,
                                           const std::vector<Tensor>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (const auto byte = FirstDifferingByte(a[i], b[i])) return ByteName(i, *byte);
  }
  return std::nullopt;
}

}  // namespace qconform
