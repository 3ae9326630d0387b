#include "harness/cli/commands/page_models.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cases/core/case.h"
#include "cases/model/serialize.h"
#include "harness/certificate/base64.h"
#include "harness/compare/cell_answers.h"
#include "harness/core/value_text.h"
#include "harness/runner/suite.h"
#include "reports/record/verdict.h"

namespace qconform {
namespace {

// In base64. A page of a whole run has some megabytes without models.
constexpr size_t kMostBytesOfAModel = 100'000;
constexpr size_t kMostBytes = 500'000;

// Returns the index of an element in `answer`, or nothing if it has no such element.
std::optional<size_t> ElementOf(const Counterexample& example, const CaseAnswer& answer) {
  for (size_t i = 0; i < answer.outputs.size(); ++i) {
    const OutputForm& output = answer.outputs[i];
    if (!example.output.empty() && output.name != example.output) continue;
    if (example.index->size() != output.shape.size()) return std::nullopt;
    int64_t index = 0;
    for (size_t axis = 0; axis < output.shape.size(); ++axis) {
      const int64_t at = (*example.index)[axis];
      if (at < 0 || at >= output.shape[axis]) return std::nullopt;
      index = index * output.shape[axis] + at;
    }
    return output.first + static_cast<size_t>(index);
  }
  return std::nullopt;
}

// Whether the element of the counterexample has the same operands in this case. Other
// versions of the suite may have other cases of the same id.
bool IsCaseOf(const Counterexample& example, const FedModel& fed) {
  if (!example.index) return false;
  const auto content = ContentAnswers::Create(fed.model, ViewsOf(fed.inputs));
  if (!content) return false;
  const auto oracle = (*content)->Oracle();
  if (!oracle) return false;
  const CaseAnswer& answer = *(*content)->canonical();
  const std::optional<size_t> element = ElementOf(example, answer);
  if (!element) return false;
  const auto operands =
      (*oracle)->OperandsOfElement((*content)->inputs(), answer.PlaceOf(*element));
  return operands && ShownOperands(*operands) == example.operands;
}

// Returns the model, or nothing if there is no such case now.
std::optional<std::string> ModelOf(const Counterexample& example,
                                   const SuiteRecord& suite) {
  const auto key = ParseCaseId(example.case_id);
  if (!key) return std::nullopt;
  auto made = MakeCase(*key, suite.seed);
  if (!made) return std::nullopt;
  FedModel fed = *std::move(made);
  if (suite.digest != SuiteDigest() && !IsCaseOf(example, fed)) return std::nullopt;
  for (size_t i = 0; i < fed.inputs.size(); ++i) {
    fed.model.initializers.push_back(
        {fed.model.inputs[i].name, std::move(fed.inputs[i])});
  }
  return Base64(SerializeModel(fed.model));
}

}  // namespace

std::map<std::string, std::string> PageModels(const Report& report) {
  std::map<std::string, std::string> models;
  size_t bytes = 0;
  const auto add = [&](const Counterexample& example) {
    if (bytes >= kMostBytes || models.contains(example.case_id)) return;
    std::optional<std::string> model = ModelOf(example, report.run.suite);
    if (!model || model->size() > kMostBytesOfAModel) return;
    bytes += model->size();
    models.emplace(example.case_id, *std::move(model));
  };
  for (const FindingRecord& finding : report.findings) {
    if (finding.example) add(*finding.example);
  }
  for (const CellRecord& cell : report.cells) {
    if (IsDeviation(cell.verdict) && !cell.counterexamples.empty()) {
      add(cell.counterexamples.front());
    }
  }
  return models;
}

}  // namespace qconform
