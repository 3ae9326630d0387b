#include "reports/report/consistency.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace qconform {
namespace {

constexpr std::array<std::string_view, 6> kQuotientClauses{"QL-03", "QL-04", "QL-06",
                                                           "QL-07", "QL-09", "MM-02"};

bool IsAboutQuotient(std::string_view clause) {
  for (const std::string_view one : kQuotientClauses) {
    if (one == clause) return true;
  }
  return false;
}

// The cells that a clause concerns alike: op_type, since_version, and types.
using Kin = std::tuple<std::string, int, std::vector<DataType>>;

Kin KinOf(const CellRecord& cell, std::string_view clause) {
  std::vector<DataType> types{cell.output_type()};
  if (IsAboutQuotient(clause)) {
    // QuantizeLinear: x and y_scale; QLinearMatMul: the scales.
    const size_t count = cell.op_type == "QuantizeLinear" ? 2 : 1;
    types.assign(cell.types.begin(),
                 cell.types.begin() +
                     static_cast<std::ptrdiff_t>(std::min(count, cell.types.size())));
  }
  return {cell.op_type, cell.since_version, std::move(types)};
}

// INT32 x is divided by readings of its own (QL-06, QL-07): what a backend follows there
// says nothing of floats.
bool IsOfIntegerX(const CellRecord& cell, std::string_view clause) {
  return IsAboutQuotient(clause) && !cell.types.empty() &&
         cell.types.front() == DataType::kInt32;
}

}  // namespace

std::set<std::pair<std::string, std::string>> ReadingsNamedIn(const std::string& text) {
  std::set<std::pair<std::string, std::string>> found;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = std::min(text.find_first_of(" +,;", start), text.size());
    const std::string word = text.substr(start, end - start);
    const size_t colon = word.find(':');
    if (colon != std::string::npos && colon + 1 < word.size() && word.find('-') < colon) {
      found.emplace(word.substr(0, colon), word.substr(colon + 1));
    }
    start = end + 1;
  }
  return found;
}

namespace {

// The readings of a clause that a cell names, in whatever tier.
std::set<std::string> OfClause(const CellRecord& cell, const std::string& clause) {
  std::set<std::string> readings;
  for (const auto& [of, reading] : ReadingsNamedIn(cell.reading)) {
    if (of == clause) readings.insert(reading);
  }
  return readings;
}

// Whether a reading is not known to have other bits than the cell's answers, which `own`
// explain.
bool Stands(const CellRecord& cell, const std::string& clause, const std::string& reading,
            const std::set<std::string>& own) {
  if (own == std::set<std::string>{reading}) return true;
  const auto& others = cell.not_told_apart;
  return std::find(others.begin(), others.end(), clause + ":" + reading) != others.end();
}

}  // namespace

std::string MixedReadings::Text() const {
  std::string text = op_type + "-" + std::to_string(since_version) + ", " + clause + ": ";
  const auto such_as = [&](const std::string& name) {
    const auto example = cells.find(name);
    return example == cells.end() ? "" : " (such as " + example->second + ")";
  };
  const auto count_of = [](int64_t count) {
    return std::to_string(count) + (count == 1 ? " cell" : " cells");
  };
  bool first = true;
  for (const auto& [name, count] : readings) {
    if (name == "canonical") continue;
    text += (first ? "" : ", ") + name + " explains " + count_of(count) + such_as(name);
    first = false;
  }
  const auto canonical = readings.find("canonical");
  if (canonical == readings.end()) return text;
  return text + ", " + count_of(canonical->second) +
         (canonical->second == 1 ? " is" : " are") + " conformant without" +
         such_as("canonical");
}

std::vector<MixedReadings> FindMixedReadings(const std::vector<CellRecord>& cells) {
  using Key = std::tuple<std::string, int, std::string, bool>;
  std::map<Key, MixedReadings> found;
  std::map<std::string, std::set<Kin>> concerned;  // by clause
  for (const CellRecord& cell : cells) {
    for (const auto& [clause, reading] : ReadingsNamedIn(cell.reading)) {
      MixedReadings& mixed =
          found[{cell.op_type, cell.since_version, clause, IsOfIntegerX(cell, clause)}];
      mixed.op_type = cell.op_type;
      mixed.since_version = cell.since_version;
      mixed.clause = clause;
      ++mixed.readings[reading];
      mixed.cells.emplace(reading, cell.cell);
      concerned[clause].insert(KinOf(cell, clause));
    }
  }
  std::map<Key, std::set<std::string>> standing;  // in all cells so far
  for (const auto& [key, mixed] : found) {
    for (const auto& [reading, count] : mixed.readings) standing[key].insert(reading);
  }
  const std::map<Key, std::set<std::string>> named = standing;
  for (const CellRecord& cell : cells) {
    for (const auto& [clause, kin] : concerned) {
      const std::set<std::string> own = OfClause(cell, clause);
      const bool like =
          cell.verdict == Verdict::kConformant && kin.contains(KinOf(cell, clause));
      if (own.empty() && !like) continue;
      const Key key{cell.op_type, cell.since_version, clause, IsOfIntegerX(cell, clause)};
      bool refutes = false;
      for (const std::string& reading : named.at(key)) {
        if (Stands(cell, clause, reading, own)) continue;
        standing[key].erase(reading);
        refutes = true;
      }
      if (!own.empty() || !refutes) continue;
      ++found[key].readings["canonical"];
      found[key].cells.emplace("canonical", cell.cell);
    }
  }
  std::vector<MixedReadings> result;
  for (auto& [key, mixed] : found) {
    if (standing[key].empty()) result.push_back(std::move(mixed));
  }
  return result;
}

}  // namespace qconform
