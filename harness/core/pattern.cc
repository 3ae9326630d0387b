#include "harness/core/pattern.h"

#include <iterator>
#include <utility>

namespace qconform {
namespace {

Pattern HasFeature(std::string words, uint16_t features) {
  return {std::move(words), [features](const EvidenceCase& one, int64_t i) {
            return (one.answer->elements[static_cast<size_t>(i)].features & features) !=
                   0;
          }};
}

// The place of an element in its output.
ElementPlace PlaceOf(const EvidenceCase& one, int64_t i) {
  return one.answer->PlaceOf(static_cast<size_t>(i));
}

int64_t SizeOfOutput(const EvidenceCase& one, const ElementPlace& place) {
  return static_cast<int64_t>(one.answer->SizeOf(place.output));
}

}  // namespace

Patterns SpecialValuePatterns() {
  return {HasFeature("only NaN quotients", kFeatureNan),
          HasFeature("only infinite quotients", kFeatureInfinity),
          HasFeature("only NaN and infinite quotients", kFeatureNan | kFeatureInfinity)};
}

Patterns ResultPatterns() {
  return {HasFeature("only ties", kFeatureTie),
          HasFeature("only results that saturate",
                     kFeatureSaturatedLow | kFeatureSaturatedHigh),
          HasFeature("only results that are subnormal in y", kFeatureSubnormalResult),
          {"only the last element of a tensor", [](const EvidenceCase& one, int64_t i) {
             const ElementPlace place = PlaceOf(one, i);
             return place.index + 1 == SizeOfOutput(one, place);
           }}};
}

Patterns TailPatterns() {
  Patterns patterns;
  for (const int64_t lanes : {2, 4, 8, 16, 32, 64, 128}) {
    patterns.push_back(
        {"only elements behind the last multiple of " + std::to_string(lanes),
         [lanes](const EvidenceCase& one, int64_t i) {
           const ElementPlace place = PlaceOf(one, i);
           return place.index >= SizeOfOutput(one, place) / lanes * lanes;
         }});
    // In smaller tensors every element is behind the last multiple.
    patterns.back().shown_by = [lanes](const EvidenceCase& one, int64_t i) {
      return SizeOfOutput(one, PlaceOf(one, i)) >= lanes;
    };
  }
  return patterns;
}

Patterns LanePatterns() {
  Patterns patterns;
  for (const int64_t lanes : {64, 32, 16, 8, 4, 2}) {
    for (int64_t place = 0; place < lanes; ++place) {
      patterns.push_back({"only elements whose index modulo " + std::to_string(lanes) +
                              " is " + std::to_string(place),
                          [lanes, place](const EvidenceCase& one, int64_t i) {
                            return PlaceOf(one, i).index % lanes == place;
                          }});
    }
  }
  return patterns;
}

Patterns TierPatterns() {
  Patterns patterns;
  for (int tier = 0; tier < kTierCount; ++tier) {
    patterns.push_back(
        {"only elements of tier " + std::string(TierName(static_cast<Tier>(tier))),
         [tier](const EvidenceCase& one, int64_t i) {
           return one.answer->elements[static_cast<size_t>(i)].tier ==
                  static_cast<Tier>(tier);
         },
         true});
  }
  return patterns;
}

void Append(Patterns& to, Patterns more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()),
            std::make_move_iterator(more.end()));
}

int64_t SizeOf(const EvidenceCase& one) {
  return static_cast<int64_t>(one.answer->elements.size());
}

}  // namespace qconform
