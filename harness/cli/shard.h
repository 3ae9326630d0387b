// Which part of the work a run does, from --shard or from the environment of
// the systems that start several of them.
#ifndef QCONFORM_HARNESS_CLI_SHARD_H_
#define QCONFORM_HARNESS_CLI_SHARD_H_

#include <functional>
#include <optional>
#include <string>

#include "oracle/tensor/result.h"

namespace qconform {

struct Shard {
  int64_t index = 0;  // from 0
  int64_t count = 1;
};

// `flag` is "I/N" with I from 0 to N - 1, or empty: then the first of these
// that is set counts: TEST_SHARD_INDEX of TEST_TOTAL_SHARDS (Bazel),
// GTEST_SHARD_INDEX of GTEST_TOTAL_SHARDS, SLURM_ARRAY_TASK_ID (counted from
// SLURM_ARRAY_TASK_MIN in SLURM_ARRAY_TASK_STEPs) of SLURM_ARRAY_TASK_COUNT.
// Nothing where none is set.
using Environment = std::function<const char*(const char*)>;
Result<std::optional<Shard>> ChooseShard(const std::string& flag,
                                         const Environment& environment);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_SHARD_H_
