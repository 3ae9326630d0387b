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
      {0x309a8807e525c8de, 0x7cb4b994d49e1de1, 0x7cb4b994d49e1de1},
      0x6a1b07c9844fa2b5}},
    {"graphs.requantization",
     {28,
      {0x1dca11f51c16d428, 0xc64354f5b6e9df79, 0xc64354f5b6e9df79},
      0x591bdd74464ccaea}},
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
      {0x7315c68574858541, 0x7a4720a4719b748e, 0x7a4720a4719b748e},
      0x6f018b54ebf7d26b}},
    {"graphs.choosers",
     {28,
      {0xbbd47086834c9599, 0xe94ecea0caad038d, 0xe94ecea0caad038d},
      0x5c4a669cd4609d8f}},
    {"graphs.arithmetic",
     {21,
      {0x9c0ca2079dc5c697, 0x968a06ad282fd955, 0x968a06ad282fd955},
      0x7edd43a4e93f6adb}},
    {"graphs.arithmetic",
     {28,
      {0xd7ba6e6b9525fcda, 0x6b2689bd9c0e099c, 0x6b2689bd9c0e099c},
      0xffc5551bbcdb2508}},
    {"graphs.sums",
     {21,
      {0x8205b3aba6c670ab, 0xefed088ecc1a3be3, 0xefed088ecc1a3be3},
      0x34744bc23a340e7d}},
    {"graphs.sums",
     {28,
      {0x73b180b9a31b01e5, 0x86db49d359522c2e, 0x86db49d359522c2e},
      0xd488baa0e5fb378b}},
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
