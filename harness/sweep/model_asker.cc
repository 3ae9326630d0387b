#include "harness/sweep/model_asker.h"

#include <utility>
#include <variant>

#include "harness/backends/in_place.h"
#include "harness/backends/run_model.h"

namespace qconform {
namespace {

// Returns a backend's words in place of a prepared model or outputs.
template <typename Answer>
Error NoteUnanswered(const Answer& answer, UnansweredNote* note) {
  const auto* declined = std::get_if<Unsupported>(&answer);
  if (note != nullptr) {
    *note = declined != nullptr ? WhyUnanswered::kDeclined : WhyUnanswered::kFailed;
  }
  if (declined != nullptr) {
    return {"the backend declines the question: " + declined->reason};
  }
  if (const auto* refused = std::get_if<Refused>(&answer)) {
    return {"the backend refuses the question: " + refused->reason};
  }
  if (const auto* error = std::get_if<BackendError>(&answer)) {
    return {"the backend failed: " + error->text};
  }
  return {"the backend gave an output of another type, shape or size than the model's"};
}

bool IsOfForm(const Tensor& output, const ValueInfo& form) {
  const auto count = ElementCount(form.shape);
  return output.type == form.type && output.shape == form.shape && count &&
         output.data.size() == PackedByteSize(form.type, *count);
}

class BackendAsker : public ModelAsker {
 public:
  BackendAsker(Backend& backend, UnansweredNote* note) : backend_(backend), note_(note) {}

  Status Prepare(const Model& model) override {
    auto made = PrepareModel(backend_, model);
    if (!made) return made.error();
    auto* prepared = std::get_if<std::unique_ptr<PreparedModel>>(&*made);
    if (prepared == nullptr) return NoteUnanswered(*made, note_);
    prepared_ = std::move(*prepared);
    memory_ = dynamic_cast<LendsInputMemory*>(prepared_.get());
    outputs_ = model.outputs;
    return Ok();
  }

  std::span<std::byte> FirstInput(size_t bytes) override {
    return memory_ == nullptr ? std::span<std::byte>() : memory_->FirstInput(bytes);
  }

  Result<std::vector<std::byte>> Run(std::span<const TensorView> inputs) override {
    auto result = RunPrepared(*prepared_, inputs);
    if (!result) return result.error();
    auto* outputs = std::get_if<Outputs>(&*result);
    if (outputs == nullptr || outputs->size() != outputs_.size()) {
      return NoteUnanswered(*result, note_);
    }
    for (size_t i = 0; i < outputs->size(); ++i) {
      if (!IsOfForm((*outputs)[i], outputs_[i])) return NoteUnanswered(*result, note_);
    }
    std::vector<std::byte> data = std::move(outputs->front().data);
    for (size_t i = 1; i < outputs->size(); ++i) {
      const std::vector<std::byte>& next = (*outputs)[i].data;
      data.insert(data.end(), next.begin(), next.end());
    }
    return data;
  }

 private:
  Backend& backend_;
  UnansweredNote* note_;
  std::unique_ptr<PreparedModel> prepared_;
  LendsInputMemory* memory_ = nullptr;  // of the model; may be null
  std::vector<ValueInfo> outputs_;
};

}  // namespace

MakeModelAsker AskersOf(Backend& backend, UnansweredNote* note) {
  return [&backend, note]() -> std::unique_ptr<ModelAsker> {
    return std::make_unique<BackendAsker>(backend, note);
  };
}

}  // namespace qconform
