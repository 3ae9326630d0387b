#include "harness/operators/quantize_linear/bench/bounds.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace qconform::quantize_linear {
namespace {

constexpr int64_t kInCache = 1 << 20;
constexpr int64_t kInMemory = 1 << 26;

bool IsOf(const QuantizeBenchGroup& group, const QuantizeBenchResult& result) {
  return group.y_bits == BitWidth(result.row.y) && group.layout == result.row.layout &&
         group.block == result.row.block && group.elements == result.elements &&
         group.threads == result.threads;
}

}  // namespace

std::vector<QuantizeBenchGroup> GroupsInCache(
    const std::vector<QuantizeBenchResult>& results) {
  std::vector<QuantizeBenchGroup> groups;
  for (const QuantizeBenchResult& result : results) {
    if (result.elements > kInCache) continue;
    auto at = std::ranges::find_if(
        groups, [&](const QuantizeBenchGroup& group) { return IsOf(group, result); });
    if (at == groups.end()) {
      groups.push_back({.y_bits = BitWidth(result.row.y),
                        .layout = result.row.layout,
                        .block = result.row.block,
                        .elements = result.elements,
                        .threads = result.threads,
                        .fastest_ns = result.ns_per_element});
      at = groups.end() - 1;
    }
    ++at->rows;
    at->fastest_ns = std::min(at->fastest_ns, result.ns_per_element);
    if (result.ns_per_element <= at->slowest_ns) continue;
    at->slowest_ns = result.ns_per_element;
    at->slowest = result.row.Name();
  }
  return groups;
}

std::vector<std::string> BrokenBounds(const std::vector<QuantizeBenchResult>& results,
                                      bool whole_groups) {
  std::vector<QuantizeBenchGroup> groups;
  if (whole_groups) groups = GroupsInCache(results);
  std::vector<std::string> broken;
  char text[200];
  for (const QuantizeBenchResult& result : results) {
    for (const QuantizeBenchGroup& group : groups) {
      if (!IsOf(group, result) || result.ns_per_element <= 5 * group.fastest_ns) continue;
      std::snprintf(text, sizeof(text), ": %.3f ns, the fastest of its group %.3f ns",
                    result.ns_per_element, group.fastest_ns);
      broken.push_back(result.row.Name() + text);
    }
    if (result.elements >= kInMemory && result.of_limit < 0.6) {
      std::snprintf(text, sizeof(text), ": %.0f %% of the limit at %lld elements",
                    100 * result.of_limit, static_cast<long long>(result.elements));
      broken.push_back(result.row.Name() + text);
    }
  }
  return broken;
}

}  // namespace qconform::quantize_linear
