// Which named wrong models give a backend's answer to one case. Other than a diagnosis,
// which wants the evidence of a whole cell, this names every model that is possible.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_MODELS_GIVING_H_
#define QCONFORM_HARNESS_DIAGNOSIS_MODELS_GIVING_H_

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/answered_case.h"
#include "harness/compare/closest.h"
#include "harness/core/fault.h"
#include "harness/diagnosis/worked.h"
#include "oracle/base/result.h"

namespace qconform {

struct GivingModel {
  const Fault* fault = nullptr;
  const FaultSet* set = nullptr;  // of the case's operator
  std::string sentence;           // what the model does in this case
  // The admissible reading over which it gives the codes; nothing: the canonical ones.
  std::optional<FollowedReading> follows{};

  // Returns the model as WorkThrough takes it. It must not outlive this.
  WorkedModel Worked() const {
    return {.faults = *set, .follows = follows ? &*follows : nullptr};
  }
};

// Returns the faults, the simplest first, that alone give the codes of every element:
// over the canonical readings or, if none does, over other admissible ones. Faults that
// depend on earlier calls are left out.
Result<std::vector<GivingModel>> ModelsGiving(const AnsweredCase& answered,
                                              int since_version);

// Returns a line "NAME: what it does" for each.
std::string ModelsText(const std::string& indent, const std::vector<GivingModel>& models);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_MODELS_GIVING_H_
