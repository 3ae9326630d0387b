#include "harness/cli/shard/shard.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

constexpr int64_t kMostShards = 100000;

Result<std::optional<Shard>> Make(const std::string& source, std::string_view index,
                                  std::string_view count, int64_t first) {
  const auto i = ParseNumber<int64_t>(index);
  const auto n = ParseNumber<int64_t>(count);
  if (!i || !n || *n < 1 || *n > kMostShards || *i - first < 0 || *i - first >= *n) {
    const std::string from = std::to_string(first);
    return Expected(source,
                    "shard I of N, N from 1 to " + std::to_string(kMostShards) +
                        ", I from " + from + " to N" +
                        (first == 0   ? " - 1"
                         : first == 1 ? ""
                                      : " - 1 + " + from),
                    "'" + std::string(index) + "' of '" + std::string(count) + "'");
  }
  return std::optional<Shard>({*i - first, *n, ""});
}

}  // namespace

Result<std::optional<Shard>> ChooseShard(const std::string& flag,
                                         const Environment& environment) {
  if (!flag.empty()) {
    const size_t slash = flag.find('/');
    if (slash == std::string::npos) {
      return Expected("--shard", "I/N, such as 0/4", "'" + flag + "'");
    }
    return Make("--shard", std::string_view(flag).substr(0, slash),
                std::string_view(flag).substr(slash + 1), 0);
  }
  constexpr const char* kSources[][3] = {
      {"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", "TEST_SHARD_STATUS_FILE"},
      {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", "GTEST_SHARD_STATUS_FILE"},
      {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", nullptr}};
  for (const auto& [index_name, count_name, status_name] : kSources) {
    const char* index = environment(index_name);
    const char* count = environment(count_name);
    if (index == nullptr || count == nullptr) continue;
    if (status_name != nullptr) {
      auto shard = Make(index_name, index, count, 0);
      const char* status_file = environment(status_name);
      if (shard && status_file != nullptr) (*shard)->status_file = status_file;
      return shard;
    }
    // An array may begin anywhere and have steps: --array=1-7:2.
    const auto number = [&](const char* name, int64_t fallback) {
      const char* text = environment(name);
      return text == nullptr ? fallback : ParseNumber<int64_t>(text).value_or(fallback);
    };
    const int64_t first = number("SLURM_ARRAY_TASK_MIN", 0);
    const int64_t step = number("SLURM_ARRAY_TASK_STEP", 1);
    const auto task = ParseNumber<int64_t>(index);
    if (step <= 1 || !task || (*task - first) % step != 0) {
      return Make(index_name, index, count, first);
    }
    return Make(index_name, std::to_string((*task - first) / step), count, 0);
  }
  return std::optional<Shard>();
}

Status TouchStatusFile(const Shard& shard) {
  if (shard.status_file.empty()) return Ok();
  const Descriptor file(
      ::open(shard.status_file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (file.get() >= 0) return Ok();
  return Error{shard.status_file + ": cannot be written, but the environment names it: " +
               std::strerror(errno)};
}

}  // namespace qconform
