// Which code answered: the programs and shared libraries of a backend, apart from those
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

// Each list by name.
struct LoadedCode {
  std::vector<LoadedFile> backend;
  // This program and its libraries, which a backend that it loads may use as well.
  std::vector<LoadedFile> harness;
};

// Returns the files of the backend: those of its processes; of one in this process, those
// that are mapped and not among `own`, what was before it was made; and of a built-in
// one, of which there are none, this program. To be called once the backend has answered:
// libraries may be loaded late. An Error where one was replaced or removed since it was
// loaded.
Result<LoadedCode> FindLoadedCode(Backend& backend, const std::set<std::string>& own);

// Returns a digest of the names and digests of the backend's files in processes of its
// own, so that another build of any of them shows; "" where it has none.
Result<std::string> CodeDigest(Backend& backend);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_LIBRARIES_H_
