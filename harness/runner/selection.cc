#include "harness/runner/selection.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "cases/core/case.h"
#include "cases/core/operator_cases.h"
#include "harness/core/oracle_model.h"
#include "oracle/base/expected.h"
#include "oracle/base/glob.h"
#include "oracle/base/sha256.h"
#include "oracle/base/text.h"
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
    for (const OperandForm form : OperandFormsOf(op_type)) {
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
    if (const size_t open = unused->rfind('[');
        open != std::string::npos && unused->find(']', open) == std::string::npos) {
      return Expected("cell pattern", "a ']' for the '['", "'" + *unused + "'");
    }
    const auto shortest = std::ranges::min_element(ids, {}, &std::string::size);
    return Expected("cell pattern", "one of ids such as " + *shortest,
                    "'" + *unused + "'",
                    "* is any text, [13] is 1 or 3; the operators are " +
                        Joined(OperatorsInUse(), ", ") +
                        "; 'qconform list cells --ids' prints all ids");
  }
  return selected;
}

Result<std::vector<std::string>> NarrowPatterns(const std::vector<std::string>& whole,
                                                const std::vector<std::string>& narrower,
                                                const std::string& flag) {
  for (const auto* patterns : {&whole, &narrower}) {
    if (const auto selected = SelectCells(*patterns); !selected) return selected.error();
  }
  std::set<std::string> left;  // what both select, and no pattern of the result yet
  std::set<std::string> outside;
  for (const std::string& id : LatticeIds()) {
    const bool both = AnyGlobMatches(whole, id) && AnyGlobMatches(narrower, id);
    (both ? left : outside).insert(id);
  }
  std::vector<std::string> candidates = narrower;
  candidates.insert(candidates.end(), whole.begin(), whole.end());
  for (const std::string& op_type : OperatorsInUse()) {
    for (const std::string& pattern : narrower) {
      if (pattern.starts_with('*')) candidates.push_back(op_type + pattern.substr(1));
    }
  }
  for (const std::string& pattern : narrower) {
    if (std::ranges::none_of(
            left, [&](const std::string& id) { return CellGlobMatches(pattern, id); })) {
      return Expected(flag,
                      "a pattern that matches cells of the selection that it narrows",
                      "'" + pattern + "'");
    }
  }
  std::vector<std::string> patterns;
  for (const std::string& candidate : candidates) {
    const auto matches = [&](const std::string& id) {
      return CellGlobMatches(candidate, id);
    };
    if (std::ranges::any_of(outside, matches)) continue;
    if (std::erase_if(left, matches) > 0) patterns.push_back(candidate);
  }
  patterns.insert(patterns.end(), left.begin(), left.end());
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
