#include "harness/backends/onnxruntime/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace qconform::ort {
namespace {

std::string NeededLibrary() {
  return "ONNX Runtime's library of release 1." + std::to_string(kOldestApi) +
         " or newer";
}

// "1.30.0" has the minor version 30; 0 for another major version.
uint32_t MinorVersion(const std::string& version) {
  uint32_t minor = 0;
  if (version.starts_with("1.")) {
    std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  }
  return minor;
}

// Returns whether the loader only found no file of that name.
bool IsNotThere(const std::string& path, const std::string& reason) {
  return path.find('/') == std::string::npos &&
         reason.starts_with(path + ": cannot open shared object file");
}

}  // namespace

const OrtApi* NewestApi(const OrtApiBase& base, const std::string& version,
                        uint32_t* api_version) {
  // A library prints a complaint if it does not have the requested API.
  const uint32_t newest = std::min<uint32_t>(MinorVersion(version), ORT_API_VERSION);
  for (uint32_t number = newest; number >= kOldestApi; --number) {
    if (const OrtApi* api = base.GetApi(number); api != nullptr) {
      *api_version = number;
      return api;
    }
  }
  return nullptr;
}

Result<std::shared_ptr<const Library>> Library::Open(const Candidate& candidate) {
  // Newer releases (1.30, for example) send telemetry and keep an identifier and a
  // database in the user's home. This variable is read when the library initializes.
  setenv("ORT_DISABLE_TELEMETRY", "1", 0);
  void* handle = dlopen(candidate.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Error{dlerror()};
  const auto get_base =
      reinterpret_cast<const OrtApiBase* (*)()>(dlsym(handle, "OrtGetApiBase"));
  if (get_base == nullptr) return Error{candidate.path + ": it has no OrtGetApiBase"};
  std::shared_ptr<Library> library(new Library);
  const OrtApiBase* base = get_base();
  library->version_ = base->GetVersionString();
  library->api_ = NewestApi(*base, library->version_, &library->api_version_);
  if (library->api_ == nullptr) {
    return Error{candidate.path + ": it is ONNX Runtime " + library->version_};
  }
  library->path_ = candidate.path;
  library->origin_ = candidate.origin;
  // The loader knows where it found a bare name.
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(get_base), &info) != 0 &&
      info.dli_fname != nullptr) {
    library->path_ = info.dli_fname;
  }
  return std::shared_ptr<const Library>(std::move(library));
}

Result<std::shared_ptr<const Library>> Library::Load(const std::string& path) {
  if (path.empty()) return Load(ThisMachine());
  auto library = Open({path, "option library"});
  if (library) return library;
  return Error{"backend option library=" + path + ": expected " + NeededLibrary() +
               ", got " + library.error().message};
}

Result<std::shared_ptr<const Library>> Library::Load(const Machine& machine) {
  std::shared_ptr<const Library> found;
  std::string others;
  FindLibrary(machine, [&](const Candidate& candidate) {
    auto library = Open(candidate);
    if (library) {
      found = *std::move(library);
    } else if (!IsNotThere(candidate.path, library.error().message)) {
      others += (others.empty() ? "" : "; ") + library.error().message;
    }
    return found != nullptr;
  });
  if (found != nullptr) return found;
  return Error{"onnxruntime: expected libonnxruntime.so, " + NeededLibrary() + ", got " +
               (others.empty() ? "none" : "none that serves (" + others + ")") +
               "; get it with 'script/bootstrap --with onnxruntime' or 'pip install "
               "onnxruntime', or give --backend-option library=PATH"};
}

std::string Library::FileName() const {
  return std::filesystem::path(path_).filename().string();
}

std::optional<Failure> Library::Take(OrtStatus* status) const {
  if (status == nullptr) return std::nullopt;
  Failure failure{api_->GetErrorCode(status), api_->GetErrorMessage(status)};
  api_->ReleaseStatus(status);
  return failure;
}

std::vector<std::string> Library::Providers() const {
  char** names = nullptr;
  int count = 0;
  std::vector<std::string> providers;
  if (Take(api_->GetAvailableProviders(&names, &count))) return providers;
  providers.assign(names, names + count);
  static_cast<void>(Take(api_->ReleaseAvailableProviders(names, count)));
  return providers;
}

#if defined(__x86_64__)
namespace {
__attribute__((target("avx"), noinline)) void ZeroUpper() { __builtin_ia32_vzeroupper(); }
}  // namespace
void ClearUpperHalves() {
  static const bool has_avx = __builtin_cpu_supports("avx");
  if (has_avx) ZeroUpper();
}
#else
void ClearUpperHalves() {}
#endif

}  // namespace qconform::ort
