#include "harness/backends/registry/python_backend.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "harness/backends/onnxruntime/find_library.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

// Returns the folder above `bin`, in which this program lies: a build tree, a prefix of
// `cmake --install`, or a virtual environment.
Result<fs::path> Prefix() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return Error{"the path of this program cannot be read: " + error.message()};
  return program.parent_path().parent_path();
}

std::string ChoosePython(const std::string& given, const fs::path& prefix) {
  if (!given.empty()) return given;
  std::error_code none;
  const fs::path own = prefix / "bin" / "python3";
  const bool in_environment = fs::exists(prefix / "pyvenv.cfg", none);
  return in_environment && fs::exists(own, none) ? own.string() : "python3";
}

std::string KeyOf(const std::string& option) {
  return option.substr(0, option.find('='));
}

// Returns the options of the target and those of --backend-option together.
Result<BackendOptions> AllOptions(const std::string& spec, const PythonTarget& target,
                                  const BackendOptions& options) {
  BackendOptions all;
  for (const std::string& option : target.options) {
    const std::string key = KeyOf(option);
    if (!all.emplace(key, option.substr(key.size() + 1)).second) {
      return Expected("backend '" + spec + "'", "each option once",
                      "'" + key + "' twice");
    }
  }
  for (const auto& [key, value] : options) {
    if (!all.emplace(key, value).second) {
      return Expected("--backend-option", "each option once",
                      "'" + key + "' here and in --backend");
    }
  }
  return all;
}

// Returns the folder that bootstrap unpacked for a worker, or an empty path.
fs::path EnvironmentOf(const std::string& name) {
  std::error_code none;
  for (const fs::path& folder : ort::DepsFolders(ort::ThisMachine())) {
    const fs::path found = folder / "workers" / name;
    if (fs::exists(found / "python3", none) || fs::exists(found / "worker", none)) {
      return fs::absolute(found, none);
    }
  }
  return {};
}

fs::path WorkersFolder() {
  const auto prefix = Prefix();
  return prefix ? *prefix / "share/qconform/workers" : fs::path();
}

}  // namespace

Result<PythonTarget> ParsePythonTarget(std::string_view text) {
  const auto fault = [&](const std::string& expected, const std::string& got) {
    return Expected("backend 'py:" + std::string(text) + "'", expected, got);
  };
  PythonTarget target;
  size_t at = text.find(',');
  target.name = std::string(text.substr(0, at));
  if (target.name.empty()) {
    return Expected("backend py",
                    "py:onnxruntime, py:onnx.reference or py:MODULE:CLASS, a class with "
                    "ONNX's backend interface",
                    "no name");
  }
  while (at < text.size()) {
    const size_t begin = at + 1;
    at = std::min(text.find(',', begin), text.size());
    const std::string option(text.substr(begin, at - begin));
    const size_t equals = option.find('=');
    if (equals == std::string::npos && !target.options.empty()) {
      target.options.back() += "," + option;
    } else if (equals == std::string::npos || equals == 0) {
      return fault("KEY=VALUE after a comma", "'" + option + "'");
    } else {
      target.options.push_back(option);
    }
  }
  return target;
}

Result<std::vector<std::string>> PythonCommand(std::string_view target,
                                               const BackendOptions& options,
                                               const std::string& python,
                                               const std::string& socket) {
  auto parsed = ParsePythonTarget(target);
  if (!parsed) return parsed.error();
  const auto all = AllOptions("py:" + std::string(target), *parsed, options);
  if (!all) return all.error();
  const auto prefix = Prefix();
  if (!prefix) return prefix.error();
  const fs::path worker = *prefix / "share/qconform/python/qconform_worker/__main__.py";
  std::error_code none;
  if (!fs::exists(worker, none)) {
    return Expected("backend py", "the Python worker in " + worker.string(),
                    "no such file");
  }
  std::vector<std::string> words = {ChoosePython(python, *prefix), worker.string()};
  if (!socket.empty()) {
    words.insert(words.end(), {"--connect", socket});
    return words;
  }
  words.push_back(parsed->name);
  for (const auto& [key, value] : *all) words.push_back(key + "=" + value);
  return words;
}

std::vector<WorkerListing> ListWorkers() {
  std::vector<WorkerListing> listings;
  std::error_code error;
  for (fs::directory_iterator entry(WorkersFolder(), error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code none;
    if (!fs::exists(entry->path() / "README.md", none)) continue;
    const std::string name = entry->path().filename().string();
    listings.push_back({name, !EnvironmentOf(name).empty()});
  }
  std::ranges::sort(listings, {}, &WorkerListing::name);
  return listings;
}

Result<std::vector<std::string>> NamedWorkerCommand(std::string_view target,
                                                    const BackendOptions& options) {
  const std::string spec = "worker:" + std::string(target);
  const auto parsed = ParsePythonTarget(target);
  if (!parsed) return parsed.error();
  const auto all = AllOptions(spec, *parsed, options);
  if (!all) return all.error();
  std::string names;
  bool known = false;
  for (const WorkerListing& listing : ListWorkers()) {
    names += (names.empty() ? "" : ", ") + listing.name;
    known = known || listing.name == parsed->name;
  }
  if (!known) {
    return Expected("backend '" + spec + "'",
                    names.empty() ? "a program in a build tree, which has the workers"
                                  : "worker:NAME, one of " + names,
                    "'" + parsed->name + "'");
  }
  const fs::path environment = EnvironmentOf(parsed->name);
  if (environment.empty()) {
    return Expected("backend '" + spec + "'", "it to be unpacked", "nothing",
                    "script/bootstrap --with " + parsed->name + " does that");
  }
  std::vector<std::string> words = {(WorkersFolder() / "start").string(), parsed->name,
                                    environment.string()};
  for (const auto& [key, value] : *all) words.push_back(key + "=" + value);
  return words;
}

}  // namespace qconform
