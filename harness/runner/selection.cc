#include "harness/runner/selection.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "cases/core/case.h"
#include "cases/core/operator_cases.h"
#include "harness/core/oracle_model.h"
#include "oracle/base/expected.h"
#include "oracle/base/glob.h"
#include "oracle/base/sha256.h"
#include "oracle/core/clauses.h"

namespace qconform {

std::vector<std::string> OperatorsInUse() {
  std::vector<std::string> operators;
  for (const std::string& op_type : JudgedOperators()) {
    if (FindOperator(op_type) != nullptr) operators.push_back(op_type);
  }
  return operators;
}

std::vector<OperatorRecord> OperatorRecords() {
  std::vector<OperatorRecord> records;
  for (const std::string& op_type : OperatorsInUse()) {
    const OperatorCases& cases = *FindOperatorCases(op_type);
    OperatorRecord record;
    record.op_type = op_type;
    record.types.assign(cases.formals.begin(), cases.formals.end());
    for (const OperandInfo& operand : FindOperator(op_type)->operands()) {
      if (operand.role != OperandRole::kData) continue;
      const auto formal = std::ranges::find(cases.formals, operand.name);
      if (formal == cases.formals.end()) continue;
      record.main_type = static_cast<int>(formal - cases.formals.begin());
      break;
    }
    for (const OperandForm form : kAllOperandForms) {
      if (form == OperandForm::kParameters && !cases.has_weights) continue;
      record.operand_forms.emplace_back(OperandFormName(form));
    }
    record.rules_since = cases.rules_since;
    for (const Clause& clause : FindOperator(op_type)->clauses()) {
      if (clause.since_versions.empty()) continue;
      const int since = std::ranges::min(clause.since_versions);
      if (std::ranges::find(cases.new_clauses_since, since) !=
          cases.new_clauses_since.end()) {
        record.clauses_since.push_back({std::string(clause.id), since});
      }
    }
    for (const auto& [clause, formals] : cases.input_clauses) {
      record.clauses.push_back({std::string(clause), formals});
    }
    records.push_back(std::move(record));
  }
  return records;
}

Result<std::vector<SelectedCell>> SelectCells(const std::vector<std::string>& patterns) {
  std::vector<SelectedCell> selected;
  GivenGlobs globs(patterns);
  int64_t sequence = 0;
  for (const std::string& op_type : OperatorsInUse()) {
    const std::vector<SinceVersion> versions = SinceVersions(op_type);
    for (const Cell& cell : CellsOf(op_type)) {
      ++sequence;
      if (!globs.Match(CellId(cell))) continue;
      for (const SinceVersion& version : versions) {
        if (version.since_version == cell.since_version) {
          selected.push_back({cell, version, sequence});
        }
      }
    }
  }
  if (const std::string* unused = globs.FindUnused()) {
    const std::vector<std::string> ids = LatticeIds();
    if (ids.empty()) return Error{"there are no cells, because no operator is judged"};
    return Expected("cell pattern", "one that matches ids such as " + ids.back(),
                    "'" + *unused + "'",
                    "* stands for any text; 'qconform list cells --ids' prints all ids");
  }
  return selected;
}

namespace {

Result<std::set<std::string>> IdsOf(const std::vector<std::string>& patterns) {
  const auto selected = SelectCells(patterns);
  if (!selected) return selected.error();
  std::set<std::string> ids;
  for (const SelectedCell& cell : *selected) ids.insert(CellId(cell.cell));
  return ids;
}

}  // namespace

Result<std::vector<std::string>> NarrowPatterns(const std::vector<std::string>& whole,
                                                const std::vector<std::string>& narrower,
                                                const std::string& flag) {
  const auto allowed = IdsOf(whole);
  if (!allowed) return allowed.error();
  std::vector<std::string> patterns;
  for (const std::string& pattern : narrower) {
    const auto matched = IdsOf({pattern});
    if (!matched) return matched.error();
    std::vector<std::string> both;
    std::ranges::set_intersection(*matched, *allowed, std::back_inserter(both));
    if (both.empty()) {
      return Expected(flag,
                      "a pattern that matches cells of the selection that it narrows",
                      "'" + pattern + "'");
    }
    if (both.size() == matched->size()) {
      patterns.push_back(pattern);
    } else {
      patterns.insert(patterns.end(), both.begin(), both.end());
    }
  }
  return patterns;
}

std::vector<std::string> LatticeIds() {
  std::vector<std::string> ids;
  for (const std::string& op_type : OperatorsInUse()) {
    for (const Cell& cell : CellsOf(op_type)) ids.push_back(CellId(cell));
  }
  return ids;
}

std::vector<SelectedCell> CellsOfShard(std::vector<SelectedCell> cells, int64_t index,
                                       int64_t count) {
  // Cells are dealt out in the order of their hashes, so that neighbours, which cost the
  // same, are spread, and no shard gets more than its share.
  std::vector<std::pair<std::string, size_t>> order;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string id = CellId(cells[i].cell);
    order.emplace_back(Sha256Hex(std::as_bytes(std::span(id))), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<bool> mine(cells.size());
  for (size_t place = 0; place < order.size(); ++place) {
    mine[order[place].second] = static_cast<int64_t>(place) % count == index;
  }
  std::vector<SelectedCell> shard;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (mine[i]) shard.push_back(std::move(cells[i]));
  }
  return shard;
}

}  // namespace qconform
