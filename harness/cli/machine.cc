#include "harness/cli/machine.h"

#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <string_view>
#include <thread>

#include "harness/backends/simd/targets.h"

namespace qconform {
namespace {

constexpr std::string_view kUnknown = "unknown";

// The text behind `key` in a file of "key: value" or "key=value" lines.
std::string Lookup(const char* path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    const size_t start = line.find_first_not_of(" \t\"", at + 1);
    if (start == std::string::npos) continue;
    line = line.substr(start);
    while (!line.empty() && (line.back() == '"' || line.back() == ' ')) line.pop_back();
    return line;
  }
  return std::string(kUnknown);
}

}  // namespace

MachineRecord DescribeMachine() {
  MachineRecord machine;
  machine.cpu_model = Lookup("/proc/cpuinfo", "model name", ':');
  if (machine.cpu_model == kUnknown) {  // aarch64 has numbers
    machine.cpu_model = "implementer " + Lookup("/proc/cpuinfo", "CPU implementer", ':') +
                        ", part " + Lookup("/proc/cpuinfo", "CPU part", ':');
  }
  machine.cores = static_cast<int>(std::thread::hardware_concurrency());
  for (const simd::Target& target : simd::CompiledTargets()) {
    machine.simd_targets_compiled.emplace_back(target.name);
  }
  for (const simd::Target& target : simd::SupportedTargets()) {
    machine.simd_targets_supported.emplace_back(target.name);
  }
  machine.os = Lookup("/etc/os-release", "PRETTY_NAME", '=');
  utsname system{};
  if (uname(&system) == 0) {
    machine.os +=
        std::string(", ") + system.sysname + " " + system.release + " " + system.machine;
  }
  return machine;
}

std::string TimeNow() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace qconform
