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
    output_ = model.outputs.front();
    return Ok();
  }

  std::span<std::byte> FirstInput(size_t bytes) override {
    return memory_ == nullptr ? std::span<std::byte>() : memory_->FirstInput(bytes);
  }

  Result<std::vector<std::byte>> Run(std::span<const TensorView> inputs) override {
    auto result = RunPrepared(*prepared_, inputs);
    if (!result) return result.error();
    auto* outputs = std::get_if<Outputs>(&*result);
    if (outputs == nullptr || outputs->size() != 1) return NoteUnanswered(*result, note_);
    Tensor& output = outputs->front();
    const auto count = ElementCount(output_.shape);
    if (output.type != output_.type || output.shape != output_.shape || !count ||
        output.data.size() != PackedByteSize(output_.type, *count)) {
      return NoteUnanswered(*result, note_);
    }
    return std::move(output.data);
  }

 private:
  Backend& backend_;
  UnansweredNote* note_;
  std::unique_ptr<PreparedModel> prepared_;
  LendsInputMemory* memory_ = nullptr;  // of the model; may be null
  ValueInfo output_;
};

}  // namespace

MakeModelAsker AskersOf(Backend& backend, UnansweredNote* note) {
  return [&backend, note]() -> std::unique_ptr<ModelAsker> {
    return std::make_unique<BackendAsker>(backend, note);
  };
}

}  // namespace qconform
