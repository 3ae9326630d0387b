// ONNX Runtime's shared library, loaded while the program runs: nothing is linked,
// so that any release from 1.22 on can be certified, and none is needed to build.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_LIBRARY_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_LIBRARY_H_

#include <onnxruntime_c_api.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/file_sha256.h"
#include "oracle/tensor/result.h"

namespace qconform::ort {

// Why a call failed: its code and words.
struct Failure {
  OrtErrorCode code = ORT_FAIL;
  std::string text;
};

// Frees what a function of the API made.
template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

class Library {
 public:
  // Loads `path`; "" takes what script/bootstrap fetched, else what the system's
  // loader finds. A library stays loaded until the program ends: its threads and
  // exit handlers would not survive to be unloaded.
  static Result<std::shared_ptr<const Library>> Load(const std::string& path);

  const OrtApi& api() const { return *api_; }
  const std::string& version() const { return version_; }  // "1.30.0"
  const std::string& path() const { return path_; }        // as it was found
  std::string Sha256() const { return FileSha256(path_); }

  // Takes `status`; nothing where it says that all went well.
  std::optional<Failure> Take(OrtStatus* status) const;

  std::vector<std::string> Providers() const;  // built into the library

 private:
  Library() = default;
  const OrtApi* api_ = nullptr;
  std::string version_;
  std::string path_;
};

// Clears the upper halves of the vector registers. Code that leaves them dirty makes
// SSE code of others several times slower: a library is entered, and left, clean.
void ClearUpperHalves();

}  // namespace qconform::ort

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_LIBRARY_H_
