#include "harness/backends/run_model.h"

#include <memory>
#include <utility>
#include <variant>

namespace qconform {
namespace {

// RunResult or PrepareResult.
template <typename Answer>
Result<Answer> OfBackend(Answer answer) {
  const auto* error = std::get_if<BackendError>(&answer);
  if (error != nullptr && error->kind == BackendError::Kind::kHarness) {
    return Error{error->text};
  }
  return answer;
}

}  // namespace

Result<PrepareResult> PrepareModel(Backend& backend, const Model& model) {
  return OfBackend(backend.Prepare(model));
}

Result<RunResult> RunPrepared(PreparedModel& prepared,
                              std::span<const TensorView> inputs) {
  return OfBackend(prepared.Run(inputs));
}

Result<RunResult> RunModel(Backend& backend, const Model& model,
                           std::span<const TensorView> inputs) {
  auto prepared = PrepareModel(backend, model);
  if (!prepared) return prepared.error();
  if (auto instead = AnswerInstead<RunResult>(*prepared)) return *std::move(instead);
  return RunPrepared(*std::get<std::unique_ptr<PreparedModel>>(*prepared), inputs);
}

Result<RunResult> RunModel(Backend& backend, const FedModel& fed) {
  return RunModel(backend, fed.model, ViewsOf(fed.inputs));
}

Result<std::optional<RunResult>> RunModelAlone(Backend& backend, const FedModel& fed) {
  auto alone = backend.RunAlone(fed.model, ViewsOf(fed.inputs));
  if (!alone) return std::optional<RunResult>();
  auto result = OfBackend(*std::move(alone));
  if (!result) return result.error();
  return std::optional<RunResult>(*std::move(result));
}

}  // namespace qconform
