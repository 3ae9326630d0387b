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
      {0x7315c68574858541, 0x1d2dfe2a26bad30a, 0x1d2dfe2a26bad30a},
      0x03c69bf56ff01601}},
    {"graphs.choosers",
     {28,
      {0xbbd47086834c9599, 0x54898cf7e7a44437, 0x54898cf7e7a44437},
      0x2adab8bfd811f537}},
    {"graphs.arithmetic",
     {21,
      {0x9c0ca2079dc5c697, 0x9734390dbef00b61, 0x9734390dbef00b61},
      0xae87340e2b5ca023}},
    {"graphs.arithmetic",
     {28,
      {0xd7ba6e6b9525fcda, 0xf6b7b9d7e9484151, 0xf6b7b9d7e9484151},
      0x80ee572bd57305f8}},
    {"graphs.sums",
     {21,
      {0x8205b3aba6c670ab, 0xa17fe6c5dac68fd1, 0xa17fe6c5dac68fd1},
      0xe6719497cffc09bb}},
    {"graphs.sums",
     {28,
      {0x73b180b9a31b01e5, 0xbd1379a62500ae39, 0xbd1379a62500ae39},
      0xb7780b0e2e3f2fde}},
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
