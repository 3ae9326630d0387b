// Where ONNX Runtime's shared library may lie on a machine.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_FIND_LIBRARY_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_FIND_LIBRARY_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace qconform::ort {

// What the search reads of a machine, so that tests can describe one of their own.
struct Machine {
  // Returns the value of an environment variable, or "" if it is not set.
  std::function<std::string(const std::string& name)> environment;
  std::filesystem::path program;  // the file that runs
  std::filesystem::path working_directory;
  // Returns the folders in which Python looks for packages. Starts a Python, so it is
  // called only if nothing was found before.
  std::function<std::vector<std::string>()> python_path;
};
Machine ThisMachine();

// Returns the folders into which script/bootstrap may have unpacked, the first choice
// first: the environment's QCONFORM_DEPS_DIR, the one that the build tree of the program
// names, .deps in the working directory and in each folder above it.
std::vector<std::filesystem::path> DepsFolders(const Machine& machine);

struct Candidate {
  std::string path;    // of a file, or a bare name that the system's loader looks for
  std::string origin;  // what kind of place this is, without naming a folder
};

// Calls `serves` with one candidate after the other until it returns true, and returns
// whether it did. The order:
//   1. where script/bootstrap unpacks: DepsFolders
//   2. what the system's loader finds by name
//   3. an installed Python package onnxruntime, of the active environment first; nothing
//      is imported
//   4. a node module onnxruntime-node, from the working directory upward, then a global
//      one
bool FindLibrary(const Machine& machine,
                 const std::function<bool(const Candidate&)>& serves);

}  // namespace qconform::ort

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_FIND_LIBRARY_H_
