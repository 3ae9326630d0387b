#include "cases/node_tests/disputed.h"

#include "cases/core/operator_cases.h"

namespace qconform {

std::string_view DisputedReason(std::string_view test_name,
                                std::string_view output_sha256) {
  for (const OperatorCases* cases : AllOperatorCases()) {
    for (const DisputedOutput& disputed : cases->disputed_outputs) {
      if (disputed.test_name == test_name && disputed.output_sha256 == output_sha256) {
        return disputed.reason;
      }
    }
  }
  return "";
}

}  // namespace qconform
