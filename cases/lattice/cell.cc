#include "cases/lattice/cell.h"

namespace qconform {

std::string CellId(const Cell& cell) {
  std::string id = cell.op_type;
  id += '/';
  id += std::to_string(cell.since_version);
  char separator = '/';
  for (const DataType type : cell.types) {
    id += separator;
    id += DataTypeName(type);
    separator = '-';
  }
  id += '/';
  id += cell.granularity;
  return id;
}

}  // namespace qconform
