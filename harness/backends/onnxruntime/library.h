// ONNX Runtime's shared library, loaded while the program runs: nothing is linked,
// so that any release from 1.15 on can be certified, and none is needed to build.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_LIBRARY_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_LIBRARY_H_

#include <onnxruntime_c_api.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/file_sha256.h"
#include "harness/backends/onnxruntime/find_library.h"
#include "oracle/base/result.h"

namespace qconform::ort {

// Why a call failed: its code and words.
struct Failure {
  OrtErrorCode code = ORT_FAIL;
  std::string text;
};

// Frees an object that a function of the API made.
template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// The API of release 1.N has version N. A function of a newer version than the library's
// lies past the end of its table and must not be read.
inline constexpr uint32_t kOldestApi = 15;
// session.disable_cpu_ep_fallback
inline constexpr uint32_t kApiOfNoCpuFallback = 16;
// RegisterExecutionProviderLibrary and related functions
inline constexpr uint32_t kApiOfProviderLibraries = 22;

// Returns the newest API, from kOldestApi on, that both the library and the headers have,
// and sets `api_version`; null if there is none. `version` is the library's.
const OrtApi* NewestApi(const OrtApiBase& base, const std::string& version,
                        uint32_t* api_version);

class Library {
 public:
  // Loads `path`, or the first suitable library of FindLibrary if it is "". A library
  // stays loaded until the program ends, because its threads and exit handlers would not
  // survive unloading.
  static Result<std::shared_ptr<const Library>> Load(const std::string& path);
  static Result<std::shared_ptr<const Library>> Load(const Machine& machine);

  // Only functions of API version kOldestApi may be called without asking api_version().
  const OrtApi& api() const { return *api_; }
  uint32_t api_version() const { return api_version_; }
  const std::string& version() const { return version_; }  // "1.30.0"
  const std::string& path() const { return path_; }        // as it was found
  const std::string& origin() const { return origin_; }    // as Candidate::origin
  std::string FileName() const;                            // of path()
  std::string Sha256() const { return FileSha256(path_); }

  // Takes ownership of `status`; returns nothing if it means success.
  std::optional<Failure> Take(OrtStatus* status) const;

  std::vector<std::string> Providers() const;  // built into the library

 private:
  Library() = default;
  // An Error says what was found in place of a suitable library.
  static Result<std::shared_ptr<const Library>> Open(const Candidate& candidate);

  const OrtApi* api_ = nullptr;
  uint32_t api_version_ = 0;
  std::string version_;
  std::string path_;
  std::string origin_;
};

// Clears the upper halves of the vector registers before and after a call of the library.
// Dirty upper halves make SSE code several times slower.
void ClearUpperHalves();

}  // namespace qconform::ort

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_LIBRARY_H_
