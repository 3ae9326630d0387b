#include "cases/operators/quantize_linear/variant.h"

#include <algorithm>
#include <array>

#include "oracle/base/expected.h"

namespace qconform::generators {
namespace {

using ZeroPoint = ZeroPointForm;

constexpr std::array<DataType, 4> kPrecisions{DataType::kFloat, DataType::kFloat16,
                                              DataType::kBfloat16, DataType::kDouble};

}  // namespace

std::span<const DataType> Precisions() { return kPrecisions; }

std::string VariantText(const Cell& cell, const QuantizeLinearVariant& variant) {
  std::string text = variant.saturate != 0 ? "saturate=1" : "saturate=0";
  if (variant.precision != DataType::kUndefined) {
    text.append(",precision=").append(DataTypeName(variant.precision));
  }
  if (variant.zero_point != ZeroPoint::kPresent) {
    text.append(",zp=").append(ZeroPointFormName(variant.zero_point));
  }
  if (variant.output_dtype) {
    text.append(",output_dtype=").append(DataTypeName(OutputType(cell)));
  }
  return text;
}

Result<QuantizeLinearVariant> ParseQuantizeLinearVariant(const Cell& cell,
                                                         std::string_view text) {
  const auto error = [&](std::string_view expected) {
    return Expected("variant of " + CellId(cell), expected,
                    "'" + std::string(text) + "'");
  };
  QuantizeLinearVariant variant;
  std::string_view rest = text;
  const auto saturate = TakeValue(rest, "saturate=");
  if (saturate != "0" && saturate != "1") {
    return error("saturate=0 or saturate=1 at first");
  }
  variant.saturate = *saturate == "1" ? 1 : 0;
  if (const auto precision = TakeValue(rest, "precision=")) {
    const auto type = ParseDataType(*precision);
    if (!type ||
        std::find(kPrecisions.begin(), kPrecisions.end(), *type) == kPrecisions.end()) {
      return error("a precision of FLOAT, FLOAT16, BFLOAT16 or DOUBLE");
    }
    variant.precision = *type;
  }
  if (!TakeZeroPointForm(rest, variant.zero_point)) {
    return error("zp=absent or zp=empty");
  }
  if (const auto output_dtype = TakeValue(rest, "output_dtype=")) {
    if (*output_dtype != DataTypeName(OutputType(cell))) {
      return error("the cell's output type as output_dtype");
    }
    variant.output_dtype = true;
  }
  if (VariantText(cell, variant) != text) {
    return error("the keys saturate, precision, zp, output_dtype, in this order");
  }

  const int since = cell.since_version;
  if (variant.saturate == 0 && !HasSaturate(since)) {
    return error("saturate=1, because this definition has no saturate");
  }
  if (variant.precision != DataType::kUndefined && !HasPrecision(since)) {
    return error("no precision, because this definition has none");
  }
  if (variant.output_dtype && !HasOutputDtype(since)) {
    return error("no output_dtype, because this definition has none");
  }
  if (variant.zero_point != ZeroPoint::kPresent && !variant.output_dtype &&
      OutputType(cell) != DataType::kUint8) {
    return error("y_zero_point or output_dtype, because y is UINT8 without both (QL-30)");
  }
  return variant;
}

DataType QuotientType(const Cell& cell, const QuantizeLinearVariant& variant) {
  if (variant.precision != DataType::kUndefined) return variant.precision;
  const DataType scale = cell.types[1];
  if (scale == DataType::kInt32) return DataType::kUndefined;   // QL-06
  if (scale == DataType::kFloat8E8M0) return DataType::kFloat;  // QL-07
  return scale;  // QL-02 to QL-05: before 23 both operands, or INT32 x, take it
}

}  // namespace qconform::generators
