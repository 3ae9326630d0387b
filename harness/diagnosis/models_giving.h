// Which named wrong models give a backend's answer to one case. Other than a diagnosis,
// which wants the evidence of a whole cell, this names every model that is possible.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_MODELS_GIVING_H_
#define QCONFORM_HARNESS_DIAGNOSIS_MODELS_GIVING_H_

#include <vector>

#include "harness/compare/answered_case.h"
#include "harness/core/fault.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns the faults, the simplest first, that alone give the codes of every element.
// Faults that depend on earlier calls are left out.
Result<std::vector<const Fault*>> ModelsGiving(const AnsweredCase& answered,
                                               int since_version);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_MODELS_GIVING_H_
