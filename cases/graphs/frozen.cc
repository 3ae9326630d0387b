#include "cases/graphs/frozen.h"

namespace qconform::generators {
namespace {

struct FrozenFamily {
  std::string_view family;
  FrozenLevels levels;
};

// cases_core_test prints them.
constexpr FrozenFamily kFrozen[] = {
    {"graphs.round_trip",
     {21,
      {0x9de457f31127398a, 0x2f7d291aed32e302, 0x2f7d291aed32e302},
      0xdc9496112f311691}},
    {"graphs.round_trip",
     {28,
      {0xebdbbd20c59f27d2, 0x0ae1688267fbcaf8, 0x0ae1688267fbcaf8},
      0x45d1178a0278eac7}},
    {"graphs.requantization",
     {21,
      {0x309a8807e525c8de, 0x9503820c76db302e, 0x9503820c76db302e},
      0xd9b651796594c4f2}},
    {"graphs.requantization",
     {28,
      {0x1dca11f51c16d428, 0x5164a95829d4194a, 0x5164a95829d4194a},
      0xe286175bbd4714a2}},
    {"graphs.movers",
     {21,
      {0x439e9bbc0fb09e7f, 0xc5b37e99a7f510b3, 0xc5b37e99a7f510b3},
      0x84e56e7721e93e4b}},
    {"graphs.movers",
     {28,
      {0xa53bc094aacd4a3b, 0x31fcf5d3083a8e5f, 0x31fcf5d3083a8e5f},
      0x60f3ccb053e3fe9c}},
    {"graphs.choosers",
     {21,
      {0xf77d47e895a0909f, 0x07a779c7c5a12eac, 0x07a779c7c5a12eac},
      0x7019d9543a69e2c7}},
    {"graphs.choosers",
     {28,
      {0xf99b8edc7a892b5f, 0x024ccf605103d19b, 0x024ccf605103d19b},
      0x79e99c55059bf3d2}},
    {"graphs.arithmetic",
     {21,
      {0xf9a11646eee0580d, 0xdb75d3b8bd6bdfd1, 0xdb75d3b8bd6bdfd1},
      0xaf867db25781958e}},
    {"graphs.arithmetic",
     {28,
      {0x71ae0fd4021a7125, 0x6a03aa2883213f1f, 0x6a03aa2883213f1f},
      0x75c63dfb9c28cf46}},
    {"graphs.sums",
     {21,
      {0x05634b732b6ba569, 0x6075dade4faa24fb, 0x6075dade4faa24fb},
      0x27614fd1a2afe6c2}},
    {"graphs.sums",
     {28,
      {0x57e85eded86ee65d, 0xcb999a5652e8dc0a, 0xcb999a5652e8dc0a},
      0x09adc4492804e556}},
    {"graphs.weights",
     {21,
      {0x12a89c56e054a3f9, 0x4b0c24f38525eb15, 0x4b0c24f38525eb15},
      0xbde1df9cc0f9003d}},
    {"graphs.weights",
     {28,
      {0x9276bdcd79f9452a, 0x519a4b35d1d4fabb, 0x519a4b35d1d4fabb},
      0x9cd2788f11c2acf8}},
    {"graphs.dynamic",
     {21,
      {0xb73c9eea815318bd, 0xc3ec9c5508fa1c07, 0xc3ec9c5508fa1c07},
      0x3d04da19f6c86596}},
    {"graphs.dynamic",
     {28,
      {0x590bc5f2530f0521, 0xf327a275663fd4ff, 0xf327a275663fd4ff},
      0xf22dbfe72a33fc37}},
};

}  // namespace

std::vector<FrozenLevels> FrozenLevelsOfFamily(std::string_view family) {
  std::vector<FrozenLevels> levels;
  for (const FrozenFamily& row : kFrozen) {
    if (row.family == family) levels.push_back(row.levels);
  }
  return levels;
}

}  // namespace qconform::generators
