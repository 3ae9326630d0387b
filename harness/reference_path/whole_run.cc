#include "harness/reference_path/whole_run.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "cases/model/carried_type.h"
#include "cases/model/text.h"
#include "harness/backends/run_model.h"
#include "harness/core/value_text.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/text.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

constexpr size_t kMostModelBytes = (size_t{2} << 30) - 1;

int BitsOf(DataType type) {
  const auto carried = static_cast<int>(CarriedBytes(type));
  return carried > 0 ? 8 * carried : BitWidth(type);
}

uint64_t CodeAt(const Tensor& tensor, size_t index) {
  const auto bits = static_cast<size_t>(BitsOf(tensor.type));
  uint64_t code = 0;
  for (size_t bit = 0; bit < bits; ++bit) {
    const size_t at = index * bits + bit;
    const auto one = (tensor.data[at / 8] >> (at % 8)) & std::byte{1};
    code |= std::to_integer<uint64_t>(one) << bit;
  }
  return code;
}

bool IsNanCode(DataType type, uint64_t code) {
  if (CarriedBytes(type) > 0 || !HasNan(type)) return false;
  const NumberFormat& format = FormatOf(type);
  if (format.nan == NanEncoding::kNegativeZero) {
    return code == uint64_t{1} << (format.bits - 1);
  }
  const uint64_t magnitude = code & ((uint64_t{1} << (format.bits - 1)) - 1);
  const uint64_t mantissa = (uint64_t{1} << format.mantissa_bits) - 1;
  const uint64_t all = (uint64_t{1} << (format.bits - 1)) - 1;
  if (format.nan == NanEncoding::kAllOnes) return magnitude == all;
  return magnitude > all - mantissa;
}

std::string CodeWords(DataType type, uint64_t code) {
  return CarriedBytes(type) > 0 ? std::to_string(code) : CodeText(type, code);
}

// Returns where two tensors differ; nothing if they do not.
std::optional<std::string> Difference(const Tensor& expected, const Tensor& got) {
  if (expected.type != got.type || expected.shape != got.shape) {
    return "expected " + CarriedTypeName(expected.type) + " " +
           ShapeToString(expected.shape) + ", got " + CarriedTypeName(got.type) + " " +
           ShapeToString(got.shape);
  }
  const auto size = CarriedByteSize(expected.type, expected.shape);
  if (!size || expected.data.size() != *size || got.data.size() != *size) {
    return "expected " + std::to_string(expected.data.size()) + " bytes, got " +
           std::to_string(got.data.size());
  }
  if (expected.data == got.data) return std::nullopt;
  const auto count = static_cast<size_t>(ElementCount(expected.shape).value_or(0));
  size_t differing = 0;
  std::string first;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t right = CodeAt(expected, i);
    const uint64_t wrong = CodeAt(got, i);
    if (right == wrong) continue;
    if (IsNanCode(expected.type, right) && IsNanCode(expected.type, wrong)) continue;
    if (++differing > 1) continue;
    first = "element " + std::to_string(i) + ": expected " +
            CodeWords(expected.type, right) + ", got " + CodeWords(expected.type, wrong);
  }
  if (differing == 0) return std::nullopt;
  return std::to_string(differing) + " of " + std::to_string(count) +
         (count == 1 ? " element differs, " : " elements differ, first ") + first;
}

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
    if (auto text = Difference(right->second, (*outputs)[i])) {
      run.outcome = Outcome::kDiffers;
      run.differences.push_back({name, *std::move(text)});
    }
  }
  return run;
}

}  // namespace qconform
