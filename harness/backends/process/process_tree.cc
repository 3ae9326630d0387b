#include "harness/backends/process/process_tree.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

namespace qconform {
namespace {

constexpr int kMostDepth = 8;

void AddTree(pid_t pid, int depth, std::vector<pid_t>& tree) {
  tree.push_back(pid);
  if (depth == kMostDepth) return;
  std::error_code none;
  namespace fs = std::filesystem;
  fs::directory_iterator task("/proc/" + std::to_string(pid) + "/task", none);
  for (; !none && task != fs::directory_iterator(); task.increment(none)) {
    std::FILE* file = std::fopen((task->path() / "children").c_str(), "re");
    if (file == nullptr) continue;
    std::vector<pid_t> children;
    for (int child = 0; std::fscanf(file, "%d", &child) == 1;) children.push_back(child);
    std::fclose(file);
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
