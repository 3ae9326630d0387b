// Why an operator's kernels decline a node.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_REFUSAL_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_REFUSAL_H_

#include <cstdint>
#include <string>

namespace qconform::simd {

// The model is invalid, or asks for something that the specification leaves undefined and
// that these kernels do not compute.
struct Refusal {
  enum class Kind : uint8_t { kInvalid, kUnsupported };
  Kind kind = Kind::kInvalid;
  std::string clause;  // that the model breaks, or that leaves it undefined
  std::string reason;
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_REFUSAL_H_
