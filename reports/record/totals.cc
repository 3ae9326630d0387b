#include "reports/record/totals.h"

#include <compare>
#include <tuple>

#include "oracle/base/text.h"
#include "reports/record/evidence.h"
#include "reports/record/order.h"

namespace qconform {
namespace {

// A table of totals that is being counted, in the order that it will have.
class Table {
 public:
  explicit Table(const SelectionRecord& selection) : selection_(selection) {}

  void Add(const TotalsRow& dimensions, Verdict verdict) {
    TotalsRow& row =
        rows_
            .try_emplace(Key{OperatorRank(selection_, dimensions.op_type),
                             dimensions.op_type, dimensions.since_version,
                             dimensions.opset_version, TierRank(dimensions.tier),
                             dimensions.tier, static_cast<int>(dimensions.output_type)},
                         dimensions)
            .first->second;
    row.counts.Add(verdict);
  }

  std::vector<TotalsRow> Rows() && {
    std::vector<TotalsRow> rows;
    rows.reserve(rows_.size());
    for (auto& [key, row] : rows_) rows.push_back(std::move(row));
    return rows;
  }

 private:
  using Key = std::tuple<size_t, std::string, int, int, size_t, std::string, int>;
  const SelectionRecord& selection_;
  std::map<Key, TotalsRow> rows_;
};

struct UnspecifiedKey {
  UnspecifiedKey(const SelectionRecord& selection, const CellRecord& cell,
                 const Observation& observation)
      : rank(OperatorRank(selection, cell.op_type)),
        op_type(cell.op_type),
        clause(observation.clause),
        input_class(observation.input_class) {}
  size_t rank;
  std::string op_type, clause, input_class;

  friend auto operator<=>(const UnspecifiedKey&, const UnspecifiedKey&) = default;
};

void AddObservation(const CellRecord& cell, const Observation& observation,
                    UnspecifiedRow& row) {
  row.op_type = cell.op_type;
  row.clause = observation.clause;
  row.input_class = observation.input_class;
  const std::string seen = Joined(observation.behaviours, ", ");
  ++row.behaviours[seen];
  row.examples.emplace(seen, cell.cell);
  for (const std::string& what : observation.varies_with) ++row.varies_with[what];
}

}  // namespace

std::string UnspecifiedRow::Text() const {
  std::string text = op_type + " " + clause + " " + input_class + ":";
  bool first = true;
  for (const auto& [behaviour, count] : behaviours) {
    text += (first ? " " : "; ") + behaviour + " in " + Plural(count, "cell");
    const auto example = examples.find(behaviour);
    if (behaviours.size() > 1 && example != examples.end()) {
      text += " (such as " + example->second + ")";
    }
    first = false;
  }
  if (varies_with.empty()) return text + "; the same each time";
  for (const auto& [what, count] : varies_with) {
    text += "; varies with " + what + " in " + Plural(count, "cell");
  }
  return text;
}

std::map<std::string, int64_t> AdmissibleBy(const std::vector<CellRecord>& cells) {
  std::map<std::string, int64_t> readings;
  for (const CellRecord& cell : cells) {
    if (!cell.reading.empty() && !IsDeviation(cell.verdict)) ++readings[cell.reading];
  }
  return readings;
}

Result<Totals> CountTotals(const RunInfo& run, const std::vector<CellRecord>& cells,
                           const std::vector<NodeTestRecord>& node_tests) {
  const SelectionRecord& selection = run.selection;
  Totals totals;
  totals.selected = selection.shard ? selection.shard->cells : selection.cells;
  Table by_tier(selection), by_since(selection), by_opset(selection),
      by_output(selection), by_since_and_output(selection);
  std::map<UnspecifiedKey, UnspecifiedRow> unspecified;
  for (const CellRecord& cell : cells) {
    totals.cells.Add(cell.verdict);
    totals.cases += cell.cases;
    totals.declined += cell.declined;
    totals.free += cell.free;
    for (const TierCounts& tier : cell.tiers) {
      totals.elements += tier.elements;
      totals.mismatches += tier.mismatches;
    }
    if (!cell.reading.empty()) ++totals.readings[cell.reading];
    for (const Observation& observation : cell.observed) {
      AddObservation(cell, observation,
                     unspecified[UnspecifiedKey(selection, cell, observation)]);
    }
    if (!cell.diagnosis.empty()) ++totals.diagnoses[cell.diagnosis];

    TotalsRow row;
    row.op_type = cell.op_type;
    for (const std::string& name : TiersOf(cell)) {
      row.tier = name;
      by_tier.Add(row, *TierVerdict(cell, name));
    }
    row.tier.clear();
    for (const OpsetRecord& opset : cell.opset_versions) {
      row.opset_version = opset.opset_version;
      by_opset.Add(row, opset.verdict);
    }
    row.opset_version = 0;
    row.since_version = cell.since_version;
    by_since.Add(row, cell.verdict);
    row.output_type = cell.output_type();
    by_since_and_output.Add(row, cell.verdict);
    row.since_version = 0;
    by_output.Add(row, cell.verdict);
  }
  for (const NodeTestRecord& test : node_tests) totals.node_tests.Add(test.verdict);
  for (auto& [key, row] : unspecified) totals.unspecified.push_back(std::move(row));
  auto mixed = FindMixedReadings(cells, run.operators);
  if (!mixed) return mixed.error();
  totals.mixed_readings = *std::move(mixed);
  totals.by_tier = std::move(by_tier).Rows();
  totals.by_since_version = std::move(by_since).Rows();
  totals.by_opset_version = std::move(by_opset).Rows();
  totals.by_output_type = std::move(by_output).Rows();
  totals.by_since_version_and_output_type = std::move(by_since_and_output).Rows();
  return totals;
}

}  // namespace qconform
