// One bit for each element of a case.
#ifndef QCONFORM_HARNESS_COMPARE_ELEMENT_BITS_H_
#define QCONFORM_HARNESS_COMPARE_ELEMENT_BITS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace qconform {

class ElementBits {
 public:
  ElementBits() = default;
  explicit ElementBits(size_t size) : words_((size + 63) / 64) {}

  bool operator[](size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void Set(size_t i, bool value) {
    const uint64_t bit = uint64_t{1} << (i % 64);
    words_[i / 64] = value ? words_[i / 64] | bit : words_[i / 64] & ~bit;
  }

  // Precondition of all: equal sizes.
  ElementBits& operator|=(const ElementBits& other) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
  }
  ElementBits& operator&=(const ElementBits& other) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
    return *this;
  }
  // Takes away the bits of `other`.
  ElementBits& operator-=(const ElementBits& other) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
    return *this;
  }
  friend ElementBits operator|(ElementBits a, const ElementBits& b) { return a |= b; }
  friend ElementBits operator&(ElementBits a, const ElementBits& b) { return a &= b; }
  friend ElementBits operator-(ElementBits a, const ElementBits& b) { return a -= b; }

  // Whether every bit is one of `other`.
  bool IsWithin(const ElementBits& other) const {
    for (size_t w = 0; w < words_.size(); ++w) {
      if ((words_[w] & ~other.words_[w]) != 0) return false;
    }
    return true;
  }

  bool any() const {
    for (const uint64_t word : words_) {
      if (word != 0) return true;
    }
    return false;
  }

  int64_t count() const {
    int64_t bits = 0;
    for (const uint64_t word : words_) bits += std::popcount(word);
    return bits;
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_ELEMENT_BITS_H_
