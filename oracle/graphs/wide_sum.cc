#include "oracle/graphs/wide_sum.h"

#include <bit>
#include <cassert>
#include <cstddef>

namespace qconform {

void WideSum::Add(bool negative, Uint128 significand, int exponent) {
  if (significand == 0) return;
  if (exponent < kLowest) {
    // The digits below the lowest place are zeros.
    significand >>= kLowest - exponent;
    exponent = kLowest;
  }
  const int place = exponent - kLowest;
  const auto first = static_cast<size_t>(place / 64);
  const int shift = place % 64;
  const auto low = static_cast<uint64_t>(significand);
  const auto high = static_cast<uint64_t>(significand >> 64);
  const uint64_t parts[3] = {low << shift,
                             shift == 0 ? high : (high << shift) | (low >> (64 - shift)),
                             shift == 0 ? 0 : high >> (64 - shift)};
  uint64_t carry = 0;
  for (size_t i = first; i < kWords; ++i) {
    const uint64_t part = i - first < 3 ? parts[i - first] : 0;
    if (i - first >= 3 && carry == 0) break;
    const uint64_t before = words_[i];
    if (negative) {
      const uint64_t difference = before - part;
      words_[i] = difference - carry;
      carry = (before < part || difference < carry) ? 1 : 0;
    } else {
      const uint64_t sum = before + part;
      words_[i] = sum + carry;
      carry = (sum < before || words_[i] < sum) ? 1 : 0;
    }
  }
}

Unrounded WideSum::Value() const {
  std::array<uint64_t, kWords> magnitude = words_;
  const bool negative = (words_.back() >> 63) != 0;
  if (negative) {
    uint64_t carry = 1;
    for (uint64_t& word : magnitude) {
      word = ~word + carry;
      carry = carry != 0 && word == 0 ? 1 : 0;
    }
  }
  size_t top = kWords;
  while (top > 0 && magnitude[top - 1] == 0) --top;
  if (top == 0) return {};
  // 128 digits from the first one on lie in three words.
  const auto word = [&](size_t below) {
    return below < top ? magnitude[top - 1 - below] : uint64_t{0};
  };
  const int zeros = std::countl_zero(word(0));
  Uint128 digits = (static_cast<Uint128>(word(0)) << 64) | word(1);
  bool sticky = false;
  if (zeros != 0) {
    digits = (digits << zeros) | (word(2) >> (64 - zeros));
    sticky = (word(2) << zeros) != 0;
  } else {
    sticky = word(2) != 0;
  }
  for (size_t below = 3; below < top; ++below) sticky = sticky || word(below) != 0;
  return {.value_class = ValueClass::kFinite,
          .negative = negative,
          .sticky = sticky,
          .significand = digits,
          .exponent = kLowest + (static_cast<int>(top) - 2) * 64 - zeros};
}

}  // namespace qconform
