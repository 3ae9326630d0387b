#include "oracle/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"

namespace qconform::dynamic_quantize_linear {
namespace {

using enum Readings::Scale;
constexpr Readings::Scale kScales[] = {kCanonical, kFusedRange, kFusedRangeInDouble};
constexpr Readings::NoRange kNoRanges[] = {
    Readings::NoRange::kCanonical, Readings::NoRange::kOne255th, Readings::NoRange::kOne};

}  // namespace

uint64_t EncodeReadings(const Readings& readings) {
  return static_cast<uint64_t>(readings.scale) +
         3 * static_cast<uint64_t>(readings.no_range);
}

Readings DecodeReadings(uint64_t code) {
  return {.scale = kScales[code % 3], .no_range = kNoRanges[code / 3 % 3]};
}

std::vector<Reading> NamesOf(const Readings& readings) {
  std::vector<Reading> names;
  if (readings.scale == kFusedRange) names.push_back({"DYN-01", "fused_range"});
  if (readings.scale == kFusedRangeInDouble) {
    names.push_back({"DYN-01", "fused_range_in_double"});
  }
  if (readings.no_range == Readings::NoRange::kOne255th) {
    names.push_back({"DYN-04", "one_255th"});
  }
  if (readings.no_range == Readings::NoRange::kOne) names.push_back({"DYN-04", "one"});
  return names;
}

std::vector<Readings> ReadingCombinations() {
  std::vector<Readings> combinations;
  for (const Readings::NoRange no_range : kNoRanges) {
    for (const Readings::Scale scale : kScales) combinations.push_back({scale, no_range});
  }
  return combinations;
}

}  // namespace qconform::dynamic_quantize_linear
