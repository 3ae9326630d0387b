#include "harness/backends/mapped_code.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace qconform {
namespace {

constexpr std::string_view kGone = " (deleted)";

// Code that was generated at run time has files too: in memory, or unlinked at once.
bool IsOfAFile(std::string path) {
  if (!path.starts_with("/") || path.starts_with("/memfd:") || path.starts_with("/dev/"))
    return false;
  if (!path.ends_with(kGone)) return true;
  path.resize(path.size() - kGone.size());
  std::error_code ignored;
  return path.find(".so") != std::string::npos || std::filesystem::exists(path, ignored);
}

}  // namespace

std::set<std::string> MappedCode(pid_t pid) {
  std::set<std::string> paths;
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  // Lines of the map are "from-to perms offset device inode  path".
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::string range, permissions, offset, device, inode;
    fields >> range >> permissions >> offset >> device >> inode;
    std::string path;
    std::getline(fields >> std::ws, path);
    if (permissions.find('x') != std::string::npos && IsOfAFile(path)) paths.insert(path);
  }
  return paths;
}

}  // namespace qconform
