// Runs a backend in this process, or in a child that may crash.
#ifndef QCONFORM_HARNESS_BACKENDS_REGISTRY_HOSTED_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_REGISTRY_HOSTED_BACKEND_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "harness/backends/backend.h"
#include "harness/backends/registry/registry.h"
#include "oracle/base/result.h"

namespace qconform {

struct HostOptions {
  // kByKind: foreign code (plugin, onnxruntime) in a child, our own in this process.
  enum class Where : uint8_t { kByKind, kInProcess, kChild };
  Where where = Where::kByKind;
  std::chrono::milliseconds timeout_per_case{30000};
  uint64_t memory_bytes = 0;  // of one child; 0: no limit
  // Stops the children at once when it becomes true; may be null.
  const std::atomic<bool>* stop = nullptr;
  // Whether graphs are run node by node (compose_backend.h).
  bool compose = false;
  // The program that has the command `worker`; empty: this one.
  std::string program{};
  // The interpreter of a backend py:; empty: see PythonCommand.
  std::string python{};
};

// Like MakeBackend, but also takes process:COMMAND, py:TARGET and worker:NAME. A
// child runs `program worker`, which speaks the worker protocol. Returns an Error too if
// one of these three is to run in this process. If the environment variable
// QCONFORM_WORKER_SOCKET is set, py: is served by the process that listens on that Unix
// socket.
Result<std::unique_ptr<Backend>> MakeHostedBackend(std::string_view spec,
                                                   const BackendOptions& options,
                                                   const HostOptions& host);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_REGISTRY_HOSTED_BACKEND_H_
