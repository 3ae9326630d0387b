#include "reports/diff.h"

#include <algorithm>
#include <map>

#include "reports/diff_rows.h"
#include "reports/evidence.h"
#include "reports/order.h"
#include "reports/record_json.h"

namespace qconform {
namespace {

// Collects sentences on what differs.
class Differences {
 public:
  void Check(const std::string& what, const std::string& before,
             const std::string& after) {
    if (before == after) return;
    sentences_.push_back(what + " was " + Shown(before) + ", is " + Shown(after));
  }
  void Check(const std::string& what, int64_t before, int64_t after) {
    Check(what, GroupedDigits(before), GroupedDigits(after));
  }
  void CheckMembers(const std::string& what, const Json& before, const Json& after) {
    const auto text = [](const Json& object, const std::string& key) {
      if (!object.contains(key)) return std::string();
      return object[key].is_string() ? object[key].get<std::string>() : Dump(object[key]);
    };
    for (const auto& [key, value] : before.items()) {
      Check(what + "." + key, text(before, key), text(after, key));
    }
    for (const auto& [key, value] : after.items()) {
      if (!before.contains(key)) Check(what + "." + key, "", text(after, key));
    }
  }
  std::vector<std::string> Take() { return std::move(sentences_); }

 private:
  static std::string Shown(const std::string& text) {
    return text.empty() ? "not given" : text;
  }
  std::vector<std::string> sentences_;
};

// The digest of the backend; reports of old have it among the details alone.
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

// Verdicts of one class are neither better nor worse than each other, but for
// deviations.
int ClassOf(Verdict verdict) {
  if (IsDeviation(verdict)) return static_cast<int>(verdict);
  if (verdict == Verdict::kMistrusted) return 10;
  return IsPass(verdict) ? 30 : 20;
}

ChangeKind KindOf(Verdict before, Verdict after) {
  if (after == Verdict::kUntested && before != Verdict::kUntested)
    return ChangeKind::kLost;
  const ChangeKind kind = KindOfClasses(ClassOf(before), ClassOf(after));
  const bool unknown = before == Verdict::kUntested && kind == ChangeKind::kRegression;
  return unknown ? ChangeKind::kChanged : kind;
}

std::map<std::string, Verdict> TierVerdicts(const CellRecord& cell) {
  std::map<std::string, Verdict> verdicts;
  for (const FormRecord& form : cell.forms) {
    for (const TierRecord& tier : form.tiers) {
      verdicts["tier " + tier.tier + " of " + form.form] = tier.verdict;
    }
  }
  return verdicts;
}

// The tiers, operand forms and opset_versions that got worse, in words: the verdict of a
// cell is that of its worst, and hides what happens to the others.
std::vector<std::string> WorseParts(const CellRecord& before, const CellRecord& after) {
  std::map<std::string, Verdict> old_verdicts = TierVerdicts(before);
  std::map<std::string, Verdict> new_verdicts = TierVerdicts(after);
  const auto add_opsets = [](const CellRecord& cell, std::map<std::string, Verdict>* to) {
    for (const OpsetRecord& opset : cell.opset_versions) {
      (*to)["verdict at opset_version " + std::to_string(opset.opset_version)] =
          opset.verdict;
    }
  };
  add_opsets(before, &old_verdicts);
  add_opsets(after, &new_verdicts);
  Differences worse;
  for (const auto& [what, verdict] : new_verdicts) {
    const auto old = old_verdicts.find(what);
    if (old == old_verdicts.end()) continue;
    if (KindOf(old->second, verdict) != ChangeKind::kRegression) continue;
    worse.Check(what, std::string(VerdictName(old->second)),
                std::string(VerdictName(verdict)));
  }
  return worse.Take();
}

// Opset_versions whose verdicts changed alike are told of in one sentence.
void CheckOpsetVersions(const CellRecord& before, const CellRecord& after,
                        bool same_questions, Differences* differences) {
  std::map<int, std::pair<std::string, std::string>> verdicts;
  for (const OpsetRecord& opset : before.opset_versions) {
    verdicts[opset.opset_version].first = VerdictName(opset.verdict);
  }
  for (const OpsetRecord& opset : after.opset_versions) {
    verdicts[opset.opset_version].second = VerdictName(opset.verdict);
  }
  std::map<std::pair<std::string, std::string>, std::string> versions;
  for (const auto& [version, change] : verdicts) {
    const bool in_one = change.first.empty() || change.second.empty();
    if (in_one && !same_questions) continue;
    std::string& list = versions[change];
    list += (list.empty() ? "" : ", ") + std::to_string(version);
  }
  for (const auto& [change, list] : versions) {
    differences->Check("verdict at opset_version " + list, change.first, change.second);
  }
}

std::string AnswerOf(const CellRecord& cell) {
  if (cell.counterexamples.empty()) return "";
  const Counterexample& first = cell.counterexamples.front();
  return first.case_id + " " + CounterexampleSentence(first);
}

std::string PatternOf(const CellRecord& cell) {
  std::string text;
  for (const std::string& words : cell.deviation->pattern) {
    text += (text.empty() ? "" : ", ") + words;
  }
  return text;
}

// What is done where a clause leaves it free, class by class.
void CheckObserved(const CellRecord& before, const CellRecord& after,
                   Differences* differences) {
  std::map<std::string, std::pair<std::string, std::string>> seen;
  const auto name = [](const Observation& one) {
    return one.clause + " " + one.input_class;
  };
  for (const Observation& one : before.observed) seen[name(one)].first = one.Text();
  for (const Observation& one : after.observed) seen[name(one)].second = one.Text();
  for (const auto& [what, texts] : seen) {
    differences->Check("observed " + what, texts.first, texts.second);
  }
}

// Where the questions were not the same, counts and examples differ without
// meaning anything.
std::vector<std::string> WhatDiffers(const CellRecord& before, const CellRecord& after,
                                     bool same_questions) {
  Differences differences;  // what tells most comes first
  differences.Check("diagnosis", before.diagnosis, after.diagnosis);
  differences.Check("reading", before.reading, after.reading);
  differences.Check("reason", before.reason, after.reason);
  // Reports of old do not say.
  if (!before.dynamic_shapes.empty() && !after.dynamic_shapes.empty()) {
    differences.Check("dynamic_shapes", before.dynamic_shapes, after.dynamic_shapes);
  }
  if (same_questions) {
    differences.Check("wrong elements", before.mismatches(), after.mismatches());
    differences.Check("declined cases", before.declined, after.declined);
  }
  CheckOpsetVersions(before, after, same_questions, &differences);
  const std::map<std::string, Verdict> old_verdicts = TierVerdicts(before);
  const std::map<std::string, Verdict> new_verdicts = TierVerdicts(after);
  for (const auto& [what, verdict] : old_verdicts) {
    const auto found = new_verdicts.find(what);
    const bool in_both = found != new_verdicts.end();
    if (!in_both && !same_questions) continue;
    differences.Check(what, std::string(VerdictName(verdict)),
                      in_both ? std::string(VerdictName(found->second)) : "");
  }
  for (const auto& [what, verdict] : new_verdicts) {
    if (!old_verdicts.contains(what) && same_questions)
      differences.Check(what, "", std::string(VerdictName(verdict)));
  }
  if (same_questions) {
    differences.Check("cases", before.cases, after.cases);
    differences.Check("elements", before.elements(), after.elements());
    differences.Check("first counterexample", AnswerOf(before), AnswerOf(after));
    if (before.deviation && after.deviation) {
      differences.Check("pattern", PatternOf(before), PatternOf(after));
      differences.Check("reading followed", before.deviation->follows,
                        after.deviation->follows);
      differences.Check("elements explained", before.deviation->elements_explained,
                        after.deviation->elements_explained);
    }
    CheckObserved(before, after, &differences);
  }
  return differences.Take();
}

CellChange ChangeOf(ChangeKind kind, const CellRecord* before, const CellRecord* after) {
  CellChange change;
  change.kind = kind;
  change.cell = (before ? before : after)->cell;
  if (before) change.before = before->verdict;
  if (after) change.after = after->verdict;
  if (after && !after->counterexamples.empty())
    change.evidence = after->counterexamples.front();
  return change;
}

void DiffCells(const Report& before, const Report& after, ReportDiff* diff) {
  std::map<std::string_view, const CellRecord*> old_cells;
  for (const CellRecord& cell : before.cells) old_cells[cell.cell] = &cell;
  const bool same_questions =
      SuiteToJson(before.run.suite) == SuiteToJson(after.run.suite);
  for (const CellRecord& cell : after.cells) {
    const auto found = old_cells.find(cell.cell);
    if (found == old_cells.end()) {
      diff->cells.push_back(ChangeOf(ChangeKind::kAdded, nullptr, &cell));
      continue;
    }
    const CellRecord& old = *found->second;
    old_cells.erase(found);
    std::vector<std::string> what = WhatDiffers(old, cell, same_questions);
    if (what.empty() && old.verdict == cell.verdict) {
      ++diff->unchanged;
      continue;
    }
    CellChange change = ChangeOf(KindOf(old.verdict, cell.verdict), &old, &cell);
    std::vector<std::string> worse = WorseParts(old, cell);
    if (!worse.empty() && change.kind != ChangeKind::kLost) {
      change.kind = ChangeKind::kRegression;
      // What makes it one comes first, where the verdict of the cell does not.
      std::stable_partition(what.begin(), what.end(), [&](const std::string& sentence) {
        // Sentences on several opset_versions are one.
        return sentence.starts_with("verdict at opset_version") ||
               std::find(worse.begin(), worse.end(), sentence) != worse.end();
      });
    }
    change.what = std::move(what);
    diff->cells.push_back(std::move(change));
  }
  for (const CellRecord& cell : before.cells) {  // in their order
    if (old_cells.contains(cell.cell)) {
      diff->cells.push_back(ChangeOf(ChangeKind::kRemoved, &cell, nullptr));
    }
  }
  WorstKindsFirst(&diff->cells);
}

}  // namespace

std::string_view ChangeKindName(ChangeKind kind) {
  static constexpr std::string_view kNames[] = {"regression", "lost",    "removed",
                                                "added",      "changed", "improvement"};
  return kNames[static_cast<size_t>(kind)];
}

int64_t ReportDiff::Count(ChangeKind kind) const {
  return std::count_if(cells.begin(), cells.end(),
                       [kind](const CellChange& change) { return change.kind == kind; });
}

bool ReportDiff::comparable() const {
  return suite_changes.empty() && before_complete && after_complete &&
         Count(ChangeKind::kLost) == 0 && Count(ChangeKind::kRemoved) == 0 &&
         !removed_rows;
}

bool ReportDiff::lost() const {
  return Count(ChangeKind::kLost) > 0 || (before_complete && !after_complete) ||
         (same_selection && Count(ChangeKind::kRemoved) > 0) || lost_rows;
}

bool ReportDiff::any_regression() const {
  const auto is_regression = [](const auto& change) {
    return change.kind == ChangeKind::kRegression;
  };
  return std::any_of(cells.begin(), cells.end(), is_regression) ||
         std::any_of(node_tests.begin(), node_tests.end(), is_regression) ||
         std::any_of(negative_models.begin(), negative_models.end(), is_regression);
}

std::string ReportDiff::Cause() const {
  const auto in_both = [](const auto& change) {
    return change.kind != ChangeKind::kAdded && change.kind != ChangeKind::kRemoved;
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
  return backend_digests_known ? "Neither suite nor backend changed: the backend answers "
                                 "differently from run to run."
                               : "Neither suite nor backend is known to have changed; "
                                 "the backend's digest is not "
                                 "known.";
}

ReportDiff DiffReports(const Report& before, const Report& after) {
  ReportDiff diff;
  const RunInfo& old_run = before.run;
  const RunInfo& new_run = after.run;
  diff.before_backend = old_run.backend.name + " " + old_run.backend.version;
  diff.after_backend = new_run.backend.name + " " + new_run.backend.version;
  diff.before_digest = before.results_digest;
  diff.after_digest = after.results_digest;
  diff.before_complete = before.complete;
  diff.after_complete = after.complete;

  Differences suite;
  suite.CheckMembers("suite", SuiteToJson(old_run.suite), SuiteToJson(new_run.suite));
  diff.suite_changes = suite.Take();

  Differences selection;
  selection.CheckMembers("selection", SelectionToJson(old_run.selection),
                         SelectionToJson(new_run.selection));
  diff.selection_changes = selection.Take();
  SelectionRecord wanted = old_run.selection;
  wanted.operators = new_run.selection.operators;
  wanted.cells = new_run.selection.cells;
  if (wanted.shard && new_run.selection.shard) {
    wanted.shard->cells = new_run.selection.shard->cells;
  }
  diff.same_selection = SelectionToJson(wanted) == SelectionToJson(new_run.selection);

  Differences backend;
  backend.CheckMembers("backend", BackendToJson(old_run.backend),
                       BackendToJson(new_run.backend));
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
  tool.CheckMembers("tool", ToolToJson(old_run.tool), ToolToJson(new_run.tool));
  diff.tool_changes = tool.Take();

  const std::vector<std::string>& old_features = old_run.machine.cpu_features;
  const std::vector<std::string>& new_features = new_run.machine.cpu_features;
  diff.other_cpu =
      !old_features.empty() && !new_features.empty() && old_features != new_features;

  DiffCells(before, after, &diff);
  DiffNodeTests(before, after, &diff);
  DiffNegativeModels(before, after, &diff);
  return diff;
}

void WaiveKnown(const KnownOutcome& known, ReportDiff* diff) {
  for (CellChange& change : diff->cells) {
    const KnownDifference* entry = known.Find(change.cell);
    if (change.kind != ChangeKind::kRegression || entry == nullptr) continue;
    change.kind = ChangeKind::kChanged;
    change.what.insert(change.what.begin(),
                       "is worse, and known to be: " + entry->reason);
    ++diff->waived;
  }
  WorstKindsFirst(&diff->cells);
}

ExitCode ExitCodeFor(const ReportDiff& diff) {
  if (diff.any_regression() || diff.lost()) return ExitCode::kDeviation;
  return diff.comparable() ? ExitCode::kPass : ExitCode::kIncomplete;
}

}  // namespace qconform
