// What the declarations of DequantizeLinear's faults are made from.
#ifndef QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_FACTS_H_
#define QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_FACTS_H_

#include "cases/lattice/cell.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

// The values of an operand: multiples of 2^unit of so many significant digits, below
// 2^(top + 1) in magnitude and, where they are not 0, not below 2^bottom.
struct DigitsOfOperand {
  int digits = 0;
  int unit = 0;
  int top = 0;
};

struct DequantizeLinearFacts {
  DequantizeLinearFacts(const Cell& cell);  // implicit: declarations are asked of a cell

  // Whether d * s of a difference of these digits, as the canonical readings multiply
  // them, may lie between two values of y.
  bool Rounds(const DigitsOfOperand& d) const;

  int since_version = 0;
  DataType x = DataType::kUndefined;
  DataType x_scale = DataType::kUndefined;
  DataType y = DataType::kUndefined;
  bool per_tensor = false;
  bool blocked = false;
  bool integer = false;       // x, of at most 16 bits
  bool int32 = false;         // x
  bool is_float = false;      // x
  bool power_of_two = false;  // x_scale
  bool half = false;          // y has 16 bits
  int x_bits = 0;
  DigitsOfOperand d_without;  // d where there is no zero point, or one of 0
  DigitsOfOperand d;          // d of any zero point
  DigitsOfOperand s;          // as the canonical readings multiply it
};

// The digits of all values of a type.
DigitsOfOperand DigitsOf(DataType type);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_FACTS_H_
