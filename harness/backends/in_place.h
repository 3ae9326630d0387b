// Large tensors without copies: interfaces that a PreparedModel may offer besides Run.
// Callers look for them by dynamic_cast and use Run if there are none.
#ifndef QCONFORM_HARNESS_BACKENDS_IN_PLACE_H_
#define QCONFORM_HARNESS_BACKENDS_IN_PLACE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <variant>

#include "harness/backends/backend.h"

namespace qconform {

// Has memory from which inputs need not be copied.
class LendsInputMemory {
 public:
  virtual ~LendsInputMemory() = default;
  // Returns where the first input of `bytes` bytes may be written, aligned to 4 bytes if
  // `bytes` is a multiple of 4; empty if there is no such place. Run does not copy an
  // input that lies there. The bytes are valid until the next call of Run or of this.
  virtual std::span<std::byte> FirstInput(size_t bytes) = 0;
};

// Runs tensors in place.
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

  // Like one Run. The caller has made the pages of `inputs` read-only, and the pages
  // after each of them and after `room` inaccessible. The output ends where `room` does.
  // Returns nothing if Run has to be called: the tensors are small, or there is no room.
  virtual std::optional<Answer> RunInPlace(std::span<const TensorView> inputs,
                                           std::span<std::byte> room) = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_IN_PLACE_H_
