/* A plugin that is nothing but a door: another library answers. */
#include <qconform_backend.h>

const qconform_backend* qconform_test_core(uint32_t abi_version);

const qconform_backend* qconform_get_backend(uint32_t abi_version) {
  return qconform_test_core(abi_version);
}
