// A case with a backend's answer, as models and patterns look at it. Private to
// this folder.
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
#include "harness/core/decoded_case.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"

namespace qconform {

struct EvidenceCase {
  std::shared_ptr<const Answer> answer;
  std::shared_ptr<const DecodedCase> decoded;
  std::vector<uint32_t> observed;  // codes
  std::vector<int64_t> deviating;  // indices that `answer` does not allow
};

// Whether the code that a model gives an element of an answer is the one that was seen.
bool Reproduces(const Answer& answer, size_t i, uint32_t model, uint32_t observed);

// Returns a case as models see it, by the reading that it follows: of these the part that
// they change is the quotient or the requantization. `follows` may be null: canonical.
Result<DecodedCase> DecodeCase(const AnsweredCase& answered, int since_version,
                               const FollowedReading* follows);

// Returns what all deviating elements have in common and others do not, in words;
// none where that is nothing known.
std::vector<std::string> PatternOf(std::span<const EvidenceCase> cases);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_EVIDENCE_CASE_H_
