#include "harness/backends/plugin/plugin_backend.h"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "harness/backends/file_sha256.h"
#include "harness/backends/plugin/plugin_prepared.h"
#include "harness/backends/plugin/plugin_thrown.h"
#include "harness/backends/plugin/qconform_backend.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

std::string TextOf(const char* text) { return text == nullptr ? "" : text; }

class PluginBackend : public Backend {
 public:
  PluginBackend(PluginCalls plugin, BackendInfo info)
      : info_(std::move(info)), plugin_(plugin) {}

  const BackendInfo& info() const override { return info_; }

  PrepareResult Prepare(const Model& model) override {
    if (model.node.is_graph()) return TakesOneNode();
    return PreparePlugin(plugin_, pool_, model);
  }

 private:
  BackendInfo info_;
  PluginCalls plugin_;
  GuardedPool pool_;
};

Result<int32_t> ThreadsOf(const std::string& text) {
  int32_t threads = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), threads);
  if (error != std::errc() || end != text.data() + text.size() || threads < 1 ||
      threads > 1024) {
    return Expected("backend option threads", "a number from 1 to 1024",
                    "'" + text + "'");
  }
  return threads;
}

// The size of the fields that a plugin of the first version has.
constexpr size_t kLeastSize = offsetof(qconform_backend, set_option);

Result<const qconform_backend*> Load(const std::string& path) {
  // Without a slash dlopen would search the system's directories.
  std::error_code ignored;
  const std::string file = std::filesystem::absolute(path, ignored).string();
  if (file.empty() || !std::filesystem::exists(file, ignored)) {
    return Expected("plugin '" + path + "'", "a shared library", "no file");
  }
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    // The loader's text may begin with the path as well.
    std::string why = TextOf(dlerror());
    if (why.starts_with(file + ": ")) why = why.substr(file.size() + 2);
    return Expected("plugin '" + path + "'", "a shared library that loads",
                    "'" + why + "'");
  }
  using GetBackend = const qconform_backend* (*)(uint32_t);
  const auto get = reinterpret_cast<GetBackend>(dlsym(library, "qconform_get_backend"));
  if (get == nullptr) {
    return Expected("plugin '" + path + "'", "a function qconform_get_backend", "none");
  }
  const qconform_backend* plugin = nullptr;
  const auto thrown =
      ThrownBy("qconform_get_backend", [&] { plugin = get(QCONFORM_ABI_VERSION); });
  if (thrown) return Error{"plugin '" + path + "': " + *thrown};
  if (plugin == nullptr) {
    return Expected(
        "plugin '" + path + "'",
        "version " + std::to_string(QCONFORM_ABI_VERSION) + " of the plugin interface",
        "a plugin that does not support it");
  }
  if (plugin->struct_size < kLeastSize || plugin->abi_version != QCONFORM_ABI_VERSION) {
    return Expected("plugin '" + path + "'",
                    "a qconform_backend of at least " + std::to_string(kLeastSize) +
                        " bytes and version " + std::to_string(QCONFORM_ABI_VERSION),
                    std::to_string(plugin->struct_size) + " bytes and version " +
                        std::to_string(plugin->abi_version));
  }
  if (plugin->create == nullptr || plugin->run == nullptr || plugin->destroy == nullptr) {
    return Expected("plugin '" + path + "'", "the functions create, run and destroy",
                    "a null pointer for one of them");
  }
  return plugin;
}

}  // namespace

Result<std::unique_ptr<Backend>> MakePluginBackend(
    const std::string& path, const std::map<std::string, std::string>& options) {
  const auto loaded = Load(path);
  if (!loaded) return loaded.error();
  const qconform_backend* plugin = *loaded;
  const bool takes_options =
      plugin->struct_size >= offsetof(qconform_backend, set_threads) &&
      plugin->set_option != nullptr;
  const bool takes_threads =
      plugin->struct_size >= offsetof(qconform_backend, dynamic_shapes) &&
      plugin->set_threads != nullptr;
  const bool takes_names =
      plugin->struct_size >= sizeof(qconform_backend) && plugin->dynamic_shapes != 0;
  int32_t threads = takes_threads ? 1 : 0;
  for (const auto& option : options) {
    const auto& key = option.first;
    const auto& value = option.second;
    if (key == "threads" && takes_threads) {
      const auto told = ThreadsOf(value);
      if (!told) return told.error();
      threads = *told;
      continue;
    }
    qconform_reason reason{};
    reason.struct_size = sizeof reason;
    qconform_status status = QCONFORM_UNSUPPORTED;
    if (takes_options) {
      const auto thrown = ThrownBy("set_option", [&] {
        status = plugin->set_option(key.c_str(), value.c_str(), &reason);
      });
      if (thrown) return Error{"plugin '" + path + "': " + *thrown};
    }
    if (status != QCONFORM_OK) {
      reason.text[sizeof reason.text - 1] = '\0';
      return Error{"plugin '" + path + "' does not take the option " + key + "=" + value +
                   (reason.text[0] == '\0' ? "" : ": " + std::string(reason.text))};
    }
  }
  if (takes_threads) {
    const auto thrown = ThrownBy("set_threads", [&] { plugin->set_threads(threads); });
    if (thrown) return Error{"plugin '" + path + "': " + *thrown};
  }
  BackendInfo info{.kind = "plugin",
                   .name = "plugin:" + path,
                   .version = TextOf(plugin->version),
                   .vendor = TextOf(plugin->vendor),
                   .device = TextOf(plugin->device),
                   .details = {{"library_sha256", FileSha256(path)},
                               {"plugin", TextOf(plugin->name)}}};
  if (plugin->homepage != nullptr) info.details["homepage"] = plugin->homepage;
  for (const auto& [key, value] : options) info.details[key] = value;
  return std::unique_ptr<Backend>(std::make_unique<PluginBackend>(
      PluginCalls{plugin, threads, takes_names}, std::move(info)));
}

}  // namespace qconform
