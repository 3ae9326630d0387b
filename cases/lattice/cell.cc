#include "cases/lattice/cell.h"

#include <array>
#include <utility>

namespace qconform {
namespace {

constexpr std::array<std::pair<Granularity, std::string_view>, 7> kNames{{
    {Granularity::kPerTensor, "per_tensor"},
    {Granularity::kPerAxis, "per_axis"},
    {Granularity::kBlocked, "blocked"},
    {Granularity::kPerTensorPerTensor, "per_tensor-per_tensor"},
    {Granularity::kPerTensorPerColumn, "per_tensor-per_column"},
    {Granularity::kPerRowPerTensor, "per_row-per_tensor"},
    {Granularity::kPerRowPerColumn, "per_row-per_column"},
}};

}  // namespace

std::string_view GranularityName(Granularity granularity) {
  for (const auto& [value, name] : kNames) {
    if (value == granularity) return name;
  }
  return "";
}

std::optional<Granularity> ParseGranularity(std::string_view name) {
  for (const auto& [value, spelling] : kNames) {
    if (spelling == name) return value;
  }
  return std::nullopt;
}

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
  id += GranularityName(cell.granularity);
  return id;
}

}  // namespace qconform
