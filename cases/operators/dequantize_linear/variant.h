// Variants of DequantizeLinear's cases: what is no part of a cell, as stable text.
//
//   zp=present|absent|empty[,output_dtype=FLOAT16|0]
#ifndef QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_VARIANT_H_
#define QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_VARIANT_H_

#include <string>
#include <string_view>

#include "cases/lattice/cell.h"
#include "cases/quantization/operands.h"
#include "oracle/base/result.h"

namespace qconform::generators {

struct DequantizeLinearVariant {
  // How output_dtype is written: not at all, as y's type, or as 0, which means the same
  // as not at all (DQ-30).
  enum class OutputDtype : uint8_t { kAbsent, kGiven, kZero };

  ZeroPointForm zero_point = ZeroPointForm::kPresent;
  OutputDtype output_dtype = OutputDtype::kAbsent;

  friend bool operator==(const DequantizeLinearVariant&,
                         const DequantizeLinearVariant&) = default;
};

std::string VariantText(const Cell& cell, const DequantizeLinearVariant& variant);

// An Error where the text is no variant, or none that the cell has.
Result<DequantizeLinearVariant> ParseDequantizeLinearVariant(const Cell& cell,
                                                             std::string_view text);

// Which attributes a definition has.
inline bool DequantizeLinearHasAxis(int since_version) { return since_version >= 13; }
inline bool DequantizeLinearHasBlocks(int since_version) { return since_version >= 21; }
inline bool DequantizeLinearHasOutputDtype(int since_version) {
  return since_version >= 23;
}
// Whether y's type is not that of x_scale, so that output_dtype has to say it.
inline bool NeedsOutputDtype(const Cell& cell) { return cell.types[1] != cell.types[2]; }

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_VARIANT_H_
