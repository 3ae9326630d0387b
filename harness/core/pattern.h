// What the deviating elements of a cell may have in common. An operator lists its
// patterns in the order in which they are tried: the more specific ones first.
#ifndef QCONFORM_HARNESS_CORE_PATTERN_H_
#define QCONFORM_HARNESS_CORE_PATTERN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/case_answer.h"
#include "harness/core/decoded_case.h"

namespace qconform {

// A case with a backend's answer, as wrong models and patterns look at it.
struct EvidenceCase {
  std::shared_ptr<const CaseAnswer> answer;
  std::shared_ptr<const DecodedCase> decoded;
  Codes observed;
  std::vector<int64_t> deviating;  // indices that `answer` does not allow
};

struct Pattern {
  std::string words;  // "only ties"
  std::function<bool(const EvidenceCase&, int64_t index)> holds;
  // It is named only if elements that are not like that would deviate too, if they did so
  // as often.
  bool only_if_others_would = false;
  // It is named although one that was found before implies it.
  bool even_if_implied = false;
  // If there is one, it has to hold for one of the deviating elements at least.
  std::function<bool(const EvidenceCase&, int64_t index)> shown_by{};
};
using Patterns = std::vector<Pattern>;

// Patterns of every operator.
Patterns SpecialValuePatterns();  // NaN and infinite quotients
Patterns ResultPatterns();  // ties, saturation, subnormals, an output's last element
Patterns TailPatterns();    // after the last multiple of lanes in an output
Patterns LanePatterns();    // the index in an output modulo a number of lanes
Patterns TierPatterns();

void Append(Patterns& to, Patterns more);

int64_t SizeOf(const EvidenceCase& one);  // elements

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_PATTERN_H_
