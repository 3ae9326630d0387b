// What changed between two reports: cell by cell, and on whose side the cause
// lies. Order, times and machines never show up as a change.
//
//   regression   worse than before, as a whole or in one tier, operand form or
//                opset_version: a pass that is none any more, something declined that
//                deviates now, a deviation that is a worse one
//   improvement  the other way round, and nothing worse
//   changed      neither better nor worse: another reading, other evidence
//   lost         ran before, untested now
//   added, removed   rows of one report alone
//
// What was untested before is no regression, whatever it is now: nothing was known of it.
//
// Exit codes: 1 with a regression (also of a node test or a negative model), or where
// something that ran before is lost: a cell that is untested now, a row that is removed
// although the same was selected, or the new report is incomplete and the old one was
// not; else 3 where the reports are not comparable (another suite, rows that another
// selection leaves out, an incomplete report); else 0. Of node tests, the same was
// selected where the new report has others of their release; of negative models, where it
// has any and neither suite nor tool changed.
#ifndef QCONFORM_REPORTS_DIFF_H_
#define QCONFORM_REPORTS_DIFF_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/known_differences.h"
#include "reports/report.h"

namespace qconform {

enum class ChangeKind { kRegression, kLost, kRemoved, kAdded, kChanged, kImprovement };
inline constexpr ChangeKind kChangeKinds[] = {
    ChangeKind::kRegression, ChangeKind::kLost,    ChangeKind::kRemoved,
    ChangeKind::kAdded,      ChangeKind::kChanged, ChangeKind::kImprovement};

// "regression", "lost", "removed", "added", "changed", "improvement".
std::string_view ChangeKindName(ChangeKind kind);

struct CellChange {
  ChangeKind kind = ChangeKind::kChanged;
  std::string cell;
  std::optional<Verdict> before;  // nothing: no such row
  std::optional<Verdict> after;
  // What differs, such as "diagnosis was ties_away, is truncates".
  std::vector<std::string> what;
  std::optional<Counterexample> evidence;  // of the new report, where it has some
};

struct NodeTestChange {
  ChangeKind kind = ChangeKind::kChanged;
  std::string name;
  std::string release;
  std::optional<NodeVerdict> before;
  std::optional<NodeVerdict> after;
  std::string reason;  // of the new report
};

struct NegativeChange {
  ChangeKind kind = ChangeKind::kChanged;
  std::string id;
  std::optional<NegativeResult> before;
  std::optional<NegativeResult> after;
  std::string text;  // of the new report
};

struct ReportDiff {
  std::string before_backend;  // name and version
  std::string after_backend;
  std::string before_digest;  // of the results
  std::string after_digest;
  bool before_complete = true;
  bool after_complete = true;
  // What differs in the questions, in which cells were asked, in what answered,
  // and in the program that asked, such as "suite.seed was 1, is 2".
  std::vector<std::string> suite_changes;
  std::vector<std::string> selection_changes;
  std::vector<std::string> backend_changes;
  std::vector<std::string> tool_changes;
  bool backend_digests_known = false;
  bool other_cpu = false;      // known to have other features
  bool same_selection = true;  // patterns, profile and shard, however many cells that is

  std::vector<CellChange> cells;  // worst kinds first, then the lattice's order
  std::vector<NodeTestChange> node_tests;
  std::vector<NegativeChange> negative_models;
  bool removed_rows = false;  // of node tests or negative models
  bool lost_rows = false;     // of them, some that were asked for again
  int64_t unchanged = 0;      // cells
  int64_t waived = 0;         // cells that are worse, and known to be (WaiveKnown)

  int64_t Count(ChangeKind kind) const;  // of cells
  bool comparable() const;
  // Something that ran before did not, and nobody asked for that.
  bool lost() const;
  // Of cells, node tests or negative models.
  bool any_regression() const;
  // One sentence: is it the backend that changed, or the suite?
  std::string Cause() const;
};

ReportDiff DiffReports(const Report& before, const Report& after);

// Makes regressions of cells that deviate just as an entry says changes, which say so.
// `known` is what became of the new report.
void WaiveKnown(const KnownOutcome& known, ReportDiff* diff);

ExitCode ExitCodeFor(const ReportDiff& diff);

// For a terminal of 80 columns; only ids and command lines to copy are longer.
std::string DiffText(const ReportDiff& diff, size_t most_cells = 20);
// For a comment on a pull request; never longer than GitHub takes.
std::string DiffMarkdown(const ReportDiff& diff, size_t most_cells = 50);
// Everything, as JSON by reports/schema/diff-1.schema.json.
std::string DiffJson(const ReportDiff& diff);
std::string_view DiffSchema();

}  // namespace qconform

#endif  // QCONFORM_REPORTS_DIFF_H_
