// What a worker says of itself when it is greeted, and what follows from it.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_HANDSHAKE_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_HANDSHAKE_H_

#include <cstddef>
#include <optional>

#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "harness/backends/process/messages.h"
#include "oracle/base/result.h"

namespace qconform {

// All of it goes into every report of the worker.
inline constexpr size_t kLongestHelloText = 4096;  // bytes
inline constexpr size_t kMostHelloDetails = 256;

// Returns an Error that names what is too long, or too much, for a report.
Status CheckHello(const worker::HelloReply& about);

// Returns why the model is not asked, where the worker lists operators that this is none
// of, or takes smaller tensors only; nothing where it is.
std::optional<Unsupported> DeclinedByHello(const worker::HelloReply& about,
                                           const Model& model);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_HANDSHAKE_H_
