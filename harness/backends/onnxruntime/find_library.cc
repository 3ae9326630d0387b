#include "harness/backends/onnxruntime/find_library.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace qconform::ort {
namespace {

namespace fs = std::filesystem;

#if defined(__aarch64__)
constexpr const char* kNodeCpu = "arm64";
#else
constexpr const char* kNodeCpu = "x64";
#endif

// Returns the entries of a folder whose names begin with `prefix`, sorted; none if the
// folder cannot be read.
std::vector<fs::path> Entries(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename().string().starts_with(prefix)) {
      found.push_back(entry->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

// Returns the folder and all folders above it.
std::vector<fs::path> Upward(fs::path folder) {
  std::vector<fs::path> folders;
  while (!folder.empty()) {
    folders.push_back(folder);
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return folders;
}

class Search {
 public:
  Search(const Machine& machine, const std::function<bool(const Candidate&)>& serves)
      : machine_(machine), serves_(serves) {}

  bool Run() { return InDeps() || ByTheLoader() || InPython() || InNode(); }

 private:
  bool Try(const std::string& path, const std::string& origin) {
    return tried_.insert(path).second && serves_({path, origin});
  }

  bool TryFolder(const fs::path& folder, const std::string& origin) {
    for (const fs::path& file : Entries(folder, "libonnxruntime.so")) {
      if (Try(file.string(), origin)) return true;
    }
    return false;
  }

  bool InDeps() {
    return std::ranges::any_of(DepsFolders(machine_), [&](const fs::path& root) {
      return TryFolder(root / "onnxruntime" / "lib", "script/bootstrap");
    });
  }

  bool ByTheLoader() {
    return Try("libonnxruntime.so.1", "system's loader") ||
           Try("libonnxruntime.so", "system's loader");
  }

  // A package without the library (releases before 1.19) is a candidate too, so that the
  // error mentions it.
  bool TryPython(const fs::path& packages) {
    const std::string origin = "Python package onnxruntime";
    const fs::path folder = packages / "onnxruntime" / "capi";
    std::error_code error;
    if (!fs::is_directory(folder, error)) return false;
    if (!Entries(folder, "libonnxruntime.so").empty()) return TryFolder(folder, origin);
    return Try((folder / "libonnxruntime.so").string(), origin);
  }

  bool InPython() {
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
      const fs::path root = machine_.environment(variable);
      if (root.empty()) continue;
      for (const char* lib : {"lib", "lib64"}) {
        for (const fs::path& python : Entries(root / lib, "python3")) {
          if (TryPython(python / "site-packages")) return true;
        }
      }
    }
    return std::ranges::any_of(machine_.python_path(), [&](const std::string& folder) {
      return TryPython(folder);
    });
  }

  bool TryNode(const fs::path& modules) {
    // bin/napi-v3 or v6, depending on the release.
    for (const fs::path& napi : Entries(modules / "onnxruntime-node" / "bin", "napi-v")) {
      if (TryFolder(napi / "linux" / kNodeCpu, "node module onnxruntime-node")) {
        return true;
      }
    }
    return false;
  }

  bool InNode() {
    for (const fs::path& folder : Upward(machine_.working_directory)) {
      if (TryNode(folder / "node_modules")) return true;
    }
    for (const std::string& modules : Split(machine_.environment("NODE_PATH"), ':')) {
      if (TryNode(modules)) return true;
    }
    // The global modules of a node at PREFIX/bin/node lie in PREFIX/lib/node_modules;
    // asking npm would take longer than all of this.
    for (const std::string& folder : Split(machine_.environment("PATH"), ':')) {
      std::error_code error;
      const fs::path node = fs::canonical(fs::path(folder) / "node", error);
      if (error) continue;
      if (TryNode(node.parent_path().parent_path() / "lib" / "node_modules")) return true;
    }
    return false;
  }

  const Machine& machine_;
  const std::function<bool(const Candidate&)>& serves_;
  std::set<std::string> tried_;
};

// Returns sys.path without its first entry, which is the working directory.
std::vector<std::string> PythonPath() {
  FILE* output = popen(
      "timeout 10 python3 -c 'import sys; print(\"\\n\".join(sys.path[1:]))' "
      "</dev/null 2>/dev/null",
      "r");
  if (output == nullptr) return {};
  std::string text;
  char buffer[4096];
  while (const size_t count = fread(buffer, 1, sizeof buffer, output)) {
    text.append(buffer, count);
  }
  pclose(output);
  return Split(text, '\n');
}

}  // namespace

Machine ThisMachine() {
  std::error_code error;
  return {.environment =
              [](const std::string& name) {
                const char* value = std::getenv(name.c_str());
                return std::string(value == nullptr ? "" : value);
              },
          .program = fs::read_symlink("/proc/self/exe", error),
          .working_directory = fs::current_path(error),
          .python_path = PythonPath};
}

std::vector<fs::path> DepsFolders(const Machine& machine) {
  std::vector<fs::path> folders;
  if (const std::string named = machine.environment("QCONFORM_DEPS_DIR");
      !named.empty()) {
    folders.emplace_back(named);
  }
  // CMake writes this file; an installed program has none.
  std::ifstream file(machine.program.parent_path().parent_path() / "qconform_deps_dir");
  if (std::string line; std::getline(file, line)) folders.emplace_back(line);
  for (const fs::path& folder : Upward(machine.working_directory)) {
    folders.push_back(folder / ".deps");
  }
  return folders;
}

bool FindLibrary(const Machine& machine,
                 const std::function<bool(const Candidate&)>& serves) {
  return Search(machine, serves).Run();
}

}  // namespace qconform::ort
