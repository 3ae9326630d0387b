#include "reports/record/mixed_readings.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "oracle/base/reading.h"

namespace qconform {
namespace {

// The cells that a clause concerns alike: op_type, since_version, and types.
using Kin = std::tuple<std::string, int, std::vector<DataType>>;

Kin KinOf(const CellRecord& cell, const OperatorRecord& record, std::string_view clause) {
  std::vector<DataType> types{cell.output_type()};
  if (const size_t count = std::min(record.TypesOf(clause), cell.types.size())) {
    types.assign(cell.types.begin(),
                 cell.types.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return {cell.op_type, cell.since_version, std::move(types)};
}

// Clauses about inputs have readings of their own for integers: what a backend follows
// there says nothing of floats.
bool IsOfIntegers(const CellRecord& cell, const OperatorRecord& record,
                  std::string_view clause) {
  return record.TypesOf(clause) > 0 && !cell.types.empty() &&
         IsInteger(cell.types.front());
}

// Those of a clause, by their names.
std::set<std::string> OfClause(const std::set<Reading>& readings,
                               const std::string& clause) {
  std::set<std::string> names;
  for (const auto& [of, name] : readings) {
    if (of == clause) names.insert(name);
  }
  return names;
}

// Whether a reading is not known to have other bits than the cell's answers, which `own`
// explain.
bool Stands(const CellRecord& cell, const std::string& clause, const std::string& reading,
            const std::set<std::string>& own) {
  if (own == std::set<std::string>{reading}) return true;
  const auto& others = cell.not_told_apart;
  return std::find(others.begin(), others.end(),
                   Spell(std::vector<Reading>{{clause, reading}})) != others.end();
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

Result<std::vector<MixedReadings>> FindMixedReadings(
    const std::vector<CellRecord>& cells, const std::vector<OperatorRecord>& operators) {
  using Key = std::tuple<std::string, int, std::string, bool>;
  std::map<Key, MixedReadings> found;
  std::map<std::string, std::set<Kin>> concerned;  // by clause
  std::vector<std::set<Reading>> of_cells;         // in whatever tier
  for (const CellRecord& cell : cells) {
    const OperatorRecord& record = OperatorRecordOf(operators, cell.op_type);
    auto of_cell = ReadingsOfTiers(cell.reading);
    if (!of_cell) return Error{cell.cell + ": " + of_cell.error().message};
    of_cells.push_back(*std::move(of_cell));
    for (const auto& [clause, reading] : of_cells.back()) {
      MixedReadings& mixed = found[{cell.op_type, cell.since_version, clause,
                                    IsOfIntegers(cell, record, clause)}];
      mixed.op_type = cell.op_type;
      mixed.since_version = cell.since_version;
      mixed.clause = clause;
      ++mixed.readings[reading];
      mixed.cells.emplace(reading, cell.cell);
      concerned[clause].insert(KinOf(cell, record, clause));
    }
  }
  std::map<Key, std::set<std::string>> standing;  // in all cells so far
  for (const auto& [key, mixed] : found) {
    for (const auto& [reading, count] : mixed.readings) standing[key].insert(reading);
  }
  const std::map<Key, std::set<std::string>> named = standing;
  for (size_t i = 0; i < cells.size(); ++i) {
    const CellRecord& cell = cells[i];
    const OperatorRecord& record = OperatorRecordOf(operators, cell.op_type);
    for (const auto& [clause, kin] : concerned) {
      const std::set<std::string> own = OfClause(of_cells[i], clause);
      const bool like = cell.verdict == Verdict::kConformant &&
                        kin.contains(KinOf(cell, record, clause));
      if (own.empty() && !like) continue;
      const Key key{cell.op_type, cell.since_version, clause,
                    IsOfIntegers(cell, record, clause)};
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
