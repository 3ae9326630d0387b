// plugin:PATH, a shared library with the interface of qconform_backend.h.
//
// Each case runs twice: tensors flush at their end with an inaccessible page
// behind them, then flush at (or a few elements behind) an inaccessible page in
// front, y filled with other bytes each time. So an access outside of a tensor
// is a fault, an element that stays unwritten is found for certain, and an
// answer that depends on where tensors lie shows. Large answers are computed
// again with another number of threads where the plugin can be told one. Inputs
// are compared with what they were.
#ifndef QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_BACKEND_H_

#include <map>
#include <memory>
#include <string>

#include "harness/backends/backend.h"
#include "oracle/base/result.h"

namespace qconform {

// Loads `path`. `options` go to the plugin's set_option, but threads=N, which is
// told by set_threads where there is one. An Error where the library cannot be
// loaded, is no plugin or of another version of the interface, or does not know
// an option. Calls go straight into the library: a fault in it ends the process.
Result<std::unique_ptr<Backend>> MakePluginBackend(
    const std::string& path, const std::map<std::string, std::string>& options);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_BACKEND_H_
