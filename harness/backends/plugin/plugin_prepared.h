// One node of a plugin, run under guard (plugin_backend.h says how).
#ifndef QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_PREPARED_H_
#define QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_PREPARED_H_

#include <cstdint>

#include "harness/backends/backend.h"
#include "harness/backends/plugin/guarded_memory.h"
#include "harness/backends/plugin/qconform_backend.h"

namespace qconform {

struct PluginCalls {
  const qconform_backend* plugin = nullptr;
  int32_t threads = 0;       // as set_threads was told; 0: it cannot be told
  bool takes_names = false;  // of dimensions, in place of sizes
};

// `pool` must outlive the result.
PrepareResult PreparePlugin(const PluginCalls& calls, GuardedPool& pool,
                            const Model& model);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_PREPARED_H_
