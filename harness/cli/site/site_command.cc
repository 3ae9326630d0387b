#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/certificate/package.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/explanations.h"
#include "harness/cli/print/print.h"
#include "harness/cli/site/report_files.h"
#include "harness/cli/version.h"
#include "harness/explain/definitions_json.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/core/clauses.h"
#include "reports/site/site.h"

namespace qconform {
namespace {

struct SiteFlags {
  std::string folder;
  std::string out;
  std::string explain;  // the script of preset wasm; empty: no page that explains
  std::string pages;    // a folder of NAME.md; empty: none
};

Result<std::vector<SiteNote>> ReadNotes(const std::string& folder) {
  std::vector<SiteNote> notes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".md" || !entry.is_regular_file(error)) continue;
    auto text = ReadFile(path.string());
    if (!text) return text.error();
    notes.push_back({path.stem().string(), *std::move(text)});
  }
  if (notes.empty()) {
    return Expected(folder, "a folder of pages, NAME.md each",
                    error ? error.message() : "none");
  }
  std::ranges::sort(notes, {}, &SiteNote::name);
  return notes;
}

// Reads whole reports, and histories of the compact ones that share a folder. Counts the
// other files.
Result<SiteInput> ReadFolder(const std::string& folder, size_t* others) {
  const auto files = JsonFilesIn(folder);
  if (!files) return files.error();
  SiteInput input;
  std::map<std::string, std::vector<NamedCompact>> releases;
  for (const std::string& file : *files) {
    const auto text = ReadFile(file);
    if (!text) return text.error();
    if (!BeginsAsReport(*text)) {
      ++*others;
    } else if (IsCompactText(*text)) {
      auto compact = ParseCompact(*text, file);
      if (!compact) return compact.error();
      const std::string parent = std::filesystem::path(file).parent_path().string();
      releases[parent].push_back({file, *std::move(compact)});
    } else {
      auto report = ParseReport(*text, file);
      if (!report) return report.error();
      input.reports.push_back({file, *std::move(report)});
    }
  }
  for (auto& [parent, reports] : releases) {
    auto history = MakeHistory(std::move(reports));
    if (!history) return Error{parent + ": " + history.error().message};
    input.histories.push_back(*std::move(history));
  }
  return input;
}

ExitCode SiteCommand(const SiteFlags& flags) {
  if (const Status named = CheckFileName(flags.out); !named) return Fail(named.error());
  std::error_code unknown;
  if (std::filesystem::exists(std::filesystem::symlink_status(flags.out, unknown))) {
    return Fail(Expected(flags.out, "a path that does not exist yet",
                         "an existing file or directory"));
  }
  size_t others = 0;
  auto input = ReadFolder(flags.folder, &others);
  if (!input) return Fail(input.error());
  if (input->reports.empty() && input->histories.empty()) {
    return Fail(Expected(flags.folder, "a folder of reports, NAME.json each", "none"));
  }
  const size_t reports = input->reports.size();
  const size_t histories = input->histories.size();
  for (const Clause& clause : Clauses()) {
    input->clauses.push_back(
        {std::string(clause.id), std::string(clause.op_type), std::string(clause.text)});
  }
  input->explanations = NamedExplanations();
  input->tool = "qconform " + Version();
  if (!flags.explain.empty()) {
    auto module = ReadFile(flags.explain);
    if (!module) return Fail(module.error());
    if (module->find("qconformExplainModule") == std::string::npos) {
      return Fail(Expected(flags.explain, "the script that the preset wasm builds",
                           "another file"));
    }
    input->explain = SiteExplain{*std::move(module), DefinitionsJson()};
  }
  if (!flags.pages.empty()) {
    auto notes = ReadNotes(flags.pages);
    if (!notes) return Fail(notes.error());
    input->notes = *std::move(notes);
  }
  const auto files = SiteFiles(*std::move(input));
  if (!files) return Fail(files.error());
  const Status written = WritePackage(flags.out, *files);
  if (!written) return Fail(written.error());
  size_t bytes = 0;
  for (const auto& [name, text] : *files) bytes += text.size();
  Print("%zu reports and %zu histories: %zu files, %zu KB; open %s\n", reports, histories,
        files->size(), bytes / 1000,
        (std::filesystem::path(flags.out) / "index.html").c_str());
  PrintOthers(others);
  return ExitCode::kPass;
}

}  // namespace

void AddSiteCommand(Command& program) {
  Command site = program.AddCommand(
      "site", "Make a site of static pages from the reports of a folder");
  const auto flags = std::make_shared<SiteFlags>();
  site.Example(
      "qconform site reports -o site",
      "Scoreboard, backends, cells, findings and histories, to open in a browser");
  site.Add("folder", flags->folder,
           "Reports, NAME.json each, in it and its folders. Compact reports that share a "
           "folder become the history of their backend")
      .Required()
      .Directory();
  site.Add("-o,--out", flags->out, "The new folder of the site").Required().Directory();
  site.Add("--explain", flags->explain,
           "Also make the page that explains a question in the browser, by this script "
           "(qconform_explain.js of the preset wasm)")
      .Reads();
  site.Add("--pages", flags->pages,
           "Also show the pages of a folder, NAME.md each, on what was found. A page "
           "that names "
           "the folder of a report, such as opencv/5.0, is about its backend")
      .Directory();
  site.Footer("Exit codes: 0 the site is written; 2 bad usage or input: nothing is.");
  site.Does([flags] { return SiteCommand(*flags); });
}

}  // namespace qconform
