// Which code answered: the program and the shared libraries of this process.
#ifndef QCONFORM_HARNESS_CERTIFICATE_LIBRARIES_H_
#define QCONFORM_HARNESS_CERTIFICATE_LIBRARIES_H_

#include <map>
#include <string>
#include <vector>

namespace qconform {

struct LoadedFile {
  std::string name;  // without its folder
  std::string sha256;

  friend bool operator==(const LoadedFile&, const LoadedFile&) = default;
};

// Returns the files whose code this process has mapped, by name; of `backend`, as
// --backend names it, the words behind the colon that are files; and of its
// details the digests of libraries (KEY_sha256), which a backend in a process of
// its own loads there. To be called once the backend has answered: libraries may
// be loaded late.
std::vector<LoadedFile> LoadedFiles(const std::string& backend,
                                    const std::map<std::string, std::string>& details);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_LIBRARIES_H_
