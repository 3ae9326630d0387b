#include "harness/cli/machine.h"

#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "harness/backends/registry/simd_backend.h"

namespace qconform {
namespace {

constexpr std::string_view kUnknown = "unknown";

// Returns the value of `key` in a file of "key: value" or "key=value" lines.
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

// The CPU features for vectors, dot products and matrix products.
constexpr std::string_view kFeatures[] = {
    "amx_bf16", "amx_int8", "amx_tile",    "asimd",       "asimddp",      "asimdhp",
    "avx",      "avx2",     "avx512_bf16", "avx512_fp16", "avx512_vbmi2", "avx512_vnni",
    "avx512bw", "avx512dq", "avx512f",     "avx512vbmi",  "avx512vl",     "avx_vnni",
    "bf16",     "f16c",     "fma",         "fphp",        "gfni",         "i8mm",
    "sse4_1",   "sse4_2",   "sme",         "sme2",        "ssse3",        "sve",
    "sve2",     "svebf16",  "svei8mm"};

}  // namespace

std::vector<std::string> CpuFeatures(std::string_view flags) {
  std::vector<std::string> features;
  std::istringstream words{std::string(flags)};
  for (std::string word; words >> word;) {
    if (std::ranges::find(kFeatures, word) != std::end(kFeatures)) {
      features.push_back(std::move(word));
    }
  }
  std::ranges::sort(features);
  return features;
}

MachineRecord DescribeMachine() {
  MachineRecord machine;
  const std::string flags = Lookup("/proc/cpuinfo", "flags", ':');
  machine.cpu_features =
      CpuFeatures(flags == kUnknown ? Lookup("/proc/cpuinfo", "Features", ':') : flags);
  machine.cpu_model = Lookup("/proc/cpuinfo", "model name", ':');
  if (machine.cpu_model == kUnknown) {  // aarch64 has numbers
    machine.cpu_model = "implementer " + Lookup("/proc/cpuinfo", "CPU implementer", ':') +
                        ", part " + Lookup("/proc/cpuinfo", "CPU part", ':');
  }
  machine.cores = static_cast<int>(std::thread::hardware_concurrency());
  machine.simd_targets_compiled = CompiledSimdTargets();
  machine.simd_targets_supported = SupportedSimdTargets();
  machine.os = Lookup("/etc/os-release", "PRETTY_NAME", '=');
  utsname system{};
  if (uname(&system) == 0) {
    machine.os +=
        std::string(", ") + system.sysname + " " + system.release + " " + system.machine;
  }
  return machine;
}

int JobsWithinLimits(int jobs) {
  // A job has two children, one of them with another number of threads. Each has three
  // pipes and its shared memory; one that is started has eight ends of pipes besides.
  constexpr rlim_t kOwn = 32;
  constexpr rlim_t kOfJob = 16;
  struct rlimit files;
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return jobs;
  const rlim_t wanted = kOwn + kOfJob * static_cast<rlim_t>(jobs);
  if (files.rlim_cur < wanted) {
    const struct rlimit raised { std::min(wanted, files.rlim_max), files.rlim_max };
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) files = raised;
  }
  if (files.rlim_cur >= wanted) return jobs;
  if (files.rlim_cur < kOwn + kOfJob) return 1;
  return static_cast<int>((files.rlim_cur - kOwn) / kOfJob);
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
