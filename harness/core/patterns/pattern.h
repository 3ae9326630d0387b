// What the deviating elements of a cell may have in common. An operator lists its
// patterns, the ones that say most first, and quantities, of which patterns are made.
#ifndef QCONFORM_HARNESS_CORE_PATTERNS_PATTERN_H_
#define QCONFORM_HARNESS_CORE_PATTERNS_PATTERN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/core/level.h"
#include "cases/model/model.h"
#include "harness/core/case_answer.h"
#include "harness/core/decoded_case.h"
#include "oracle/formats/number_format.h"

namespace qconform {

// A case with a backend's answer, as wrong models and patterns look at it.
struct EvidenceCase {
  std::shared_ptr<const CaseAnswer> answer;
  std::shared_ptr<const DecodedCase> decoded;
  Codes observed;
  std::vector<int64_t> deviating;  // indices that `answer` does not allow
  const Model* model = nullptr;    // may be null: nothing is said of its attributes
  OperandForm form = OperandForm::kInputs;
  int opset_version = 0;  // 0: not known
};

struct Pattern {
  std::string words;  // "only ties"
  std::function<bool(const EvidenceCase&, int64_t index)> holds;
  // How many patterns of this kind were looked at for one that fits: the more there are,
  // the sooner one of them fits by chance.
  int64_t alternatives = 1;
  // If there is one, it has to hold for one of the deviating elements at least.
  std::function<bool(const EvidenceCase&, int64_t index)> shown_by{};
  // Made from the values of the deviating elements. It is told only if at least a quarter
  // of the elements that are like that deviate, and a pattern that was not made so comes
  // first unless this one speaks of fewer than a third as many elements.
  bool is_derived = false;
  bool is_range = false;  // its ends were fitted to the values of the deviating elements
  bool has_upper_end = false;  // is_range
  // Whether it speaks of how a content was asked, not of the content. Equal answers to
  // equal contents count once for the others.
  bool is_of_asking = false;
  // The elements among which its chance is weighed; null: all.
  std::function<bool(const EvidenceCase&, int64_t index)> weighed{};
};
using Patterns = std::vector<Pattern>;

// A number that elements have. From its values at the deviating elements the patterns
// "NAME is V", "NAME is at least V", "at most V" and "between V and W" are made.
struct Quantity {
  std::string name;  // "the quotient"
  // Nothing for elements that have none, such as a NaN.
  std::function<std::optional<double>(const EvidenceCase&, int64_t index)> of;
  bool has_remainders = false;  // "NAME modulo 8 is 3", "NAME is no multiple of 4"
  bool has_ends = true;         // all but "NAME is V"
  bool is_of_asking = false;    // Pattern::is_of_asking
  // Many mistakes do not show in results that are 0, infinite or NaN: unless one of these
  // deviates, they bear no pattern out.
  bool is_of_result = false;
};

// Precondition: some element deviates.
Patterns PatternsOf(const Quantity& quantity, std::span<const EvidenceCase> cases);

// Patterns of the right answer, of places and shapes, and of how cases were asked:
// operand form, opset_version, attributes, and operands that are left out.
Patterns CommonPatterns(std::span<const EvidenceCase> cases);

// Patterns of every operator.
// NaN and infinite `values`, which are what the output is made of: "quotients".
Patterns SpecialValuePatterns(const std::string& values);
Patterns ResultPatterns();  // ties, saturation, subnormals, an output's last element
Patterns TailPatterns();    // after the last multiple of lanes in an output
Patterns LanePatterns();    // the index in an output modulo a number of lanes
Patterns TierPatterns();

void Append(Patterns& to, Patterns more);

int64_t SizeOf(const EvidenceCase& one);  // elements

// Calls `call(index, deviates)` with each element of a case.
template <typename Call>
void ForElements(const EvidenceCase& one, Call call) {
  auto deviating = one.deviating.begin();
  for (int64_t i = 0; i < SizeOf(one); ++i) {
    const bool deviates = deviating != one.deviating.end() && *deviating == i;
    if (deviates) ++deviating;
    call(i, deviates);
  }
}

// Returns a value, rounded to a double; nothing for NaN.
std::optional<double> NumberOf(const Unrounded& value);
std::optional<double> NumberOf(const ExactValue& value);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_PATTERNS_PATTERN_H_
