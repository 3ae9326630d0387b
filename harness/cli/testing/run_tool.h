// Runs qconform as a user does. For tests of the program; each defines
// QCONFORM_TOOL.
#ifndef QCONFORM_HARNESS_CLI_TESTING_RUN_TOOL_H_
#define QCONFORM_HARNESS_CLI_TESTING_RUN_TOOL_H_

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace qconform {

struct Ran {
  int exit_code = -1;  // 128 and the signal where one ended it
  std::string output;  // stdout and stderr
};

inline Ran RunTool(const std::string& arguments) {
  const std::string command = std::string(QCONFORM_TOOL) + " " + arguments + " 2>&1";
  Ran ran;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return ran;
  std::array<char, 4096> buffer{};
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    ran.output.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

inline bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Returns how many cells 'list cells' prints for these flags, such as a profile's.
inline size_t CountCells(const std::string& flags) {
  const Ran ran = RunTool("list cells --ids " + flags);
  return ran.exit_code != 0 ? 0
                            : static_cast<size_t>(
                                  std::count(ran.output.begin(), ran.output.end(), '\n'));
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_TESTING_RUN_TOOL_H_
