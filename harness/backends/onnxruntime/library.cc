#include "harness/backends/onnxruntime/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace qconform::ort {
namespace {

// The first release with execution provider libraries.
constexpr uint32_t kOldestMinor = 22;

// Where a library may lie, in the order of preference.
std::vector<std::string> Candidates() {
  std::vector<std::string> found;
  const char* deps = std::getenv("QCONFORM_DEPS_DIR");
  for (const std::string& root :
       {std::string(deps == nullptr ? "" : deps), std::string(QCONFORM_DEPS_DIR)}) {
    const std::string path = root + "/onnxruntime/lib/libonnxruntime.so.1";
    if (!root.empty() && std::filesystem::exists(path)) found.push_back(path);
  }
  found.insert(found.end(), {"libonnxruntime.so.1", "libonnxruntime.so"});
  return found;
}

// "1.30.0" has the minor version 30.
uint32_t MinorVersion(const std::string& version) {
  const size_t dot = version.find('.');
  uint32_t minor = 0;
  if (version.starts_with("1.")) {
    std::from_chars(version.data() + dot + 1, version.data() + version.size(), minor);
  }
  return minor;
}

}  // namespace

Result<std::shared_ptr<const Library>> Library::Load(const std::string& path) {
  const std::vector<std::string> candidates =
      path.empty() ? Candidates() : std::vector<std::string>{path};
  void* handle = nullptr;
  std::string reason;
  std::shared_ptr<Library> library(new Library);
  for (const std::string& candidate : candidates) {
    handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) {
      library->path_ = candidate;
      break;
    }
    if (reason.empty()) reason = dlerror();
  }
  if (handle == nullptr) {
    return Error{"ONNX Runtime's library cannot be loaded: " + reason +
                 (path.empty()
                      ? "; 'script/bootstrap --with onnxruntime' fetches it, and "
                        "--backend-option library=PATH names another"
                      : "")};
  }
  const auto get_base =
      reinterpret_cast<const OrtApiBase* (*)()>(dlsym(handle, "OrtGetApiBase"));
  if (get_base == nullptr) {
    return Error{library->path_ +
                 " is no library of ONNX Runtime: it has no OrtGetApiBase"};
  }
  const OrtApiBase* base = get_base();
  library->version_ = base->GetVersionString();
  const uint32_t minor = MinorVersion(library->version_);
  if (minor < kOldestMinor) {
    return Error{library->path_ + " is ONNX Runtime " + library->version_ + ": 1." +
                 std::to_string(kOldestMinor) + " or newer is needed"};
  }
  library->api_ = base->GetApi(std::min<uint32_t>(minor, ORT_API_VERSION));
  if (library->api_ == nullptr) {
    return Error{library->path_ + " (ONNX Runtime " + library->version_ +
                 ") does not offer the C API of version " +
                 std::to_string(std::min<uint32_t>(minor, ORT_API_VERSION))};
  }
  // A bare name was found by the loader: it knows where.
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(get_base), &info) != 0 &&
      info.dli_fname != nullptr) {
    library->path_ = info.dli_fname;
  }
  return std::shared_ptr<const Library>(std::move(library));
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
