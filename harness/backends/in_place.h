// Large tensors that are not copied: what a PreparedModel may offer besides Run.
// Found by dynamic_cast; who does not find it uses Run.
#ifndef QCONFORM_HARNESS_BACKENDS_IN_PLACE_H_
#define QCONFORM_HARNESS_BACKENDS_IN_PLACE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <variant>

#include "harness/backends/backend.h"

namespace qconform {

// Has memory in which inputs travel without being copied.
class LendsInputMemory {
 public:
  virtual ~LendsInputMemory() = default;
  // Where the first input of `bytes` bytes may be written, aligned to 4 bytes where
  // `bytes` is; empty where there is no such place. Run does not copy an input that
  // lies there. The bytes stay until the next call of Run, or of this.
  virtual std::span<std::byte> FirstInput(size_t bytes) = 0;
};

// Runs tensors where they lie.
class RunsInPlace {
 public:
  virtual ~RunsInPlace() = default;

  // The one output, where it was written.
  struct Output {
    DataType type = DataType::kUndefined;
    Shape shape;
    std::span<const std::byte> data;
  };
  using Answer = std::variant<Output, Unsupported, Refused, BackendError>;

  // As Run, once: the caller has made the pages of `inputs` read-only and those behind
  // each of them, and behind `room`, inaccessible. The output ends where `room` does.
  // Nothing where Run has to be called: the tensors are small, or there is no room.
  virtual std::optional<Answer> RunInPlace(std::span<const TensorView> inputs,
                                           std::span<std::byte> room) = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_IN_PLACE_H_
