#include "reports/diff/diff.h"

#include <algorithm>
#include <map>
#include <utility>

#include "oracle/base/text.h"
#include "reports/diff/diff_cell.h"
#include "reports/diff/diff_rows.h"
#include "reports/diff/finding_changes.h"
#include "reports/record/evidence.h"
#include "reports/record/record_json.h"

namespace qconform {
namespace {

// The digest of the backend; early reports have it only among the details.
std::string DigestOf(const BackendRecord& backend) {
  return backend.digest.empty() ? LibraryDigest(backend.details) : backend.digest;
}

// Those of one run but that digest, and without others that the other run does not know.
Json DetailsToCompare(const RunInfo& of, const RunInfo& other) {
  Json details = Json::object();
  for (const auto& [key, value] : of.backend.details) {
    const bool unknown = key.ends_with("_sha256") && !other.backend.details.contains(key);
    if (key != kLibraryDetail && !unknown) details[key] = value;
  }
  return details;
}

// Whether both reports are of one model, whose outputs were compared in both.
bool CompareOneModel(const Report& before, const Report& after) {
  const SelectionRecord& old_one = before.run.selection;
  const SelectionRecord& new_one = after.run.selection;
  return old_one.model && new_one.model && before.complete && after.complete &&
         old_one.model->sha256 == new_one.model->sha256 &&
         old_one.cell_patterns == new_one.cell_patterns &&
         !old_one.model->whole_run.empty() && !new_one.model->whole_run.empty();
}

// A part with the nodes next to it is asked only if the outputs of the whole model
// differ, and only the first one that deviates has a row: if just one report has such a
// row, the backend was right without it.
void JudgeJoinedParts(ReportDiff* diff) {
  const bool old_has_more = std::ranges::any_of(
      diff->cells, [](const CellChange& change) { return !change.after; });
  const bool new_has_more = std::ranges::any_of(
      diff->cells, [](const CellChange& change) { return !change.before; });
  if (old_has_more == new_has_more) return;
  for (CellChange& change : diff->cells) {
    if (!change.before && IsDeviation(*change.after)) {
      change.kinds = {ChangeKind::kRegressed};
    } else if (!change.after && IsDeviation(*change.before)) {
      change.kinds = {ChangeKind::kFixed};
    }
  }
}

void DiffCells(const Report& before, const Report& after, ReportDiff* diff) {
  Circumstances circumstances;
  circumstances.same_questions = diff->suite_changes.empty();
  // On another CPU the backend may have other kernels.
  circumstances.same_backend = diff->backend_changes.empty() && !diff->other_cpu;
  circumstances.failed_is_invalid_output = MajorVersion(before) != MajorVersion(after);
  circumstances.refused_legal_is_declined =
      TellsRefusedLegal(before) != TellsRefusedLegal(after);
  std::map<std::string_view, const CellRecord*> old_cells;
  for (const CellRecord& cell : before.cells) old_cells[cell.cell] = &cell;
  const auto add = [&](const CellRecord* old_row, const CellRecord* new_row) {
    auto change = JudgeChange(old_row, new_row, circumstances);
    if (change) {
      diff->cells.push_back(*std::move(change));
    } else {
      ++diff->unchanged;
    }
  };
  for (const CellRecord& cell : after.cells) {
    const auto found = old_cells.find(cell.cell);
    add(found == old_cells.end() ? nullptr : found->second, &cell);
    if (found != old_cells.end()) old_cells.erase(found);
  }
  for (const CellRecord& cell : before.cells) {  // in their order
    if (old_cells.contains(cell.cell)) add(&cell, nullptr);
  }
  if (CompareOneModel(before, after)) JudgeJoinedParts(diff);
  std::stable_sort(diff->cells.begin(), diff->cells.end(),
                   [](const CellChange& a, const CellChange& b) {
                     return a.kinds.front() < b.kinds.front();
                   });
}

void DiffFindings(const Report& before, const Report& after, ReportDiff* diff) {
  FindingChanges changes;
  for (const FindingRecord& finding : before.findings) {
    FindingChange& change = changes[finding.id];
    change.cells_before = static_cast<int64_t>(finding.cells.size());
    change.elements_before = finding.elements;
  }
  for (const FindingRecord& finding : after.findings) {
    FindingChange& change = changes[finding.id];
    change.cells_after = static_cast<int64_t>(finding.cells.size());
    change.elements_after = finding.elements;
  }
  std::map<std::string_view, const CellRecord*> old_cells;
  std::map<std::string_view, const CellRecord*> new_cells;
  for (const CellRecord& cell : before.cells) old_cells[cell.cell] = &cell;
  for (const CellRecord& cell : after.cells) new_cells[cell.cell] = &cell;
  const auto findings_of = [](const auto& cells, const std::string& cell) {
    const auto found = cells.find(cell);
    return found == cells.end() ? std::vector<FindingId>() : FindingsIn(*found->second);
  };
  for (const CellChange& change : diff->cells) {
    AddToFindings(change.kinds, findings_of(old_cells, change.cell),
                  findings_of(new_cells, change.cell), &changes);
  }
  diff->findings = ThoseThatChanged(std::move(changes), &diff->findings_unchanged);
}

}  // namespace

std::string_view ChangeKindName(ChangeKind kind) {
  static constexpr std::string_view kNames[] = {"regressed",
                                                "newly_supported_wrong",
                                                "no_longer_supported",
                                                "no_longer_asked",
                                                "judged_otherwise",
                                                "other_answers",
                                                "other_words",
                                                "newly_asked",
                                                "newly_supported_right",
                                                "fixed"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view ChangeKindWords(ChangeKind kind) {
  static constexpr std::string_view kWords[] = {"regressed",
                                                "newly supported, wrong",
                                                "no longer supported",
                                                "no longer asked",
                                                "judged otherwise by another suite",
                                                "other answers, neither better nor worse",
                                                "same answers, other words",
                                                "newly asked",
                                                "newly supported, right",
                                                "fixed"};
  return kWords[static_cast<size_t>(kind)];
}

std::span<const ChangeKind> AllChangeKinds() { return kChangeKinds; }

std::optional<ChangeKind> ParseChangeKind(std::string_view name) {
  for (const ChangeKind kind : kChangeKinds) {
    if (ChangeKindName(kind) == name) return kind;
  }
  return std::nullopt;
}

const FailOn& DefaultFailOn() {
  static const FailOn kinds = {ChangeKind::kRegressed, ChangeKind::kNewlySupportedWrong,
                               ChangeKind::kNoLongerSupported,
                               ChangeKind::kNoLongerAsked};
  return kinds;
}

Result<FailOn> ParseFailOn(std::string_view list) {
  FailOn kinds;
  if (list == "none") return kinds;
  for (const std::string& word : Split(list, ",")) {
    const auto kind = ParseChangeKind(word);
    if (!kind) {
      return Error{"--fail-on: expected a list, joined by commas, of the words none, " +
                   Joined(kChangeKinds, ", ", ChangeKindName) + "; got '" + word + "'"};
    }
    kinds.insert(*kind);
  }
  return kinds;
}

bool CellChange::Is(ChangeKind kind) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool CellChange::in_part() const {
  return before && after && IsDeviation(*before) && IsDeviation(*after);
}

int64_t ReportDiff::Count(ChangeKind kind) const {
  return std::count_if(cells.begin(), cells.end(),
                       [kind](const CellChange& change) { return change.Is(kind); });
}

namespace {

// Whether the new report has no answers of a cell that the old one has answers of.
bool IsGone(const CellChange& change) {
  const bool was_asked = change.before && IsOfBackend(*change.before);
  if (change.Is(ChangeKind::kFixed)) return false;
  return was_asked && (!change.after || !IsOfBackend(*change.after));
}

}  // namespace

bool ReportDiff::comparable() const {
  const bool gone = std::any_of(cells.begin(), cells.end(), [](const CellChange& change) {
    return IsGone(change) || (!change.after && !change.Is(ChangeKind::kFixed));
  });
  return suite_changes.empty() && before_complete && after_complete && !gone &&
         !removed_rows;
}

bool ReportDiff::lost() const {
  const bool lost_cells =
      std::any_of(cells.begin(), cells.end(), [this](const CellChange& change) {
        return change.after || change.Is(ChangeKind::kFixed) ? IsGone(change)
                                                             : same_selection;
      });
  return lost_cells || (before_complete && !after_complete) || lost_rows;
}

std::string ReportDiff::Cause() const {
  const auto in_both = [](const auto& change) {
    return change.before.has_value() && change.after.has_value();
  };
  const bool rows = !cells.empty() || !node_tests.empty() || !negative_models.empty();
  const bool answers =
      std::any_of(cells.begin(), cells.end(), in_both) ||
      std::any_of(node_tests.begin(), node_tests.end(), in_both) ||
      std::any_of(negative_models.begin(), negative_models.end(), in_both);
  const std::string same = rows ? "; all answers to the same questions are the same."
                                : "; all answers are the same.";
  if (!suite_changes.empty() && !backend_changes.empty()) {
    return "Both the suite and the backend changed: a difference may come from either.";
  }
  if (!suite_changes.empty() && other_cpu) {
    return "Both the suite and the CPU changed: a difference may come from other "
           "questions, or from the backend's kernels for that CPU.";
  }
  if (!suite_changes.empty()) {
    return "The suite changed, the backend did not: differences come from other "
           "questions.";
  }
  if (!backend_changes.empty()) {
    return "The backend changed, the suite did not" +
           (answers ? ": the differences are the backend's." : same);
  }
  if (other_cpu) {
    return std::string("Neither suite nor backend changed, but the CPU") +
           (tool_changes.empty() ? "" : " and qconform itself") + " did" +
           (answers ? ": the backend may have other kernels for it." : same);
  }
  if (!tool_changes.empty()) {
    return "Neither suite nor backend changed, but qconform itself did" +
           (answers ? ": the differences come from there." : same);
  }
  if (!answers) {
    if (!rows) return "Nothing changed.";
    return cells.empty() ? "Only the selection of node tests or negative models changed."
                         : "Only the selection of cells changed.";
  }
  return backend_digests_known
             ? "Neither suite nor backend changed, as far as the reports say: the "
               "backend "
               "answers differently from run to run, or what it reads or loads changed."
             : "Neither suite nor backend is known to have changed; the backend's digest "
               "is not known.";
}

ReportDiff DiffReports(const Report& before, const Report& after) {
  ReportDiff diff;
  const RunInfo& old_run = before.run;
  const RunInfo& new_run = after.run;
  diff.before_backend = old_run.backend.name + " " + old_run.backend.version;
  diff.after_backend = new_run.backend.name + " " + new_run.backend.version;
  diff.before_digest = before.results_digest;
  diff.after_digest = after.results_digest;
  diff.before_answers = before.answers_digest;
  diff.after_answers = after.answers_digest;
  diff.before_complete = before.complete;
  diff.after_complete = after.complete;

  Differences suite;
  suite.CheckMembers("suite", ToJson(old_run.suite), ToJson(new_run.suite));
  diff.suite_changes = suite.Take();

  Differences selection;
  SelectionRecord old_selection = old_run.selection;
  SelectionRecord new_selection = new_run.selection;
  if (old_selection.model && new_selection.model) {  // what it gave, in its first line
    selection.Check("the whole model",
                    Split(std::exchange(old_selection.model->whole_run, ""), "\n")[0],
                    Split(std::exchange(new_selection.model->whole_run, ""), "\n")[0]);
  }
  selection.CheckMembers("selection", ToJson(old_selection), ToJson(new_selection));
  diff.selection_changes = selection.Take();
  SelectionRecord wanted = old_run.selection;
  wanted.operators = new_run.selection.operators;
  wanted.cells = new_run.selection.cells;
  if (wanted.shard && new_run.selection.shard) {
    wanted.shard->cells = new_run.selection.shard->cells;
  }
  diff.same_selection = ToJson(wanted) == ToJson(new_run.selection);

  Differences backend;
  backend.CheckMembers("backend", ToJson(old_run.backend), ToJson(new_run.backend));
  const std::string old_digest = DigestOf(old_run.backend);
  const std::string new_digest = DigestOf(new_run.backend);
  diff.backend_digests_known = !old_digest.empty() && !new_digest.empty();
  if (diff.backend_digests_known) {
    backend.Check("backend.digest", old_digest, new_digest);
  }
  backend.CheckMembers("backend.details", DetailsToCompare(old_run, new_run),
                       DetailsToCompare(new_run, old_run));
  diff.backend_changes = backend.Take();

  Differences tool;
  tool.CheckMembers("tool", ToJson(old_run.tool), ToJson(new_run.tool));
  diff.tool_changes = tool.Take();

  const std::vector<std::string>& old_features = old_run.machine.cpu_features;
  const std::vector<std::string>& new_features = new_run.machine.cpu_features;
  diff.other_cpu =
      !old_features.empty() && !new_features.empty() && old_features != new_features;

  DiffCells(before, after, &diff);
  DiffFindings(before, after, &diff);
  DiffNodeTests(before, after, &diff);
  DiffNegativeModels(before, after, &diff);
  return diff;
}

void WaiveKnown(const KnownOutcome& known, ReportDiff* diff) {
  for (CellChange& change : diff->cells) {
    const KnownDifference* entry = known.Find(change.cell);
    if (entry == nullptr) continue;
    change.known = entry->reason;
    diff->waived += DefaultFailOn().contains(change.kinds.front()) ? 1 : 0;
  }
}

ExitCode ExitCodeFor(const ReportDiff& diff, const FailOn& fail_on) {
  const auto fails = [&](ChangeKind kind) {
    return kind != ChangeKind::kNoLongerAsked && fail_on.contains(kind);
  };
  const bool cells =
      std::any_of(diff.cells.begin(), diff.cells.end(), [&](const CellChange& change) {
        return change.known.empty() &&
               std::any_of(change.kinds.begin(), change.kinds.end(), fails);
      });
  const auto row = [&](const auto& change) { return fails(change.kind); };
  const bool rows =
      std::any_of(diff.node_tests.begin(), diff.node_tests.end(), row) ||
      std::any_of(diff.negative_models.begin(), diff.negative_models.end(), row);
  const bool lost = fail_on.contains(ChangeKind::kNoLongerAsked) && diff.lost();
  if (cells || rows || lost) return ExitCode::kDeviation;
  return diff.comparable() && !diff.lost() ? ExitCode::kPass : ExitCode::kIncomplete;
}

}  // namespace qconform
