// What a worker says about itself in the handshake, and what follows from it.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_HANDSHAKE_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_HANDSHAKE_H_

#include <cstddef>
#include <optional>

#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "harness/backends/process/messages.h"
#include "harness/backends/whole_model.h"
#include "oracle/base/result.h"

namespace qconform {

// Limits, because every report of the worker contains all of it.
inline constexpr size_t kLongestHelloText = 4096;  // bytes
inline constexpr size_t kMostHelloDetails = 256;
inline constexpr size_t kMostHelloOperators = 1024;

// Returns an Error that names the part that is too long for a report.
Status CheckHello(const worker::HelloReply& about);

// Returns why the model is not asked: the worker does not list its operator, or takes
// only smaller tensors. Returns nothing if it is asked.
std::optional<Unsupported> DeclinedByHello(const worker::HelloReply& about,
                                           const Model& model);
// The same for a whole model, of which only the operators are looked at.
std::optional<Unsupported> WholeDeclinedByHello(const worker::HelloReply& about,
                                                const WholeModel& model);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_HANDSHAKE_H_
