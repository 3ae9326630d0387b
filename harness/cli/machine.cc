#include "harness/cli/machine.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

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

#if defined(__x86_64__)
// Where CPUID has a feature: the register, EAX to EDX, and its bit.
struct CpuidBit {
  std::string_view feature;
  unsigned leaf;
  unsigned subleaf;
  int reg;
  int bit;
};
constexpr CpuidBit kCpuidBits[] = {
    {"ssse3", 1, 0, 2, 9},        {"fma", 1, 0, 2, 12},
    {"sse4_1", 1, 0, 2, 19},      {"sse4_2", 1, 0, 2, 20},
    {"avx", 1, 0, 2, 28},         {"f16c", 1, 0, 2, 29},
    {"avx2", 7, 0, 1, 5},         {"avx512f", 7, 0, 1, 16},
    {"avx512dq", 7, 0, 1, 17},    {"avx512bw", 7, 0, 1, 30},
    {"avx512vl", 7, 0, 1, 31},    {"avx512vbmi", 7, 0, 2, 1},
    {"avx512_vbmi2", 7, 0, 2, 6}, {"gfni", 7, 0, 2, 8},
    {"avx512_vnni", 7, 0, 2, 11}, {"amx_bf16", 7, 0, 3, 22},
    {"avx512_fp16", 7, 0, 3, 23}, {"amx_tile", 7, 0, 3, 24},
    {"amx_int8", 7, 0, 3, 25},    {"avx_vnni", 7, 1, 0, 4},
    {"avx512_bf16", 7, 1, 0, 5},
};

// Whether CPUID says to this process that the CPU lacks a feature, which the kernel
// lists: it may be hidden from programs, and those choose their kernels by CPUID.
bool IsHidden(std::string_view feature) {
  const auto found = std::ranges::find(kCpuidBits, feature, &CpuidBit::feature);
  if (found == std::end(kCpuidBits)) return false;
  unsigned registers[4] = {};
  if (__get_cpuid_count(found->leaf, found->subleaf, &registers[0], &registers[1],
                        &registers[2], &registers[3]) == 0) {
    return true;
  }
  return (registers[found->reg] >> found->bit & 1) == 0;
}
#else
bool IsHidden(std::string_view) { return false; }
#endif

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
  std::erase_if(machine.cpu_features, IsHidden);
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
