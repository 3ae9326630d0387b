#include "harness/cli/paths.h"

#include <filesystem>

#include "oracle/base/expected.h"
#include "oracle/base/file.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

// Returns the same name for the same file, even if it does not exist yet; empty for
// devices, pipes and standard streams.
fs::path NameOf(const std::string& path) {
  std::error_code failed;
  if (IsStandardStream(path) || fs::is_other(fs::status(path, failed))) return {};
  const auto target = LinkTarget(path);
  const fs::path absolute = fs::absolute(target ? *target : fs::path(path), failed);
  const fs::path name = fs::weakly_canonical(absolute, failed);
  return failed ? absolute.lexically_normal() : name;
}

}  // namespace

std::string JournalBeside(const std::string& report) {
  std::error_code failed;
  if (IsStandardStream(report) || fs::is_other(fs::status(report, failed))) {
    return "/dev/null";
  }
  return report + ".journal";
}

Status CheckPaths(const std::vector<NamedPath>& paths) {
  for (size_t i = 0; i < paths.size(); ++i) {
    const NamedPath& one = paths[i];
    if (one.path.empty()) continue;
    const fs::path name = NameOf(one.path);
    for (size_t j = 0; j < i && !name.empty(); ++j) {
      const NamedPath& other = paths[j];
      if (other.path.empty() || !(one.written || other.written)) continue;
      if (NameOf(other.path) != name) continue;
      return Expected(one.path, "different files for " + other.what + " and " + one.what,
                      "the same file for both");
    }
  }
  for (const NamedPath& one : paths) {
    if (one.path.empty() || !one.written) continue;
    if (Status writable = CheckWritable(one.path); !writable) return writable;
  }
  return Ok();
}

}  // namespace qconform
