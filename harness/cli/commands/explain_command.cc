// qconform explain: what the specification gives for operands that are typed, what else
// is admissible, and which wrong models give another answer.
#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/run_model.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/describe_run.h"
#include "harness/cli/commands/emit.h"
#include "harness/cli/commands/outputs_text.h"
#include "harness/cli/commands/question_text.h"
#include "harness/cli/print/print.h"
#include "harness/cli/vary/vary.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/core/bound_model.h"
#include "harness/core/operands.h"
#include "harness/core/operator_faults.h"
#include "harness/core/oracle_model.h"
#include "harness/core/value_text.h"
#include "harness/diagnosis/models_giving.h"
#include "harness/diagnosis/worked.h"
#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "oracle/base/expected.h"
#include "oracle/base/first_error.h"
#include "reports/record/evidence.h"
#include "reports/show/terminal_text.h"

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

// An operator, its operands and the oracle's answer.
struct Explained {
  FedModel fed;
  std::shared_ptr<ContentAnswers> content;
  int since_version = 0;

  const CaseAnswer& answer() const { return *content->canonical(); }
  AnsweredCase Answered(std::span<const uint32_t> codes) const {
    return {content, content->canonical(), codes};
  }
};

std::vector<uint32_t> CanonicalCodes(const CaseAnswer& answer) {
  return CodesOf(PackAnswer(answer));
}

void PrintQuestion(const Explained& question) {
  const Model& model = question.fed.model;
  Print("%s, opset_version %d (since_version %d)\n", model.node.op_type.c_str(),
        model.opset_version, question.since_version);
  size_t width = 0;
  for (const ValueInfo& input : model.inputs) width = std::max(width, input.name.size());
  for (const auto& [name, tensor] : model.initializers) {
    width = std::max(width, name.size());
  }
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const Tensor& tensor = question.fed.inputs[i];
    Print("  %-*s  %s%s  %s\n", static_cast<int>(width), model.inputs[i].name.c_str(),
          std::string(DataTypeName(tensor.type)).c_str(),
          ShapeToString(tensor.shape).c_str(), TensorText(tensor).c_str());
  }
  for (const auto& [name, tensor] : model.initializers) {
    Print("  %-*s  %s%s  %s  constant\n", static_cast<int>(width), name.c_str(),
          std::string(DataTypeName(tensor.type)).c_str(),
          ShapeToString(tensor.shape).c_str(), TensorText(tensor).c_str());
  }
  PrintLines(NodesText(model.node, "  "));
}

// Prints what each node of a graph gives.
Status PrintIntermediates(const FedModel& fed) {
  const Node& graph = fed.model.node;
  if (!graph.is_graph()) return Ok();
  const auto operands = ResolveOperands(fed.model, ViewsOf(fed.inputs));
  if (!operands) return operands.error();
  const auto values = IntermediatesOf(fed.model, *operands);
  if (!values) return values.error();
  Print("Node by node, by the canonical readings:\n");
  for (size_t n = 0; n < values->size(); ++n) {
    const Node& node = graph.body[n];
    const auto& outputs = (*values)[n];
    for (size_t i = 0; i < outputs.size() && i < node.outputs.size(); ++i) {
      Print("  %zu %s: %s  %s%s  %s\n", n + 1, node.op_type.c_str(),
            node.outputs[i].c_str(), std::string(DataTypeName(outputs[i].type)).c_str(),
            ShapeToString(outputs[i].shape).c_str(), TensorText(outputs[i]).c_str());
    }
  }
  return Ok();
}

void PrintOutputs(const char* indent, const CaseAnswer& answer,
                  std::span<const uint32_t> codes) {
  PrintLines(OutputsText(indent, answer, codes));
}

// Prints how an element comes about; in a second column by `model`, if that is not null.
void PrintSteps(const Explained& question, int64_t element, const GivingModel* model,
                std::span<const uint32_t> actual, FirstError& errors) {
  const std::vector<uint32_t> canonical = CanonicalCodes(question.answer());
  const bool has_actual = !actual.empty();
  WorkedModel worked;
  if (model != nullptr) worked = model->Worked();
  auto steps = errors.Keep(WorkThrough(
      question.Answered(has_actual ? actual : std::span<const uint32_t>(canonical)),
      question.since_version, element, worked));
  if (!steps) return;
  if (!has_actual && !steps->empty()) steps->back().actual.clear();
  Counterexample example;
  example.steps = *std::move(steps);
  const std::string column = model != nullptr ? std::string(model->fault->name)
                             : has_actual     ? "actual"
                                              : "";
  for (const std::string& line : WorkedLines(example, column)) {
    Print("    %s\n", line.c_str());
  }
}

// Returns " (QL-12: open)" if an open clause leaves the element free, or "".
Result<std::string> OpenClauseText(const Explained& question, size_t index) {
  const auto oracle = question.content->Oracle();
  if (!oracle) return oracle.error();
  const CaseAnswer& answer = question.answer();
  const auto free = (*oracle)->FreeInputOf(question.content->inputs(),
                                           answer.PlaceOf(index), answer.elements[index]);
  if (!free) return free.error();
  return *free ? " (" + (*free)->clause + ": open)" : std::string();
}

// Prints which elements may have other codes than the canonical one without a reading.
// Returns whether there is one.
Result<bool> PrintFreedoms(const Explained& question) {
  const CaseAnswer& answer = question.answer();
  size_t count = 0;
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    const ElementAnswer& element = answer.elements[i];
    const std::string may =
        element.freedom == Freedom::kAnyCode ? "have any code"
        : element.freedom == Freedom::kSameCode
            ? "have the code of " + answer.NameOf(*answer.same_code_as)
        : element.freedom == Freedom::kAnyNan ? "be any NaN"
        : element.freedom == Freedom::kOneOf
            ? "have one of " + std::to_string(answer.one_of.at(i).size()) + " codes"
        : element.zero_sign_is_free ? "be a zero of either sign"
                                    : "";
    if (may.empty() || ++count > kMostShown) continue;
    const auto clause = OpenClauseText(question, i);
    if (!clause) return clause.error();
    Print("  %s may %s%s\n", answer.NameOf(i).c_str(), may.c_str(), clause->c_str());
  }
  if (count > kMostShown) Print("  and %zu more\n", count - kMostShown);
  return count != 0;
}

// Prints the readings that give other codes than the canonical one, each different answer
// once, by the first combination that gives it.
Status PrintOtherReadings(const Explained& question) {
  const auto sets = question.content->Readings();
  if (!sets) return sets.error();
  const CaseAnswer& answer = question.answer();
  std::map<std::vector<uint32_t>, std::string> seen;
  std::vector<std::pair<std::string, std::vector<uint32_t>>> others;
  std::vector<std::string> bounds;
  seen.emplace(CanonicalCodes(answer), "");
  for (const ReadingSet& set : *sets) {
    if (set.is_canonical()) continue;
    const auto by = question.content->AnswerBy(set);
    if (!by) return by.error();
    if (set.is_bounded()) {
      if ((*by)->HavingOtherCodes().any()) bounds.push_back(Spell(set));
      continue;
    }
    std::vector<uint32_t> codes;
    for (size_t i = 0; i < answer.elements.size(); ++i)
      codes.push_back((*by)->At(i).code);
    if (seen.emplace(codes, Spell(set)).second) others.emplace_back(Spell(set), codes);
  }
  const auto free = PrintFreedoms(question);
  if (!free) return free.error();
  if (others.empty() && bounds.empty()) {
    if (!*free) {
      Print("No admissible reading of an open clause gives other bits.\n");
    }
    return Ok();
  }
  if (!others.empty()) Print("Admissible too, by readings of open clauses:\n");
  for (size_t i = 0; i < others.size() && i < kMostShown; ++i) {
    Print("  %s\n", others[i].first.c_str());
    PrintOutputs("    ", answer, others[i].second);
  }
  if (others.size() > kMostShown) {
    Print("  and %zu more\n", others.size() - kMostShown);
  }
  for (const std::string& bound : bounds) {
    Print("Admissible too: whatever lies within the bound %s\n", bound.c_str());
  }
  return Ok();
}

// Prints what an answer is by the specification, and which wrong models give it. Works
// through `element`, or else through the first one that differs. Returns the exit code.
Result<ExitCode> PrintJudgement(const Explained& question, const std::string& who,
                                const std::vector<uint32_t>& codes,
                                std::optional<uint64_t> element) {
  const CaseAnswer& answer = question.answer();
  const AnsweredCase answered = question.Answered(codes);
  Print("\n%s:\n", who.c_str());
  PrintOutputs("  ", answer, codes);
  const Comparison comparison = Compare(answer, codes, 1);
  if (comparison.mismatches() == 0) {
    Print("  right\n");
    return ExitCode::kPass;
  }
  const auto explanations = ExplainByReadings({&answered, 1});
  if (!explanations) return explanations.error();
  bool explained = true;
  std::string names;
  const TierFlags& tiers = question.content->tiers();
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (!tiers[tier]) continue;
    const auto& found = (*explanations)[tier];
    explained = explained && found.has_value();
    if (!found || found->is_canonical()) continue;
    names += (names.empty() ? "" : ", ") + found->Name();
  }
  if (explained) {
    Print("  admissible: %s\n", names.c_str());
    return ExitCode::kPass;
  }
  Print("  deviates: no admissible reading gives these bits\n");
  const auto models = ModelsGiving(answered, question.since_version);
  if (!models) return models.error();
  FirstError errors;
  const int64_t shown =
      element ? static_cast<int64_t>(*element) : comparison.first.front().index;
  if (answer.elements.size() > 1) {
    Print("  %s:\n", answer.NameOf(static_cast<size_t>(shown)).c_str());
  }
  PrintSteps(question, shown, models->empty() ? nullptr : &models->front(), codes,
             errors);
  if (errors.error()) return *errors.error();
  if (models->empty()) {
    const bool has_models =
        FindOperatorFaults(question.fed.model.node.op_type) != nullptr;
    Print("  %s\n", has_models ? "No named wrong model gives it."
                               : "No wrong graphs are known for a graph of no family.");
    return ExitCode::kDeviation;
  }
  Print("  Named wrong models that give it:\n");
  PrintLines(ModelsText("    ", *models));
  return ExitCode::kDeviation;
}

// Returns the codes of a typed answer, which has the form of the first output.
Result<std::vector<uint32_t>> ParseActual(const std::string& text,
                                          const CaseAnswer& answer) {
  const OutputForm& form = answer.outputs.front();
  if (answer.outputs.size() != 1) {
    return Expected("--actual", "an operator with one output",
                    "one with " + std::to_string(answer.outputs.size()));
  }
  const auto tensor = ParseTensorText(text, form.type, "--actual");
  if (!tensor) return tensor.error();
  if (tensor->type != form.type || tensor->shape != form.shape) {
    return Expected(
        "--actual",
        std::string(DataTypeName(form.type)) + ShapeToString(form.shape) + " as " +
            form.name,
        std::string(DataTypeName(tensor->type)) + ShapeToString(tensor->shape));
  }
  return CodesOf(std::span(&*tensor, 1));
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
  auto asked = RunModel(backend, question.fed);
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
    const auto oracle = question.content->Oracle();
    if (!oracle) return oracle.error();
    const auto open = (*oracle)->ReadingOfRefusal(question.content->inputs());
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
  Explained question{.fed = *std::move(fed), .content = nullptr};
  auto content = ContentAnswers::Create(question.fed.model, ViewsOf(question.fed.inputs));
  if (!content) return Fail(content.error());
  question.content = *std::move(content);
  const auto oracle = question.content->Oracle();
  if (!oracle) return Fail(oracle.error());
  question.since_version = (*oracle)->since_version();
  const CaseAnswer& answer = question.answer();
  const size_t count = answer.elements.size();
  if (count != 0 && flags.element.value_or(0) >= count) {
    return Fail(Expected("--element", "an element below " + std::to_string(count),
                         std::to_string(*flags.element)));
  }
  const auto backends = MakeBackends(flags);
  if (!backends) return Fail(backends.error());
  std::optional<std::vector<uint32_t>> actual;
  if (!flags.actual.empty()) {
    auto parsed = ParseActual(flags.actual, answer);
    if (!parsed) return Fail(parsed.error());
    actual = *std::move(parsed);
  }

  PrintQuestion(question);
  if (!(*oracle)->note().empty()) Print("note: %s\n", (*oracle)->note().c_str());
  Print("\n");
  if (const Status printed = PrintIntermediates(question.fed); !printed) {
    return Fail(printed.error());
  }
  PrintOutputs("", answer, CanonicalCodes(answer));
  FirstError errors;
  if (count != 0) {
    const size_t first = flags.element.value_or(0);
    if (count > 1) {
      Print("  %s:\n", answer.NameOf(first).c_str());
    }
    PrintSteps(question, static_cast<int64_t>(first), nullptr, {}, errors);
  }
  if (errors.error()) return Fail(*errors.error());
  if (const Status printed = PrintOtherReadings(question); !printed) {
    return Fail(printed.error());
  }
  ExitCode code = ExitCode::kPass;
  const auto add = [&](const Result<ExitCode>& one) {
    if (!one) return Fail(one.error());
    // A deviation outranks an answer that is missing.
    if (code != ExitCode::kDeviation && *one != ExitCode::kPass) code = *one;
    return ExitCode::kPass;
  };
  if (actual) {
    const ExitCode failed =
        add(PrintJudgement(question, "actual", *actual, flags.element));
    if (failed != ExitCode::kPass) return failed;
  }
  for (const AskedOne& asked : *backends) {
    const ExitCode failed = add(PrintBackendAnswer(question, asked, flags.element));
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
