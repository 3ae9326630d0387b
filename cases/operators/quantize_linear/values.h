// Ways to choose codes for x that several generators share.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_VALUES_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_VALUES_H_

#include <cstdint>

#include "cases/operators/quantize_linear/question.h"
#include "cases/quantization/values.h"

namespace qconform::generators {

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
