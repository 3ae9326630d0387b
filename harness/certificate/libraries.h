// The code that answered: the programs and shared libraries of a backend, without those
// of qconform itself.
#ifndef QCONFORM_HARNESS_CERTIFICATE_LIBRARIES_H_
#define QCONFORM_HARNESS_CERTIFICATE_LIBRARIES_H_

#include <set>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "oracle/base/result.h"

namespace qconform {

struct LoadedFile {
  std::string name;  // without its folder
  std::string sha256;

  friend bool operator==(const LoadedFile&, const LoadedFile&) = default;
};

// Each list is sorted by name.
struct LoadedCode {
  std::vector<LoadedFile> backend;
  // This program and its libraries. A backend that it loads may use them as well.
  std::vector<LoadedFile> harness;
};

// Returns the files of the backend:
//   in its own processes     the files of these processes
//   loaded in this process   the mapped files that are not among `own`, the code that was
//                            mapped before the backend was created
//   built in                 this program
// Call it after the backend has answered, because libraries may be loaded late. Returns
// an Error if a file was replaced or removed since it was loaded.
Result<LoadedCode> FindLoadedCode(Backend& backend, const std::set<std::string>& own);

// Returns a digest of the names and digests of the files in the backend's own processes,
// so that another build of any of them shows. Returns "" if it has no processes.
Result<std::string> CodeDigest(Backend& backend);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_LIBRARIES_H_
