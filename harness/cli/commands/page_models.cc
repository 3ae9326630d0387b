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

// Whether the element of the counterexample has the same operands in this case. Other
// versions of the suite may have other cases of the same id.
bool IsCaseOf(const Counterexample& example, const FedModel& fed) {
  if (!example.index) return false;
  const auto content = ContentAnswers::Create(fed.model, ViewsOf(fed.inputs));
  if (!content) return false;
  const auto oracle = (*content)->Oracle();
  if (!oracle) return false;
  const CaseAnswer& answer = *(*content)->canonical();
  const std::optional<size_t> element = answer.ElementAt(example.output, *example.index);
  if (!element) return false;
  const auto operands =
      (*oracle)->OperandsOfElement((*content)->inputs(), answer.PlaceOf(*element));
  return operands && ShownOperands(*operands) == example.operands;
}

// Returns the model, or nothing if there is no such case now.
// `is_of_suite`: the report has the cases of this program.
std::optional<std::string> ModelOf(const Counterexample& example, uint64_t seed,
                                   bool is_of_suite) {
  const auto key = ParseCaseId(example.case_id);
  if (!key) return std::nullopt;
  auto made = MakeCase(*key, seed);
  if (!made) return std::nullopt;
  FedModel fed = *std::move(made);
  if (!is_of_suite && !IsCaseOf(example, fed)) return std::nullopt;
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
  const SuiteRecord& suite = report.run.suite;
  const bool is_of_suite = suite.digest == SuiteDigest(report.run.selection.operators);
  const auto add = [&](const Counterexample& example) {
    if (bytes >= kMostBytes || models.contains(example.case_id)) return;
    std::optional<std::string> model = ModelOf(example, suite.seed, is_of_suite);
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
