#include "cases/operators/dequantize_linear/variant.h"

#include "oracle/base/expected.h"

namespace qconform::generators {

using OutputDtype = DequantizeLinearVariant::OutputDtype;

std::string VariantText(const Cell& cell, const DequantizeLinearVariant& variant) {
  std::string text = "zp=";
  text.append(ZeroPointFormName(variant.zero_point));
  if (variant.output_dtype == OutputDtype::kGiven) {
    text.append(",output_dtype=").append(DataTypeName(OutputType(cell)));
  }
  if (variant.output_dtype == OutputDtype::kZero) text.append(",output_dtype=0");
  return text;
}

Result<DequantizeLinearVariant> ParseDequantizeLinearVariant(const Cell& cell,
                                                             std::string_view text) {
  const auto error = [&](std::string_view expected) {
    return Expected("variant of " + CellId(cell), expected,
                    "'" + std::string(text) + "'");
  };
  DequantizeLinearVariant variant;
  std::string_view rest = text;
  if (rest.starts_with("zp=present")) {
    TakeValue(rest, "zp=");
  } else if (!rest.starts_with("zp=") || !TakeZeroPointForm(rest, variant.zero_point)) {
    return error("zp=present, zp=absent or zp=empty at first");
  }
  if (const auto output_dtype = TakeValue(rest, "output_dtype=")) {
    if (*output_dtype != "0" && *output_dtype != DataTypeName(OutputType(cell))) {
      return error("0 or the cell's output type as output_dtype");
    }
    variant.output_dtype =
        *output_dtype == "0" ? OutputDtype::kZero : OutputDtype::kGiven;
  }
  if (VariantText(cell, variant) != text) {
    return error("the keys zp and output_dtype, in this order");
  }
  if (variant.output_dtype != OutputDtype::kAbsent &&
      !DequantizeLinearHasOutputDtype(cell.since_version)) {
    return error("no output_dtype, because this definition has none");
  }
  if (NeedsOutputDtype(cell) && variant.output_dtype != OutputDtype::kGiven) {
    return error(
        "output_dtype with the cell's output type, which is not that of x_scale");
  }
  return variant;
}

}  // namespace qconform::generators
