// Outputs of ONNX's own node tests that are known to be wrong.
#ifndef QCONFORM_CASES_NODE_TESTS_DISPUTED_H_
#define QCONFORM_CASES_NODE_TESTS_DISPUTED_H_

#include <string_view>

namespace qconform {

struct DisputedOutput {
  std::string_view test_name;
  std::string_view output_sha256;  // of output_0.pb; a corrected file is not disputed
  std::string_view reason;
};

// Returns the reason why this output of this test is disputed, or "".
std::string_view DisputedReason(std::string_view test_name,
                                std::string_view output_sha256);

}  // namespace qconform

#endif  // QCONFORM_CASES_NODE_TESTS_DISPUTED_H_
