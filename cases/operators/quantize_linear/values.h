// Ways to choose codes for x that several generators share.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_VALUES_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_VALUES_H_

#include <cstdint>
#include <span>

#include "cases/operators/quantize_linear/question.h"

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

// The special values of an x type, each once, ascending as codes.
std::span<const uint32_t> SpecialCodes(const NumberFormat& x);

// The zero points of a float y that its formula makes a difference of (QL-24):
// ordinary, tiny, -0, largest, not a number, infinite.
std::span<const uint64_t> FloatZeroPoints(const NumberFormat& y);

// Returns the x nearest to quotient * divisor, then `steps` values further. The
// steps are P's where P is narrower than x: others would be invisible.
uint64_t SteppedX(const QuantizeLinearQuestion& question,
                  const QuantizeLinearChannel& channel, const ExactValue& quotient,
                  int steps);

// Returns a multiple of the channel's anchor whose quotient also lies next to a
// boundary. Precondition: the channel has an anchor.
uint64_t AnchoredX(QuantizeLinearQuestion& question,
                   const QuantizeLinearChannel& channel);

// Returns an x whose code of y is likely neither end of the range: halfway
// between codes, next to that, or anywhere in between.
uint64_t SpreadX(QuantizeLinearQuestion& question, const QuantizeLinearChannel& channel);
// Sets every x to such a one.
void SpreadAllX(QuantizeLinearQuestion& question);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_VALUES_H_
