#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "cases/core/operator_cases.h"
#include "harness/backends/compose/compose_backend.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/backends/process/serve.h"
#include "harness/backends/process/words.h"
#include "harness/backends/process/worker_check.h"
#include "harness/backends/run_model.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/print/print.h"
#include "reports/record/verdict.h"

namespace qconform {
namespace {

ExitCode Serve(const BackendFlags& flags) {
  const Status served = ServeBackend([&]() -> Result<std::unique_ptr<Backend>> {
    const auto options = ParseBackendOptions(flags.options);
    if (!options) return options.error();
    auto made = MakeBackend(flags.spec, *options);
    if (!made || !flags.compose) return made;
    return MakeComposeBackend(*std::move(made));
  });
  if (!served) return Fail(served.error());
  return ExitCode::kPass;
}

// Returns the oracle's answer.
Result<Outputs> AnswerOf(const FedModel& question) {
  auto result = RunModel(*MakeOracleBackend(), question);
  if (!result) return result.error();
  auto* outputs = std::get_if<Outputs>(&*result);
  if (outputs == nullptr) return Error{"the oracle does not answer the example"};
  return std::move(*outputs);
}

ExitCode Check(const std::string& text, double timeout_s) {
  auto words = SplitWords(text);
  if (!words) return Fail(words.error());
  WorkerCommand command;
  command.words = *std::move(words);
  command.limits.timeout =
      std::chrono::milliseconds(static_cast<int64_t>(timeout_s * 1000));
  // The first operator that has an example.
  const auto all = AllOperatorCases();
  const auto found = std::ranges::find_if(
      all, [](const OperatorCases* cases) { return cases->example != nullptr; });
  if (found == all.end()) return Fail({"no operator has an example to ask"});
  const auto rows = CheckWorker(command, {(*found)->example, AnswerOf});
  if (!rows) return Fail(rows.error());
  int failed = 0;
  for (const WorkerCheckRow& row : *rows) {
    using Outcome = WorkerCheckRow::Outcome;
    failed += row.outcome == Outcome::kFailed ? 1 : 0;
    const char* name = row.outcome == Outcome::kOk
                           ? "ok"
                           : (row.outcome == Outcome::kDeclined ? "declined" : "FAILED");
    Print("%-8s  %s%s%s\n", name, row.what.c_str(), row.text.empty() ? "" : ": ",
          row.text.c_str());
  }
  Print(failed == 0 ? "the worker speaks the protocol\n" : "%d of the checks failed\n",
        failed);
  return failed == 0 ? ExitCode::kPass : ExitCode::kDeviation;
}

}  // namespace

void AddWorkerCommands(Command& program) {
  Command check = program.AddCommand(
      "worker-check", "Check whether a worker (process:COMMAND) speaks the protocol");
  check.Example("qconform worker-check 'python3 my_worker.py'",
                "Send a worker what a run would send it");
  struct CheckFlags {
    std::string command;
    double timeout_s = 30;
  };
  const auto flags = std::make_shared<CheckFlags>();
  check.Add("command", flags->command, "The worker's command line, as one argument")
      .Required()
      .Type("COMMAND");
  check
      .Add("--timeout-per-case", flags->timeout_s,
           "Seconds to wait for a reply; for the first, at least 30")
      .Between(0.01, 86400.0)
      .ShowDefault()
      .Type("SECONDS");
  check.Footer(
      "Unused bits of the last byte of an output are not compared; 'qconform run' notes "
      "those that are not 0.\n\n"
      "Exit codes: 0 the worker speaks the protocol; 1 it does not; 2 bad usage or "
      "input.");
  check.Does([flags] { return Check(flags->command, flags->timeout_s); });

  Command worker = program.AddCommand("worker", "Serve a backend over stdin and stdout");
  worker.Hide();  // for children of this program
  const auto backend = std::make_shared<BackendFlags>();
  AddBackendFlags(worker, *backend);
  worker.Does([backend] { return Serve(*backend); });
}

}  // namespace qconform
