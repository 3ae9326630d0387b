// An imitation of ONNX Runtime's library for tests: it claims the release that the
// variable QCONFORM_TEST_LIBRARY_VERSION names, and has a table of functions that are all
// null.
#include <onnxruntime_c_api.h>

#include <cstdlib>
#include <string>

namespace {

const char* Version() noexcept {
  const char* version = std::getenv("QCONFORM_TEST_LIBRARY_VERSION");
  return version == nullptr ? "1.0.0" : version;
}

const OrtApi* GetApi(uint32_t number) noexcept {
  static const OrtApi api{};
  const std::string version = Version();
  return number <= std::stoul(version.substr(version.find('.') + 1)) ? &api : nullptr;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const OrtApiBase*
OrtGetApiBase() noexcept {
  static const OrtApiBase base{.GetApi = GetApi, .GetVersionString = Version};
  return &base;
}
