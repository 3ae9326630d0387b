#include "harness/certificate/libraries.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>

#include "oracle/tensor/sha256.h"
#include "reports/file.h"

namespace qconform {
namespace {

// Lines of the map are "from-to perms offset device inode  path".
std::set<std::string> MappedCode() {
  std::set<std::string> paths;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::string range, permissions, offset, device, inode;
    fields >> range >> permissions >> offset >> device >> inode;
    std::string path;
    std::getline(fields >> std::ws, path);
    if (permissions.find('x') != std::string::npos && path.starts_with("/")) {
      paths.insert(path);
    }
  }
  return paths;
}

}  // namespace

std::vector<LoadedFile> LoadedFiles(const std::string& backend,
                                    const std::map<std::string, std::string>& details) {
  std::set<std::string> paths = MappedCode();
  const size_t colon = backend.find(':');
  if (colon != std::string::npos) {
    // A command line: its words that are files, such as an interpreter's script.
    std::istringstream words(backend.substr(colon + 1));
    for (std::string word; words >> word;) {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(word, ignored)) paths.insert(word);
    }
  }
  std::vector<LoadedFile> files;
  for (const std::string& path : paths) {
    const auto bytes = ReadFile(path, std::numeric_limits<size_t>::max());
    if (!bytes) continue;  // deleted since it was loaded
    files.push_back({std::filesystem::path(path).filename().string(), Sha256Hex(*bytes)});
  }
  constexpr std::string_view kDigest = "library_sha256";
  for (const auto& [key, value] : details) {
    const bool loaded =
        std::any_of(files.begin(), files.end(),
                    [&](const LoadedFile& file) { return file.sha256 == value; });
    if (key.ends_with(kDigest) && value.size() == 64 && !loaded)
      files.push_back({key, value});
  }
  std::sort(files.begin(), files.end(), [](const LoadedFile& a, const LoadedFile& b) {
    return std::tie(a.name, a.sha256) < std::tie(b.name, b.sha256);
  });
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace qconform
