// The frozen lists: which contents each cell is asked at each level.
#include "cases/generators/quantize_linear_cases.h"

namespace qconform {

std::vector<ContentName> QuantizeLinearContents(const Cell& cell, Level level) {
  std::vector<ContentName> contents;
  const std::string plain = VariantText(cell, {});
  const auto add = [&](std::string_view generator, int count) {
    for (int i = 0; i < count; ++i) contents.push_back({plain, generator, i});
  };
  add("ties", level == Level::kSmoke ? 2 : 4);
  add("specials", level == Level::kSmoke ? 1 : 3);
  add("shapes", level == Level::kSmoke ? 1 : 12);
  return contents;
}

}  // namespace qconform
