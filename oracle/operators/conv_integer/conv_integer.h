// ConvInteger, the definition that every other implementation is compared with.
//
//   y = conv(x - x_zero_point, w - w_zero_point), exact, INT32
//
// ONNX ConvInteger, since_version 10. Clauses CI-01 to CI-08: docs/semantics.md.
#ifndef QCONFORM_ORACLE_OPERATORS_CONV_INTEGER_CONV_INTEGER_H_
#define QCONFORM_ORACLE_OPERATORS_CONV_INTEGER_CONV_INTEGER_H_

#include <optional>

#include "oracle/base/result.h"
#include "oracle/convolution/geometry.h"
#include "oracle/core/accumulator.h"
#include "oracle/core/operator.h"
#include "oracle/tensor/tensor.h"

namespace qconform::conv_integer {

// An input that is missing has the type kUndefined; zero points may be left out.
struct Problem {
  int since_version = 0;
  ConvolutionAttributes attributes{};
  TensorView x{};
  TensorView w{};
  std::optional<TensorView> x_zero_point{};
  std::optional<TensorView> w_zero_point{};
};

// The problem's views are those of the operands.
Problem ProblemOf(int since_version, const ConvolutionAttributes& attributes,
                  const Operands& operands);

struct Resolution {
  ModelValidity validity;
  ConvolutionGeometry geometry;  // meaningless if the model is invalid
};

// CI-03 to CI-07.
Resolution Resolve(const Problem& problem);

// The same of operands whose data may be missing.
Resolution ResolveWithoutData(const Problem& problem);

// Returns the geometry, or an Error, citing the clause, if the model is invalid.
Result<ConvolutionGeometry> ValidGeometry(Resolution resolution);

// Returns y. Open models are answered with their plain meaning; an Error, citing the
// clause, if the model is invalid. `accumulator`: what becomes of sums outside INT32,
// which are free (CI-01).
Result<Answer> EvaluateConvInteger(const Problem& problem,
                                   Accumulator accumulator = Accumulator::kModulo32);

}  // namespace qconform::conv_integer

#endif  // QCONFORM_ORACLE_OPERATORS_CONV_INTEGER_CONV_INTEGER_H_
