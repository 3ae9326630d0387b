// What the declarations of QLinearMatMul's faults are made from.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULT_FACTS_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULT_FACTS_H_

#include "cases/lattice/cell.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

struct MatMulFacts {
  MatMulFacts(const Cell& cell);  // implicit: declarations are asked of a cell

  DataType scale = DataType::kUndefined;  // FLOAT before types were free
  DataType a = DataType::kUndefined;
  DataType b = DataType::kUndefined;
  DataType y = DataType::kUndefined;
  bool per_row = false;
  bool per_column = false;
  bool integer_operands = false;
  bool integer = false;  // y
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULT_FACTS_H_
