#include "harness/runner/ask/dynamic_shapes.h"

#include <utility>
#include <variant>

#include "harness/backends/run_model.h"
#include "harness/compare/compare.h"
#include "harness/core/named_dimensions.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/shrink/shrink_cuts.h"

namespace qconform {
namespace {

// Whether a backend does not take such a model. A failure counts as declining: many
// backends are made for fixed sizes and say so by an exception.
template <typename T>
bool Declines(const T& result) {
  const auto* error = std::get_if<BackendError>(&result);
  return std::holds_alternative<Unsupported>(result) ||
         std::holds_alternative<Refused>(result) ||
         (error != nullptr && error->kind == BackendError::Kind::kFailed);
}

DynamicShapes FailedWith(CaseFailure failure) {
  const bool died =
      failure.verdict == Verdict::kCrashed || failure.verdict == Verdict::kTimedOut;
  return {.kind = died ? DynamicShapes::Kind::kCrashed : DynamicShapes::Kind::kFailed,
          .failure = std::move(failure)};
}

// Inputs with the answer of the model with fixed sizes.
struct Sized {
  std::shared_ptr<ContentAnswers> asked;
  std::span<const uint32_t> right;
  const char* changed;  // kChanged...
  std::string how;
};

constexpr const char* kNamed = "a prepared model with named dimensions, run on ";

// Runs the model with named dimensions on each of them in turn.
Result<DynamicShapes> RunAll(Backend& backend, const Model& named,
                             const std::vector<const Sized*>& turns) {
  const auto prepared = PrepareModel(backend, named);
  if (!prepared) return prepared.error();
  if (Declines(*prepared)) return DynamicShapes{.kind = DynamicShapes::Kind::kDeclined};
  if (const auto* error = std::get_if<BackendError>(&*prepared)) {
    return FailedWith(WhenAskedAgain({VerdictOf(error->kind), error->text},
                                     kChangedNamedDimensions, ", with named dimensions"));
  }
  PreparedModel& once = *std::get<std::unique_ptr<PreparedModel>>(*prepared);
  for (const Sized* turn : turns) {
    auto result = RunPrepared(once, turn->asked->inputs());
    if (!result) return result.error();
    if (turn == turns.front() && Declines(*result)) {
      return DynamicShapes{.kind = DynamicShapes::Kind::kDeclined};
    }
    auto failure =
        JudgeAgain(*std::move(result), turn->asked, turn->right, turn->changed,
                   kNamed + turn->how + ", does not answer as one with fixed sizes");
    if (!failure) return failure.error();
    if (*failure) return FailedWith(**std::move(failure));
  }
  return DynamicShapes{.kind = DynamicShapes::Kind::kAnswered};
}

}  // namespace

Result<std::optional<FedModel>> HalfWithSameConstants(const FedModel& whole) {
  auto halves = Halves(whole);
  if (!halves) return halves.error();
  for (FedModel& half : *halves) {
    if (half.model.initializers == whole.model.initializers) {
      return std::optional(std::move(half));
    }
  }
  return std::optional<FedModel>();
}

Result<DynamicShapes> AskWithNamedDimensions(
    Backend& backend, const Model& model, const std::vector<Tensor>& inputs,
    const std::shared_ptr<const CaseAnswer>& expected, std::span<const uint32_t> codes) {
  const auto with_names = WithNamedDimensions(model);
  if (!with_names) return with_names.error();
  const std::optional<Model>& named = *with_names;
  if (!named) return DynamicShapes{};
  const Sized whole{ContentAnswers::Create(model, ViewsOf(inputs), expected), codes,
                    kChangedNamedDimensions, "all of the case's inputs"};
  const auto cut = HalfWithSameConstants({model, inputs});
  if (!cut) return cut.error();
  const std::optional<FedModel>& half = *cut;
  if (!half) return RunAll(backend, *named, {&whole});
  const auto content = ContentAnswers::Create(half->model, ViewsOf(half->inputs));
  if (!content) return content.error();
  const CaseAnswer& answer = *(*content)->canonical();
  auto run = RunModel(backend, *half);
  if (!run) return run.error();
  const RunResult fixed = Settled(answer, *std::move(run));
  if (auto failure = FormFailure(fixed, answer)) {
    // Of a model with fixed sizes.
    return DynamicShapes{
        .failure = WhenAskedAgain(*std::move(failure), kChangedSize, ", half of it")};
  }
  const auto* right = std::get_if<Outputs>(&fixed);
  if (right == nullptr) return RunAll(backend, *named, {&whole});
  const std::vector<uint32_t> of_half = CodesOf(*right);
  const Sized part{*content, of_half, kChangedSize, "half of the case's inputs"};
  return RunAll(backend, *named, {&part, &whole, &part});
}

}  // namespace qconform
