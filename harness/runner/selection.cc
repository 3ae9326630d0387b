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
#include "oracle/base/glob_index.h"
#include "oracle/base/sha256.h"
#include "oracle/base/text.h"
#include "oracle/core/clauses.h"

namespace qconform {

namespace {

// Those that have cases.
std::vector<std::string> Asked(bool families) {
  std::vector<std::string> subjects = JudgedOperators();
  std::erase_if(subjects, [&](const std::string& op_type) {
    return IsGraphFamily(op_type) != families;
  });
  return subjects;
}

std::vector<std::string> InUse(bool families) {
  std::vector<std::string> subjects = Asked(families);
  std::erase_if(subjects, [](const std::string& op_type) {
    return FindOperator(op_type) == nullptr;
  });
  return subjects;
}

bool MeansFamilies(std::string_view pattern) {
  return pattern.starts_with(kGraphFamilyPrefix.substr(0, kGraphFamilyPrefix.size() - 1));
}

// Whether a pattern selects the cell. `in_families`: among cells of families, where it
// need not begin with "graphs".
bool Selects(const std::string& pattern, const std::string& id, bool in_families) {
  return CellGlobMatches(pattern, id) &&
         (in_families || !IsGraphFamily(id) || MeansFamilies(pattern));
}

bool AnySelects(std::span<const std::string> patterns, const std::string& id,
                bool in_families) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return Selects(pattern, id, in_families);
  });
}

}  // namespace

std::vector<std::string> OperatorsInUse() { return InUse(false); }
std::vector<std::string> FamiliesInUse() { return InUse(true); }

std::vector<std::string> OperatorsAndFamilies() {
  std::vector<std::string> subjects = InUse(false);
  std::ranges::move(InUse(true), std::back_inserter(subjects));
  return subjects;
}

std::vector<std::string> SubjectsOf(std::span<const std::string> patterns) {
  const auto families = std::ranges::count_if(patterns, MeansFamilies);
  if (families == 0) return Asked(false);
  return families == std::ssize(patterns) ? Asked(true) : JudgedOperators();
}

std::vector<OperatorRecord> OperatorRecords(std::span<const std::string> subjects) {
  std::vector<OperatorRecord> records;
  for (const std::string& op_type : subjects) {
    if (FindOperator(op_type) == nullptr) continue;
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

namespace {

struct Lattice {
  std::vector<SelectedCell> cells;
  std::vector<std::string> ids;  // of the cells
};

Lattice MakeLattice(bool families) {
  Lattice lattice;
  int64_t sequence = families ? static_cast<int64_t>(LatticeIds(InUse(false)).size()) : 0;
  for (const std::string& op_type : InUse(families)) {
    const std::vector<SinceVersion> versions = SinceVersions(op_type);
    for (Cell& cell : CellsOf(op_type)) {
      ++sequence;
      for (const SinceVersion& version : versions) {
        if (version.since_version != cell.since_version) continue;
        lattice.ids.push_back(CellId(cell));
        lattice.cells.push_back({std::move(cell), version, sequence});
        break;
      }
    }
  }
  return lattice;
}

// The cells of operators, or of families. They are made once, as that takes longer than
// to match a pattern with all of them.
const Lattice& LatticeOf(bool families) {
  if (families) {
    static const Lattice lattice = MakeLattice(true);
    return lattice;
  }
  static const Lattice lattice = MakeLattice(false);
  return lattice;
}

Error NothingMatches(const std::string& pattern) {
  const std::vector<std::string> subjects =
      MeansFamilies(pattern) ? FamiliesInUse() : OperatorsInUse();
  const std::vector<std::string>& ids = LatticeOf(MeansFamilies(pattern)).ids;
  if (ids.empty()) {
    return Error{MeansFamilies(pattern)
                     ? "there are no cells of graphs, because no family is judged"
                     : "there are no cells, because no operator is judged"};
  }
  if (const size_t open = pattern.rfind('[');
      open != std::string::npos && pattern.find(']', open) == std::string::npos) {
    return Expected("cell pattern", "a ']' for the '['", "'" + pattern + "'");
  }
  const auto shortest = std::ranges::min_element(ids, {}, &std::string::size);
  return Expected("cell pattern", "one of ids such as " + *shortest, "'" + pattern + "'",
                  std::string("* is any text, [13] is 1 or 3; the ") +
                      (MeansFamilies(pattern) ? "families" : "operators") + " are " +
                      Joined(subjects, ", ") + "; 'qconform list cells " +
                      (MeansFamilies(pattern) ? "--graphs " : "") +
                      "--ids' prints all ids");
}

}  // namespace

Result<std::vector<SelectedCell>> SelectCells(const std::vector<std::string>& patterns) {
  std::vector<SelectedCell> selected;
  std::set<std::string> unused;
  for (const bool families : {false, true}) {
    if (families && patterns.empty()) continue;
    std::vector<std::string> asked;
    std::ranges::copy_if(patterns, std::back_inserter(asked), [&](const auto& pattern) {
      return MeansFamilies(pattern) == families;
    });
    const Lattice& lattice = LatticeOf(families);
    const MatchedGlobs matched = MatchGlobs(asked, lattice.ids);
    for (size_t i = 0; i < lattice.cells.size(); ++i) {
      if (matched.cells[i] || patterns.empty()) selected.push_back(lattice.cells[i]);
    }
    for (size_t i = 0; i < asked.size(); ++i) {
      if (!matched.patterns[i]) unused.insert(asked[i]);
    }
  }
  const auto first = std::ranges::find_if(
      patterns, [&](const auto& pattern) { return unused.contains(pattern); });
  if (first != patterns.end()) return NothingMatches(*first);
  return selected;
}

Result<std::vector<std::string>> NarrowPatterns(const std::vector<std::string>& whole,
                                                const std::vector<std::string>& narrower,
                                                const std::string& flag) {
  if (const auto selected = SelectCells(whole); !selected) return selected.error();
  const std::vector<std::string> subjects = SubjectsOf(whole);
  const bool only_families = subjects == FamiliesInUse();
  // What narrows a selection of families may begin with anything.
  if (!only_families) {
    if (const auto selected = SelectCells(narrower); !selected) return selected.error();
  }
  std::set<std::string> left;  // what both select, and no pattern of the result yet
  std::set<std::string> outside;
  for (const std::string& id : LatticeIds()) {
    const bool both =
        AnySelects(whole, id, false) && AnySelects(narrower, id, only_families);
    (both ? left : outside).insert(id);
  }
  std::vector<std::string> candidates = narrower;
  candidates.insert(candidates.end(), whole.begin(), whole.end());
  for (const std::string& op_type : subjects) {
    for (const std::string& pattern : narrower) {
      if (pattern.starts_with('*')) candidates.push_back(op_type + pattern.substr(1));
    }
  }
  for (const std::string& pattern : narrower) {
    if (std::ranges::none_of(left, [&](const std::string& id) {
          return Selects(pattern, id, only_families);
        })) {
      return Expected(flag,
                      "a pattern that matches cells of the selection that it narrows",
                      "'" + pattern + "'");
    }
  }
  std::vector<std::string> patterns;
  for (const std::string& candidate : candidates) {
    const auto selects = [&](const std::string& id) {
      return Selects(candidate, id, false);
    };
    if (std::ranges::any_of(outside, selects)) continue;
    if (std::erase_if(left, selects) > 0) patterns.push_back(candidate);
  }
  patterns.insert(patterns.end(), left.begin(), left.end());
  return patterns;
}

std::vector<std::string> LatticeIds() { return LatticeIds(OperatorsAndFamilies()); }

std::vector<std::string> LatticeIds(std::span<const std::string> subjects) {
  std::vector<std::string> ids;
  for (const std::string& op_type : subjects) {
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
