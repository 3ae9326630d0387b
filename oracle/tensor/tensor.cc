#include "oracle/tensor/tensor.h"

#include <cassert>
#include <utility>

namespace qconform {

std::optional<int64_t> ElementCount(std::span<const int64_t> shape) {
  int64_t count = 1;  // of the dimensions that are not zero
  bool is_empty = false;
  for (const int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    if (dimension == 0) {
      is_empty = true;
      continue;
    }
    // Products of some dimensions, strides among them, must stay in range as well.
    if (count > kMostElements / dimension) return std::nullopt;
    count *= dimension;
  }
  return is_empty ? 0 : count;
}

size_t PackedByteSize(DataType type, int64_t count) {
  assert(count >= 0 && count <= kMostElements);
  const auto bits = static_cast<uint64_t>(BitWidth(type));
  const auto elements = static_cast<uint64_t>(count);
  // Eight elements take `bits` bytes; all bits together may be 2^64 and more.
  return static_cast<size_t>(elements / 8 * bits + (elements % 8 * bits + 7) / 8);
}

std::byte LastByteMask(DataType type, int64_t count) {
  assert(count >= 0 && count <= kMostElements);
  const auto bits = static_cast<uint64_t>(BitWidth(type));
  const auto used = static_cast<unsigned>(static_cast<uint64_t>(count) % 8 * bits % 8);
  return used == 0 ? std::byte{0xFF} : static_cast<std::byte>((1u << used) - 1);
}

std::string ShapeToString(std::span<const int64_t> shape) {
  std::string text = "[";
  for (const int64_t dimension : shape) {
    if (text.size() > 1) text += ',';
    text += std::to_string(dimension);
  }
  return text += ']';
}

Tensor Tensor::Zeros(DataType type, Shape shape) {
  const std::optional<int64_t> count = ElementCount(shape);
  assert(count.has_value());
  const size_t bytes = PackedByteSize(type, *count);
  return {type, std::move(shape), std::vector<std::byte>(bytes)};
}

std::vector<TensorView> ViewsOf(std::span<const Tensor> tensors) {
  std::vector<TensorView> views;
  views.reserve(tensors.size());
  for (const Tensor& tensor : tensors) views.push_back(tensor.view());
  return views;
}

}  // namespace qconform
