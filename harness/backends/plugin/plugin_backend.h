// plugin:PATH, a shared library with the interface of qconform_backend.h.
//
// Each case runs twice: first each tensor ends at an inaccessible page, then each begins
// at an inaccessible page or a few elements after it. The output is filled with other
// bytes each time. So an access outside of a tensor is a fault, an unwritten element is
// always found, and an answer that depends on the place of tensors is noticed. Large
// answers are computed again with another number of threads if the plugin has that
// option. Inputs are compared with their original bytes.
//
#ifndef QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_BACKEND_H_

#include <map>
#include <memory>
#include <string>

#include "harness/backends/backend.h"
#include "oracle/base/result.h"

namespace qconform {

// Loads `path`. `options` go to the plugin's set_option, except threads=N, which goes to
// set_threads if the plugin has it. Returns an Error if the library cannot be loaded, is
// not a plugin of this version of the interface, or does not know an option. The library
// is called directly, so a fault in it ends the process.
Result<std::unique_ptr<Backend>> MakePluginBackend(
    const std::string& path, const std::map<std::string, std::string>& options);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_BACKEND_H_
