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

bool GlobMatches(std::string_view pattern, std::string_view text) {
  // On a mismatch the last `*` takes one character more; earlier ones need no
  // second try, so the time is at most pattern.size() * text.size().
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;
  size_t star_end = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_end;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace qconform
