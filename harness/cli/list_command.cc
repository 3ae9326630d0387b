#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "cases/generators/case.h"
#include "harness/backends/faulty/fault.h"
#include "cases/profiles/profile.h"
#include "harness/certificate/statement.h"
#include "harness/cli/commands.h"
#include "harness/cli/semantics.h"
#include "harness/faults/comparison_faults.h"
#include "harness/runner/selection.h"
#include "oracle/scalar/clauses.h"
#include "reports/diff.h"
#include "reports/known_differences.h"
#include "reports/fault_record.h"
#include "reports/report.h"
#include "reports/schema_page.h"

namespace qconform {
namespace {

struct ListFlags {
  std::vector<std::string> cells;
  bool ids = false;
  bool markdown = false;
  Level level = Level::kStandard;
  std::string schema = "report";
};

const std::map<std::string, std::string_view (*)()> kSchemas{
    {"report", ReportSchema},
    {"known-differences", KnownDifferencesSchema},
    {"diff", DiffSchema},
    {"faults", FaultsSchema},
    {"profile", ProfileSchema},
    {"statement", StatementSchema}};

std::string OpsetRange(const SinceVersion& versions) {
  const int first = versions.opset_versions.front();
  const int last = versions.opset_versions.back();
  return first == last ? std::to_string(first)
                       : std::to_string(first) + "-" + std::to_string(last);
}

int ListCells(const ListFlags& flags) {
  const auto selected = SelectCells(flags.cells);
  if (!selected) return Fail(selected.error());
  if (flags.ids) {
    for (const SelectedCell& cell : *selected)
      std::printf("%s\n", CellId(cell.cell).c_str());
    return 0;
  }
  std::printf("%-16s %13s %13s %8s\n", "op_type", "since_version", "opset_version",
              "cells");
  for (const std::string& op_type : OperatorsInUse()) {
    int64_t sum = 0;
    for (const SinceVersion& version : SinceVersions(op_type)) {
      int64_t count = 0;
      for (const SelectedCell& cell : *selected) {
        count += cell.cell.op_type == op_type &&
                 cell.cell.since_version == version.since_version;
      }
      if (count == 0) continue;
      sum += count;
      std::printf("%-16s %13d %13s %8lld\n", op_type.c_str(), version.since_version,
                  OpsetRange(version).c_str(), static_cast<long long>(count));
    }
    if (sum > 0) {
      std::printf("%-16s %13s %13s %8lld\n", op_type.c_str(), "all", "",
                  static_cast<long long>(sum));
    }
  }
  return 0;
}

// What CTest has a test for: operator, since_version and output type.
int ListGroups(const ListFlags& flags) {
  const auto selected = SelectCells(flags.cells);
  if (!selected) return Fail(selected.error());
  std::vector<std::string> groups;
  for (const SelectedCell& cell : *selected) {
    std::string group = cell.cell.op_type + " " +
                        std::to_string(cell.cell.since_version) + " " +
                        std::string(DataTypeName(OutputType(cell.cell)));
    if (std::find(groups.begin(), groups.end(), group) != groups.end()) continue;
    std::printf("%s\n", group.c_str());
    groups.push_back(std::move(group));
  }
  return 0;
}

int ListCases(const ListFlags& flags) {
  const auto selected = SelectCells(flags.cells);
  if (!selected) return Fail(selected.error());
  for (const SelectedCell& cell : *selected) {
    for (const CaseKey& key :
         CasesOf(cell.cell, cell.versions, flags.level)) {
      std::printf("%s\n", CaseId(key).c_str());
    }
  }
  return 0;
}

int ListGenerators() {
  for (const GeneratorInfo& info : Generators()) {
    std::printf("%-16s %-18s v%d  %s\n", std::string(info.op_type).c_str(),
                std::string(info.name).c_str(), info.version,
                std::string(info.sentence).c_str());
  }
  return 0;
}

void PrintFault(std::string_view name, std::string_view sentence, std::string_view seen_in) {
  std::printf("%-29s %s%s%s\n", std::string(name).c_str(), std::string(sentence).c_str(),
              seen_in.empty() ? "" : " Seen in: ",
              seen_in.empty() ? "" : (std::string(seen_in) + ".").c_str());
}

int ListFaults() {
  for (const Fault& fault : Faults()) PrintFault(fault.name, fault.sentence, fault.seen_in);
  for (const ComparisonFault& fault : ComparisonFaults()) {
    PrintFault(fault.name, fault.sentence, fault.seen_in);
  }
  return 0;
}

int ListProfiles() {
  for (const Profile& profile : Profiles()) {
    const auto cells = SelectCells(profile.cells);
    if (!cells) return Fail(cells.error());
    std::printf("%-13s %5zu cells  %s\n", profile.name.c_str(), cells->size(),
                profile.title.c_str());
  }
  return 0;
}

int PrintBackends() {
  for (const BackendListing& listing : ListBackends()) {
    std::printf("%-18s %s%s\n", listing.spec.c_str(), listing.sentence.c_str(),
                listing.available ? "" : " (not on this machine)");
  }
  return 0;
}

int ListSchema(const ListFlags& flags) {
  if (flags.markdown) {
    std::fputs(ReportFormatMarkdown().c_str(), stdout);
    return 0;
  }
  std::fputs(std::string(kSchemas.at(flags.schema)()).c_str(), stdout);
  return 0;
}

int ListClauses(const ListFlags& flags) {
  if (flags.markdown) {
    std::fputs(SemanticsMarkdown().c_str(), stdout);
    return 0;
  }
  for (const Clause& clause : Clauses()) {
    std::string kind(ClauseStatusName(clause.status));
    if (clause.status == ClauseStatus::kOpen) {
      kind += ", " + std::string(ClauseKindName(clause.kind));
    }
    std::printf("%s (%s)\n  %s\n", std::string(clause.id).c_str(), kind.c_str(),
                std::string(clause.text).c_str());
    for (const ClauseReading& reading : clause.readings) {
      std::printf("  %c %s: %s\n", reading.canonical ? '*' : '-',
                  std::string(reading.name).c_str(),
                  std::string(reading.sentence).c_str());
    }
  }
  return 0;
}

}  // namespace

void AddListCommand(CLI::App& app, Action& action) {
  CLI::App* list = app.add_subcommand("list", "Print what there is to select from");
  list->require_subcommand(1);
  const auto flags = std::make_shared<ListFlags>();

  CLI::App* cells =
      list->add_subcommand("cells", "Cells per since_version, or their ids");
  cells
      ->add_option("--cells", flags->cells,
                   "Only cells whose id matches GLOB (repeatable)")
      ->type_name("GLOB");
  cells->add_flag("--ids", flags->ids, "Print the ids, one a line");
  cells->callback([flags, &action] { action = [flags] { return ListCells(*flags); }; });

  CLI::App* groups = list->add_subcommand(
      "groups", "Operator, since_version and output type, one group a line");
  groups
      ->add_option("--cells", flags->cells,
                   "Only cells whose id matches GLOB (repeatable)")
      ->type_name("GLOB");
  groups->callback([flags, &action] { action = [flags] { return ListGroups(*flags); }; });

  CLI::App* cases =
      list->add_subcommand("cases", "Case ids, one a line, as replay takes them");
  cases
      ->add_option("--cells", flags->cells,
                   "Only cells whose id matches GLOB (repeatable)")
      ->type_name("GLOB");
  AddLevelFlag(*cases, flags->level);
  cases->callback([flags, &action] { action = [flags] { return ListCases(*flags); }; });

  CLI::App* clauses =
      list->add_subcommand("clauses", "Clauses of the specification and their readings");
  clauses->add_flag("--markdown", flags->markdown, "As docs/semantics.md has them");
  clauses->callback(
      [flags, &action] { action = [flags] { return ListClauses(*flags); }; });
  CLI::App* schema =
      list->add_subcommand("schema", "The JSON Schemas of what is written");
  schema->add_option("name", flags->schema, "Which of them")
      ->check(CLI::IsMember(kSchemas))
      ->capture_default_str();
  schema->add_flag("--markdown", flags->markdown,
                   "All, as docs/report_format.md has them");
  schema->callback([flags, &action] { action = [flags] { return ListSchema(*flags); }; });
  list->add_subcommand("profiles", "What certify takes")->callback([&action] {
    action = [] { return ListProfiles(); };
  });
  list->add_subcommand("backends", "What --backend takes")->callback([&action] {
    action = [] { return PrintBackends(); };
  });
  list->add_subcommand("faults", "Planted faults: what --backend faulty:NAME takes")
      ->callback([&action] { action = [] { return ListFaults(); }; });
  list->add_subcommand("generators", "Where the cases come from")->callback([&action] {
    action = [] { return ListGenerators(); };
  });
}

}  // namespace qconform
