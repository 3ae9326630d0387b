#include "harness/cli/commands/summary_screen.h"

#include "harness/cli/commands/describe_run.h"
#include "harness/cli/commands/explanations.h"
#include "harness/cli/commands/screen.h"
#include "harness/cli/print/print.h"
#include "harness/cli/progress/progress.h"
#include "oracle/base/file.h"
#include "reports/record/evidence.h"
#include "reports/show/summary/summary.h"
#include "reports/show/terminal_text.h"
#include "reports/show/verdict_line.h"

namespace qconform {
namespace {

SummaryOptions OptionsFor(const std::string& path) {
  // What came from a stream cannot be read again.
  const bool is_file = !IsStandardStream(path) && path != "/dev/stdin";
  return {.width = TerminalColumns(),
          .color = ShowsColors(),
          .report_path = is_file ? path : "",
          .explanations = NamedExplanations()};
}

}  // namespace

void AddSummaryFlags(Command& command, SummaryFlags& flags) {
  Flag verbose = command.AddSwitch(
      "-v,--verbose", flags.verbose,
      "Show everything: all types, tiers and opset_versions, the readings, the backend's "
      "reasons, and deviating cells worked through");
  command.AddSwitch("-q,--quiet", flags.quiet, "Print only the verdict, in one line")
      .Excludes(verbose);
}

std::string RunText(const RunInfo& run, int64_t cells) {
  const std::string& profile = run.selection.profile;
  return "backend " + NameAndDevice(run.backend.name, run.backend.device) + ", " +
         (profile.empty() ? "" : "profile " + OneLine(profile) + ", ") +
         (run.selection.model ? "model " + OneLine(run.selection.model->name) + ", "
                              : "") +
         Plural(cells, run.selection.model ? "part" : "cell") + ", level " +
         OneLine(run.suite.level) + ", seed " + std::to_string(run.suite.seed);
}

void PrintSummary(const Report& report, const SummaryFlags& flags,
                  const std::string& path) {
  if (flags.quiet) return;
  const SummaryOptions options = OptionsFor(path);
  const std::string text =
      flags.verbose ? DetailedSummaryText(report, options) : SummaryText(report, options);
  PrintDocument("\n" + text);
}

Status PrintVerdict(const Report& report, const SummaryFlags& flags,
                    const std::string& path, ExitCode code) {
  if (!flags.quiet) {
    // Who sees the details needs no line that shows them.
    const std::string& named = flags.verbose ? std::string() : path;
    PrintDocument(ClosingText(report, OptionsFor(named), code));
    return Ok();
  }
  const std::string line = VerdictLine(report, code);
  if (!PrintsToStderr()) return WriteToStdout(line);
  PrintNote("%s\n", line.substr(0, line.find('\n')).c_str());
  return Ok();
}

}  // namespace qconform
