#include "harness/certificate/package.h"

#include <unistd.h>

#include <set>

#include "oracle/base/codec.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/sha256.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

// Returns the most bytes that a file of that name may have.
size_t MostBytesOf(std::string_view name) {
  if (name == kPublicKeyFile) return kMostKeyBytes;
  if (name == kReportFile || name == kKnownFile) return kMostDocumentBytes;
  if (name == kJournalFile || name == kSamplesFile) return size_t{256} << 20;
  return kMostSettingBytes;
}

bool IsInManifest(std::string_view name) {
  return name != kManifestFile && name != kAttestationFile && name != kEnvelopeFile &&
         name != kPublicKeyFile;
}

struct ListedFile {
  std::string path;
  uint64_t bytes = 0;
  std::string sha256;
};

void Describe(Fields& fields, ListedFile& file) {
  fields.Required("path", file.path, "bytes", file.bytes, "sha256", file.sha256);
}

struct Manifest {
  std::string version = "1.0.0";
  std::vector<ListedFile> files{};
};

void Describe(Fields& fields, Manifest& manifest) {
  fields.Required("manifest_version", manifest.version, "files", manifest.files);
}

}  // namespace

Result<PackageFiles> ReadPackage(const fs::path& directory) {
  std::error_code failed;
  if (!fs::is_directory(directory, failed)) {
    return Expected(directory.string(), "the directory of a package",
                    "something else or nothing", "'qconform certify' makes a package");
  }
  const auto unreadable = [&](const fs::path& path) {
    return Error{path.string() + ": cannot be read: " + failed.message()};
  };
  PackageFiles files;
  fs::directory_iterator entry(directory, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    const fs::path& path = entry->path();
    const fs::file_status status = entry->symlink_status(failed);
    if (failed) return unreadable(path);
    if (!fs::is_regular_file(status)) {
      return Expected(path.string(), "a plain file, as all parts of a package are",
                      "something else");
    }
    auto text = ReadFile(path, MostBytesOf(path.filename().string()));
    if (!text) return text.error();
    files[path.filename().string()] = *std::move(text);
  }
  if (failed) return unreadable(directory);
  return files;
}

namespace {

// Removes the folder, if it is still there, with these files: by their names, as there
// may be no descriptor left to list it.
class RemovedFolder {
 public:
  RemovedFolder(const fs::path& folder, const PackageFiles& files)
      : folder_(folder), files_(files) {}
  ~RemovedFolder() {
    std::error_code ignored;
    for (const auto& [name, text] : files_) fs::remove(folder_ / name, ignored);
    fs::remove(folder_, ignored);
  }
  RemovedFolder(const RemovedFolder&) = delete;
  RemovedFolder& operator=(const RemovedFolder&) = delete;

 private:
  const fs::path& folder_;
  const PackageFiles& files_;
};

}  // namespace

Status WritePackage(const fs::path& directory, const PackageFiles& files) {
  std::error_code failed;
  const fs::path whole = directory.has_filename() ? directory : directory.parent_path();
  // If the name itself is wrong, the error comes from making the directory.
  if (fs::exists(fs::symlink_status(whole, failed))) {
    return Expected(whole.string(), "a path that does not exist yet",
                    "an existing file or directory");
  }
  const fs::path part = whole.string() + ".part" + std::to_string(getpid());
  fs::create_directories(part, failed);
  if (failed) return Error{part.string() + ": cannot be made: " + failed.message()};
  const RemovedFolder removed(part, files);
  for (const auto& [name, text] : files) {
    const Status written = WriteFileAtomically(part / name, text);
    if (!written) return written.error();
  }
  fs::rename(part, whole, failed);
  if (failed) return Error{whole.string() + ": cannot be written: " + failed.message()};
  return Ok();
}

std::string ManifestText(const PackageFiles& files) {
  Manifest manifest;
  for (const auto& [name, text] : files) {
    if (IsInManifest(name))
      manifest.files.push_back({name, text.size(), Sha256Hex(text)});
  }
  return Dump(ToJson(manifest), 2) + "\n";
}

std::vector<std::string> CheckManifest(const PackageFiles& files) {
  const std::string& text = files.at(std::string(kManifestFile));
  const auto manifest = ParseRecord<Manifest>(text, kManifestFile);
  if (!manifest) return {manifest.error().message};
  std::vector<std::string> wrong;
  std::set<std::string, std::less<>> listed;
  for (const ListedFile& file : manifest->files) {
    const std::string& name = file.path;
    if (!listed.insert(name).second)
      wrong.push_back("MANIFEST.json lists " + name + " twice");
    const auto found = files.find(name);
    if (found == files.end()) {
      wrong.push_back(name + " is missing, which MANIFEST.json lists");
    } else if (const std::string digest = Sha256Hex(found->second);
               digest != file.sha256) {
      wrong.push_back(name + " was changed: its SHA-256 is " + digest +
                      ", MANIFEST.json says " + file.sha256);
    }
  }
  for (const auto& [name, bytes] : files) {
    if (IsInManifest(name) && !listed.contains(name)) {
      wrong.push_back(name + " is not listed by MANIFEST.json");
    }
  }
  if (wrong.empty() && text != ManifestText(files)) {
    wrong.push_back(
        "MANIFEST.json differs from the one that qconform writes for these files");
  }
  return wrong;
}

}  // namespace qconform
