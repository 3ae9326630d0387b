#include "oracle/operators/quantize_linear/dimensions.h"

#include "oracle/operators/quantize_linear/layout.h"

namespace qconform {

Result<Dimensions> QuantizeLinearDimensions(const QuantizeLinearProblem& problem) {
  const QuantizeLinearResolution resolution = ResolveWithoutData(problem);
  const ModelValidity& validation = resolution.validation;
  if (validation.kind == ModelValidity::Kind::kInvalid) {
    return Error{"QuantizeLinear, " + validation.clause + ": " + validation.reason};
  }
  return DimensionsOfScaled(OperandsOf(problem), resolution.layout);
}

}  // namespace qconform
