#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/explanations.h"
#include "harness/cli/commands/page_models.h"
#include "harness/cli/commands/summary_screen.h"
#include "harness/cli/machine.h"
#include "harness/cli/paths.h"
#include "harness/cli/print/print.h"
#include "harness/cli/site/report_files.h"
#include "harness/runner/selection.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "reports/diff/diff.h"
#include "reports/diff/known_differences.h"
#include "reports/diff/part.h"
#include "reports/history/compact.h"
#include "reports/record/evidence.h"
#include "reports/record/proof_record.h"
#include "reports/report/merge.h"
#include "reports/report/report.h"
#include "reports/show/badge.h"
#include "reports/show/csv.h"
#include "reports/show/html.h"
#include "reports/show/junit.h"
#include "reports/show/markdown.h"
#include "reports/show/verdict_line.h"

namespace qconform {
namespace {

struct ReportFlags {
  std::vector<std::string> files;
  std::string beside;  // a second report, shown next to the first on the HTML page
  std::string junit;
  std::string markdown;
  std::string html;
  std::string csv;
  std::string badge;
  std::string json;
  std::string compact;
  std::string packed;
  std::string known;
  std::vector<std::string> cells;
  bool allow_unsupported = false;
  bool known_problems = false;
  SummaryFlags summary;

  bool WritesMoreThanThePage() const {
    return !(junit + markdown + csv + badge + json + compact + packed + known).empty() ||
           !cells.empty();
  }
};

struct NamedReport {
  Report report;
  std::string files;  // "a.json, b.json"
};

// Reads reports. Those of one backend that judge different cells, such as one for each
// operator, become one report. Returns one or two.
Result<std::vector<NamedReport>> ReadReports(const std::vector<std::string>& paths) {
  std::vector<NamedReport> reports;
  for (const std::string& path : paths) {
    auto read = ReadReportOrJournal(path);
    if (!read) return read.error();
    const auto whole = std::ranges::find_if(
        reports, [&](const NamedReport& one) { return AreParts(one.report, *read); });
    if (whole != reports.end()) {
      auto joined = JoinParts(std::move(whole->report), *std::move(read));
      if (!joined) return joined.error();
      *whole = {*std::move(joined), whole->files + ", " + path};
    } else if (reports.size() == 2) {
      return Expected(path, "other cells of one of the two backends before it",
                      "a third report to compare");
    } else {
      reports.push_back({*std::move(read), path});
    }
  }
  return reports;
}

// Applies a file of known differences to a report.
Result<KnownOutcome> ApplyKnown(const std::string& path, const Report& report) {
  const auto known = ReadKnownDifferences(path);
  if (!known) return known.error();
  return ApplyKnownDifferences(*known, report, TimeNow().substr(0, 10), LatticeIds());
}

struct Output {
  const std::string& path;
  std::string text;
};

// Writes the outputs that have a path. Precondition: the paths are checked.
Status WriteAll(const std::vector<Output>& outputs) {
  for (const Output& output : outputs) {
    if (output.path.empty()) continue;
    const Status written = WriteFileAtomically(output.path, output.text);
    if (!written) return written.error();
  }
  return Ok();
}

void PrintExample(const Counterexample& example, const std::string& model) {
  const auto print = [](const std::string& line) {
    if (!line.empty()) Print("              %s\n", line.c_str());
  };
  print(CounterexampleSentence(example));
  const std::string operands = OperandsSentence(example);
  print(operands.empty() ? "" : "of " + operands);
  for (const std::string& line : WorkedLines(example, model)) print("  " + line);
  print("rerun: " + example.replay);
}

// Prints some cells of a report and returns their exit code, for a CTest test of a group.
ExitCode JudgeCells(const ReportPart& part, bool allow_unsupported) {
  const std::vector<KnownProblem> problems =
      part.known ? part.known->problems : std::vector<KnownProblem>();
  VerdictCounts counts;
  for (const CellRecord& cell : part.report.cells) {
    const KnownDifference* entry = part.known ? part.known->Find(cell.cell) : nullptr;
    counts.Add(entry == nullptr ? cell.verdict : Verdict::kConformant);
    Print("%-13s %s%s\n", std::string(VerdictName(cell.verdict)).c_str(),
          cell.cell.c_str(), entry == nullptr ? "" : " (known)");
    for (const std::string& line : {cell.reason, DiagnosisText(cell)}) {
      if (!line.empty()) Print("              %s\n", line.c_str());
    }
    for (const Counterexample& example : cell.counterexamples) {
      PrintExample(example, WorkedModelName(cell));
    }
    for (const KnownProblem& problem : problems) {
      if (problem.cell != cell.cell) continue;
      Print("              %s\n", problem.sentence.c_str());
    }
  }
  for (const KnownProblem& problem : problems) {
    if (problem.cell.empty()) Print("%s\n", problem.sentence.c_str());
  }
  if (!problems.empty()) return ExitCode::kDeviation;
  return ExitCodeFor(counts, NodeVerdictCounts(),
                     {allow_unsupported, part.report.complete});
}

void ShowReport(const Report& report, const SummaryFlags& flags,
                const std::string& path) {
  if (flags.quiet) return;
  Print("%s\n", RunText(report.run, report.totals.selected).c_str());
  PrintSummary(report, flags, path);
}

std::string PageText(const Report& report, const KnownOutcome* known,
                     const Report* beside) {
  std::map<std::string, std::string> models = PageModels(report);
  // Other suites may have other cases of the same ids.
  if (beside != nullptr && beside->run.suite.digest == report.run.suite.digest &&
      beside->run.suite.seed == report.run.suite.seed) {
    models.merge(PageModels(*beside));
  }
  return HtmlText(report, {.known = known,
                           .beside = beside,
                           .explanations = NamedExplanations(),
                           .models = std::move(models)});
}

// Prints a line for each report. Returns the exit code of the first that does not pass.
ExitCode PrintVerdicts(const std::vector<NamedReport>& reports,
                       const ReportFlags& flags) {
  ExitCode first = ExitCode::kPass;
  char letter = 'A';  // as on the page
  for (const auto& [report, files] : reports) {
    const ExitCode code = ExitCodeFor(report, flags.allow_unsupported);
    const BackendRecord& backend = report.run.backend;
    const std::string version = backend.version.empty() ? "" : " " + backend.version;
    Print("%c  %s (%s)\n   ", letter++, (backend.name + version).c_str(), files.c_str());
    PrintLines(VerdictLine(report, code));
    if (first == ExitCode::kPass) first = code;
  }
  return first;
}

ExitCode ReportCommand(const ReportFlags& flags) {
  if (!flags.beside.empty() && flags.html.empty()) {
    return Fail(
        Expected("--beside", "--html FILE too, the page that shows both", "no --html"));
  }
  if (flags.known_problems && (flags.known.empty() || !flags.cells.empty())) {
    return Fail(Expected("--known-problems", "--known FILE and the whole report",
                         flags.known.empty() ? "no --known" : "--cells"));
  }
  if (!flags.cells.empty() &&
      !(flags.html + flags.json + flags.compact + flags.packed).empty()) {
    return Fail(flags.html.empty()
                    ? Expected(!flags.json.empty()      ? "--json"
                               : !flags.compact.empty() ? "--compact"
                                                        : "--packed",
                               "the whole report", "--cells")
                    : Expected("--html", "the whole report", "--cells",
                               "leave out --cells and use the filters of the page"));
  }
  std::vector<NamedPath> named = {{"--beside", flags.beside, false},
                                  {"--known", flags.known, false},
                                  {"--junit", flags.junit},
                                  {"--markdown", flags.markdown},
                                  {"--html", flags.html},
                                  {"--csv", flags.csv},
                                  {"--badge", flags.badge},
                                  {"--json", flags.json},
                                  {"--compact", flags.compact},
                                  {"--packed", flags.packed}};
  for (const std::string& file : flags.files) {
    named.push_back({"the report that is read", file, false});
  }
  if (const Status paths = CheckPaths(named); !paths) return Fail(paths.error());
  auto reports = ReadReports(flags.files);
  if (!reports) return Fail(reports.error());
  const Report* const report = &reports->front().report;
  std::optional<Report> beside;
  if (reports->size() == 2) {
    if (!flags.beside.empty() || flags.html.empty() || flags.WritesMoreThanThePage()) {
      return Fail(Expected("two reports of different backends or of the same cells",
                           "--html FILE and no other output", "other flags",
                           "'qconform diff' compares two reports as text"));
    }
    beside = reports->back().report;
  }
  if (!flags.beside.empty()) {
    auto other = ReadReportOrJournal(flags.beside);
    if (!other) return Fail(other.error());
    beside = *std::move(other);
  }
  std::optional<KnownOutcome> known;
  if (!flags.known.empty()) {
    auto applied = ApplyKnown(flags.known, *report);
    if (!applied) return Fail(applied.error());
    known = *std::move(applied);
  }
  std::optional<ReportPart> part;
  if (!flags.cells.empty()) {
    auto chosen = PartOf(*report, known ? &*known : nullptr, flags.cells);
    if (!chosen) return Fail(chosen.error());
    part = *std::move(chosen);
  }
  const Report& shown = part ? part->report : *report;
  const std::optional<KnownOutcome>& said = part ? part->known : known;
  const KnownOutcome* outcome = said ? &*said : nullptr;
  std::string compact;
  if (!flags.compact.empty()) {
    const auto made = Compacted(*report, flags.files.front());
    if (!made) return Fail(made.error());
    compact = CompactText(*made);
  }
  const auto wanted = [](const std::string& path, auto make) {
    return path.empty() ? std::string() : make();
  };
  const Status written = WriteAll({
      {flags.junit, wanted(flags.junit, [&] { return JUnitText(shown, outcome); })},
      {flags.markdown,
       wanted(flags.markdown, [&] { return MarkdownText(shown, outcome); })},
      {flags.html,
       wanted(flags.html,
              [&] { return PageText(shown, outcome, beside ? &*beside : nullptr); })},
      {flags.csv, wanted(flags.csv, [&] { return CsvText(shown, outcome); })},
      {flags.badge, wanted(flags.badge, [&] { return BadgeSvg(shown, outcome); })},
      {flags.json, wanted(flags.json, [&] { return ReportText(shown); })},
      {flags.compact, compact},
      {flags.packed, wanted(flags.packed, [&] { return PackedReportText(shown); })},
  });
  if (!written) return Fail(written.error());
  if (part) return JudgeCells(*part, flags.allow_unsupported);
  if (reports->size() == 2) return PrintVerdicts(*reports, flags);
  const std::string& file = flags.files.front();
  ShowReport(*report, flags.summary, file);
  if (known && !flags.summary.quiet) {
    PrintLines(KnownText(*known, *report, flags.known));
  }
  const ExitCode verdict = known ? ExitCodeFor(*report, *known, flags.allow_unsupported)
                                 : ExitCodeFor(*report, flags.allow_unsupported);
  if (const Status put = PrintVerdict(*report, flags.summary, file, verdict); !put) {
    return Fail(put.error());
  }
  if (!flags.known_problems) return verdict;
  return known->problems.empty() ? ExitCode::kPass : ExitCode::kDeviation;
}

struct DiffFlags {
  std::string before;
  std::string after;
  std::string markdown;
  std::string json;
  std::string known;
  std::string fail_on;
  bool require_complete = false;
};

ExitCode DiffCommand(const DiffFlags& flags) {
  FailOn fail_on = DefaultFailOn();
  if (!flags.fail_on.empty()) {
    auto given = ParseFailOn(flags.fail_on);
    if (!given) return Fail(given.error());
    fail_on = *std::move(given);
  }
  const Status paths = CheckPaths({{"the old report", flags.before, false},
                                   {"the new report", flags.after, false},
                                   {"--known", flags.known, false},
                                   {"--markdown", flags.markdown},
                                   {"--json", flags.json}});
  if (!paths) return Fail(paths.error());
  const auto before = ReadReportOrJournal(flags.before);
  if (!before) return Fail(before.error());
  if (flags.require_complete && !before->complete) {
    return Fail(Expected(flags.before, "the report of a whole run",
                         "that of an interrupted run or of a part"));
  }
  const auto after = ReadReportOrJournal(flags.after);
  if (!after) return Fail(after.error());
  ReportDiff diff = DiffReports(*before, *after);
  if (!flags.known.empty()) {
    const auto known = ApplyKnown(flags.known, *after);
    if (!known) return Fail(known.error());
    WaiveKnown(*known, &diff);
  }
  const Status written = WriteAll(
      {{flags.markdown, DiffMarkdown(diff, 50, fail_on)}, {flags.json, DiffJson(diff)}});
  if (!written) return Fail(written.error());
  PrintLines(DiffText(diff));
  return ExitCodeFor(diff, fail_on);
}

struct MergeFlags {
  std::vector<std::string> shards;
  std::string report = "qconform-report.json";
  bool allow_unsupported = false;
  SummaryFlags summary;
};

// Merges the texts of `flags.shards`, at least one of which is a proof.
ExitCode MergeProofTexts(const MergeFlags& flags, const std::vector<std::string>& texts) {
  std::vector<NamedProof> parts;
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string& path = flags.shards[i];
    if (!IsProofText(texts[i])) {
      return Fail(Expected(path, "a part of a proof, as the others are", "no proof"));
    }
    auto proof = ParseProof(texts[i], path);
    if (!proof) return Fail(proof.error());
    parts.push_back({path, *std::move(proof)});
  }
  const auto merged = MergeProofs(std::move(parts));
  if (!merged) return Fail(merged.error());
  const Status written = WriteFileAtomically(flags.report, ProofText(*merged));
  if (!written) return Fail(written.error());
  Print("prove %s by %s\n%s\n", merged->kind.c_str(), merged->backend.c_str(),
        ProofStatement(*merged).c_str());
  if (!merged->passes()) {
    Print(
        "No single reading is known to give the answers of all parts. To judge all "
        "parts by one reading, run 'prove --reading NAME' for each.\n");
  }
  Print("report: %s\n", flags.report.c_str());
  return merged->passes() ? ExitCode::kPass : ExitCode::kDeviation;
}

ExitCode MergeCommand(const MergeFlags& flags) {
  std::vector<NamedPath> paths;
  for (const std::string& path : flags.shards) paths.push_back({"a shard", path, false});
  paths.push_back({"--report", flags.report});
  if (const Status checked = CheckPaths(paths); !checked) return Fail(checked.error());
  std::vector<std::string> texts;
  for (const std::string& path : flags.shards) {
    auto text = ReadFile(path, kMostJournalBytes);
    if (!text) return Fail(text.error());
    texts.push_back(*std::move(text));
  }
  if (std::any_of(texts.begin(), texts.end(), IsProofText)) {
    return MergeProofTexts(flags, texts);
  }
  std::vector<ShardReport> shards;
  for (size_t i = 0; i < texts.size(); ++i) {
    auto report = ParseReportOrJournal(texts[i], flags.shards[i]);
    if (!report) return Fail(report.error());
    shards.push_back({flags.shards[i], *std::move(report)});
  }
  const auto merged = MergeReports(std::move(shards));
  if (!merged) return Fail(merged.error());
  const Status written = WriteReport(flags.report, *merged);
  if (!written) return Fail(written.error());
  ShowReport(*merged, flags.summary, flags.report);
  const ExitCode code = ExitCodeFor(*merged, flags.allow_unsupported);
  if (const Status put = PrintVerdict(*merged, flags.summary, flags.report, code); !put) {
    return Fail(put.error());
  }
  return code;
}

}  // namespace

void AddReportCommands(Command& program) {
  Command report = program.AddCommand(
      "report", "Summarize a report or a journal, and write it in other formats");
  const auto flags = std::make_shared<ReportFlags>();
  report.Example("qconform report r.json", "The summary of a run, in 24 lines");
  report.Example("qconform report r.json --html page.html",
                 "One page with everything, to open in a browser");
  report.Example("qconform report r.json --cells '*/21/*'",
                 "Each cell of since_version 21, with its evidence");
  report
      .Add("files", flags->files,
           "A report, or the journal of a run; -: from stdin. Several of one backend, "
           "such "
           "as one for each operator, become one report; with --html, two backends are "
           "compared")
      .Required()
      .Reads();
  report.Group("Formats");
  report.Add("--junit", flags->junit, "JUnit XML").Writes();
  report.Add("--markdown", flags->markdown, "For a pull request or a job summary")
      .Writes();
  report.Add("--html", flags->html, "One self-contained page").Writes();
  report
      .Add("--beside", flags->beside,
           "Another backend's report to compare with on the HTML page")
      .Reads();
  report.Add("--csv", flags->csv, "One row for each cell").Writes();
  report.Add("--badge", flags->badge, "An SVG image for a README").Writes();
  report
      .Add("-o,--json", flags->json,
           "The report as JSON, such as that of a journal; without FILE or with -: to "
           "stdout, and what is printed to stderr")
      .Writes()
      .ValueOr("-");
  report
      .Add("--compact", flags->compact,
           "Verdicts and ids of findings only, as JSON: what 'qconform history' needs of "
           "a release")
      .Writes();
  report
      .Add("--packed", flags->packed,
           "The whole report in a third to a fifth of its bytes: each text is written "
           "once; every command reads it")
      .Writes();
  report.Group("What is shown and judged");
  report.Add("--known", flags->known, "Known differences").Reads();
  report
      .Add("--cells", flags->cells,
           "Show, write and judge only the cells whose id matches GLOB (repeatable)")
      .Type("GLOB");
  report.AddSwitch(
      "--allow-unsupported", flags->allow_unsupported,
      "Exit with 0 even if something is unsupported or partial; not if a legal model "
      "is refused as invalid");
  report.AddSwitch("--known-problems", flags->known_problems,
                   "Exit with 1 only for problems with --known, whatever the verdicts "
                   "are");
  AddSummaryFlags(report, flags->summary);
  report.Does([flags] { return ReportCommand(*flags); });

  Command diff = program.AddCommand("diff", "Show what changed between two reports");
  const auto diff_flags = std::make_shared<DiffFlags>();
  diff.Example("qconform diff last-week.json today.json", "What changed since then");
  diff.Example("qconform diff old.json new.json --fail-on regressed --json | jq .",
               "Fail only for cells that were right before; all changes as JSON");
  diff.Add("old", diff_flags->before, "The old report; -: from stdin").Required().Reads();
  diff.Add("new", diff_flags->after, "The new report; -: from stdin").Required().Reads();
  diff.Add("--markdown", diff_flags->markdown, "For a pull request").Writes();
  diff.Add("-o,--json", diff_flags->json,
           "All changes as JSON; without FILE or with -: to stdout, and what is printed "
           "to stderr")
      .Writes()
      .ValueOr("-");
  diff.Add("--known", diff_flags->known,
           "Known differences: a change for the worse that they list is not counted")
      .Reads();
  diff.Add("--fail-on", diff_flags->fail_on,
           "Changes that make the exit code 1, in place of the default")
      .Type("LIST");
  diff.AddSwitch("--require-complete", diff_flags->require_complete,
                 "Exit with 2 if the old report is incomplete");
  diff.Footer(
      "LIST is 'none' or some of these, joined by commas; * marks the default:\n"
      "  regressed *              right before, wrong now; or wrong in more elements\n"
      "  newly_supported_wrong *  declined before, answered now, and wrong\n"
      "  no_longer_supported *    answered before, declined now\n"
      "  no_longer_asked *        untested now, gone under the same selection, or the\n"
      "                           new report is incomplete and the old one was not\n"
      "  judged_otherwise         the same backend, judged by another suite\n"
      "  other_answers            answers changed, neither better nor worse\n"
      "  other_words              the same answers, described in other words\n"
      "  newly_asked              the suite or the selection asks more\n"
      "  newly_supported_right    declined before, answered now, and right\n"
      "  fixed                    wrong before, right now; or wrong in fewer elements\n"
      "Each change concerns a cell (all of it, or a tier, operand form or\n"
      "opset_version), a node test or a negative model.\n"
      "Exit codes: 0 no change of LIST; 1 a change of LIST, even if the suites differ;\n"
      "2 bad usage or input; 3 no change of LIST, but the reports cannot be compared:\n"
      "the suites differ, the new selection is smaller, or a report is incomplete.");
  diff.Does([diff_flags] { return DiffCommand(*diff_flags); });

  Command merge = program.AddCommand(
      "merge", "Merge the reports of all shards of a run, or of all parts of a proof");
  const auto merge_flags = std::make_shared<MergeFlags>();
  merge.Example("qconform merge shard-*.json -o whole.json",
                "Make one report of those of all shards");
  merge
      .Add("shards", merge_flags->shards,
           "The report or journal of each shard; -: from stdin")
      .Required()
      .Reads();
  merge
      .Add("-o,--report", merge_flags->report,
           "Write the merged report to FILE; -: to stdout")
      .Writes()
      .ShowDefault();
  merge.AddSwitch(
      "--allow-unsupported", merge_flags->allow_unsupported,
      "Exit with 0 even if something is unsupported or partial; not if a legal model "
      "is refused as invalid");
  AddSummaryFlags(merge, merge_flags->summary);
  merge.Does([merge_flags] { return MergeCommand(*merge_flags); });
}

}  // namespace qconform
