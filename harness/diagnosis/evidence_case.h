// Cases with a backend's answers, as models and patterns look at them. Private to this
// folder.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_EVIDENCE_CASE_H_
#define QCONFORM_HARNESS_DIAGNOSIS_EVIDENCE_CASE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/compare/closest.h"
#include "harness/compare/inference.h"
#include "harness/core/operator_faults.h"
#include "harness/core/patterns/pattern.h"
#include "oracle/base/result.h"

namespace qconform {

// Whether the code that a model gives an element of an answer is the one that was seen.
bool Reproduces(const CaseAnswer& answer, size_t i, uint32_t model, uint32_t observed);
// The same for the model of `set`, which may leave an element undefined.
bool Reproduces(const CaseAnswer& answer, const DecodedCase& decoded, const FaultSet& set,
                size_t i, uint32_t model, uint32_t observed);

// Returns a case as models see it, by the reading that it follows. `follows` may be null:
// canonical. An Error also if the ExplainLimit of the thread has passed.
Result<std::shared_ptr<const DecodedCase>> DecodeCase(const AnsweredCase& answered,
                                                      int since_version,
                                                      const FollowedReading* follows);

// Returns what all deviating elements have in common and others do not, in words. A
// pattern is told only if the probability that it holds by chance is below 1e-6, all
// patterns that were looked at counted. Nothing
// if there is none.
std::vector<std::string> PatternOf(const OperatorFaults& faults,
                                   std::span<const EvidenceCase> cases);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_EVIDENCE_CASE_H_
