#include <string>

#include "cases/lattice/definitions.h"

namespace qconform {

Result<JudgingVersion> JudgingVersionFor(std::string_view op_type, int opset_version) {
  const std::vector<SinceVersion> versions = SinceVersions(op_type);
  const std::string asked =
      std::string(op_type) + ": opset_version " + std::to_string(opset_version);
  if (versions.empty() || opset_version < versions.front().since_version) {
    return Error{asked + " has no " + std::string(op_type) +
                 " that the linked ONNX knows" +
                 (versions.empty() ? ""
                                   : "; its first is of opset_version " +
                                         std::to_string(versions.front().since_version))};
  }
  const SinceVersion& newest = versions.back();
  if (opset_version > newest.opset_versions.back()) {
    return JudgingVersion{
        newest.since_version,
        asked + " is newer than those that are judged: this is by since_version " +
            std::to_string(newest.since_version)};
  }
  JudgingVersion judging;
  for (const SinceVersion& version : versions) {
    if (version.since_version <= opset_version)
      judging.since_version = version.since_version;
  }
  return judging;
}

}  // namespace qconform
