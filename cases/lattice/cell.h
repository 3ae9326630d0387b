// Cells: the units of conformance. A cell is an operator, a since_version, a
// choice of data types and a granularity.
#ifndef QCONFORM_CASES_LATTICE_CELL_H_
#define QCONFORM_CASES_LATTICE_CELL_H_

#include <string>
#include <vector>

#include "oracle/tensor/data_type.h"

namespace qconform {

struct Cell {
  std::string op_type;
  int since_version = 0;
  // Of the operands that name a cell (OperatorCases::formals), the output's last.
  std::vector<DataType> types;
  // How scales and zero points lie along the tensors: "per_tensor", "per_axis", ...
  std::string granularity;

  friend bool operator==(const Cell&, const Cell&) = default;
};

// Returns "QuantizeLinear/21/FLOAT16-FLOAT16-INT4/blocked".
std::string CellId(const Cell& cell);

// Returns the output type of the cell: the last of its types.
inline DataType OutputType(const Cell& cell) { return cell.types.back(); }

}  // namespace qconform

#endif  // QCONFORM_CASES_LATTICE_CELL_H_
