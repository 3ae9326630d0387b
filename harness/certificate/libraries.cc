#include "harness/certificate/libraries.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "harness/backends/file_sha256.h"
#include "harness/backends/mapped_code.h"
#include "oracle/base/sha256.h"

namespace qconform {
namespace {

Result<std::vector<LoadedFile>> Digests(const std::set<std::string>& paths) {
  std::vector<LoadedFile> files;
  for (const std::string& path : paths) {
    const std::string digest = FileSha256(path);
    if (digest.size() != 64) {
      return Error{path +
                   ": cannot be read; keep the file as it was loaded, because its digest "
                   "says which build answered"};
    }
    files.push_back({std::filesystem::path(path).filename().string(), digest});
  }
  std::sort(files.begin(), files.end(), [](const LoadedFile& a, const LoadedFile& b) {
    return std::tie(a.name, a.sha256) < std::tie(b.name, b.sha256);
  });
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace

Result<LoadedCode> FindLoadedCode(Backend& backend, const std::set<std::string>& own) {
  std::set<std::string> harness = MappedCode(getpid());
  std::set<std::string> code = backend.CodeFiles();
  if (code.empty()) {
    std::set_difference(harness.begin(), harness.end(), own.begin(), own.end(),
                        std::inserter(code, code.end()));
    std::error_code none;
    if (code.empty()) {
      code.insert(std::filesystem::read_symlink("/proc/self/exe", none).string());
    }
    for (const std::string& path : code) harness.erase(path);
  }
  auto of_backend = Digests(code);
  if (!of_backend) return of_backend.error();
  auto of_harness = Digests(harness);
  if (!of_harness) return of_harness.error();
  return LoadedCode{*std::move(of_backend), *std::move(of_harness)};
}

Result<std::string> CodeDigest(Backend& backend) {
  const std::set<std::string> paths = backend.CodeFiles();
  if (paths.empty()) return std::string();
  const auto files = Digests(paths);
  if (!files) return files.error();
  Sha256 sha;
  for (const LoadedFile& file : *files) sha.Update(file.sha256 + " " + file.name + "\n");
  return sha.FinishHex();
}

}  // namespace qconform
