// How scales, zero points and the attributes that lay them out are written into a node.
#ifndef QCONFORM_CASES_QUANTIZATION_OPERANDS_H_
#define QCONFORM_CASES_QUANTIZATION_OPERANDS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cases/quantization/channel_layout.h"
#include "oracle/base/attribute.h"
#include "oracle/formats/codes.h"
#include "oracle/tensor/tensor.h"

namespace qconform::generators {

// The zero point is there, is left out, or has an empty name.
enum class ZeroPointForm : uint8_t { kPresent, kAbsent, kEmpty };
std::string_view ZeroPointFormName(ZeroPointForm form);  // "present", "absent", "empty"

// Takes "key=" and its value off the front of a variant's text, with the comma after it,
// and returns the value; nothing if the text does not begin with the key.
std::optional<std::string_view> TakeValue(std::string_view& text, std::string_view key);
// Takes "zp=absent" or "zp=empty", if it is there. Returns false if "zp=" has another
// value.
bool TakeZeroPointForm(std::string_view& text, ZeroPointForm& form);

// Which attributes a definition has.
struct LayoutAttributes {
  bool axis = false;
  bool block_size = false;
};
// Adds axis and block_size. Where `spells` is set, they are written although they have
// their default value or no meaning: one scale has no axis, so that `turn` chooses any of
// x's.
void AddLayoutAttributes(const ChannelLayout& layout, bool spells, LayoutAttributes has,
                         uint64_t turn, std::vector<Attribute>& attributes);
// Attributes have no order: 0 as they are, 1 backwards, 2 the first one at the end.
void OrderAttributes(int order, std::vector<Attribute>& attributes);

// Returns the tensor of scales or zero points that has `code_of(channel)` for each of the
// channels, which are row-major.
template <typename Channels, typename CodeOf>
Tensor PackChannels(DataType type, const ChannelLayout& layout, const Channels& channels,
                    CodeOf code_of) {
  Tensor tensor = Tensor::Zeros(type, layout.scale_shape);
  int64_t index = 0;
  for (const auto& channel : channels) {
    WriteCode(tensor.mutable_view(), index++, code_of(channel));
  }
  return tensor;
}

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_QUANTIZATION_OPERANDS_H_
