#include "harness/backends/registry/simd_backend.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/core/operands.h"
#include "harness/core/operator_kernels.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

// An output of a kernel: poisoned before the call, with guards around it.
class GuardedOutput {
 public:
  // Precondition: the shape's size does not overflow.
  GuardedOutput(DataType type, std::span<const int64_t> shape)
      : type_(type),
        shape_(shape.begin(), shape.end()),
        buffer_(PackedByteSize(type, ElementCount(shape_).value()) + 2 * kGuardBytes,
                kGuard) {
    std::ranges::fill(bytes(), kPoison);
  }

  MutableTensorView view() { return {type_, shape_, bytes()}; }

  // Whether no byte outside of the output was written.
  bool IsIntact() const {
    const auto intact = [](std::byte byte) { return byte == kGuard; };
    return std::all_of(buffer_.begin(), buffer_.begin() + kGuardBytes, intact) &&
           std::all_of(buffer_.end() - kGuardBytes, buffer_.end(), intact);
  }

  Tensor Take() {
    const auto y = bytes();
    return {type_, std::move(shape_), std::vector<std::byte>(y.begin(), y.end())};
  }

 private:
  std::span<std::byte> bytes() {
    return std::span(buffer_).subspan(kGuardBytes, buffer_.size() - 2 * kGuardBytes);
  }

  static constexpr size_t kGuardBytes = 64;
  static constexpr std::byte kGuard{0xC5};
  // An element that the kernel does not write shows as a wrong answer, unless the right
  // code happens to be this one.
  static constexpr std::byte kPoison{0x5A};

  DataType type_;
  Shape shape_;
  std::vector<std::byte> buffer_;
};

// RunResult or PrepareResult.
template <typename Answer>
Answer AnswerOf(const KernelFailure& failure) {
  switch (failure.kind) {
    case KernelFailure::Kind::kUnsupported:
      return Unsupported{failure.reason, ""};
    case KernelFailure::Kind::kInvalid:
      return Refused{failure.reason};
    case KernelFailure::Kind::kFailed:
      break;
  }
  return BackendError{BackendError::Kind::kFailed, failure.reason};
}

class PreparedSimdModel : public PreparedModel {
 public:
  PreparedSimdModel(Model model, std::unique_ptr<PreparedKernel> kernel)
      : model_(std::move(model)), kernel_(std::move(kernel)) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    const auto operands = ResolveOperands(model_, inputs);
    if (!operands) return HarnessFailed(operands.error());
    std::deque<GuardedOutput> outputs;  // views of them stay valid
    const auto failure = kernel_->Run(
        *operands, [&](size_t, DataType type, std::span<const int64_t> shape) {
          return Result(outputs.emplace_back(type, shape).view());
        });
    if (failure) return AnswerOf<RunResult>(*failure);
    Outputs taken;
    for (GuardedOutput& output : outputs) {
      if (!output.IsIntact()) {
        return BackendError{BackendError::Kind::kInvalidOutput,
                            "wrote outside of an output"};
      }
      taken.push_back(output.Take());
    }
    return taken;
  }

 private:
  Model model_;
  std::unique_ptr<PreparedKernel> kernel_;
};

// The operands of the node that are constants of the model.
Operands ConstantsOf(const Model& model) {
  Operands constants(model.node.inputs.size());
  for (size_t i = 0; i < constants.size(); ++i) {
    for (const Initializer& initializer : model.initializers) {
      if (initializer.name == model.node.inputs[i]) {
        constants[i] = initializer.tensor.view();
      }
    }
  }
  return constants;
}

class SimdBackend : public Backend {
 public:
  SimdBackend(BackendInfo info, KernelOptions options)
      : info_(std::move(info)), options_(std::move(options)) {}

  const BackendInfo& info() const override { return info_; }
  bool concurrent() const override { return true; }

  PrepareResult Prepare(const Model& model) override {
    if (model.node.is_graph()) return TakesOneNode();
    const std::string& op_type = model.node.op_type;
    const OperatorKernels* kernels =
        model.node.domain.empty() ? FindOperatorKernels(op_type) : nullptr;
    if (kernels == nullptr) {
      return Unsupported{"there is no kernel for operator '" + op_type + "'", ""};
    }
    const auto judging = JudgingVersionFor(op_type, model.opset_version);
    if (!judging) return Unsupported{judging.error().message, ""};
    auto prepared = kernels->Prepare(model.node.attributes, judging->since_version,
                                     ConstantsOf(model), options_);
    if (const auto* failure = std::get_if<KernelFailure>(&prepared)) {
      return AnswerOf<PrepareResult>(*failure);
    }
    return std::make_unique<PreparedSimdModel>(
        model, std::get<std::unique_ptr<PreparedKernel>>(std::move(prepared)));
  }

 private:
  BackendInfo info_;
  KernelOptions options_;
};

Result<int> ParseThreads(const std::string& value) {
  const auto threads = ParseNumber<int>(value);
  if (threads && *threads >= 1 && *threads <= 1024) return *threads;
  return Expected("backend option threads", "a number from 1 to 1024", "'" + value + "'");
}

std::vector<KernelOption> AllKernelOptions() {
  std::vector<KernelOption> all;
  for (const OperatorKernels* kernels : AllOperatorKernels()) {
    for (KernelOption& option : kernels->options()) all.push_back(std::move(option));
  }
  return all;
}

std::string Choices(const KernelOption& option) { return Joined(option.values, "|"); }

// Takes the value of one option of the kernels.
Status Choose(const std::vector<KernelOption>& known, const std::string& name,
              const std::string& value, KernelOptions& options) {
  std::string names = "threads=N";
  for (const KernelOption& option : known) {
    names += ", " + option.name + "=" + Choices(option);
    if (option.name != name) continue;
    if (std::ranges::find(option.values, value) == option.values.end()) {
      return Expected("backend option " + name, Choices(option), "'" + value + "'");
    }
    options.chosen[name] = value;
    return Ok();
  }
  return Expected("backend simd", "one of the options " + names, "'" + name + "'");
}

}  // namespace

Result<std::unique_ptr<Backend>> MakeSimdBackend(std::string_view target,
                                                 const BackendOptions& options) {
  KernelOptions chosen;
  const std::vector<KernelOption> known = AllKernelOptions();
  for (const KernelOption& option : known) {
    chosen.chosen[option.name] = option.values.front();
  }
  for (const auto& [key, value] : options) {
    if (key == "threads") {
      const auto threads = ParseThreads(value);
      if (!threads) return threads.error();
      chosen.threads = *threads;
    } else if (const Status status = Choose(known, key, value, chosen); !status) {
      return status.error();
    }
  }
  const auto found =
      target.empty() ? simd::FindTarget(int64_t{0}) : simd::FindTarget(target);
  if (!found) return found.error();
  chosen.target = found->bit;
  std::map<std::string, std::string> details = chosen.chosen;
  details["threads"] = std::to_string(chosen.threads);
  BackendInfo info{.kind = "simd",
                   .name = target.empty() ? "simd" : "simd:" + std::string(target),
                   .version = "1",
                   .vendor = "qconform",
                   .device = std::string(found->name),
                   .details = std::move(details)};
  return std::unique_ptr<Backend>(
      std::make_unique<SimdBackend>(std::move(info), std::move(chosen)));
}

std::vector<std::string> CompiledSimdTargets() {
  std::vector<std::string> names;
  for (const simd::Target& target : simd::CompiledTargets()) {
    names.emplace_back(target.name);
  }
  return names;
}

std::vector<std::string> SupportedSimdTargets() {
  std::vector<std::string> names;
  for (const simd::Target& target : simd::SupportedTargets()) {
    names.emplace_back(target.name);
  }
  return names;
}

std::string SimdOptionsText() {
  std::string text = "threads=N";
  for (const KernelOption& option : AllKernelOptions()) {
    text += ", " + option.name + "=" + Choices(option) + " (" + option.help + ")";
  }
  return text;
}

}  // namespace qconform
