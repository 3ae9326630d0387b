#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cases/core/case.h"
#include "cases/corpus/stored_case.h"
#include "cases/model/serialize.h"
#include "harness/backends/run_model.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/describe_run.h"
#include "harness/cli/commands/emit.h"
#include "harness/cli/commands/question_text.h"
#include "harness/cli/paths.h"
#include "harness/cli/print/print.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/core/oracle_model.h"
#include "harness/core/value_text.h"
#include "harness/diagnosis/models_giving.h"
#include "harness/diagnosis/worked.h"
#include "harness/explain/outputs_text.h"
#include "harness/runner/ask/dynamic_shapes.h"
#include "harness/runner/ask/prepared_state.h"
#include "harness/runner/ask/repeats.h"
#include "harness/runner/judge/cell_evidence.h"
#include "harness/runner/runner.h"
#include "harness/runner/shrink/shrink.h"
#include "harness/runner/suites/negative_runner.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/first_error.h"
#include "oracle/formats/codes.h"
#include "reports/record/evidence.h"
#include "reports/record/record.h"
#include "reports/record/verdict.h"
#include "reports/report/report.h"

namespace qconform {
namespace {

struct ReplayFlags {
  std::string id;
  BackendFlags backend;
  uint64_t seed = 1;
  int most = kWeighedPerCase;  // as many as a report may name
  EmitFlags emit;
  std::string shrink;  // file for the shrunk case; empty: not asked for
};

// Returns whether this is "OPERATOR@OPSET_VERSION/NAME"; case ids have more parts.
bool IsNegativeId(const std::string& text) {
  return !IsStoredCase(text) && std::ranges::count(text, '/') == 1 &&
         text.find('@') < text.find('/');
}

// `name`: a case id, or the path of a file.
void PrintQuestion(const char* noun, const std::string& name, const FedModel& question) {
  const Node& node = question.model.node;
  Print("%s %s\n%s, opset_version %d\n", noun, name.c_str(), node.op_type.c_str(),
        question.model.opset_version);
  PrintLines(NodesText(node, "  "));
  for (size_t i = 0; i < question.model.inputs.size(); ++i) {
    const ValueInfo& input = question.model.inputs[i];
    Print("  %s: %s%s, fed\n", input.name.c_str(),
          std::string(DataTypeName(input.type)).c_str(),
          ShapeToString(input.shape).c_str());
  }
  for (const Initializer& initializer : question.model.initializers) {
    Print("  %s: %s%s, initializer\n", initializer.name.c_str(),
          std::string(DataTypeName(initializer.tensor.type)).c_str(),
          ShapeToString(initializer.tensor.shape).c_str());
  }
}

void PrintMismatch(const OracleModel& oracle, const std::vector<TensorView>& inputs,
                   const CaseAnswer& answer, const Mismatch& mismatch,
                   FirstError& errors) {
  const ElementPlace place = answer.PlaceOf(static_cast<size_t>(mismatch.index));
  const OutputForm& output = answer.outputs[place.output];
  Print("  %s%s: expected %s  actual %s  (%s)\n", output.name.c_str(),
        ShapeToString(Unravel(output.shape, place.index)).c_str(),
        ShownValue(ShownValue(output.type, mismatch.expected.code)).c_str(),
        ShownValue(ShownValue(output.type, mismatch.actual)).c_str(),
        std::string(TierName(mismatch.expected.tier)).c_str());
  const auto operands = errors.Keep(oracle.OperandsOfElement(inputs, place));
  if (!operands) return;
  Print("     ");
  for (const ElementOperand& operand : *operands) {
    Print(" %s=%s", operand.name.c_str(),
          ShownValue(ShownValue(operand.type, operand.code)).c_str());
  }
  Print("\n");
}

// Prints the arithmetic of one element step by step, by a wrong model if that is not
// null, and the backend's answer.
void PrintSteps(const OracleModel& oracle, const AnsweredCase& answered, int64_t index,
                const GivingModel* model, FirstError& errors) {
  auto steps =
      errors.Keep(WorkThrough(answered, oracle.since_version(), index,
                              model == nullptr ? WorkedModel{} : model->Worked()));
  if (!steps) return;
  Counterexample example;
  example.steps = *std::move(steps);
  const std::string who = model == nullptr ? "backend" : std::string(model->fault->name);
  for (const std::string& line : WorkedLines(example, who)) {
    Print("      %s\n", line.c_str());
  }
}

// Returns the mismatches in the order of reports: the first ones of each tier, with the
// simplest operands first.
std::vector<Mismatch> AsReportsShow(const OracleModel& oracle,
                                    const std::vector<TensorView>& inputs,
                                    const CaseAnswer& answer,
                                    const std::vector<Mismatch>& mismatches,
                                    FirstError& errors) {
  struct Weighed {
    Mismatch mismatch;
    int64_t complexity = 0;
  };
  std::vector<Weighed> weighed;
  std::array<size_t, kTierCount> of_tier{};
  for (const Mismatch& mismatch : mismatches) {
    Weighed one{mismatch, std::numeric_limits<int64_t>::max()};
    if (of_tier[static_cast<size_t>(mismatch.expected.tier)]++ < kWeighedPerCase) {
      const auto operands = errors.Keep(oracle.OperandsOfElement(
          inputs, answer.PlaceOf(static_cast<size_t>(mismatch.index))));
      one.complexity = operands ? ComplexityOf(oracle.op(), *operands) : 0;
    }
    weighed.push_back(std::move(one));
  }
  std::stable_sort(
      weighed.begin(), weighed.end(),
      [](const Weighed& a, const Weighed& b) { return a.complexity < b.complexity; });
  std::vector<Mismatch> ordered;
  ordered.reserve(weighed.size());
  for (const Weighed& one : weighed) ordered.push_back(one.mismatch);
  return ordered;
}

// Prints the comparison and returns the exit code.
ExitCode PrintComparison(const OracleModel& oracle,
                         const std::shared_ptr<ContentAnswers>& content,
                         const Outputs& outputs, int most) {
  const std::vector<TensorView>& inputs = content->inputs();
  const std::shared_ptr<const CaseAnswer>& answer = content->canonical();
  const Comparison comparison =
      Compare(*answer, outputs, static_cast<int>(answer->elements.size()));
  if (!comparison.invalid_output.empty()) {
    Print("invalid_output: %s\n", comparison.invalid_output.c_str());
    return ExitCode::kDeviation;
  }
  const int64_t mismatches = comparison.mismatches();
  Print("%lld of %zu elements differ from the canonical answer%s\n",
        static_cast<long long>(mismatches), answer->elements.size(),
        mismatches > 1 ? "; those with the simplest operands first" : "");
  const std::vector<uint32_t> codes = CodesOf(outputs);
  const AnsweredCase answered{content, answer, codes};
  FirstError errors;
  bool explained = true;
  const auto explanations = errors.Keep(ExplainByReadings({&answered, 1}));
  if (!explanations) return Fail(*errors.error(), ExitCode::kIncomplete);
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    explained = explained && (comparison.tiers[tier].mismatches == 0 ||
                              (*explanations)[tier].has_value());
  }
  std::vector<GivingModel> models;
  if (!explained) {
    models = errors.Keep(ModelsGiving(answered, oracle.since_version())).value_or(models);
  }
  int printed = 0;
  for (const Mismatch& mismatch :
       AsReportsShow(oracle, inputs, *answer, comparison.first, errors)) {
    if (printed++ == most) break;
    PrintMismatch(oracle, inputs, *answer, mismatch, errors);
    if (printed == 1) {
      PrintSteps(oracle, answered, mismatch.index,
                 models.empty() ? nullptr : &models.front(), errors);
    }
  }
  if (mismatches > most) {
    Print("  and %lld more (--most)\n", static_cast<long long>(mismatches - most));
  }
  if (mismatches == 0) {
    const size_t shown = std::max(static_cast<size_t>(most), kMostShown);
    PrintLines(OutputsText("  ", *answer, codes, shown));
    Print("conformant\n");
    return ExitCode::kPass;
  }
  if (errors.error()) return Fail(*errors.error(), ExitCode::kIncomplete);
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (comparison.tiers[tier].mismatches == 0) continue;
    const auto& found = (*explanations)[tier];
    Print(
        "%s in tier %s: %s\n", found ? "admissible" : "nonconformant",
        std::string(TierName(static_cast<Tier>(tier))).c_str(),
        found ? found->Name().c_str() : "no combination of readings explains these bits");
  }
  if (explained) return ExitCode::kPass;
  if (models.empty()) {
    Print("No named wrong model gives these bits by itself.\n");
  } else {
    Print("%s\n", models.size() == 1
                      ? "A named wrong model gives these bits:"
                      : "Named wrong models that give these bits; this case does not "
                        "distinguish them:");
    PrintLines(ModelsText("  ", models));
  }
  return ExitCode::kDeviation;
}

// Writes the smallest case found that still deviates. Passes if that succeeds, or if
// nothing deviates.
ExitCode ShrinkInto(const ReplayFlags& flags, const FedModel& question,
                    Backend& backend) {
  const StoredCase whole{question, "shrunk from " + flags.id};
  const StillDeviates deviates = DeviatesOn(backend);
  const auto deviating = deviates(whole);
  if (!deviating) return Fail(deviating.error(), ExitCode::kIncomplete);
  if (!*deviating) {
    Print("nothing to shrink: no element deviates\n");
    return ExitCode::kPass;
  }
  const Shrunk small = Shrink(whole, deviates);
  const Status written = WriteFileAtomically(flags.shrink, StoredCaseText(small.stored));
  if (!written) return Fail(written.error());
  Print("wrote the shrunk case to %s; replay that file to see it\n",
        flags.shrink.c_str());
  if (small.error) {
    return Fail({"--shrink ended early, but wrote what it had: " + small.error->message},
                ExitCode::kIncomplete);
  }
  return ExitCode::kPass;
}

// Asks what a run asks a case that passes: whether the bits depend on where elements lie,
// on what the prepared model ran before, or on whether its dimensions have names. Prints
// what is wrong. Only the elements of a case of the list are moved.
ExitCode PrintFurther(const FedModel& question, bool is_stored,
                      const std::shared_ptr<const CaseAnswer>& answer,
                      const Outputs& outputs, Backend& backend) {
  const std::vector<uint32_t> codes = CodesOf(outputs);
  FailureResult found = kNoFailure;
  const auto turning =
      is_stored ? Result(std::optional<Dimension>()) : FindTurning(question.model);
  if (!turning) return Fail(turning.error(), ExitCode::kIncomplete);
  if (*turning) {
    const FedModel moved = TurnedByOne(question, **turning);
    auto there = RunModel(backend, moved);
    if (!there) return Fail(there.error(), ExitCode::kIncomplete);
    found =
        JudgeMoved(moved, SourcesOf(question.model, **turning), codes, *std::move(there));
  }
  if (found && !*found) {
    found = FindKeptState(backend, question.model, question.inputs, answer, codes);
  }
  if (!found) return Fail(found.error(), ExitCode::kIncomplete);
  if (!*found) {
    auto dynamic =
        AskWithNamedDimensions(backend, question.model, question.inputs, answer, codes);
    if (!dynamic) return Fail(dynamic.error(), ExitCode::kIncomplete);
    found = std::move(dynamic->failure);
  }
  if (!*found) return ExitCode::kPass;
  Print("%s: %s\n", std::string(VerdictName((*found)->verdict)).c_str(),
        (*found)->text.c_str());
  return ExitCode::kDeviation;
}

void PrintBackend(const Backend& backend) {
  const BackendInfo& info = backend.info();
  Print("backend %s\n", NameAndDevice(info.name, info.device).c_str());
}

// Prints the result of one negative model and returns the exit code of a run of only it.
ExitCode ReplayNegative(const ReplayFlags& flags) {
  if (!flags.emit.form.empty() || !flags.shrink.empty()) {
    return Fail(Expected(flags.emit.form.empty() ? "--shrink" : "--emit", "a case",
                         "the negative model " + flags.id));
  }
  const std::vector<NegativeModel> models = JudgedNegativeModels();
  const auto model = std::ranges::find(models, flags.id, &NegativeModel::id);
  if (model == models.end()) {
    return Fail(
        Expected("case", "the id of a negative model", "'" + flags.id + "'",
                 "the report of 'qconform run --no-cells --negative' lists them"));
  }
  auto backend = MakeBackend(flags.backend);
  if (!backend) return Fail(backend.error());
  PrintQuestion("negative model", model->id, model->question);
  Print("%s, clause %s: %s\n", std::string(ModelKindName(model->kind)).c_str(),
        model->clause.c_str(), model->sentence.c_str());
  PrintBackend(**backend);
  Report report;
  report.complete = true;
  report.negative = {RunNegativeModel(**backend, *model)};
  const NegativeRecord& record = report.negative.front();
  Print("%s%s%s\n", std::string(NegativeResultName(record.result)).c_str(),
        record.text.empty() ? "" : ": ", record.text.c_str());
  return ExitCodeFor(report, /*allow_unsupported=*/false);
}

ExitCode Replay(const ReplayFlags& flags) {
  const Status paths = CheckPaths(
      {{"the case that is read", flags.id, false}, {"--shrink", flags.shrink}});
  if (!paths) return Fail(paths.error());
  if (IsNegativeId(flags.id)) return ReplayNegative(flags);
  const auto question = FindQuestion(flags.id, flags.seed);
  if (!question) return Fail(question.error());
  if (!flags.emit.form.empty()) return Emit(flags.emit, flags.id, *question);
  auto backend = MakeBackend(flags.backend);
  if (!backend) return Fail(backend.error());
  const auto content = ContentAnswers::Create(question->model, ViewsOf(question->inputs));
  if (!content) return Fail(content.error());
  const auto oracle = (*content)->Oracle();
  if (!oracle) return Fail(oracle.error());
  const std::shared_ptr<const CaseAnswer>& answer = (*content)->canonical();

  PrintQuestion("case", flags.id, *question);
  if (!(*oracle)->note().empty()) Print("note: %s\n", (*oracle)->note().c_str());
  PrintBackend(**backend);
  if (!flags.shrink.empty()) {
    const ExitCode shrunk = ShrinkInto(flags, *question, **backend);
    if (shrunk != ExitCode::kPass) return shrunk;
  }
  auto asked = RunModel(**backend, *question);
  if (!asked) return Fail(asked.error(), ExitCode::kIncomplete);
  const RunResult result = Settled(*answer, *std::move(asked));
  if (const auto* unsupported = std::get_if<Unsupported>(&result)) {
    Print("unsupported: %s\n", unsupported->Words().c_str());
    return ExitCode::kNothingSupported;
  }
  if (const auto* refused = std::get_if<Refused>(&result)) {
    const auto open = (*oracle)->ReadingOfRefusal(ViewsOf(question->inputs));
    if (!open) return Fail(open.error());
    Print("%s: %s\n", open->has_value() ? "unsupported" : "refused_legal",
          RefusedWords(*refused).c_str());
    return open->has_value() ? ExitCode::kNothingSupported : ExitCode::kIncomplete;
  }
  if (const auto* error = std::get_if<BackendError>(&result)) {
    Print("failed: %s\n", error->text.c_str());
    return ExitCode::kDeviation;
  }
  const auto& outputs = std::get<Outputs>(result);
  const ExitCode code = PrintComparison(**oracle, *content, outputs, flags.most);
  if (code != ExitCode::kPass) return code;
  return PrintFurther(*question, IsStoredCase(flags.id), answer, outputs, **backend);
}

}  // namespace

void AddReplayCommand(Command& program) {
  Command replay = program.AddCommand(
      "replay", "Rerun one case on a backend and show each element that differs");
  const auto flags = std::make_shared<ReplayFlags>();
  replay
      .Add(
          "case", flags->id,
          "A case id from a report or 'list cases', the id of a negative model, the "
          "file of a stored case (.json), or the folder of a node test, whose first data "
          "set is asked; -: a stored case from stdin")
      .Required()
      .Reads("ID|FILE");
  replay.Example("qconform replay CASE_ID --backend onnxruntime",
                 "Ask again, and show each element that differs, worked through");
  replay.Example("qconform replay CASE_ID --backend oracle", "Print the right answers");
  replay.Example("qconform replay CASE_ID --emit python -o case.py",
                 "A script with onnx and onnxruntime, for an issue");
  const std::vector<Flag> of_backend = AddBackendFlags(replay, flags->backend);
  replay.Group("How it is shown");
  replay.Add("--seed", flags->seed, "The seed of the run that named the case")
      .ShowDefault();
  replay.Add("--most", flags->most, "Differing elements to print")
      .Between(0, 1000000)
      .ShowDefault();
  Flag shrink = replay.Add("--shrink", flags->shrink,
                           "Also write the smallest case found that still deviates");
  shrink.Writes();
  replay.Group("A case to hand on");
  Flag emit = AddEmitFlags(replay, flags->emit);
  emit.Excludes(shrink);
  for (const Flag& flag : of_backend) emit.Excludes(flag);
  replay.Does([flags] { return Replay(*flags); });
}

}  // namespace qconform
