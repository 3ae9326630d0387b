#include <algorithm>
#include <functional>

#include "harness/diagnosis/evidence_case.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using Holds = std::function<bool(const EvidenceCase&, int64_t)>;

struct Pattern {
  std::string words;
  Holds holds;
};

Holds HasFeature(uint16_t features) {
  return [features](const EvidenceCase& one, int64_t i) {
    return (one.answer->elements[static_cast<size_t>(i)].features & features) != 0;
  };
}

bool QuotientBeyondInt32(const EvidenceCase& one, int64_t i) {
  const DecodedQuantizeLinear* decoded = one.decoded->quantize_linear();
  if (decoded == nullptr) return false;
  const Unrounded& q = decoded->quotients[static_cast<size_t>(i)];
  if (q.value_class == ValueClass::kInfinity) return true;
  return q.value_class == ValueClass::kFinite && q.significand != 0 &&
         TopBit(q.significand) + q.exponent >= 31;
}

bool XIsNegative(const EvidenceCase& one, int64_t i) {
  const DecodedQuantizeLinear* decoded = one.decoded->quantize_linear();
  return decoded != nullptr && decoded->x_values[static_cast<size_t>(i)].negative;
}

bool InLastBlock(const EvidenceCase& one, int64_t i) {
  const DecodedQuantizeLinear* decoded = one.decoded->quantize_linear();
  if (decoded == nullptr) return false;
  const QuantizeLinearLayout& layout = decoded->layout;
  if (layout.granularity != QuantizeLinearLayout::Granularity::kBlocked) return false;
  return i / layout.inner % layout.axis / layout.block == layout.blocks - 1;
}

int64_t SizeOf(const EvidenceCase& one) {
  return static_cast<int64_t>(one.answer->elements.size());
}

std::vector<Pattern> Patterns() {
  std::vector<Pattern> patterns{
      {"only NaN quotients", HasFeature(kFeatureNan)},
      {"only infinite quotients", HasFeature(kFeatureInfinity)},
      {"only NaN and infinite quotients", HasFeature(kFeatureNan | kFeatureInfinity)},
      {"only where |q| >= 2^31", QuotientBeyondInt32},
      {"only ties", HasFeature(kFeatureTie)},
      {"only results that saturate",
       HasFeature(kFeatureSaturatedLow | kFeatureSaturatedHigh)},
      {"only results that are subnormal in y", HasFeature(kFeatureSubnormalResult)},
      {"only the last element of a tensor",
       [](const EvidenceCase& one, int64_t i) { return i + 1 == SizeOf(one); }},
  };
  for (const int64_t lanes : {2, 4, 8, 16, 32, 64, 128}) {
    patterns.push_back(
        {"only elements behind the last multiple of " + std::to_string(lanes),
         [lanes](const EvidenceCase& one, int64_t i) {
           return i >= SizeOf(one) / lanes * lanes;
         }});
  }
  patterns.push_back({"only the last block along the axis", InLastBlock});
  for (const int64_t lanes : {64, 32, 16, 8, 4, 2}) {
    for (int64_t place = 0; place < lanes; ++place) {
      patterns.push_back({"only elements whose index modulo " + std::to_string(lanes) +
                              " is " + std::to_string(place),
                          [lanes, place](const EvidenceCase&, int64_t i) {
                            return i % lanes == place;
                          }});
    }
  }
  patterns.push_back({"only negative x", XIsNegative});
  patterns.push_back(
      {"only x that are not negative", [](const EvidenceCase& one, int64_t i) {
         return one.decoded->quantize_linear() != nullptr && !XIsNegative(one, i);
       }});
  for (int tier = 0; tier < kTierCount; ++tier) {
    patterns.push_back({"only tier " + std::string(TierName(static_cast<Tier>(tier))),
                        [tier](const EvidenceCase& one, int64_t i) {
                          return one.answer->elements[static_cast<size_t>(i)].tier ==
                                 static_cast<Tier>(tier);
                        }});
  }
  return patterns;
}

// The one channel that deviates, where it is one of several.
std::string OneChannel(std::span<const EvidenceCase> cases) {
  int64_t channel = -1;
  bool several = false;
  for (const EvidenceCase& one : cases) {
    const DecodedQuantizeLinear* decoded = one.decoded->quantize_linear();
    if (decoded == nullptr) return "";
    const QuantizeLinearLayout& layout = decoded->layout;
    several = several || decoded->scales.size() > 1;
    for (const int64_t i : one.deviating) {
      const int64_t line = i / layout.inner;
      const int64_t at =
          layout.ScaleIndex(line / layout.axis, line % layout.axis, i % layout.inner);
      if (channel >= 0 && channel != at) return "";
      channel = at;
    }
  }
  return several && channel >= 0 ? "only elements of scale " + std::to_string(channel)
                                 : "";
}

// Whether b says nothing of these cases that a does not say.
bool Implies(const Holds& a, const Holds& b, std::span<const EvidenceCase> cases) {
  for (const EvidenceCase& one : cases) {
    for (int64_t i = 0; i < SizeOf(one); ++i) {
      if (a(one, i) && !b(one, i)) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::string> PatternOf(std::span<const EvidenceCase> cases) {
  constexpr size_t kMost = 2;
  int64_t deviating = 0;
  for (const EvidenceCase& one : cases)
    deviating += static_cast<int64_t>(one.deviating.size());
  // Of one or two elements everything has something in common.
  if (deviating < 3) return {};
  std::vector<std::string> words;
  std::vector<Pattern> found;
  for (Pattern& pattern : Patterns()) {
    bool all = true;
    bool others = false;  // elements that do not deviate and are not like that
    for (const EvidenceCase& one : cases) {
      for (const int64_t i : one.deviating) all = all && pattern.holds(one, i);
      if (!all) break;
      for (int64_t i = 0; i < SizeOf(one) && !others; ++i)
        others = !pattern.holds(one, i);
    }
    if (!all || !others) continue;
    const auto follows = [&](const Pattern& said) {
      return Implies(said.holds, pattern.holds, cases);
    };
    if (std::ranges::any_of(found, follows)) continue;
    words.push_back(pattern.words);
    if (words.size() == kMost) return words;
    found.push_back(std::move(pattern));
  }
  const std::string channel = OneChannel(cases);
  if (!channel.empty()) words.push_back(channel);
  return words;
}

}  // namespace qconform
