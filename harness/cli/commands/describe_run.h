// The description of a run in its report: tool, suite, backend, machine and command.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_DESCRIBE_RUN_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_DESCRIBE_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// Returns everything except the duration and the selection's cells, patterns, profile and
// shard. `patterns` select the cells; none: all.
RunInfo DescribeRun(const BackendInfo& backend, const std::vector<std::string>& patterns,
                    Level level, uint64_t seed, int jobs,
                    const std::vector<std::string>& command_line);

// Adds "code_sha256", the digest of all code that runs in the backend's own processes, to
// the backend's details: a run can be resumed only with the same build. Returns an Error
// if a file of that code cannot be read.
Status AddCodeDigest(Backend& backend, RunInfo* info);

// Returns "simd (AVX2)", or only the name if no device is known.
std::string NameAndDevice(const std::string& name, const std::string& device);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_DESCRIBE_RUN_H_
