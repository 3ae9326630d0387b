#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "cases/model/serialize.h"
#include "harness/cli/column_width.h"
#include "harness/cli/commands/cell_flags.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/print/print.h"
#include "harness/cli/progress/progress.h"
#include "harness/cli/version.h"
#include "harness/core/fault.h"
#include "harness/faults/fault_report.h"
#include "harness/runner/suite.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/glob.h"
#include "oracle/base/stopwatch.h"
#include "reports/record/evidence.h"
#include "reports/record/fault_record.h"
#include "reports/record/verdict.h"

namespace qconform {
namespace {

struct FaultsFlags {
  CellFlags cells;
  std::vector<std::string> faults;
  std::vector<std::string> node_tests;
  std::string report;
  Level level = Level::kStandard;
  uint64_t seed = 1;
  int jobs = 1;
  bool no_progress = false;
};

// Selects faults of the operators, or families of graphs, `subjects`.
Status SelectFaults(const std::vector<std::string>& patterns,
                    const std::vector<std::string>& subjects, MatrixRequest& request) {
  GivenGlobs globs(patterns);
  for (const Fault& fault : Faults()) {
    const bool concerns = std::ranges::any_of(subjects, [&](const std::string& op_type) {
      return fault.SetFor(op_type) != nullptr;
    });
    if (concerns && globs.Match(fault.name)) request.faults.push_back(&fault);
  }
  for (const ComparisonFault& fault : ComparisonFaults()) {
    if (globs.Match(fault.name)) request.comparison_faults.push_back(&fault);
  }
  if (const std::string* unused = globs.FindUnused()) {
    return Expected("--faults", "a pattern that matches a fault, such as 'ties_*'",
                    "'" + *unused + "'", "'qconform list faults' lists them all");
  }
  return Ok();
}

std::string ElementText(const Counterexample& example) {
  std::string text;
  for (const OperandRecord& operand : example.operands) {
    text += operand.name + "=" + ShownValue(operand.value) + "  ";
  }
  return text + "expected " + ShownValue(example.expected) + ", got " +
         ShownValue(example.actual);
}

void PrintFault(const FaultRecord& fault, int width, bool node_tests) {
  const bool as_declared = fault.contradiction_count == 0;
  const char* state = !as_declared            ? "SURVIVES"
                      : fault.counts()        ? "found"
                      : fault.is_admissible() ? "explained"
                                              : "-";
  const ClaimRecord& claim = fault.is_admissible() ? fault.admissible : fault.deviates;
  Print("%-9s %-*s %5lld/%-5lld %-18s %6lld", state, width, fault.name.c_str(),
        static_cast<long long>(claim.confirmed), static_cast<long long>(claim.declared),
        fault.first_generator.c_str(), static_cast<long long>(fault.first_elements));
  if (node_tests && fault.kind == "backend") {
    Print("   %9zu %7zu", fault.node_tests_with_tolerance.size(),
          fault.node_tests_exactly.size());
  }
  Print("\n");
  if (fault.example) Print("          %s\n", ElementText(*fault.example).c_str());
}

void PrintSurvivals(const FaultsDocument& document) {
  constexpr size_t kMost = 10;
  for (const FaultRecord& fault : document.faults) {
    if (fault.contradiction_count == 0) continue;
    Print("\n%s does not do what it declares in %lld cells:\n", fault.name.c_str(),
          static_cast<long long>(fault.contradiction_count));
    for (size_t i = 0; i < fault.contradictions.size() && i < kMost; ++i) {
      const ContradictionRecord& one = fault.contradictions[i];
      Print("  %s: declared %s, %s\n", one.cell.c_str(), one.declared.c_str(),
            one.observed.c_str());
    }
    if (fault.contradictions.size() > kMost) Print("  ...\n");
  }
}

void PrintMatrix(const FaultsDocument& document) {
  const bool node_tests = !document.node_test_directories.empty();
  std::vector<std::string> names;
  for (const FaultRecord& fault : document.faults) names.push_back(fault.name);
  const int width = ColumnWidth(names, 5);
  Print("\n%-9s %-*s %-11s %-18s %6s%s\n", "", width, "fault", "cells", "first caught by",
        "after", node_tests ? "   node tests, exactly" : "");
  for (const FaultRecord& fault : document.faults) PrintFault(fault, width, node_tests);
  PrintSurvivals(document);
  Print(
      "\ncells: cells in which the fault is caught / cells in which it deviates\n"
      "after: elements of the first cell that were compared until it was caught\n");
  if (document.admissible() > 0) {
    Print(
        "explained: the fault deviates nowhere; cells in which the reading that it\n"
        "declares explains it / cells for which it declares one\n");
  }
  if (node_tests) {
    Print(
        "node tests: how many of ONNX's %lld data sets catch it, with the tolerance of\n"
        "ONNX's runner (rtol 1e-3, atol 1e-7), and exactly\n",
        static_cast<long long>(document.node_tests));
  }
}

ExitCode RunFaults(const FaultsFlags& flags) {
  MatrixRequest request;
  request.level = flags.level;
  request.seed = flags.seed;
  request.jobs = flags.jobs;
  auto chosen = ChooseCells(flags.cells);
  if (!chosen) return Fail(chosen.error());
  request.cells = chosen->cells;
  if (const Status found =
          SelectFaults(flags.faults, SubjectsOf(chosen->patterns), request);
      !found) {
    return Fail(found.error());
  }
  auto found = FindNodeTests(flags.node_tests);
  if (!found) return Fail(found.error());
  if (!flags.report.empty()) {
    if (const Status writable = CheckWritable(flags.report); !writable) {
      return Fail(writable.error());
    }
  }
  const auto answered = AnswerNodeTests(found->tests);
  if (!answered) return Fail(answered.error(), ExitCode::kIncomplete);
  const AnsweredNodeTests& node_tests = *answered;

  CatchInterrupts();

  Print(
      "%s\n%zu faults of backends and %zu of the comparison, %zu cells, level %s, "
      "seed %llu\n",
      VersionText().c_str(), request.faults.size(), request.comparison_faults.size(),
      request.cells.size(), std::string(LevelName(flags.level)).c_str(),
      static_cast<unsigned long long>(flags.seed));
  std::fflush(stdout);
  const Stopwatch watch;
  FaultReportBuilder builder(request);
  Result<bool> all = true;
  {
    Progress progress("cells", static_cast<int64_t>(request.cells.size()),
                      !flags.no_progress);
    int64_t done = 0;
    all = RunMatrix(
        request,
        [&](const MatrixRow& row) {
          builder.Add(row);
          progress.Update(++done, 0);
        },
        g_interrupted);
  }
  if (!all) return Fail(all.error(), ExitCode::kIncomplete);
  if (!*all) {
    Print("Interrupted: nothing is reported of a part of the matrix.\n");
    return ExitCode::kInterrupted;
  }
  FaultsDocument document;
  document.tool_version = Version();
  document.onnx_version = OnnxVersion();
  document.suite_digest = SuiteDigest(SubjectsOf(chosen->patterns));
  document.cell_patterns = chosen->patterns;
  document.fault_patterns = flags.faults;
  document.level = LevelName(flags.level);
  document.seed = flags.seed;
  document.cells = static_cast<int64_t>(request.cells.size());
  document.node_test_directories = flags.node_tests;
  document.node_tests = static_cast<int64_t>(node_tests.tests.size());
  document.node_tests_left_out = node_tests.left_out;
  auto records = builder.Finish(node_tests);
  if (!records) return Fail(records.error(), ExitCode::kIncomplete);
  document.faults = *std::move(records);
  const double seconds = watch.seconds();

  PrintMatrix(document);
  Print("%.1f s\n", seconds);
  if (!flags.report.empty()) {
    const Status written =
        WriteFileAtomically(flags.report, FaultsDocumentText(document));
    if (!written) return Fail(written.error());
    Print("report: %s\n", flags.report.c_str());
  }
  Print("%s\n", FaultsHeadline(document).c_str());
  return document.contradictions() == 0 ? ExitCode::kPass : ExitCode::kDeviation;
}

}  // namespace

void AddFaultsCommand(Command& program) {
  Command command = program.AddCommand(
      "faults",
      "Run planted faults (implementations that are wrong on purpose) against the "
      "cases,\n"
      "and show which are caught, by which cases, and which ONNX's node tests find.");
  command.Footer(
      "Exit codes: 0 every fault behaves as it declares; 1 a fault survives in a cell "
      "in\n"
      "which it deviates, or breaks another declaration; 2 bad usage or input; 3 the\n"
      "harness failed; 130 interrupted.");
  command.Example("qconform faults --level smoke",
                  "Which planted faults the cases catch");
  command.Example(
      "qconform faults --faults 'ties_*' --operator " + OperatorsInUse().front(),
      "Only the faults of ties, in one operator");
  const auto flags = std::make_shared<FaultsFlags>();
  AddCellFlags(command, flags->cells);
  command
      .Add("--faults", flags->faults,
           "Only faults whose name matches GLOB (repeatable), such as 'ties_*'")
      .Type("GLOB");
  AddLevelFlag(command, flags->level);
  command
      .Add("--node-tests", flags->node_tests,
           "Also run ONNX's node tests in DIR/test_*/ against the faults (repeatable)")
      .Directory();
  command
      .Add("-o,--report", flags->report, "Write the matrix to FILE as JSON; -: to stdout")
      .Writes();
  command.Add("--seed", flags->seed, "Seed of the random cases").ShowDefault();
  AddJobsFlag(command, flags->jobs, "Cells at the same time");
  command.AddSwitch("--no-progress", flags->no_progress, "Show no progress on stderr");
  command.Does([flags] { return RunFaults(*flags); });
}

}  // namespace qconform
