// Cells: the units of conformance. A cell is an operator, a since_version, a
// choice of data types and a granularity.
#ifndef QCONFORM_CASES_LATTICE_CELL_H_
#define QCONFORM_CASES_LATTICE_CELL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

// How scales and zero points lie along a tensor (QL-31, MM-04).
enum class Granularity : uint8_t {
  // QuantizeLinear
  kPerTensor,
  kPerAxis,
  kBlocked,
  // QLinearMatMul: of a, then of b
  kPerTensorPerTensor,
  kPerTensorPerColumn,
  kPerRowPerTensor,
  kPerRowPerColumn,
};

// Of QLinearMatMul: whether a has a scale for each row, and b one for each column.
inline bool IsPerRow(Granularity granularity) {
  return granularity == Granularity::kPerRowPerTensor ||
         granularity == Granularity::kPerRowPerColumn;
}
inline bool IsPerColumn(Granularity granularity) {
  return granularity == Granularity::kPerTensorPerColumn ||
         granularity == Granularity::kPerRowPerColumn;
}

// Returns "per_tensor", "per_axis", "blocked", "per_tensor-per_tensor", ...
std::string_view GranularityName(Granularity granularity);

// Returns the granularity of that exact name, or nothing.
std::optional<Granularity> ParseGranularity(std::string_view name);

// Operand types of a cell, in the order of its id: QuantizeLinear x, y_scale,
// y; QLinearMatMul TS, T1, T2, T3.
struct Cell {
  std::string op_type;
  int since_version = 0;
  std::vector<DataType> types;
  Granularity granularity = Granularity::kPerTensor;

  friend bool operator==(const Cell&, const Cell&) = default;
};

// Returns "QuantizeLinear/21/FLOAT16-FLOAT16-INT4/blocked".
std::string CellId(const Cell& cell);

// Returns the output type of the cell: the last of its types.
inline DataType OutputType(const Cell& cell) { return cell.types.back(); }

}  // namespace qconform

#endif  // QCONFORM_CASES_LATTICE_CELL_H_
