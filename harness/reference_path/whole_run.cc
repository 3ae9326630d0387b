#include "harness/reference_path/whole_run.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "cases/model/text.h"
#include "harness/backends/run_model.h"
#include "harness/reference_path/tensor_difference.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

constexpr size_t kMostModelBytes = (size_t{2} << 30) - 1;

std::string WhyNotRun(const RunResult& result) {
  if (const auto* unsupported = std::get_if<Unsupported>(&result)) {
    return unsupported->Words();
  }
  if (const auto* refused = std::get_if<Refused>(&result)) return RefusedWords(*refused);
  return std::get<BackendError>(result).text;
}

// Returns the outputs of the whole model, or what there is in their place.
Result<RunResult> RunWhole(Backend& backend, const ModelFile& file,
                           const NamedTensors& inputs) {
  if (dynamic_cast<RunsWholeModels*>(&backend) == nullptr) {
    return RunResult(Unsupported{"it does not run whole models", ""});
  }
  const auto model = WholeModelOf(file);
  if (!model) return model.error();
  auto prepared = PrepareWholeModel(backend, *model);
  if (auto instead = AnswerInstead<RunResult>(prepared)) return *std::move(instead);
  std::vector<TensorView> fed;
  for (const std::string& name : model->inputs) fed.push_back(inputs.at(name).view());
  return std::get<std::unique_ptr<PreparedModel>>(prepared)->Run(fed);
}

}  // namespace

Result<WholeModel> WholeModelOf(const ModelFile& file) {
  const bool external = std::ranges::any_of(
      file.constants(),
      [](const FileConstant& constant) { return !constant.external_file.empty(); });
  WholeModel model{"", file.inputs(), file.outputs()};
  if (external) {
    std::vector<size_t> all(file.nodes().size());
    std::iota(all.begin(), all.end(), size_t{0});
    std::vector<ValueInfo> inputs;
    for (const std::string& name : model.inputs)
      inputs.push_back({.name = name, .shape = {}});
    auto bytes = file.ExtractBytes(all, inputs, model.outputs);
    if (!bytes) return bytes.error();
    model.bytes = *std::move(bytes);
  } else {
    auto bytes = ReadFile(file.path(), kMostModelBytes);
    if (!bytes) return bytes.error();
    model.bytes = *std::move(bytes);
  }
  return model;
}

Result<WholeRun> CompareWholeRun(Backend& backend, const ModelFile& file,
                                 const NamedTensors& inputs,
                                 const ReferenceValues& expected) {
  using Outcome = WholeRun::Outcome;
  const auto known = std::ranges::count_if(file.outputs(), [&](const std::string& name) {
    return expected.values.contains(name);
  });
  if (known == 0) {
    std::string why = "the composition has none of the model's outputs";
    if (!expected.stopped.empty()) why += ": " + expected.stopped.front().Words();
    return WholeRun{Outcome::kNothing, why};
  }
  auto result = RunWhole(backend, file, inputs);
  if (!result) return result.error();
  const auto* outputs = std::get_if<Outputs>(&*result);
  if (outputs == nullptr) {
    const auto* error = std::get_if<BackendError>(&*result);
    if (error != nullptr && error->kind == BackendError::Kind::kHarness) {
      return Error{error->text};
    }
    return WholeRun{Outcome::kNotRun, WhyNotRun(*result)};
  }
  if (outputs->size() != file.outputs().size()) {
    return WholeRun{Outcome::kNotRun,
                    "expected " + std::to_string(file.outputs().size()) +
                        " outputs, got " + std::to_string(outputs->size())};
  }
  WholeRun run{Outcome::kSame, ""};
  for (size_t i = 0; i < outputs->size(); ++i) {
    const std::string& name = file.outputs()[i];
    const auto right = expected.values.find(name);
    if (right == expected.values.end()) continue;
    if (auto text = DifferenceOf(right->second, (*outputs)[i])) {
      run.outcome = Outcome::kDiffers;
      run.differences.push_back({name, *std::move(text)});
    }
  }
  return run;
}

}  // namespace qconform
