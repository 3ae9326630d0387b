// Targets: the instruction sets that the kernels are compiled for, each of
// which can be asked for by itself.
//
// A target that is forced and cannot run here is an Error, never another one.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TARGETS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TARGETS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "oracle/base/result.h"

namespace qconform::simd {

// As many as highway_targets.h names, or more.
inline constexpr size_t kMostTargets = 16;

// Something of each target. Nothing that is destroyed: the library may be called until
// the process has ended.
template <typename T>
class OfTargets {
 public:
  void Add(const T& of_target) { all_[count_++] = of_target; }
  std::span<const T> all() const { return std::span(all_).first(count_); }

 private:
  static_assert(std::is_trivially_destructible_v<T>);
  std::array<T, kMostTargets> all_{};
  size_t count_ = 0;
};

struct Target {
  std::string_view name;  // Highway's: "AVX3_DL", "AVX2", "SSE4", "NEON", ...
  int64_t bit = 0;        // Highway's HWY_AVX2 and so on; less is better

  friend bool operator==(const Target&, const Target&) = default;
};

// Returns the targets that this program contains, best first.
std::span<const Target> CompiledTargets();

// Returns those of them that this CPU can run, best first.
std::vector<Target> SupportedTargets();

// Returns the compiled and supported target of that exact name. The Error says
// whether it is unknown, not compiled or not supported, and what there is.
Result<Target> FindTarget(std::string_view name);

// The same for a target's bit; 0 gives the best, or an Error if this CPU can run none.
Result<Target> FindTarget(int64_t bit);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TARGETS_H_
