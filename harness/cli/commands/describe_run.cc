#include "harness/cli/commands/describe_run.h"

#include "cases/model/serialize.h"
#include "harness/backends/registry/portable_words.h"
#include "harness/certificate/libraries.h"
#include "harness/cli/machine.h"
#include "harness/cli/version.h"
#include "harness/runner/selection.h"
#include "harness/runner/suite.h"
#include "reports/show/terminal_text.h"

namespace qconform {

RunInfo DescribeRun(const BackendInfo& backend, const std::vector<std::string>& patterns,
                    Level level, uint64_t seed, int jobs,
                    const std::vector<std::string>& command_line) {
  const std::vector<std::string> subjects = SubjectsOf(patterns);
  RunInfo info;
  info.tool.version = Version();
  info.tool.commit = Commit();
  info.suite = {.version = Version(),
                .digest = SuiteDigest(subjects),
                .onnx_version = std::string(OnnxVersion()),
                .level = std::string(LevelName(level)),
                .seed = seed};
  info.selection.operators = subjects;
  info.backend.kind = backend.kind;
  // Without the folder: results do not depend on it, and the command line has it.
  info.backend.name = WithoutFolder(backend.name);
  info.backend.version = backend.version;
  info.backend.vendor = backend.vendor;
  info.backend.device = backend.device;
  info.backend.details = backend.details;
  info.backend.digest = LibraryDigest(backend.details);
  info.machine = DescribeMachine();
  info.operators = OperatorRecords(subjects);
  info.command_line = PortableCommandLine(command_line);
  info.start_time = TimeNow();
  info.jobs = jobs;
  return info;
}

Status AddCodeDigest(Backend& backend, RunInfo* info) {
  const auto digest = CodeDigest(backend);
  if (!digest) return digest.error();
  if (!digest->empty()) info->backend.details["code_sha256"] = *digest;
  return Ok();
}

std::string NameAndDevice(const std::string& name, const std::string& device) {
  return OneLine(name) + (device.empty() ? "" : " (" + OneLine(device) + ")");
}

}  // namespace qconform
