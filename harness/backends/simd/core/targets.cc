#include "harness/backends/simd/core/targets.h"

#include <string>

#include "harness/backends/simd/core/highway_targets.h"
#include "hwy/targets.h"

namespace qconform::simd {
namespace {

#define QCONFORM_SIMD_COUNT(name) +1
static_assert(0 QCONFORM_SIMD_ALL_TARGETS(QCONFORM_SIMD_COUNT) <= kMostTargets);
#undef QCONFORM_SIMD_COUNT

// The bits of the targets that Highway compiles, of those that highway_targets.h names.
#define QCONFORM_SIMD_BIT(name) | HWY_##name
constexpr int64_t kCompiled =
    HWY_TARGETS & (0 QCONFORM_SIMD_ALL_TARGETS(QCONFORM_SIMD_BIT));
#undef QCONFORM_SIMD_BIT

std::string Names(std::span<const Target> targets) {
  std::string names;
  for (const Target& target : targets) {
    if (!names.empty()) names += ", ";
    names += target.name;
  }
  return names;
}

// Asking the CPU takes microseconds: it is done once.
int64_t SupportedMask() {
  static const int64_t mask = hwy::SupportedTargets();
  return mask;
}

bool IsSupported(const Target& target) { return (SupportedMask() & target.bit) != 0; }

}  // namespace

std::span<const Target> CompiledTargets() {
  static const OfTargets<Target> targets = [] {
    OfTargets<Target> compiled;
    for (int bit = 0; bit < 63; ++bit) {  // a lower bit is a better target
      const int64_t target = int64_t{1} << bit;
      if ((kCompiled & target) != 0) compiled.Add({hwy::TargetName(target), target});
    }
    return compiled;
  }();
  return targets.all();
}

std::vector<Target> SupportedTargets() {
  std::vector<Target> supported;
  for (const Target& target : CompiledTargets()) {
    if (IsSupported(target)) supported.push_back(target);
  }
  return supported;
}

Result<Target> FindTarget(std::string_view name) {
  for (const Target& target : CompiledTargets()) {
    if (target.name != name) continue;
    if (IsSupported(target)) return target;
    return Error{"this CPU cannot run the target \"" + std::string(name) +
                 "\"; it can run " + Names(SupportedTargets())};
  }
  return Error{"no target \"" + std::string(name) + "\" is compiled in; there are " +
               Names(CompiledTargets())};
}

Result<Target> FindTarget(int64_t bit) {
  for (const Target& target : CompiledTargets()) {
    if (bit == 0 ? !IsSupported(target) : target.bit != bit) continue;
    if (IsSupported(target)) return target;
    return FindTarget(target.name);  // says why not
  }
  if (bit == 0) {
    return Error{"kernels: expected a CPU with " + Names(CompiledTargets()) +
                 ", got one with none of them; a build with QCONFORM_ALL_SIMD_TARGETS=ON "
                 "has more"};
  }
  return Error{"no target with the bit " + std::to_string(bit) +
               " is compiled in; there are " + Names(CompiledTargets())};
}

}  // namespace qconform::simd
