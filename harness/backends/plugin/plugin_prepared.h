// One node of a plugin, run between guard pages as plugin_backend.h says.
#ifndef QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_PREPARED_H_
#define QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_PREPARED_H_

#include <cstdint>
#include <memory>
#include <string>

#include "harness/backends/backend.h"
#include "harness/backends/plugin/guarded_memory.h"
#include "harness/backends/plugin/qconform_backend.h"

namespace qconform {

struct PluginCalls {
  const qconform_backend* plugin = nullptr;
  int32_t threads = 0;       // as given to set_threads; 0: the plugin has no set_threads
  bool takes_names = false;  // takes named dimensions
  // Of all models: the number of runs at two places.
  std::shared_ptr<int64_t> runs = std::make_shared<int64_t>(0);
  // What destroy threw; the next call is to say so, as nobody waits for destroy.
  std::shared_ptr<std::string> thrown_by_destroy = std::make_shared<std::string>();
};

// `pool` must outlive the result.
PrepareResult PreparePlugin(const PluginCalls& calls, GuardedPool& pool,
                            const Model& model);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_PREPARED_H_
