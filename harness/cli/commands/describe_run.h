// What a run says of itself: tool, suite, backend, machine and command.
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

// Returns all but the selection's cells, patterns, profile and shard, and the
// duration.
RunInfo DescribeRun(const BackendInfo& backend, Level level, uint64_t seed, int jobs,
                    const std::vector<std::string>& command_line);

// Adds the digest of all code that answers in processes of the backend's own, as
// "code_sha256" to its details: a run goes on with the same build only. An Error where
// one of the files cannot be read.
Status AddCodeDigest(Backend& backend, RunInfo* info);

// Returns "simd (AVX2)"; the name alone where no device is known.
std::string NameAndDevice(const std::string& name, const std::string& device);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_DESCRIBE_RUN_H_
