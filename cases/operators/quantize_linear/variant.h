// Variants of QuantizeLinear's cases: the attributes that are no part of a cell,
// as stable text.
//
//   saturate=1[,precision=FLOAT16][,zp=absent|empty][,output_dtype=INT8]
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_VARIANT_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_VARIANT_H_

#include <span>
#include <string>
#include <string_view>

#include "cases/lattice/cell.h"
#include "cases/quantization/operands.h"
#include "oracle/base/result.h"

namespace qconform::generators {

struct QuantizeLinearVariant {
  int saturate = 1;
  DataType precision = DataType::kUndefined;  // kUndefined: the attribute is absent
  ZeroPointForm zero_point = ZeroPointForm::kPresent;  // QL-30
  bool output_dtype = false;                           // the attribute is there

  friend bool operator==(const QuantizeLinearVariant&,
                         const QuantizeLinearVariant&) = default;
};

std::string VariantText(const Cell& cell, const QuantizeLinearVariant& variant);

// An Error where the text is no variant, or none that the cell has.
Result<QuantizeLinearVariant> ParseQuantizeLinearVariant(const Cell& cell,
                                                         std::string_view text);

// Which attributes a definition has.
inline bool HasSaturate(int since_version) { return since_version >= 19; }
inline bool HasOutputDtype(int since_version) { return since_version >= 21; }
inline bool HasPrecision(int since_version) { return since_version >= 23; }

// The precisions that QL-05 gives a meaning.
std::span<const DataType> Precisions();

// Returns the type P in which the quotient is rounded (QL-01 to QL-07, their
// canonical readings); kUndefined where it is not rounded before the target is
// reached (INT32 scale without `precision`).
DataType QuotientType(const Cell& cell, const QuantizeLinearVariant& variant);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_VARIANT_H_
