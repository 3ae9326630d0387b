#include "harness/backends/registry/portable_words.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "harness/backends/process/words.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

bool Exists(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

std::string Absolute(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  return failed ? path : absolute.lexically_normal().string();
}

bool HasSlash(std::string_view text) { return text.find('/') != std::string_view::npos; }

// Returns whether the interpreter would find the module in the working directory.
bool IsModuleHere(std::string module) {
  const std::string first = module.substr(0, module.find('.'));
  std::replace(module.begin(), module.end(), '.', '/');
  return Exists(first + ".py") || Exists(first + "/__init__.py") ||
         Exists(module + ".py") || Exists(module + "/__init__.py");
}

// `target` is MODULE or MODULE:NAME, perhaps with a folder in front and options behind.
std::string PortablePythonTarget(const std::string& target) {
  const size_t end = std::min(target.find_first_of(":,"), target.size());
  const std::string module = target.substr(0, end);
  if (module.empty() || !(HasSlash(module) || IsModuleHere(module))) return target;
  return Absolute(module) + target.substr(end);
}

std::string PortableProcess(const std::string& command) {
  const auto words = SplitWords(command);
  if (!words) return command;
  std::string text;
  bool changed = false;
  for (const std::string& word : *words) {
    // The first word without a slash is searched in PATH.
    const bool is_path = Exists(word) && (HasSlash(word) || !text.empty());
    const std::string portable = is_path ? Absolute(word) : word;
    changed = changed || portable != word;
    text += (text.empty() ? "" : " ") + ShellWord(portable);
  }
  return changed ? text : command;
}

}  // namespace

std::string PortablePath(const std::string& path) {
  return HasSlash(path) ? Absolute(path) : path;
}

std::string PortableBackend(const std::string& spec) {
  const size_t colon = spec.find(':');
  if (colon == std::string::npos || colon + 1 == spec.size()) return spec;
  const std::string kind = spec.substr(0, colon + 1);
  const std::string target = spec.substr(colon + 1);
  if (kind == "plugin:") return kind + PortablePath(target);
  if (kind == "py:") return kind + PortablePythonTarget(target);
  if (kind == "process:") return kind + PortableProcess(target);
  return spec;
}

std::string PortableOption(const std::string& option) {
  const size_t value = option.find('=') + 1;
  if (value == 0 || !HasSlash(option.substr(value)) || !Exists(option.substr(value))) {
    return option;
  }
  return option.substr(0, value) + Absolute(option.substr(value));
}

std::vector<std::string> PortableCommandLine(std::vector<std::string> words) {
  constexpr struct {
    std::string_view flag;
    std::string (*portable)(const std::string&);
  } kFlags[] = {{"--backend", PortableBackend},
                {"--backend-option", PortableOption},
                {"--python", PortablePath}};
  for (size_t i = 0; i < words.size(); ++i) {
    for (const auto& [flag, portable] : kFlags) {
      if (words[i] == flag && i + 1 < words.size()) {
        words[i + 1] = portable(words[i + 1]);
      } else if (words[i].starts_with(std::string(flag) + "=")) {
        words[i] = std::string(flag) + "=" + portable(words[i].substr(flag.size() + 1));
      }
    }
  }
  return words;
}

}  // namespace qconform
