// Why a backend gave no answer to a sweep.
#ifndef QCONFORM_HARNESS_SWEEP_UNANSWERED_H_
#define QCONFORM_HARNESS_SWEEP_UNANSWERED_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <variant>

#include "harness/backends/backend.h"
#include "oracle/base/result.h"

namespace qconform {

// Declining is no verdict. A refusal of a legal model is a deviation, and so is a
// failure: a crash, a time-out, an output of another type, shape or size.
enum class WhyUnanswered : uint8_t { kAnswered, kDeclined, kFailed };

// Set by the threads of a sweep, read after it.
using UnansweredNote = std::atomic<WhyUnanswered>;

// What a backend said in place of a prepared model or outputs, in words. `note` may be
// null.
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

}  // namespace qconform

#endif  // QCONFORM_HARNESS_SWEEP_UNANSWERED_H_
