// The version of this program.
#ifndef QCONFORM_HARNESS_CLI_VERSION_H_
#define QCONFORM_HARNESS_CLI_VERSION_H_

#include <string>

namespace qconform {

// Returns "0.1.0".
std::string Version();
// Returns the commit that was built, with "-dirty" if the tree was changed; "unknown"
// outside of a git checkout.
std::string Commit();
// Returns both, and the release of ONNX that is linked.
std::string VersionText();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_VERSION_H_
