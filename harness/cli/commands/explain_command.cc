// qconform explain: what the specification gives for operands that are typed, what else
// is admissible, and which wrong models give another answer.
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/run_model.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/describe_run.h"
#include "harness/cli/commands/emit.h"
#include "harness/cli/commands/question_text.h"
#include "harness/cli/print/print.h"
#include "harness/cli/vary/vary.h"
#include "harness/compare/compare.h"
#include "harness/core/oracle_model.h"
#include "harness/explain/explained.h"
#include "harness/explain/outputs_text.h"
#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "oracle/base/expected.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

struct ExplainFlags {
  std::string subject;  // an operator, the id of a case, or the file of a stored case
  std::vector<std::string> settings;
  int opset_version = 0;
  uint64_t seed = 1;
  std::optional<uint64_t> element{};  // in row-major order; nothing: the first
  std::string actual;
  std::vector<std::string> backends;
  BackendFlags backend;           // of each
  std::vector<std::string> vary;  // KEY=VALUE,VALUE,...
  EmitFlags emit;
  Level level = Level::kStandard;  // of the cases of a cell
};

// Prints what an answer is by the specification, and which wrong models give it. Works
// through `element`, or else through the first one that differs. Returns the exit code.
Result<ExitCode> PrintJudgement(const Explained& question, const std::string& who,
                                const std::vector<uint32_t>& codes,
                                std::optional<uint64_t> element) {
  Print("\n%s:\n", who.c_str());
  PrintLines(OutputsText("  ", question.answer(), codes));
  const auto judgement = JudgeCodes(question, codes, element);
  if (!judgement) return judgement.error();
  PrintLines(JudgedCodesText(question, *judgement));
  return judgement->kind == JudgedCodes::Kind::kDeviates ? ExitCode::kDeviation
                                                         : ExitCode::kPass;
}

// A backend that is asked, at one setting of its options.
struct AskedOne {
  std::unique_ptr<Backend> backend;
  std::string setting;  // "opt_level=basic"; empty if nothing is varied
};

Result<std::vector<AskedOne>> MakeBackends(const ExplainFlags& flags) {
  std::vector<AskedOne> made;
  for (const std::string& spec : flags.backends) {
    BackendFlags one = flags.backend;
    one.spec = spec;
    const auto settings = BackendSettings(one, flags.vary);
    if (!settings) return settings.error();
    for (const BackendSetting& setting : *settings) {
      auto backend = MakeBackend(setting.flags);
      if (!backend) return backend.error();
      made.push_back({*std::move(backend), setting.name});
    }
  }
  return made;
}

Result<ExitCode> PrintBackendAnswer(const Explained& question, const AskedOne& asked_one,
                                    std::optional<uint64_t> element) {
  Backend& backend = *asked_one.backend;
  const std::string who =
      NameAndDevice(backend.info().name, backend.info().device) +
      (asked_one.setting.empty() ? "" : " at " + OneLine(asked_one.setting));
  auto asked = RunModel(backend, question.fed());
  if (!asked) return asked.error();
  const RunResult result = Settled(question.answer(), *std::move(asked));
  const auto print = [&](const char* what, const std::string& why) {
    Print("\n%s:\n  %s: %s\n", who.c_str(), what, why.c_str());
  };
  if (const auto* unsupported = std::get_if<Unsupported>(&result)) {
    print("unsupported", unsupported->Words());
    return ExitCode::kNothingSupported;
  }
  if (const auto* refused = std::get_if<Refused>(&result)) {
    const auto oracle = question.content().Oracle();
    if (!oracle) return oracle.error();
    const auto open = (*oracle)->ReadingOfRefusal(question.content().inputs());
    if (!open) return open.error();
    print("refused as invalid", refused->reason);
    return open->has_value() ? ExitCode::kNothingSupported : ExitCode::kIncomplete;
  }
  if (const auto* error = std::get_if<BackendError>(&result)) {
    print("failed", error->text);
    return ExitCode::kDeviation;
  }
  const auto& outputs = std::get<Outputs>(result);
  const std::string wrong = WrongForm(question.answer(), outputs);
  if (!wrong.empty()) {
    print("invalid output", wrong);
    return ExitCode::kDeviation;
  }
  return PrintJudgement(question, who, CodesOf(outputs), element);
}

// Whether the subject is the id of a cell: that of a case has an opset_version.
bool IsCellId(const std::string& subject) {
  return subject.find('/') != std::string::npos &&
         subject.find('@') == std::string::npos && !IsStoredCase(subject);
}

void PrintRecord(const CellRecord& record) {
  const auto print = [](const std::string& line) {
    if (!line.empty()) Print("  %s\n", line.c_str());
  };
  print(VerdictSentence(record));
  print(record.reason);
  for (const std::string& sentence : DiagnosisSentences(record)) print(sentence);
  for (const Counterexample& example : record.counterexamples) {
    Print("\n");
    print(example.case_id);
    print(CounterexampleSentence(example));
    const std::string operands = OperandsSentence(example);
    print(operands.empty() ? "" : "of " + operands);
    for (const std::string& line : WorkedLines(example, WorkedModelName(record))) {
      print("  " + line);
    }
    print("rerun: " + example.replay);
  }
}

// Judges a cell on each backend, and explains its deviations without a budget.
ExitCode ExplainCell(const ExplainFlags& flags) {
  auto cells = SelectCells({flags.subject});
  if (!cells) return Fail(cells.error());
  if (flags.backends.empty()) {
    return Fail(
        Expected(flags.subject, "--backend too, whose deviations are explained", "none"));
  }
  VerdictCounts counts;
  for (const std::string& spec : flags.backends) {
    BackendFlags one = flags.backend;
    one.spec = spec;
    const bool is_graph = IsGraphFamily(cells->front().cell.op_type);
    const std::vector<std::string> vary =
        flags.vary.empty() ? DefaultAxes(one, is_graph) : flags.vary;
    const auto varied = MakeVariedBackend(one, vary, flags.seed, nullptr);
    if (!varied) return Fail(varied.error());
    const JudgedBackend& backend = varied->backends.back();
    const BackendInfo& info = backend.backend->info();
    RunRequest request{*cells, flags.level, flags.seed, 1,
                       varied->variations.back().replay};
    if (!vary.empty()) request.variations = varied->variations;
    request.other_threads = backend.other_threads.get();
    RunCells(
        *backend.backend, request,
        [&](const CellRecord& record) {
          counts.Add(record.verdict);
          Print("%s on %s:\n", record.cell.c_str(),
                NameAndDevice(info.name, info.device).c_str());
          PrintRecord(record);
        },
        std::atomic<bool>(false));
  }
  return ExitCodeFor(counts, NodeVerdictCounts(), {});
}

ExitCode Explain(const ExplainFlags& flags, const Command& explain) {
  if (const Status named = CheckBackendIsNamed(explain); !named) {
    return Fail(named.error());
  }
  if (IsCellId(flags.subject)) return ExplainCell(flags);
  const bool is_typed =
      flags.subject.find('/') == std::string::npos && !IsStoredCase(flags.subject);
  if (!is_typed && (flags.opset_version != 0 || !flags.settings.empty())) {
    return Fail(Expected(flags.subject, "the id of a case or a file without more words",
                         flags.settings.empty()
                             ? "--opset"
                             : "'" + flags.settings.front() + "' after it"));
  }
  auto fed = is_typed ? ParseQuestion(flags.subject, flags.opset_version, flags.settings)
                      : FindQuestion(flags.subject, flags.seed);
  if (!fed) return Fail(fed.error());
  if (!flags.emit.form.empty()) {
    return Emit(flags.emit, flags.subject + (is_typed ? " as typed" : ""), *fed);
  }
  const auto question = Explained::Create(*std::move(fed));
  if (!question) return Fail(question.error());
  const CaseAnswer& answer = question->answer();
  if (const Status checked = CheckElement(answer, flags.element); !checked) {
    return Fail(checked.error());
  }
  const auto backends = MakeBackends(flags);
  if (!backends) return Fail(backends.error());
  std::optional<std::vector<uint32_t>> actual;
  if (!flags.actual.empty()) {
    auto read = ReadActual(flags.actual, answer);
    if (!read) return Fail(read.error());
    actual = *std::move(read);
  }

  PrintLines(QuestionText(*question));
  if (!question->note().empty()) Print("note: %s\n", question->note().c_str());
  Print("\n");
  const auto text = AnswerText(*question, flags.element);
  if (!text) return Fail(text.error());
  PrintLines(*text);
  ExitCode code = ExitCode::kPass;
  const auto add = [&](const Result<ExitCode>& one) {
    if (!one) return Fail(one.error());
    // A deviation outranks an answer that is missing.
    if (code != ExitCode::kDeviation && *one != ExitCode::kPass) code = *one;
    return ExitCode::kPass;
  };
  if (actual) {
    const ExitCode failed =
        add(PrintJudgement(*question, "actual", *actual, flags.element));
    if (failed != ExitCode::kPass) return failed;
  }
  for (const AskedOne& asked : *backends) {
    const ExitCode failed = add(PrintBackendAnswer(*question, asked, flags.element));
    if (failed != ExitCode::kPass) return failed;
  }
  return code;
}

// Returns a question to the first operator, for the help: a tie and a zero point.
std::string ExampleQuestion() {
  const Operator* op = FindOperator(OperatorsInUse().front());
  std::string text(op->op_type());
  for (const OperandInfo& operand : op->operands()) {
    const bool rounds = operand.role == OperandRole::kData;
    const bool is_zero_point = operand.role == OperandRole::kZeroPoint;
    text += " " + std::string(operand.name) +
            (rounds          ? "=2.5"
             : is_zero_point ? "=1:UINT8"
                             : "=1");
  }
  return text;
}

}  // namespace

void AddExplainCommand(Command& program) {
  Command explain = program.AddCommand(
      "explain", "Work one question through: what is the right answer, and why");
  const auto flags = std::make_shared<ExplainFlags>();
  explain.Footer(
      "Exit codes: 0 every answer that was given is right or admissible; 1 one "
      "deviates;\n"
      "2 bad usage or input; 3 a backend refuses the model, which is legal, as invalid;\n"
      "4 a backend does not support the model, and none deviates.");
  explain.Example("qconform explain " + ExampleQuestion(),
                  "The answer step by step, and each reading that gives another");
  explain.Example("qconform explain CELL_ID --backend plugin:./mykernel.so",
                  "Why a cell deviates, if the run's budget left that out");
  explain.Example("qconform explain " + ExampleQuestion() + " --actual 4",
                  "Which wrong models give 4");
  explain
      .Add(
          "subject", flags->subject,
          "An operator, whose operands follow; or the id of a case, the file of a "
          "stored case (.json), or the folder of a node test; or the id of a cell, whose "
          "deviations on the backend are explained whatever that costs")
      .Required()
      .Type("OPERATOR|ID|FILE|FOLDER");
  explain
      .Add(
          "settings", flags->settings,
          "Operands and attributes by name: NAME=2.5, NAME=0x1.4p+1 for the same number, "
          "NAME=[1,2]:FLOAT16, NAME=0x7f:INT8 for a code; a type of FLOAT may be left "
          "out but for zero points")
      .Type("NAME=VALUE");
  explain
      .Add("--opset", flags->opset_version,
           "The opset_version of the model; default: the newest that is judged")
      .Between(1, 1000);
  explain.Add("--seed", flags->seed, "The seed of the run that named the case of an id")
      .ShowDefault();
  explain
      .Add("--element", flags->element,
           "The element that is worked through, in row-major order from 0")
      .Between(0, 1 << 30)
      .ShowDefault();
  Flag actual = explain.Add("--actual", flags->actual,
                            "An answer to judge; without a type, of the output's");
  actual.Type("VALUE");
  explain.Group("Backend");
  const Flag backend =
      explain
          .Add("--backend", flags->backends,
               "Ask this backend as well (repeatable); 'qconform list backends' lists "
               "them")
          .Type("KIND[:TARGET]");
  std::vector<Flag> of_backend = AddBackendOptionFlags(explain, flags->backend);
  explain.Group("Backend");
  of_backend.push_back(
      explain
          .Add("--vary", flags->vary,
               "Ask each backend at each of these values of an option (repeatable; all "
               "combinations)")
          .Type("KEY=VALUE,VALUE,..."));
  AddLevelFlag(explain, flags->level);
  explain.Group("A case to hand on");
  Flag emit = AddEmitFlags(explain, flags->emit);
  emit.Excludes(actual).Excludes(backend);
  for (const Flag& flag : of_backend) emit.Excludes(flag);
  explain.Does([flags, explain] { return Explain(*flags, explain); });
}

}  // namespace qconform
