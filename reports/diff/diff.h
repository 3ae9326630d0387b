// The changes between two reports, cell by cell and finding by finding, and the side that
// caused them. Order, times, machines and replay lines never show up as a change.
//
// These words describe the change of a cell. Swapping old and new gives the mirrored
// word. A cell may have several, if one tier was fixed and another regressed:
//
//   regressed              right before, wrong now; or wrong in more elements, or by a
//                          worse verdict; or a part of a model that is asked, and wrong,
//                          because now the outputs of the whole model differ
//   newly supported, wrong declined before, answered now, and wrong
//   no longer supported    answered before, declined now
//   no longer asked        a row of the old report only, or untested now
//   judged otherwise       the same backend and as many cases, but another suite: its
//                          clauses or contents changed
//   other answers          neither better nor worse, such as another reading
//   same answers, other words
//   newly asked            a row of the new report only, or untested before; or the
//                          backend is the same and the suite asks more
//   newly supported, right declined before, answered now, and right
//   fixed                  wrong before, right now; or wrong in fewer elements
//
// Exit codes:
//   1  a word of --fail-on applies to a cell, a node test or a negative model that is not
//      a known difference. "No longer asked" counts only if nobody chose that: a cell is
//      untested now, only the new report is incomplete, or a row is gone although the
//      selection is the same (for node tests: the new report has others of their release;
//      for negative models: it has any, and neither suite nor tool changed)
//   3  otherwise, if the reports are not comparable (another suite, rows that another
//      selection leaves out, an incomplete report)
//   0  otherwise
#ifndef QCONFORM_REPORTS_DIFF_DIFF_H_
#define QCONFORM_REPORTS_DIFF_DIFF_H_

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/diff/known_differences.h"
#include "reports/report/report.h"

namespace qconform {

// The kinds that a reader wants to see first come first.
enum class ChangeKind {
  kRegressed,
  kNewlySupportedWrong,
  kNoLongerSupported,
  kNoLongerAsked,
  kJudgedOtherwise,
  kOtherAnswers,
  kOtherWords,
  kNewlyAsked,
  kNewlySupportedRight,
  kFixed,
};
inline constexpr ChangeKind kChangeKinds[] = {
    ChangeKind::kRegressed,           ChangeKind::kNewlySupportedWrong,
    ChangeKind::kNoLongerSupported,   ChangeKind::kNoLongerAsked,
    ChangeKind::kJudgedOtherwise,     ChangeKind::kOtherAnswers,
    ChangeKind::kOtherWords,          ChangeKind::kNewlyAsked,
    ChangeKind::kNewlySupportedRight, ChangeKind::kFixed};

// "regressed", "newly_supported_wrong", ...: as --fail-on and JSON have it.
std::string_view ChangeKindName(ChangeKind kind);
std::optional<ChangeKind> ParseChangeKind(std::string_view name);
std::span<const ChangeKind> AllChangeKinds();
// "regressed", "newly supported, wrong", ...: for people.
std::string_view ChangeKindWords(ChangeKind kind);

using FailOn = std::set<ChangeKind>;
// Regressed; newly supported, wrong; no longer supported; no longer asked.
const FailOn& DefaultFailOn();
// Returns the kinds of "regressed,no_longer_supported"; none for "none".
Result<FailOn> ParseFailOn(std::string_view list);

struct CellChange {
  std::vector<ChangeKind> kinds;  // at least one, worst first
  std::string cell;
  std::optional<Verdict> before;  // nothing: no such row
  std::optional<Verdict> after;
  std::vector<std::string> findings_before;  // FindingId::Text
  std::vector<std::string> findings_after;
  int64_t wrong_before = 0;  // elements
  int64_t wrong_after = 0;
  // What differs, such as "diagnosis was ties_away, is truncates".
  std::vector<std::string> what;
  std::optional<Counterexample> evidence;  // of the new report, where it has some
  std::string known;  // why it is waived (WaiveKnown); empty: it is not

  bool Is(ChangeKind kind) const;
  // Whether it was wrong in part before, or is still: "fixed in part".
  bool in_part() const;
};

// The change of one finding.
struct FindingChange {
  std::string finding;  // FindingId::Text
  int64_t cells_before = 0;
  int64_t cells_after = 0;
  int64_t elements_before = 0;
  int64_t elements_after = 0;
  std::map<ChangeKind, int64_t> cells;  // changes of those that changed
  // Other names that it has in some of its cells: a diagnosis instead of
  // `undiagnosed`, or the clause of another example.
  std::set<std::string> replaced_by;
  std::set<std::string> replaces;
};

struct NodeTestChange {
  ChangeKind kind = ChangeKind::kOtherWords;
  std::string name;
  std::string release;
  std::optional<NodeVerdict> before;
  std::optional<NodeVerdict> after;
  std::string reason;  // of the new report
};

struct NegativeChange {
  ChangeKind kind = ChangeKind::kOtherWords;
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
  std::string before_answers;  // digest
  std::string after_answers;
  bool before_complete = true;
  bool after_complete = true;
  // Differences in the questions, in the cells that were asked, in the backend,
  // and in the program that asked, such as "suite.seed was 1, is 2".
  std::vector<std::string> suite_changes;
  std::vector<std::string> selection_changes;
  std::vector<std::string> backend_changes;
  std::vector<std::string> tool_changes;
  bool backend_digests_known = false;
  bool other_cpu = false;      // known to have other features
  bool same_selection = true;  // patterns, profile and shard, however many cells that is

  std::vector<CellChange> cells;        // worst kinds first, then the lattice's order
  std::vector<FindingChange> findings;  // that changed, of most cells first
  int64_t findings_unchanged = 0;
  std::vector<NodeTestChange> node_tests;
  std::vector<NegativeChange> negative_models;
  bool removed_rows = false;  // of node tests or negative models
  bool lost_rows = false;     // of them, some that were asked for again
  int64_t unchanged = 0;      // cells
  int64_t waived = 0;         // cells that would fail, and are known (WaiveKnown)

  int64_t Count(ChangeKind kind) const;  // of cells
  bool comparable() const;
  // Something that ran before did not run now, and nobody chose that.
  bool lost() const;
  // One sentence that says whether the backend changed, or the suite.
  std::string Cause() const;
};

ReportDiff DiffReports(const Report& before, const Report& after);

// Marks changes of cells that deviate exactly as an entry says, so that they fail
// nothing. `known` is the outcome of the new report.
void WaiveKnown(const KnownOutcome& known, ReportDiff* diff);

ExitCode ExitCodeFor(const ReportDiff& diff, const FailOn& fail_on = DefaultFailOn());

// For a terminal of 80 columns; only ids and command lines to copy are longer.
std::string DiffText(const ReportDiff& diff, size_t most_cells = 20);
// For a comment on a pull request; never longer than GitHub accepts.
std::string DiffMarkdown(const ReportDiff& diff, size_t most_cells = 50,
                         const FailOn& fail_on = DefaultFailOn());
// Everything, as JSON by reports/schema/diff-2.schema.json.
std::string DiffJson(const ReportDiff& diff);
std::string_view DiffSchema();

}  // namespace qconform

#endif  // QCONFORM_REPORTS_DIFF_DIFF_H_
