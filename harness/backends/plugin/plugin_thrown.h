// Calls into a plugin, whose functions are C's and must not throw.
#ifndef QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_THROWN_H_
#define QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_THROWN_H_

#include <exception>
#include <optional>
#include <string>

namespace qconform {

// Calls `call`, which calls the plugin's function `name` and does nothing else. Returns
// "NAME threw an exception: WORDS" if it throws: that is the plugin's own, even where the
// system has no more memory or threads for it.
template <typename Call>
std::optional<std::string> ThrownBy(const char* name, const Call& call) {
  try {
    call();
    return std::nullopt;
  } catch (const std::exception& exception) {
    return std::string(name) + " threw an exception: " + exception.what();
  } catch (...) {
    return std::string(name) + " threw an exception";
  }
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PLUGIN_PLUGIN_THROWN_H_
