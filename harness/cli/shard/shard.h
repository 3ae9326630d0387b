// The part of the work that a run does, from --shard or from the environment of a system
// that starts several runs.
#ifndef QCONFORM_HARNESS_CLI_SHARD_SHARD_H_
#define QCONFORM_HARNESS_CLI_SHARD_SHARD_H_

#include <functional>
#include <optional>
#include <string>

#include "oracle/base/result.h"

namespace qconform {

struct Shard {
  int64_t index = 0;  // from 0
  int64_t count = 1;
  // A file to touch as a sign that sharding is supported: Bazel fails a test that does
  // not touch it, because each shard would do all the work. Empty: not asked for.
  std::string status_file;
};

// `flag` is "I/N" with I from 0 to N - 1, or empty: then the first of these
// that is set counts: TEST_SHARD_INDEX of TEST_TOTAL_SHARDS (Bazel),
// GTEST_SHARD_INDEX of GTEST_TOTAL_SHARDS, SLURM_ARRAY_TASK_ID (counted from
// SLURM_ARRAY_TASK_MIN in SLURM_ARRAY_TASK_STEPs) of SLURM_ARRAY_TASK_COUNT.
// Nothing where none is set. TEST_SHARD_STATUS_FILE and GTEST_SHARD_STATUS_FILE go with
// the first two.
using Environment = std::function<const char*(const char*)>;
Result<std::optional<Shard>> ChooseShard(const std::string& flag,
                                         const Environment& environment);

// Touches the shard's status file, if there is one.
Status TouchStatusFile(const Shard& shard);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_SHARD_SHARD_H_
