// The cells that a run asks about.
#ifndef QCONFORM_HARNESS_RUNNER_SELECTION_H_
#define QCONFORM_HARNESS_RUNNER_SELECTION_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/lattice/cell.h"
#include "cases/lattice/lattice.h"
#include "oracle/base/result.h"
#include "reports/record/operator_record.h"

namespace qconform {

// Returns the operators that are judged: those with an oracle and with cases.
std::vector<std::string> OperatorsInUse();

// Returns the families of graphs that are judged.
std::vector<std::string> FamiliesInUse();

// Returns both, the operators first.
std::vector<std::string> OperatorsAndFamilies();

// Selects the cells of all families.
inline constexpr std::string_view kGraphCells = "graphs.*";

// Returns what cells of these patterns may belong to, in the order of the lattice: the
// operators, and the families if a pattern begins with "graphs"; only the families if all
// patterns do. No patterns mean all cells of the operators.
std::vector<std::string> SubjectsOf(std::span<const std::string> patterns);

// Returns the facts about these operators and families that reports need.
std::vector<OperatorRecord> OperatorRecords(std::span<const std::string> subjects);

struct SelectedCell {
  Cell cell;
  SinceVersion versions;
  int64_t sequence = 0;  // the cell's place in the whole lattice
};

// Returns the cells of all judged operators whose ids match one of `patterns`
// (all cells if there are no patterns), in the order of the lattice. A pattern that
// begins with "graphs" selects cells of the families of graphs; no other one does. An
// Error names a pattern that matches nothing.
Result<std::vector<SelectedCell>> SelectCells(const std::vector<std::string>& patterns);

// Returns patterns that select just the cells that match one of `whole` and one of
// `narrower` (neither empty): few patterns where they select only such cells, else ids.
// An Error, which begins with `flag`, names a pattern of `narrower` that selects nothing
// of `whole`.
Result<std::vector<std::string>> NarrowPatterns(const std::vector<std::string>& whole,
                                                const std::vector<std::string>& narrower,
                                                const std::string& flag);

// Returns the ids of all cells of these operators and families, in the order of the
// lattice.
std::vector<std::string> LatticeIds(std::span<const std::string> subjects);
// The same of all operators and families.
std::vector<std::string> LatticeIds();

// Returns the cells of one of `count` shards. Every selected cell belongs to exactly
// one shard, by a hash of its id, and shards differ by at most one cell. Precondition:
// 0 <= index < count.
std::vector<SelectedCell> CellsOfShard(std::vector<SelectedCell> cells, int64_t index,
                                       int64_t count);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SELECTION_H_
