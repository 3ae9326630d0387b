// The variants of ConvInteger's cases: how each zero point is given, as in
// "x_zp=empty,w_zp=present". `x_zp=absent` goes with `w_zp=absent`, because an input that
// is not the last one is left out by an empty name; a vector of zero points is present.
#ifndef QCONFORM_CASES_OPERATORS_CONV_INTEGER_VARIANT_H_
#define QCONFORM_CASES_OPERATORS_CONV_INTEGER_VARIANT_H_

#include <span>
#include <string>
#include <string_view>

#include "cases/lattice/cell.h"
#include "cases/quantization/operands.h"
#include "oracle/base/result.h"

namespace qconform::generators {

struct ConvIntegerVariant {
  ZeroPointForm x = ZeroPointForm::kPresent;
  ZeroPointForm w = ZeroPointForm::kPresent;

  friend bool operator==(const ConvIntegerVariant&, const ConvIntegerVariant&) = default;
};

// All variants of a cell; both zero points are present in the first one.
std::span<const ConvIntegerVariant> ConvIntegerVariants(const Cell& cell);

std::string VariantText(const ConvIntegerVariant& variant);
Result<ConvIntegerVariant> ParseConvIntegerVariant(const Cell& cell,
                                                   std::string_view text);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_CONV_INTEGER_VARIANT_H_
