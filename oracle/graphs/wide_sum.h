// An exact sum of products of floats: a number with so many digits before and behind the
// point that no product of three FLOAT values is rounded.
#ifndef QCONFORM_ORACLE_GRAPHS_WIDE_SUM_H_
#define QCONFORM_ORACLE_GRAPHS_WIDE_SUM_H_

#include <array>
#include <cstdint>

#include "oracle/formats/number_format.h"

namespace qconform {

class WideSum {
 public:
  // Adds (-1)^negative * significand * 2^exponent. Preconditions: it is a multiple of
  // 2^kLowest, and the sum of all magnitudes stays below 2^kHighest.
  void Add(bool negative, Uint128 significand, int exponent);
  void Add(const Unrounded& value) {
    Add(value.negative, value.significand, value.exponent);
  }

  // Returns the sum with its first 128 digits, and sticky if there are more; +0 if it is
  // zero.
  Unrounded Value() const;

  static constexpr int kLowest = -576;
  static constexpr int kHighest = 575;

 private:
  static constexpr int kWords = 18;
  // Two's complement, the lowest word first, in units of 2^kLowest.
  std::array<uint64_t, kWords> words_{};
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_WIDE_SUM_H_
