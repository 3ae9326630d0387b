// Asks a backend for a proof.
#ifndef QCONFORM_HARNESS_SWEEP_MODEL_ASKER_H_
#define QCONFORM_HARNESS_SWEEP_MODEL_ASKER_H_

#include <atomic>
#include <cstdint>

#include "harness/backends/backend.h"
#include "harness/core/proofs/model_asker.h"

namespace qconform {

// Declining is no verdict. A refusal of a legal model is a deviation, and so is a
// failure: a crash, a time-out, an output of another type, shape or size.
enum class WhyUnanswered : uint8_t { kAnswered, kDeclined, kFailed };

// Set by the threads of a sweep, read after it.
using UnansweredNote = std::atomic<WhyUnanswered>;

// Returns what makes askers of the backend. It and `note`, which gets why there was no
// answer and may be null, must outlive the askers.
MakeModelAsker AskersOf(Backend& backend, UnansweredNote* note = nullptr);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_SWEEP_MODEL_ASKER_H_
