#include "harness/cli/version.h"

#include "cases/model/serialize.h"
#include "qconform_version_made.h"

namespace qconform {

std::string Version() { return QCONFORM_VERSION; }
std::string Commit() { return QCONFORM_COMMIT; }

std::string VersionText() {
  return "qconform " + Version() + " (commit " + Commit() + ", ONNX " +
         std::string(OnnxVersion()) + ")";
}

}  // namespace qconform
