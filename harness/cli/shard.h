// Which part of the work a run does, from --shard or from the environment of
// the systems that start several of them.
#ifndef QCONFORM_HARNESS_CLI_SHARD_H_
#define QCONFORM_HARNESS_CLI_SHARD_H_

#include <functional>
#include <optional>
#include <string>

#include "oracle/base/result.h"

namespace qconform {

struct Shard {
  int64_t index = 0;  // from 0
  int64_t count = 1;
  // Where to tell that shards are honoured: Bazel fails a test that does not, as it
  // would do all the work in each. Empty: nobody asks.
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

// Touches the shard's status file, where there is one.
Status TouchStatusFile(const Shard& shard);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_SHARD_H_
