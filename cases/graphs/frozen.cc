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
      {0x9de457f31127398a, 0x75ff8243d1b5db39, 0x75ff8243d1b5db39},
      0xdb4f4347883b3531}},
    {"graphs.round_trip",
     {28,
      {0xebdbbd20c59f27d2, 0xeab926791bc7974b, 0xeab926791bc7974b},
      0x3dbfb99795e67af6}},
    {"graphs.requantization",
     {21,
      {0x309a8807e525c8de, 0x2dc92ad9fd58c481, 0x2dc92ad9fd58c481},
      0x32aaaf4a7b9ce69b}},
    {"graphs.requantization",
     {28,
      {0x1dca11f51c16d428, 0xdf43db7daebe6fd9, 0xdf43db7daebe6fd9},
      0x78e121bbeff1cf89}},
    {"graphs.movers",
     {21,
      {0x439e9bbc0fb09e7f, 0x7741a74fd33269e9, 0x7741a74fd33269e9},
      0xc4cd971820afb8f3}},
    {"graphs.movers",
     {28,
      {0xa53bc094aacd4a3b, 0xb4bb0cc380980c3b, 0xb4bb0cc380980c3b},
      0x4e7b08cd57afff33}},
    {"graphs.choosers",
     {21,
      {0x7315c68574858541, 0x8dc64a5691c38ac2, 0x8dc64a5691c38ac2},
      0x025e729d93caffd2}},
    {"graphs.choosers",
     {28,
      {0xbbd47086834c9599, 0xafa607dd4e40e086, 0xafa607dd4e40e086},
      0x69f12e6c1dc1a89a}},
    {"graphs.arithmetic",
     {21,
      {0x3fba11d4fb435f31, 0x8a437a3a61c66b51, 0x8a437a3a61c66b51},
      0x382c43e40b5ece03}},
    {"graphs.arithmetic",
     {28,
      {0xa3e04b08e45deecd, 0x61b2367b419f6e09, 0x61b2367b419f6e09},
      0x3c1f713fef1fe90f}},
    {"graphs.sums",
     {21,
      {0xef28905d9e6ce5c9, 0xaab287d91b195d45, 0xaab287d91b195d45},
      0x84f96dea1bf3db58}},
    {"graphs.sums",
     {28,
      {0x4880cd06e7e4362e, 0x63c39b925cc72737, 0x63c39b925cc72737},
      0x560d389cfeda3aea}},
    {"graphs.weights",
     {21,
      {0x12a89c56e054a3f9, 0x8b398d76e57944db, 0x8b398d76e57944db},
      0x59e3c7d635cc550b}},
    {"graphs.weights",
     {28,
      {0x9276bdcd79f9452a, 0xacdd0887eea17b6b, 0xacdd0887eea17b6b},
      0x2dbd197361947907}},
    {"graphs.dynamic",
     {21,
      {0xb73c9eea815318bd, 0xc3ec9c5508fa1c07, 0xc3ec9c5508fa1c07},
      0x9a68bf237c5ba252}},
    {"graphs.dynamic",
     {28,
      {0x590bc5f2530f0521, 0xf327a275663fd4ff, 0xf327a275663fd4ff},
      0x78ddb506926a60b5}},
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
