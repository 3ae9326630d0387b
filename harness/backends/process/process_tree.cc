#include "harness/backends/process/process_tree.h"

#include <dirent.h>

#include <cstdio>
#include <memory>
#include <string>

namespace qconform {
namespace {

constexpr int kMostDepth = 8;

struct Closes {
  void operator()(DIR* folder) const { closedir(folder); }
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// Returns the threads of a process, by their folders. Without std::filesystem, whose
// directory_iterator ends the process where memory is missing.
std::vector<std::string> ThreadsOf(pid_t pid) {
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  std::vector<std::string> threads;
  const std::unique_ptr<DIR, Closes> folder(opendir(tasks.c_str()));
  if (folder == nullptr) return threads;
  while (const dirent* entry = readdir(folder.get())) {
    if (entry->d_name[0] != '.') threads.push_back(tasks + "/" + entry->d_name);
  }
  return threads;
}

void AddTree(pid_t pid, int depth, std::vector<pid_t>& tree) {
  tree.push_back(pid);
  if (depth == kMostDepth) return;
  for (const std::string& thread : ThreadsOf(pid)) {
    std::unique_ptr<std::FILE, Closes> file(
        std::fopen((thread + "/children").c_str(), "re"));
    if (file == nullptr) continue;
    std::vector<pid_t> children;
    for (int child = 0; std::fscanf(file.get(), "%d", &child) == 1;) {
      children.push_back(child);
    }
    file.reset();
    for (const pid_t child : children) AddTree(child, depth + 1, tree);
  }
}

}  // namespace

std::vector<pid_t> ProcessTree(pid_t pid) {
  std::vector<pid_t> tree;
  AddTree(pid, 0, tree);
  return tree;
}

}  // namespace qconform
