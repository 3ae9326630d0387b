// Words of a command line, written so that they mean the same in every folder: for the
// lines that rerun a case.
#ifndef QCONFORM_HARNESS_BACKENDS_REGISTRY_PORTABLE_WORDS_H_
#define QCONFORM_HARNESS_BACKENDS_REGISTRY_PORTABLE_WORDS_H_

#include <string>
#include <vector>

namespace qconform {

// Returns `path` as an absolute path if it contains a slash, else as it is, because it is
// then searched in PATH.
std::string PortablePath(const std::string& path);
// Returns the value of --backend with absolute paths: the library of plugin:, the module
// of py: (with the folder that it would be imported from), and the files among the words
// of process:.
std::string PortableBackend(const std::string& spec);
// Returns KEY=VALUE with an absolute path if the value is an existing file or folder.
std::string PortableOption(const std::string& option);
// Returns the command line with these values in it.
std::vector<std::string> PortableCommandLine(std::vector<std::string> words);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_REGISTRY_PORTABLE_WORDS_H_
