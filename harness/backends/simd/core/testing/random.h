// Random numbers for tests.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TESTING_RANDOM_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TESTING_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qconform::simd {

// SplitMix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  // In [0, bound).
  int64_t Below(int64_t bound) {
    return static_cast<int64_t>(Next() % static_cast<uint64_t>(bound));
  }
  template <typename T>
  const T& Pick(const std::vector<T>& list) {
    return list[static_cast<size_t>(Below(static_cast<int64_t>(list.size())))];
  }

 private:
  uint64_t state_;
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TESTING_RANDOM_H_
