// The counter-based generator that all contents of cases come from: equal keys
// give equal numbers on every machine, compiler and thread.
//
//   block(key, n) = Philox4x32-10(counter = n, key)                          (1)
//   key           = FNV-1a-64(content id, seed, generator version)           (2)
//
// Philox is the generator of Salmon, Moraes, Dror, Shaw, "Parallel random
// numbers: as easy as 1, 2, 3" (SC11); counter_rng_test.cc has the known answers
// of its authors' library. (2) hashes the id's bytes, one zero byte, then seed
// (8 bytes) and version (4 bytes), both little-endian. A block's four words are
// used in their order; words are never skipped or taken twice.
//
// There are no distributions of the standard library here, and no
// floating-point numbers: both may differ between machines.
#ifndef QCONFORM_CASES_CORE_COUNTER_RNG_H_
#define QCONFORM_CASES_CORE_COUNTER_RNG_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace qconform::generators {

using PhiloxBlock = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

// Returns Philox4x32 of ten rounds.
inline PhiloxBlock Philox4x32(PhiloxBlock counter, PhiloxKey key) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53;
  constexpr uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9;
  constexpr uint32_t kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kMultiplier0 * counter[0];
    const uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

// FNV-1a, 64 bits, fed in pieces.
class Fnv1a64 {
 public:
  void Byte(uint8_t byte) { hash_ = (hash_ ^ byte) * 0x100000001B3; }
  void Text(std::string_view text) {
    for (const char c : text) Byte(static_cast<uint8_t>(c));
  }
  // The `bytes` low bytes of `value`, little-endian.
  void Number(uint64_t value, int bytes = 8) {
    for (int i = 0; i < bytes; ++i) Byte(static_cast<uint8_t>(value >> (8 * i)));
  }
  uint64_t hash() const { return hash_; }

 private:
  uint64_t hash_ = 0xCBF29CE484222325;
};

// Returns (2).
inline uint64_t ContentKey(std::string_view content_id, uint64_t seed, int version) {
  Fnv1a64 hash;
  hash.Text(content_id);
  hash.Byte(0);
  hash.Number(seed);
  hash.Number(static_cast<uint64_t>(version), 4);
  return hash.hash();
}

// A stream of numbers. Cheap to copy; not for cryptography.
class CounterRng {
 public:
  explicit CounterRng(uint64_t key)
      : key_{static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)} {}

  uint32_t Next32() {
    if (used_ == block_.size()) {
      block_ = Philox4x32(
          {static_cast<uint32_t>(next_), static_cast<uint32_t>(next_ >> 32), 0, 0}, key_);
      ++next_;
      used_ = 0;
    }
    return block_[used_++];
  }
  uint64_t Next64() {
    const uint64_t low = Next32();
    return low | (uint64_t{Next32()} << 32);
  }

  // Returns a number in [0, n). One word is taken, so small n are even to 2^-32 n.
  // Precondition: n > 0.
  uint32_t Below(uint32_t n) {
    return static_cast<uint32_t>((uint64_t{Next32()} * n) >> 32);
  }
  // Returns a number in [low, high]. Precondition: high - low < 2^32 - 1.
  int64_t Between(int64_t low, int64_t high) {
    return low + Below(static_cast<uint32_t>(high - low + 1));
  }
  bool OneIn(uint32_t n) { return Below(n) == 0; }

  template <typename Range>
  const auto& Pick(const Range& range) {
    return range[Below(static_cast<uint32_t>(std::size(range)))];
  }

 private:
  PhiloxKey key_;
  PhiloxBlock block_{};
  size_t used_ = 4;
  uint64_t next_ = 0;
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_COUNTER_RNG_H_
