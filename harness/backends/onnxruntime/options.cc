#include "harness/backends/onnxruntime/options.h"

#include <filesystem>
#include <system_error>

#include "oracle/base/expected.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

Result<int> ParseThreads(const std::string& value) {
  const auto threads = ParseNumber<int>(value);
  if (threads && *threads >= 1 && *threads <= 1024) return *threads;
  return Expected("backend option threads", "a number from 1 to 1024", "'" + value + "'");
}

// Returns the absolute path if `value` names a file from here; otherwise `value`, which
// the loader may find.
std::string FileFromHere(const std::string& value) {
  std::error_code ignored;
  return std::filesystem::exists(value, ignored)
             ? std::filesystem::absolute(value).string()
             : value;
}

// Takes ONNX Runtime's numbers of the levels too.
Result<std::string> ParseLevel(const std::string& value) {
  for (const auto& [number, name] : {std::pair{"0", "disable"},
                                     {"1", "basic"},
                                     {"2", "extended"},
                                     {"3", "layout"},
                                     {"99", "all"}}) {
    if (value == number || value == name) return std::string(name);
  }
  return Expected("backend option opt_level",
                  "one of disable, basic, extended, layout, all", "'" + value + "'");
}

}  // namespace

Result<OnnxRuntimeOptions> ParseOnnxRuntimeOptions(
    const std::map<std::string, std::string>& options) {
  OnnxRuntimeOptions parsed;
  bool provider_is_given = false;
  for (const auto& [key, value] : options) {
    if (value.empty()) return Expected("backend option " + key, "a value", "none");
    if (key == "provider") {
      parsed.provider = value == "cpu" ? "CPUExecutionProvider" : value;
      provider_is_given = true;
    } else if (key == "ep_library") {
      // ONNX Runtime itself would look only in the folder of its own library.
      parsed.ep_library = FileFromHere(value);
    } else if (key == "opt_level") {
      auto level = ParseLevel(value);
      if (!level) return level.error();
      parsed.opt_level = *std::move(level);
    } else if (key == "threads") {
      const auto threads = ParseThreads(value);
      if (!threads) return threads.error();
      parsed.threads = *threads;
    } else if (key == "library") {
      parsed.library = FileFromHere(value);
    } else if (key == "list_optimizers") {
      if (value != "yes" && value != "no") {
        return Expected("backend option list_optimizers", "yes or no", "'" + value + "'");
      }
      parsed.list_optimizers = value == "yes";
    } else if (key.starts_with("session.") || key.starts_with("optimization.")) {
      parsed.session_config[key] = value;
    } else if (key.starts_with("ep.")) {
      parsed.provider_options[key.substr(3)] = value;
    } else {
      return Expected("backend onnxruntime",
                      "an option provider=NAME, ep_library=PATH, opt_level=LEVEL, "
                      "threads=N, library=PATH, list_optimizers=yes, "
                      "session.KEY=VALUE, optimization.KEY=VALUE or ep.KEY=VALUE",
                      "'" + key + "'");
    }
  }
  // "" stands for the only provider of the library.
  if (!parsed.ep_library.empty() && !provider_is_given) parsed.provider.clear();
  if (!parsed.provider_options.empty() && parsed.provider == "CPUExecutionProvider") {
    return Expected("backend option ep." + parsed.provider_options.begin()->first,
                    "provider=NAME too, the provider that takes it",
                    "only the CPU's provider");
  }
  return parsed;
}

}  // namespace qconform
