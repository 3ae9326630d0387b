/* A plugin made for another version of the interface, or by an author who forgot a part:
 * which, the environment says. What its structure does not have ends the process. */
#include <qconform_backend.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static qconform_status Create(const qconform_node* node, void** instance,
                              qconform_reason* reason) {
  (void)node, (void)instance, (void)reason;
  return QCONFORM_UNSUPPORTED;
}

static qconform_status Run(void* instance, const qconform_tensor* const* operands,
                           size_t operand_count, qconform_output* const* outputs,
                           size_t output_count, qconform_reason* reason) {
  (void)instance, (void)operands, (void)operand_count, (void)outputs, (void)output_count;
  (void)reason;
  return QCONFORM_UNSUPPORTED;
}

static void Destroy(void* instance) { (void)instance; }

static qconform_status SetOption(const char* key, const char* value,
                                 qconform_reason* reason) {
  (void)key, (void)value, (void)reason;
  return QCONFORM_OK;
}

static qconform_status NoOption(const char* key, const char* value,
                                qconform_reason* reason) {
  (void)key, (void)value, (void)reason;
  abort();
}

static void NoThreads(int32_t count) {
  (void)count;
  abort();
}

QCONFORM_EXPORT const qconform_backend* qconform_get_backend(uint32_t abi_version) {
  static qconform_backend backend;
  const char* what = getenv("QCONFORM_OLD_PLUGIN");
  if (what == NULL || strcmp(what, "none") == 0) return NULL;
  backend = (qconform_backend){.struct_size = offsetof(qconform_backend, set_option),
                               .abi_version = abi_version,
                               .name = "old",
                               .version = "1",
                               .create = Create,
                               .run = Run,
                               .destroy = Destroy,
                               .set_option = NoOption,
                               .set_threads = NoThreads};
  if (strcmp(what, "without_threads") == 0) {
    backend.struct_size = offsetof(qconform_backend, set_threads);
    backend.set_option = SetOption;
  }
  if (strcmp(what, "small") == 0)
    backend.struct_size = offsetof(qconform_backend, destroy);
  if (strcmp(what, "older_version") == 0) backend.abi_version = abi_version - 1;
  if (strcmp(what, "newer_version") == 0) backend.abi_version = abi_version + 1;
  if (strcmp(what, "no_create") == 0) backend.create = NULL;
  if (strcmp(what, "no_run") == 0) backend.run = NULL;
  if (strcmp(what, "no_destroy") == 0) backend.destroy = NULL;
  return &backend;
}
