// Words by which the evidence of a case says that it was asked more than once: what is
// wrong then does not show in one answer.
#ifndef QCONFORM_HARNESS_RUNNER_ASKED_AGAIN_H_
#define QCONFORM_HARNESS_RUNNER_ASKED_AGAIN_H_

#include <string_view>

namespace qconform {

inline constexpr std::string_view kAskedAgain = "asked again";
inline constexpr std::string_view kOtherBits = "not the same bits";

// Whether a counterexample's message is of such a case.
inline bool IsOfCaseAskedAgain(std::string_view message) {
  return message.find(kAskedAgain) != std::string_view::npos ||
         message.find(kOtherBits) != std::string_view::npos;
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASKED_AGAIN_H_
