#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/commands/commands.h"
#include "harness/cli/paths.h"
#include "harness/cli/print/print.h"
#include "harness/cli/site/report_files.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "reports/history/history.h"
#include "reports/report/journal.h"

namespace qconform {
namespace {

struct HistoryFlags {
  std::string folder;
  std::string markdown;
  std::string json;
};

ExitCode HistoryCommand(const HistoryFlags& flags) {
  const Status paths =
      CheckPaths({{"--markdown", flags.markdown}, {"--json", flags.json}});
  if (!paths) return Fail(paths.error());
  const auto files = JsonFilesIn(flags.folder);
  if (!files) return Fail(files.error());
  std::vector<NamedCompact> reports;
  size_t others = 0;
  for (const std::string& file : *files) {
    const auto text = ReadFile(file, kMostJournalBytes);
    if (!text) return Fail(text.error());
    if (!BeginsAsReport(*text)) {
      ++others;
      continue;
    }
    auto report = ParseCompactOrReport(*text, file);
    if (!report) return Fail(report.error());
    reports.push_back({file, *std::move(report)});
  }
  if (reports.empty()) {
    return Fail(Expected(flags.folder, "a folder of reports, NAME.json each", "none"));
  }
  const auto history = MakeHistory(std::move(reports));
  if (!history) return Fail(history.error());
  for (const auto& [path, text] : {std::pair{flags.markdown, HistoryMarkdown(*history)},
                                   std::pair{flags.json, HistoryJson(*history)}}) {
    if (path.empty()) continue;
    if (const Status put = WriteFileAtomically(path, text); !put)
      return Fail(put.error());
  }
  PrintLines(HistoryText(*history));
  PrintOthers(others);
  return history->comparable() ? ExitCode::kPass : ExitCode::kIncomplete;
}

}  // namespace

void AddHistoryCommand(Command& program) {
  Command history = program.AddCommand(
      "history", "Show which finding appeared and disappeared in which release");
  const auto flags = std::make_shared<HistoryFlags>();
  history.Example("qconform report 1.22.json --compact releases/1.22.json",
                  "Keep a release: verdicts and findings, without evidence");
  history.Example("qconform history releases", "The table of all releases in the folder");
  history.Example("qconform history reports/published/tract",
                  "Releases in folders of their own: VERSION/OPERATOR.json");
  history
      .Add(
          "folder", flags->folder,
          "The reports of one backend's releases, NAME.json each, in it and its folders, "
          "whole or compact; several of one release, such as one for each operator, are "
          "its parts")
      .Required()
      .Directory();
  history.Add("--markdown", flags->markdown, "For a page").Writes();
  history
      .Add("-o,--json", flags->json,
           "Everything as JSON; without FILE or with -: to stdout, and what is printed "
           "to stderr")
      .Writes()
      .ValueOr("-");
  history.Footer(
      "Releases are in the order of their versions. The words are those of 'qconform\n"
      "diff' between each release and the one before.\n"
      "Exit codes: 0 all releases were asked the same; 2 bad usage or input; 3 some\n"
      "were not, by another suite, level, seed or CPU, or to the end.");
  history.Does([flags] { return HistoryCommand(*flags); });
}

}  // namespace qconform
