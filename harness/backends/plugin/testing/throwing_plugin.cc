// A plugin whose functions throw, which C's must not. QCONFORM_THROWS is the name of the
// function, a colon, and what it throws: "bad_alloc", "system_error" or "int".
#include <qconform_backend.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <system_error>

namespace {

void Throw(const std::string& function) {
  const char* wanted = std::getenv("QCONFORM_THROWS");
  const std::string text = wanted == nullptr ? "" : wanted;
  if (text == function + ":bad_alloc") throw std::bad_alloc();
  if (text == function + ":system_error") {
    throw std::system_error(
        std::make_error_code(std::errc::resource_unavailable_try_again), "thread");
  }
  if (text == function + ":int") throw 1;
}

qconform_status Create(const qconform_node*, void** instance, qconform_reason*) {
  Throw("create");
  *instance = nullptr;
  return QCONFORM_OK;
}

qconform_status Run(void*, const qconform_tensor* const*, size_t,
                    qconform_output* const* outputs, size_t output_count,
                    qconform_reason*) {
  Throw("run");
  for (size_t i = 0; i < output_count; ++i) {
    std::memset(outputs[i]->data, 0, outputs[i]->capacity);
  }
  return QCONFORM_OK;
}

void Destroy(void*) { Throw("destroy"); }

qconform_status SetOption(const char*, const char*, qconform_reason*) {
  Throw("set_option");
  return QCONFORM_OK;
}

// The first call sets one thread.
void SetThreads(int32_t count) {
  if (count > 1) Throw("set_threads");
}

}  // namespace

extern "C" const qconform_backend* qconform_get_backend(uint32_t) {
  Throw("qconform_get_backend");
  static qconform_backend backend;
  backend.struct_size = sizeof backend;
  backend.abi_version = QCONFORM_ABI_VERSION;
  backend.create = Create;
  backend.run = Run;
  backend.destroy = Destroy;
  backend.set_option = SetOption;
  backend.set_threads = SetThreads;
  return &backend;
}
