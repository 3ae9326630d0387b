#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cases/core/case.h"
#include "cases/core/operator_cases.h"
#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"
#include "cases/profiles/profile.h"
#include "harness/certificate/statement.h"
#include "harness/cli/column_width.h"
#include "harness/cli/commands/cell_flags.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/semantics.h"
#include "harness/cli/print/print.h"
#include "harness/core/fault.h"
#include "harness/faults/comparison_faults.h"
#include "harness/runner/selection.h"
#include "harness/runner/suites/coverage.h"
#include "harness/runner/suites/coverage_text.h"
#include "oracle/base/expected.h"
#include "oracle/base/node.h"
#include "oracle/core/clauses.h"
#include "reports/diff/diff.h"
#include "reports/diff/known_differences.h"
#include "reports/history/compact.h"
#include "reports/history/history.h"
#include "reports/record/fault_record.h"
#include "reports/report/report.h"
#include "reports/show/schema_page.h"

namespace qconform {
namespace {

struct ListFlags {
  CellFlags cells;
  bool ids = false;
  bool markdown = false;
  bool json = false;
  Level level = Level::kStandard;
  std::string schema;  // empty: not given
};

const std::map<std::string, std::string_view (*)()> kSchemas{
    {"report", ReportSchema},
    {"known-differences", KnownDifferencesSchema},
    {"diff", DiffSchema},
    {"faults", FaultsSchema},
    {"profile", ProfileSchema},
    {"statement", StatementSchema},
    {"packed-report", PackedReportSchema},
    {"compact-report", CompactReportSchema},
    {"history", HistorySchema}};

std::vector<std::string> SchemaNames() {
  std::vector<std::string> names;
  for (const auto& [name, text] : kSchemas) names.push_back(name);
  return names;
}

std::string OpsetRange(const SinceVersion& versions) {
  const int first = versions.opset_versions.front();
  const int last = versions.opset_versions.back();
  return first == last ? std::to_string(first)
                       : std::to_string(first) + "-" + std::to_string(last);
}

constexpr int kLeastOpTypeWidth = 16;

// Prints which types the graphs of a family are asked with.
void PrintRuleOfTypes(const std::string& op_type) {
  const OperatorCases& cases = *FindOperatorCases(op_type);
  if (cases.rule_of_types == nullptr) return;
  Print("\nTypes of %s:\n", op_type.c_str());
  for (const std::string& line : cases.rule_of_types(cases.op_type)) {
    Print("  %s\n", line.c_str());
  }
}

ExitCode ListCells(const ListFlags& flags) {
  const auto chosen = ChooseCells(flags.cells);
  if (!chosen) return Fail(chosen.error());
  if (flags.ids) {
    for (const SelectedCell& cell : chosen->cells)
      Print("%s\n", CellId(cell.cell).c_str());
    return ExitCode::kPass;
  }
  const std::vector<std::string> subjects = SubjectsOf(chosen->patterns);
  const int width = ColumnWidth(subjects, kLeastOpTypeWidth);
  Print("%-*s %13s %13s %8s\n", width, "op_type", "since_version", "opset_version",
        "cells");
  for (const std::string& op_type : subjects) {
    int64_t sum = 0;
    for (const SinceVersion& version : SinceVersions(op_type)) {
      int64_t count = 0;
      for (const SelectedCell& cell : chosen->cells) {
        count += cell.cell.op_type == op_type &&
                 cell.cell.since_version == version.since_version;
      }
      if (count == 0) continue;
      sum += count;
      Print("%-*s %13d %13s %8lld\n", width, op_type.c_str(), version.since_version,
            OpsetRange(version).c_str(), static_cast<long long>(count));
    }
    if (sum > 0) {
      Print("%-*s %13s %13s %8lld\n", width, op_type.c_str(), "all", "",
            static_cast<long long>(sum));
      for (const SinceVersion& version : UnjudgedVersions(op_type)) {
        Print(
            "%-*s %13d %13s  not judged yet: its models are judged by since_version "
            "%d, with a note\n",
            width, op_type.c_str(), version.since_version, OpsetRange(version).c_str(),
            SinceVersions(op_type).back().since_version);
      }
      if (const auto missing = DefinitionBeyondOnnx(op_type)) {
        Print("%-*s %13d %13s  no cells: the linked ONNX %s ends at opset_version %d\n",
              width, op_type.c_str(), *missing, "", std::string(OnnxVersion()).c_str(),
              NewestOpsetVersion());
      }
    }
  }
  for (const std::string& op_type : subjects) {
    if (std::ranges::any_of(chosen->cells, [&](const SelectedCell& cell) {
          return cell.cell.op_type == op_type;
        })) {
      PrintRuleOfTypes(op_type);
    }
  }
  return ExitCode::kPass;
}

// Prints the groups that CTest has a test for: operator, since_version and output type.
ExitCode ListGroups(const ListFlags& flags) {
  const auto chosen = ChooseCells(flags.cells);
  if (!chosen) return Fail(chosen.error());
  std::vector<std::string> groups;
  for (const SelectedCell& cell : chosen->cells) {
    std::string group = cell.cell.op_type + " " +
                        std::to_string(cell.cell.since_version) + " " +
                        std::string(DataTypeName(OutputType(cell.cell)));
    if (std::find(groups.begin(), groups.end(), group) != groups.end()) continue;
    Print("%s\n", group.c_str());
    groups.push_back(std::move(group));
  }
  return ExitCode::kPass;
}

ExitCode ListCases(const ListFlags& flags) {
  const auto chosen = ChooseCells(flags.cells);
  if (!chosen) return Fail(chosen.error());
  for (const SelectedCell& cell : chosen->cells) {
    for (const CaseKey& key : CasesOf(cell.cell, cell.versions, flags.level)) {
      Print("%s\n", CaseId(key).c_str());
    }
  }
  return ExitCode::kPass;
}

ExitCode ListCoverage(const ListFlags& flags) {
  if (flags.json && flags.markdown) {
    return Fail(Expected("list coverage", "one of --json and --markdown", "both"));
  }
  const auto chosen = ChooseCells(flags.cells);
  if (!chosen) return Fail(chosen.error());
  const int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<OperatorCoverage> all;
  for (const std::string& op_type : SubjectsOf(chosen->patterns)) {
    std::vector<SelectedCell> cells;
    for (const SelectedCell& cell : chosen->cells) {
      if (cell.cell.op_type == op_type) cells.push_back(cell);
    }
    if (cells.empty()) continue;
    if (IsGraphFamily(op_type)) {
      return Fail(Expected("list coverage", "cells of operators", op_type));
    }
    auto coverage = CountCoverage(op_type, cells, flags.level, jobs);
    if (!coverage) return Fail(coverage.error());
    all.push_back(*std::move(coverage));
  }
  const std::string text = flags.json       ? CoverageJson(all, flags.level)
                           : flags.markdown ? CoverageMarkdown(all, flags.level)
                                            : CoverageText(all, flags.level);
  PrintDocument(text);
  return ExitCode::kPass;
}

ExitCode ListGenerators() {
  const int width = ColumnWidth(OperatorsAndFamilies(), kLeastOpTypeWidth);
  for (const OperatorCases* cases : AllOperatorCases()) {
    for (const GeneratorInfo& info : cases->generators) {
      Print("%-*s %-18s v%d  %s\n", width, std::string(cases->op_type).c_str(),
            std::string(info.name).c_str(), info.version,
            std::string(info.sentence).c_str());
    }
  }
  return ExitCode::kPass;
}

void PrintFault(int width, std::string_view name, std::string_view sentence,
                std::string_view seen_in) {
  Print("%-*s %s%s%s\n", width, std::string(name).c_str(), std::string(sentence).c_str(),
        seen_in.empty() ? "" : " Seen in: ",
        seen_in.empty() ? "" : (std::string(seen_in) + ".").c_str());
}

ExitCode ListFaults() {
  std::vector<std::string_view> names;
  for (const Fault& fault : Faults()) names.push_back(fault.name);
  for (const ComparisonFault& fault : ComparisonFaults()) names.push_back(fault.name);
  const int width = ColumnWidth(names, 1);
  for (const Fault& fault : Faults()) {
    PrintFault(width, fault.name, fault.sentence, fault.seen_in);
  }
  for (const ComparisonFault& fault : ComparisonFaults()) {
    PrintFault(width, fault.name, fault.sentence, fault.seen_in);
  }
  return ExitCode::kPass;
}

ExitCode ListProfiles() {
  for (const Profile& profile : Profiles()) {
    const auto cells = SelectCells(profile.cells);
    if (!cells) return Fail(cells.error());
    Print("%-13s %5zu cells  %s\n", profile.name.c_str(), cells->size(),
          profile.title.c_str());
  }
  return ExitCode::kPass;
}

ExitCode PrintBackends() {
  for (const BackendListing& listing : ListBackends()) {
    Print("%-18s %s%s\n", listing.spec.c_str(), listing.sentence.c_str(),
          listing.available ? "" : " (not on this machine)");
  }
  return ExitCode::kPass;
}

ExitCode ListSchema(const ListFlags& flags) {
  const bool named = !flags.schema.empty();
  if (flags.markdown && !named) {
    PrintDocument(ReportFormatMarkdown());
    return ExitCode::kPass;
  }
  const std::string_view schema = kSchemas.at(named ? flags.schema : "report")();
  PrintDocument(flags.markdown ? SchemaMarkdown(schema, 1, "") : std::string(schema));
  return ExitCode::kPass;
}

// Prints `lead` and `text` in lines of at most 100 columns, the later ones indented.
void PrintWrapped(const std::string& lead, std::string_view text) {
  constexpr size_t kColumns = 100;
  std::string line = lead;
  bool first = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (!first && line.size() + 1 + word.size() > kColumns) {
      Print("%s\n", line.c_str());
      line = "    ";
      first = true;
    }
    line += (first ? "" : " ") + std::string(word);
    first = false;
  }
  Print("%s\n", line.c_str());
}

ExitCode ListClauses(const ListFlags& flags) {
  if (flags.markdown) {
    PrintDocument(SemanticsMarkdown());
    return ExitCode::kPass;
  }
  for (const Clause& clause : Clauses()) {
    std::string versions;
    for (const int version : clause.since_versions) {
      versions += (versions.empty() ? "; since " : ", ") + std::to_string(version);
    }
    Print("%s (%s%s)\n", std::string(clause.id).c_str(),
          std::string(ClauseKindText(clause.kind)).c_str(), versions.c_str());
    PrintWrapped("  ", clause.text);
    PrintWrapped("  Source: ", clause.source);
    for (const ClauseReading& reading : clause.readings) {
      PrintWrapped("  " + std::string(reading.canonical ? "* " : "- ") +
                       std::string(reading.name) + ": ",
                   reading.sentence);
    }
  }
  return ExitCode::kPass;
}

}  // namespace

void AddListCommand(Command& program) {
  Command list =
      program.AddCommand("list", "List cells, cases, clauses, faults, backends and more");
  list.Footer("Exit codes: 0 success; 2 bad usage or input.");
  list.RequireCommand();
  list.Example("qconform list cells", "What can be judged");
  list.Example("qconform list cases --cells '*/21/*-INT4/*' --level smoke",
               "The cases of some cells, one id a line");
  const auto flags = std::make_shared<ListFlags>();

  Command cells =
      list.AddCommand("cells", "Number of cells per since_version, or their ids");
  cells.Example("qconform list cells --operator " + OperatorsInUse().front() + " --ids",
                "The ids of all cells of one operator");
  AddProfileFlag(cells, flags->cells, "Only the cells of this profile");
  AddCellFlags(cells, flags->cells);
  cells.AddSwitch("--ids", flags->ids, "Print one id per line");
  cells.Does([flags] { return ListCells(*flags); });

  Command groups = list.AddCommand(
      "groups", "Operator, since_version and output type, one group per line");
  groups.Example("qconform list groups --profile microscaling",
                 "The groups of one profile");
  AddProfileFlag(groups, flags->cells, "Only the cells of this profile");
  AddCellFlags(groups, flags->cells);
  groups.Does([flags] { return ListGroups(*flags); });

  Command cases = list.AddCommand("cases", "One case id per line, for replay");
  cases.Example("qconform list cases --cells '*/21/*-INT4/*'", "The cases of some cells");
  AddProfileFlag(cases, flags->cells, "Only the cells of this profile");
  AddCellFlags(cases, flags->cells);
  AddLevelFlag(cases, flags->level);
  cases.Does([flags] { return ListCases(*flags); });

  Command coverage = list.AddCommand(
      "coverage",
      "Which sizes, axes, attributes and opset_versions are asked, in how many cells");
  coverage.Example("qconform list coverage --operator " + OperatorsInUse().front(),
                   "What every cell of an operator is asked at level standard");
  AddProfileFlag(coverage, flags->cells, "Only the cells of this profile");
  AddCellFlags(coverage, flags->cells);
  AddLevelFlag(coverage, flags->level);
  coverage.AddSwitch("--json", flags->json, "Print each value of each fact as JSON");
  coverage.AddSwitch("--markdown", flags->markdown, "Print Markdown tables");
  coverage.Does([flags] { return ListCoverage(*flags); });

  Command clauses = list.AddCommand(
      "clauses",
      "Clauses of the specification, their source in ONNX, and their readings");
  clauses.Example("qconform list clauses",
                  "What each clause says, and where it comes from");
  clauses.AddSwitch("--markdown", flags->markdown, "Print them as docs/semantics.md");
  clauses.Does([flags] { return ListClauses(*flags); });
  Command schema =
      list.AddCommand("schema", "JSON Schema of a file that qconform writes");
  schema.Example("qconform list schema report", "The schema of reports");
  schema.Add("name", flags->schema, "Which file")
      .OneOf(SchemaNames())
      .ShowDefault("report");
  schema.AddSwitch("--markdown", flags->markdown,
                   "Print it as a page; without a name, that of docs/report_format.md");
  schema.Does([flags] { return ListSchema(*flags); });
  const auto add = [&](const char* name, const char* what, ExitCode (*action)()) {
    Command command = list.AddCommand(name, what);
    command.Example(std::string("qconform list ") + name, "Print them all");
    command.Does(action);
  };
  add("profiles", "Profiles for --profile", ListProfiles);
  add("backends", "Backends for --backend", PrintBackends);
  add("faults", "Planted faults, for --backend faulty:NAME", ListFaults);
  add("generators", "Generators of the cases", ListGenerators);
}

}  // namespace qconform
