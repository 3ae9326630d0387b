#include "cases/quantization/operands.h"

#include <algorithm>

namespace qconform::generators {

std::string_view ZeroPointFormName(ZeroPointForm form) {
  constexpr std::string_view kNames[] = {"present", "absent", "empty"};
  return kNames[static_cast<size_t>(form)];
}

std::optional<std::string_view> TakeValue(std::string_view& text, std::string_view key) {
  if (text.substr(0, key.size()) != key) return std::nullopt;
  text.remove_prefix(key.size());
  const size_t comma = std::min(text.find(','), text.size());
  const std::string_view value = text.substr(0, comma);
  text.remove_prefix(std::min(comma + 1, text.size()));
  return value;
}

bool TakeZeroPointForm(std::string_view& text, ZeroPointForm& form) {
  const auto value = TakeValue(text, "zp=");
  if (!value) return true;
  for (const ZeroPointForm each : {ZeroPointForm::kAbsent, ZeroPointForm::kEmpty}) {
    if (*value != ZeroPointFormName(each)) continue;
    form = each;
    return true;
  }
  return false;
}

void AddLayoutAttributes(const ChannelLayout& layout, bool spells, LayoutAttributes has,
                         uint64_t turn, std::vector<Attribute>& attributes) {
  if (layout.axis) {
    attributes.push_back({"axis", *layout.axis});
  } else if (spells && has.axis && layout.scale_shape.empty()) {
    const auto rank = static_cast<int64_t>(layout.x_shape.size());
    const int64_t axes[] = {0, 1, -1, -rank};
    if (rank > 1) attributes.push_back({"axis", axes[turn % 4]});
  }
  if (layout.block_size > 0) {
    attributes.push_back({"block_size", layout.block_size});
  } else if (spells && has.block_size) {
    attributes.push_back({"block_size", int64_t{0}});
  }
}

void OrderAttributes(int order, std::vector<Attribute>& attributes) {
  if (order == 1) std::reverse(attributes.begin(), attributes.end());
  if (order == 2 && !attributes.empty()) {
    std::rotate(attributes.begin(), attributes.begin() + 1, attributes.end());
  }
}

}  // namespace qconform::generators
