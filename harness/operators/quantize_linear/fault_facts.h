// What the declarations of QuantizeLinear's faults are made from.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_FACTS_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_FACTS_H_

#include "cases/lattice/cell.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

struct QuantizeLinearFacts {
  QuantizeLinearFacts(const Cell& cell);  // implicit: declarations are asked of a cell

  int since_version = 0;
  DataType x = DataType::kUndefined;
  DataType y_scale = DataType::kUndefined;
  DataType y = DataType::kUndefined;
  bool per_tensor = false;
  bool blocked = false;
  DataType precision =
      DataType::kUndefined;    // P without the attribute; kUndefined: exact
  bool integer = false;        // y
  bool float8 = false;         // y
  bool float6 = false;         // y
  bool has_precision = false;  // the attribute
  int y_bits = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_FACTS_H_
