#include "harness/backends/onnxruntime/onnxruntime_backend.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

#include "cases/model/serialize.h"
#include "harness/backends/in_place.h"
#include "harness/backends/onnxruntime/classify.h"
#include "harness/backends/onnxruntime/session.h"
#include "harness/backends/whole_model.h"
#include "harness/core/operands.h"

namespace qconform {
namespace {

// Fills outputs before a kernel writes them.
constexpr std::byte kPoison{0x5A};
// The alignment that a kernel may expect of an operand.
constexpr size_t kAlignment = 16;
// The number of sessions that are kept: cases that differ only in their inputs share one.
constexpr size_t kKeptSessions = 8;

using SessionPtr = std::shared_ptr<const ort::Session>;

bool IsAligned(std::span<const std::byte> data) {
  return reinterpret_cast<uintptr_t>(data.data()) % kAlignment == 0;
}

RunResult Told(const ort::Failure& failure) {
  return std::visit([](auto verdict) { return RunResult(std::move(verdict)); },
                    ort::ClassifyRun(failure));
}

PrepareResult ToldAtCreation(const ort::Failure& failure) {
  return std::visit([](auto verdict) { return PrepareResult(std::move(verdict)); },
                    ort::ClassifyCreation(failure));
}

// The inputs of one run as the library's tensors.
class FedInputs {
 public:
  // Returns a Failure if the runtime has no tensors of a type.
  std::optional<ort::Failure> Feed(const ort::Runtime& runtime,
                                   std::span<const TensorView> inputs) {
    for (const TensorView& input : inputs) {
      std::span<const std::byte> data = input.data;
      if (!IsAligned(data)) {
        copies_.emplace_back(data.begin(), data.end());
        data = copies_.back();
      }
      auto value = ort::WrapTensor(runtime, input.type, input.shape, data);
      if (auto* failure = std::get_if<ort::Failure>(&value)) return std::move(*failure);
      owned_.push_back(std::get<ort::Owned<OrtValue>>(std::move(value)));
      fed_.push_back(owned_.back().get());
    }
    return std::nullopt;
  }

  std::span<const OrtValue* const> values() const { return fed_; }

 private:
  std::vector<std::vector<std::byte>> copies_;
  std::vector<ort::Owned<OrtValue>> owned_;
  std::vector<const OrtValue*> fed_;
};

BackendError WrongInputCount(size_t expected, size_t got) {
  return HarnessFailed({"the model has " + std::to_string(expected) + " inputs, and " +
                        std::to_string(got) + " are fed"});
}

class OrtPrepared : public PreparedModel, public RunsInPlace {
 public:
  OrtPrepared(const Model& model, SessionPtr session)
      : session_(std::move(session)),
        named_(HasNamedDimensions(model) ? std::make_unique<Model>(model) : nullptr),
        input_count_(model.inputs.size()),
        outputs_(model.outputs) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    if (const Status status = SizeOutputsFor(inputs); !status) {
      return HarnessFailed(status.error());
    }
    Outputs outputs;
    std::vector<std::span<std::byte>> places;
    for (const ValueInfo& output : outputs_) {
      outputs.push_back(Tensor::Zeros(output.type, output.shape));
      places.push_back(outputs.back().data);
    }
    RunResult failed = Compute(inputs, places);
    if (!std::holds_alternative<Outputs>(failed)) return failed;
    return outputs;
  }

  std::optional<RunsInPlace::Answer> RunInPlace(std::span<const TensorView> inputs,
                                                std::span<std::byte> room) override {
    if (outputs_.size() != 1 || !SizeOutputsFor(inputs)) return std::nullopt;
    const ValueInfo& output = outputs_[0];
    const auto count = ElementCount(output.shape);
    if (!count) return std::nullopt;
    const size_t size = PackedByteSize(output.type, *count);
    if (size > room.size() || !IsAligned(room.last(size))) return std::nullopt;
    const auto place = room.last(size);
    RunResult failed = Compute(inputs, {&place, 1});
    if (auto instead = AnswerInstead<RunsInPlace::Answer>(failed)) return instead;
    return RunsInPlace::Output{output.type, output.shape, place};
  }

 private:
  // Gives the outputs the sizes that their named dimensions have for these inputs.
  Status SizeOutputsFor(std::span<const TensorView> inputs) {
    if (named_ == nullptr) return Ok();
    const auto operands = ResolveOperands(*named_, inputs);
    if (!operands) return operands.error();
    return SizeOutputs(*named_, *operands, outputs_);
  }

  // Runs the session into `places`, one for each output. Returns empty Outputs on
  // success.
  RunResult Compute(std::span<const TensorView> inputs,
                    std::span<const std::span<std::byte>> places) {
    if (inputs.size() != input_count_) {
      return WrongInputCount(input_count_, inputs.size());
    }
    const ort::Runtime& runtime = session_->runtime();
    FedInputs fed;
    if (const auto failure = fed.Feed(runtime, inputs)) return Told(*failure);
    std::vector<ort::Owned<OrtValue>> owned;
    std::vector<OrtValue*> written;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      std::fill(places[i].begin(), places[i].end(), kPoison);
      auto value =
          ort::WrapTensor(runtime, outputs_[i].type, outputs_[i].shape, places[i]);
      if (const auto* failure = std::get_if<ort::Failure>(&value)) return Told(*failure);
      owned.push_back(std::get<ort::Owned<OrtValue>>(std::move(value)));
      written.push_back(owned.back().get());
    }
    const auto failure = session_->Run(fed.values(), written);
    if (failure) return Told(*failure);
    return Outputs{};
  }

  SessionPtr session_;
  std::unique_ptr<const Model> named_;  // null if all sizes are fixed
  size_t input_count_;
  std::vector<ValueInfo> outputs_;
};

// A whole model: the library makes its outputs.
class OrtPreparedWhole : public PreparedModel {
 public:
  OrtPreparedWhole(const WholeModel& model, SessionPtr session)
      : session_(std::move(session)),
        input_count_(model.inputs.size()),
        outputs_(model.outputs) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    if (inputs.size() != input_count_) {
      return WrongInputCount(input_count_, inputs.size());
    }
    const ort::Runtime& runtime = session_->runtime();
    FedInputs fed;
    if (const auto failure = fed.Feed(runtime, inputs)) return Told(*failure);
    std::vector<OrtValue*> made(outputs_.size(), nullptr);
    const auto failure = session_->Run(fed.values(), made);
    std::vector<ort::Owned<OrtValue>> owned;
    for (OrtValue* value : made) {
      owned.emplace_back(value, runtime.library().api().ReleaseValue);
    }
    if (failure) return Told(*failure);
    Outputs outputs;
    for (size_t i = 0; i < owned.size(); ++i) {
      auto copied = ort::CopyTensor(runtime, *owned[i]);
      if (auto* why = std::get_if<ort::Failure>(&copied)) {
        why->text = "output '" + outputs_[i] + "': " + why->text;
        return Told(*why);
      }
      outputs.push_back(std::get<Tensor>(std::move(copied)));
    }
    return outputs;
  }

 private:
  SessionPtr session_;
  size_t input_count_;
  std::vector<std::string> outputs_;
};

// The last sessions, by the bytes of their models.
class SessionCache {
 public:
  SessionPtr Find(const std::string& bytes) {
    const std::lock_guard lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->first != bytes) continue;
      entries_.splice(entries_.begin(), entries_, entry);
      return entry->second;
    }
    return nullptr;
  }

  void Keep(std::string bytes, SessionPtr session) {
    const std::lock_guard lock(mutex_);
    entries_.emplace_front(std::move(bytes), std::move(session));
    if (entries_.size() > kKeptSessions) entries_.pop_back();
  }

 private:
  std::mutex mutex_;
  std::list<std::pair<std::string, SessionPtr>> entries_;
};

class OrtBackend : public Backend, public RunsWholeModels {
 public:
  OrtBackend(std::shared_ptr<const ort::Runtime> runtime, BackendInfo info)
      : runtime_(std::move(runtime)), info_(std::move(info)) {}

  const BackendInfo& info() const override { return info_; }
  bool concurrent() const override { return true; }

  PrepareResult Prepare(const Model& model) override {
    const std::string lacking = ort::LackingTypes(*runtime_, model);
    if (!lacking.empty()) return Unsupported{lacking, ""};
    std::string bytes = SerializeModel(model);
    SessionPtr session = sessions_.Find(bytes);
    if (session == nullptr) {
      auto made = ort::Session::Create(runtime_, ort::NamesOf(model), bytes);
      if (const auto* failure = std::get_if<ort::Failure>(&made)) {
        return ToldAtCreation(*failure);
      }
      session = std::get<SessionPtr>(std::move(made));
      sessions_.Keep(std::move(bytes), session);
    }
    return std::make_unique<OrtPrepared>(model, std::move(session));
  }

  PrepareResult PrepareWhole(const WholeModel& model) override {
    auto made =
        ort::Session::Create(runtime_, {model.inputs, model.outputs}, model.bytes);
    if (const auto* failure = std::get_if<ort::Failure>(&made)) {
      return ToldAtCreation(*failure);
    }
    return std::make_unique<OrtPreparedWhole>(model,
                                              std::get<SessionPtr>(std::move(made)));
  }

 private:
  std::shared_ptr<const ort::Runtime> runtime_;
  BackendInfo info_;
  SessionCache sessions_;
};

}  // namespace

Result<std::string> FindOnnxRuntime() {
  const auto library = ort::Library::Load(std::string());
  if (!library) return library.error();
  return "ONNX Runtime " + (*library)->version() + " at " + (*library)->path() + " (" +
         (*library)->origin() + ")";
}

Result<std::unique_ptr<Backend>> MakeOnnxRuntimeBackend(
    const std::map<std::string, std::string>& options) {
  const auto parsed = ParseOnnxRuntimeOptions(options);
  if (!parsed) return parsed.error();
  auto runtime = ort::Runtime::Create(*parsed);
  if (!runtime) return runtime.error();
  const ort::Library& library = (*runtime)->library();
  // Without the path, which names a place on this machine.
  const std::string from = library.FileName() + " (" + library.origin() + ")";
  BackendInfo info{.kind = "onnxruntime",
                   .name = "onnxruntime",
                   .version = library.version(),
                   .vendor = "ONNX Runtime",
                   .device = (*runtime)->provider(),
                   .details = {{"library", from},
                               {"library_sha256", library.Sha256()},
                               {"opt_level", parsed->opt_level},
                               {"threads", std::to_string(parsed->threads)}}};
  for (const auto& [key, value] : parsed->session_config) info.details[key] = value;
  for (const auto& [key, value] : parsed->provider_options)
    info.details["ep." + key] = value;
  if (!parsed->ep_library.empty()) {
    info.details["ep_library_sha256"] = FileSha256(parsed->ep_library);
  }
  for (const auto& [type, why] : (*runtime)->missing_types()) {
    std::string& missing = info.details["types_without_tensors"];
    if (!missing.empty()) missing += "; ";
    missing += std::string(DataTypeName(type)) + ": " + why;
  }
  if (!(*runtime)->optimizers().empty()) {
    info.details["optimizers"] = (*runtime)->optimizers();
  }
  if (!(*runtime)->type_numbers().empty()) {
    info.details["type_numbers"] = (*runtime)->type_numbers();
  }
  return std::unique_ptr<Backend>(
      std::make_unique<OrtBackend>(*std::move(runtime), std::move(info)));
}

}  // namespace qconform
