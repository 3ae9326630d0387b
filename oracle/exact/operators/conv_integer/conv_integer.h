// ConvInteger, by the judge: y = conv(x - x_zero_point, w - w_zero_point), exact.
//
// Clauses CI-01 to CI-08 of docs/semantics.md. Models are not validated.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_CONV_INTEGER_CONV_INTEGER_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_CONV_INTEGER_CONV_INTEGER_H_

#include <optional>

#include "oracle/exact/answer.h"
#include "oracle/exact/convolution.h"

namespace qconform::exact {

struct ConvIntegerInput {
  ConvolutionAttributes attributes;
  Codes x, w;
  std::optional<Codes> x_zero_point;  // one element
  std::optional<Codes> w_zero_point;  // one element, or one for each output channel
};

// Returns y, of type INT32. An exact sum outside INT32 is of the tier
// `accumulator_overflow`: any code, and modulo 2^32 here.
Answer ConvInteger(const ConvIntegerInput& input);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_CONV_INTEGER_CONV_INTEGER_H_
