// Codes of operands that generators of several operators choose: zero points, special
// values, and an order to go through them.
#ifndef QCONFORM_CASES_QUANTIZATION_VALUES_H_
#define QCONFORM_CASES_QUANTIZATION_VALUES_H_

#include <cstdint>
#include <span>

#include "cases/core/counter_rng.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {

// Goes through 0 .. count - 1 in a scattered order, again and again.
class Stride {
 public:
  // Precondition: count > 0.
  Stride(uint32_t count, CounterRng& rng);
  uint32_t Next() {
    const uint32_t now = at_;
    at_ += step_;
    if (at_ >= count_) at_ -= count_;
    return now;
  }

 private:
  uint32_t count_;
  uint32_t step_;
  uint32_t at_;
};

// The special values of FLOAT, FLOAT16, BFLOAT16 and INT32, each once, ascending as
// codes.
std::span<const uint32_t> SpecialCodes(const NumberFormat& format);

// The zero points of a float format that a formula makes a difference of: ordinary, tiny,
// -0, largest, not a number, infinite. Empty for formats of more than 8 bits.
std::span<const uint64_t> FloatZeroPoints(const NumberFormat& format);

enum class ZeroPointFamily : uint8_t { kZero, kLow, kHigh, kMiddle, kOdd, kAny };

// Returns a zero point of an integer format; 0 for a float format, whose other zero
// points are open and have a generator of their own. It takes one word of `rng` always.
uint64_t ZeroPointCode(const NumberFormat& format, ZeroPointFamily family,
                       CounterRng& rng);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_QUANTIZATION_VALUES_H_
