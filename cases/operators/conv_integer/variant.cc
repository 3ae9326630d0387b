#include "cases/operators/conv_integer/variant.h"

#include <array>

#include "cases/convolution/question.h"
#include "oracle/base/expected.h"

namespace qconform::generators {

std::span<const ConvIntegerVariant> ConvIntegerVariants(const Cell& cell) {
  using enum ZeroPointForm;
  static constexpr std::array<ConvIntegerVariant, 7> kAll{{{kPresent, kPresent},
                                                           {kEmpty, kPresent},
                                                           {kPresent, kAbsent},
                                                           {kAbsent, kAbsent},
                                                           {kPresent, kEmpty},
                                                           {kEmpty, kAbsent},
                                                           {kEmpty, kEmpty}}};
  const std::span<const ConvIntegerVariant> all = kAll;
  return IsPerChannel(cell) ? all.first(2) : all;
}

std::string VariantText(const ConvIntegerVariant& variant) {
  return "x_zp=" + std::string(ZeroPointFormName(variant.x)) +
         ",w_zp=" + std::string(ZeroPointFormName(variant.w));
}

Result<ConvIntegerVariant> ParseConvIntegerVariant(const Cell& cell,
                                                   std::string_view text) {
  std::string expected;
  for (const ConvIntegerVariant& variant : ConvIntegerVariants(cell)) {
    const std::string name = VariantText(variant);
    if (text == name) return variant;
    expected += (expected.empty() ? "one of " : "; ") + name;
  }
  return Expected("variant of " + CellId(cell), expected, "'" + std::string(text) + "'");
}

}  // namespace qconform::generators
