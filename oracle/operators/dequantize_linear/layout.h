// Which model a DequantizeLinear problem is: types (DQ-30 to DQ-32), granularity (DQ-33,
// DQ-34), shapes (DQ-14, DQ-36).
#ifndef QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_LAYOUT_H_
#define QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "oracle/core/scale_layout.h"
#include "oracle/operators/dequantize_linear/dequantize_linear.h"

namespace qconform::dequantize_linear {

struct Layout : ScaleLayout {
  DataType y = DataType::kUndefined;
};

struct Resolution {
  ModelValidity validity;
  Layout layout;  // meaningless where the model is invalid
};

// Resolves types, attributes and shapes. Open models get their plain meaning.
Resolution Resolve(const Problem& problem);

// The same of operands whose data may be missing.
Resolution ResolveWithoutData(const Problem& problem);

// An Error if the model is invalid.
Result<Layout> ValidLayout(const Resolution& resolution);

// The operands as problems of this kind have them.
ScaledOperands OperandsOf(const Problem& problem);
const ScaledNames& OperandNames();

// Whether x is INT32 and has a zero point other than 0 (DQ-06).
bool HasFreeZeroPoint(const Problem& problem);

// Whether the model is valid, but may be refused: x of rank 1 with a scale of rank 1
// since 21, whose text sends the reader to QuantizeLinear (DQ-34).
bool IsRank1PerAxis(const Problem& problem);

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_LAYOUT_H_
