#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cases/core/case.h"
#include "cases/profiles/profile.h"
#include "harness/cli/commands/cell_flags.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/question_text.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/print/print.h"
#include "harness/cli/progress/progress.h"
#include "harness/cli/version.h"
#include "harness/runner/suites/export.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "reports/record/verdict.h"

namespace qconform {
namespace {

struct ExportFlags {
  std::string directory;
  CellFlags cells;
  std::string stored;  // folder of stored cases; empty: the cases of cells
  Level level = Level::kSmoke;
  uint64_t seed = 1;
  bool strict = false;
  bool int32_data = false;
  bool no_progress = false;
};

// Returns the stored cases of a folder (NAME.json) in the order of their names.
Result<std::vector<NamedCase>> ReadStoredCases(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (code) return Error{"--stored " + folder + ": " + code.message()};
  if (files.empty()) {
    return Expected("--stored", "a folder of stored cases (*.json)", folder);
  }
  std::sort(files.begin(), files.end());
  std::vector<NamedCase> cases;
  for (const fs::path& file : files) {
    auto stored = ReadStoredCase(file.string());
    if (!stored) return stored.error();
    cases.push_back({file.stem().string(), *std::move(stored)});
  }
  return cases;
}

ExitCode Export(const ExportFlags& flags) {
  if (const Status named = CheckFileName(flags.directory); !named) {
    return Fail(named.error());
  }
  ChosenCells chosen;
  std::vector<NamedCase> stored;
  if (flags.stored.empty()) {
    auto cells = ChooseCells(flags.cells);
    if (!cells) return Fail(cells.error());
    chosen = *std::move(cells);
  } else {
    auto read = ReadStoredCases(flags.stored);
    if (!read) return Fail(read.error());
    stored = *std::move(read);
  }
  const Status usable = CheckExportDirectory(flags.directory);
  if (!usable) return Fail(usable.error());

  CatchInterrupts();

  const ExportRequest request{
      .directory = flags.directory,
      .profile = chosen.profile ? SelectionName(*chosen.profile) : "",
      .cell_patterns = chosen.patterns,
      .cells = std::move(chosen.cells),
      .stored = std::move(stored),
      .level = flags.level,
      .seed = flags.seed,
      .strict = flags.strict,
      .field = flags.int32_data ? TensorField::kInt32Data : TensorField::kRawData,
      .tool_version = Version()};
  Result<ExportManifest> manifest = Error{};
  {
    Progress progress("cells", static_cast<int64_t>(request.cells.size()),
                      !flags.no_progress);
    manifest = ExportCases(
        request, [&](int64_t done) { progress.Update(done, 0); }, g_interrupted);
  }
  if (!manifest) {
    const ExitCode code = Fail(manifest.error());
    return g_interrupted ? ExitCode::kInterrupted : code;
  }
  size_t with_free = 0;
  for (const ExportedCase& exported : manifest->cases) {
    with_free += exported.free.total() > 0 ? 1 : 0;
  }
  const bool of_cells = request.stored.empty();
  Print("%zu node tests of %zu %s in %s\n", manifest->cases.size(),
        of_cells ? request.cells.size() : request.stored.size(),
        of_cells ? "cells" : "stored cases", flags.directory.c_str());
  if (flags.strict) {
    Print("%lld cases left out, because they allow more than one answer\n",
          static_cast<long long>(manifest->left_out));
  } else if (with_free > 0) {
    Print(
        "%zu of them have elements that allow more than one answer "
        "(manifest.json counts them; --strict leaves them out)\n",
        with_free);
  }
  return ExitCode::kPass;
}

}  // namespace

void AddExportCommand(Command& program) {
  Command command = program.AddCommand(
      "export",
      "Write cases as ONNX node tests (test_*/model.onnx, test_data_set_0/*.pb) that\n"
      "other runners can read, with the oracle's answers and a manifest.json.\n"
      "Other runners accept only the canonical answer, even where the specification\n"
      "allows several. The manifest counts such elements, and --strict leaves out their\n"
      "cases. It also names the clauses that decide each case ('qconform list "
      "clauses').");
  command.Footer(
      "Exit codes: 0 all cases are written; 2 bad usage or input; 130 interrupted.");
  command.Example("qconform export node-tests --level smoke --cells '*/25/*'",
                  "The cases of since_version 25 as folders test_*");
  const auto flags = std::make_shared<ExportFlags>();
  command
      .Add("directory", flags->directory, "Write them to DIR, which must be new or empty")
      .Required()
      .Directory();
  const Flag profile =
      AddProfileFlag(command, flags->cells, "Only the cells of this profile");
  std::vector<Flag> of_cells = AddCellFlags(command, flags->cells);
  of_cells.push_back(profile);
  Flag stored = command.Add(
      "--stored", flags->stored,
      "Instead of the cases of cells, export each stored case (NAME.json) of FOLDER "
      "as test_NAME");
  stored.Directory("FOLDER");
  for (const Flag& flag : of_cells) stored.Excludes(flag);
  AddLevelFlag(command, flags->level);
  command.Add("--seed", flags->seed, "Seed of the random cases").ShowDefault();
  command.AddSwitch("--strict", flags->strict,
                    "Leave out cases with elements that allow more than one answer");
  command.AddSwitch("--int32-data", flags->int32_data,
                    "Write elements to int32_data instead of raw_data if their type may "
                    "lie there, as ONNX's own node tests do");
  command.AddSwitch("--no-progress", flags->no_progress, "Show no progress on stderr");
  command.Does([flags] { return Export(*flags); });
}

}  // namespace qconform
