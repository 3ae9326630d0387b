#include "reports/show/junit.h"

#include <cstdio>
#include <vector>

#include "reports/diff/part.h"
#include "reports/record/evidence.h"
#include "reports/show/deviating_rows.h"
#include "reports/show/xml.h"

namespace qconform {
namespace {

std::string Seconds(double ms) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", ms / 1000);
  return text;
}

struct Outcome {
  const char* element = nullptr;  // "failure", "error", "skipped"; null: passed
  std::string type;
  std::string message;
  std::string text;
};

// One <testsuite>: counts while its cases are written.
class Suite {
 public:
  Suite(const Report& report, std::string name)
      : report_(report), name_(std::move(name)) {}

  void Add(const std::string& classname, const std::string& name, double time_ms,
           const Outcome& outcome) {
    ++tests_;
    time_ms_ += time_ms;
    cases_ += "    <testcase classname=\"" + XmlEscaped(classname) + "\" name=\"" +
              XmlEscaped(name) + "\" time=\"" + Seconds(time_ms) + "\"";
    if (outcome.element == nullptr) {
      cases_ += "/>\n";
      return;
    }
    const std::string element = outcome.element;
    failures_ += element == "failure";
    errors_ += element == "error";
    skipped_ += element == "skipped";
    cases_ += ">\n      <" + element;
    if (element != "skipped") cases_ += " type=\"" + XmlEscaped(outcome.type) + "\"";
    cases_ += " message=\"" + XmlEscaped(outcome.message) + "\"";
    cases_ += outcome.text.empty()
                  ? "/>\n"
                  : ">" + XmlEscaped(outcome.text) + "</" + element + ">\n";
    cases_ += "    </testcase>\n";
  }

  void AddNote(const std::string& line) { notes_ += line + "\n"; }
  bool empty() const { return tests_ == 0; }

  std::string Text(int id) const {
    std::string timestamp =
        report_.run.start_time.substr(0, 19);  // the schema has no time zone
    if (timestamp.size() != 19) timestamp = "1970-01-01T00:00:00";
    std::string text =
        "  <testsuite name=\"" + XmlEscaped(name_) + "\" package=\"qconform\" id=\"" +
        std::to_string(id) + "\" timestamp=\"" + XmlEscaped(timestamp) +
        "\" hostname=\"localhost\" tests=\"" + std::to_string(tests_) + "\" failures=\"" +
        std::to_string(failures_) + "\" errors=\"" + std::to_string(errors_) +
        "\" skipped=\"" + std::to_string(skipped_) + "\" time=\"" + Seconds(time_ms_) +
        "\">\n    <properties>\n";
    const RunInfo& run = report_.run;
    std::vector<std::pair<const char*, std::string>> properties = {
        {"backend", run.backend.name},
        {"level", run.suite.level},
        {"seed", std::to_string(run.suite.seed)},
        {"onnx_version", run.suite.onnx_version},
        {"suite_digest", run.suite.digest},
        {"results_digest", report_.results_digest}};
    if (run.selection.model) {
      properties.emplace_back("model", run.selection.model->name);
      properties.emplace_back("model_sha256", run.selection.model->sha256);
    }
    if (report_.part_of > 0) properties.emplace_back("selection", PartText(report_));
    for (const auto& [name, value] : properties) {
      text += "      <property name=\"" + std::string(name) + "\" value=\"" +
              XmlEscaped(value) + "\"/>\n";
    }
    return text + "    </properties>\n" + cases_ + "    <system-out>" +
           XmlEscaped(notes_) +
           "</system-out>\n    <system-err></system-err>\n  </testsuite>\n";
  }

 private:
  const Report& report_;
  std::string name_;
  std::string cases_;
  std::string notes_;
  int64_t tests_ = 0;
  int64_t failures_ = 0;
  int64_t errors_ = 0;
  int64_t skipped_ = 0;
  double time_ms_ = 0;
};

const char* ElementOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kNonconformant:
    case Verdict::kInvalidOutput:
      return "failure";
    case Verdict::kCrashed:
    case Verdict::kTimedOut:
    case Verdict::kFailed:
    case Verdict::kRefusedLegal:
    case Verdict::kMistrusted:
    case Verdict::kError:
      return "error";
    case Verdict::kPartial:
    case Verdict::kUnsupported:
    case Verdict::kUntested:
      return "skipped";
    case Verdict::kAdmissible:
    case Verdict::kConformant:
      return nullptr;
  }
  return "error";
}

std::string EvidenceText(const CellRecord& cell) {
  std::string text = cell.cell + "\n";
  if (!cell.reason.empty()) text += cell.reason + "\n";
  for (const std::string& sentence : DiagnosisSentences(cell)) text += sentence + "\n";
  for (const Counterexample& example : cell.counterexamples) {
    text += "\n" + example.case_id + "\n" + CounterexampleSentence(example) + "\n";
    const std::string operands = OperandsSentence(example);
    if (!operands.empty()) text += "of " + operands + "\n";
    for (const std::string& line : WorkedLines(example, WorkedModelName(cell))) {
      text += "  " + line + "\n";
    }
    text += "rerun: " + example.replay + "\n";
  }
  return text;
}

Outcome OutcomeOf(const CellRecord& cell, const KnownDifference* known) {
  Outcome outcome;
  outcome.element = ElementOf(cell.verdict);
  if (outcome.element == nullptr) return outcome;
  outcome.type = VerdictName(cell.verdict);
  outcome.message = VerdictSentence(cell);
  outcome.text = EvidenceText(cell);
  if (known != nullptr) {
    outcome.element = "skipped";
    outcome.message = "known difference: " + known->reason + " (" + outcome.message + ")";
    if (!known->url.empty()) outcome.message += " " + known->url;
  }
  return outcome;
}

Outcome OutcomeOf(const NodeTestRecord& test) {
  const std::string name(NodeVerdictName(test.verdict));
  const std::string message = name + (test.reason.empty() ? "" : ": " + test.reason);
  switch (test.verdict) {
    case NodeVerdict::kError:
    case NodeVerdict::kRefusedLegal:
      return {"error", name, message, ""};
    case NodeVerdict::kDeviates:
      return {"failure", name, message, ""};
    case NodeVerdict::kUnsupported:
    case NodeVerdict::kDisputed:
      return {"skipped", name, message, ""};
    case NodeVerdict::kPass:
      break;
  }
  return {};
}

// Refused or taken: neither is wrong of a model that is invalid or open.
Outcome OutcomeOf(const NegativeRecord& record) {
  const std::string name(NegativeResultName(record.result));
  const std::string message =
      name + ", " + record.clause + (record.text.empty() ? "" : ": " + record.text);
  switch (record.result) {
    case NegativeResult::kCrashed:
    case NegativeResult::kTimedOut:
    case NegativeResult::kError:
    case NegativeResult::kRefusedLegal:
      return {"error", name, message, ""};
    case NegativeResult::kDeviates:
      return {"failure", name, message, ""};
    case NegativeResult::kDeclined:
      return {"skipped", name, message, ""};
    case NegativeResult::kLax:
    case NegativeResult::kAccepted:
    case NegativeResult::kRefused:
    case NegativeResult::kPass:
      break;
  }
  return {};
}

}  // namespace

std::string JUnitText(const Report& report, const KnownOutcome* known) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  int id = 0;
  for (size_t i = 0; i < report.cells.size();) {
    const CellRecord& first = report.cells[i];
    const std::string name = first.op_type + "." + std::to_string(first.since_version);
    Suite suite(report, name);
    for (; i < report.cells.size() && report.cells[i].op_type == first.op_type &&
           report.cells[i].since_version == first.since_version;
         ++i) {
      const CellRecord& cell = report.cells[i];
      suite.Add(name + "." + std::string(DataTypeName(cell.output_type())), cell.cell,
                cell.time_ms, OutcomeOf(cell, known ? known->Find(cell.cell) : nullptr));
      if (cell.verdict == Verdict::kAdmissible) {
        suite.AddNote(cell.cell + ": " + VerdictSentence(cell));
      }
      for (const Observation& one : cell.observed) {
        suite.AddNote(cell.cell + ": " + one.Text());
      }
      for (const std::string& note : cell.notes) suite.AddNote(cell.cell + ": " + note);
    }
    text += suite.Text(id++);
  }
  Suite node_tests(report, "node_tests");
  for (const NodeTestRecord& test : report.node_tests) {
    node_tests.Add("node_tests." + test.release, test.name, 0, OutcomeOf(test));
  }
  if (!node_tests.empty()) text += node_tests.Text(id++);
  Suite negative(report, "negative_models");
  for (const NegativeRecord& record : report.negative) {
    negative.Add("negative_models." + record.kind, record.id, 0, OutcomeOf(record));
    if (record.result == NegativeResult::kLax) {
      negative.AddNote(record.id + ": lax: " + record.text);
    }
  }
  if (!negative.empty()) text += negative.Text(id++);
  // Outputs of a whole model that differ are no deviation by themselves.
  Suite whole(report, "whole_model");
  if (const auto& model = report.run.selection.model;
      model && !model->whole_run.empty()) {
    whole.Add("whole_model", model->name, 0, {});
    whole.AddNote(model->whole_run);
  }
  if (!whole.empty()) text += whole.Text(id++);
  Suite problems(report, "known_differences");
  if (known != nullptr) {
    for (const KnownProblem& problem : known->problems) {
      const std::string kind(KnownProblemName(problem.kind));
      const std::string what =
          problem.cell.empty() ? "entry " + std::to_string(problem.entry) : problem.cell;
      problems.Add("known_differences." + kind, what, 0,
                   {"failure", kind, problem.sentence, ""});
    }
  }
  if (!report.complete) {
    problems.Add(
        "report", "complete", 0,
        {"error", "incomplete",
         "the report has " + GroupedDigits(report.totals.cells.total()) + " rows of " +
             Plural(report.totals.selected, "selected " + RowNoun(report)),
         ""});
  }
  if (!problems.empty()) text += problems.Text(id++);
  return text + "</testsuites>\n";
}

}  // namespace qconform
