#include "cases/core/counter_rng.h"

#include <gtest/gtest.h>

#include <set>

namespace qconform::generators {
namespace {

// Random123's kat_vectors, "philox4x32 10".
TEST(CounterRng, Philox_KnownAnswers) {
  EXPECT_EQ(Philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                       {0xffffffff, 0xffffffff}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The FNV reference's own test vectors.
TEST(CounterRng, Fnv1a64_KnownAnswers) {
  EXPECT_EQ(Fnv1a64().hash(), 0xcbf29ce484222325u);
  Fnv1a64 a;
  a.Text("a");
  EXPECT_EQ(a.hash(), 0xaf63dc4c8601ec8cu);
  Fnv1a64 foobar;
  foobar.Text("foobar");
  EXPECT_EQ(foobar.hash(), 0x85944171f73967e8u);
}

TEST(CounterRng, Stream_IsTheBlocksInTheirOrder) {
  CounterRng rng(0);
  for (const uint32_t word : Philox4x32({0, 0, 0, 0}, {0, 0}))
    EXPECT_EQ(rng.Next32(), word);
  for (const uint32_t word : Philox4x32({1, 0, 0, 0}, {0, 0}))
    EXPECT_EQ(rng.Next32(), word);
}

TEST(CounterRng, ContentKey_DependsOnEachPart) {
  const std::set<uint64_t> keys = {ContentKey("a", 1, 1), ContentKey("b", 1, 1),
                                   ContentKey("a", 2, 1), ContentKey("a", 1, 2)};
  EXPECT_EQ(keys.size(), 4u);
}

TEST(CounterRng, Ranges_KeepTheirEnds) {
  CounterRng rng(7);
  std::set<int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(rng.Between(-3, 3));
  EXPECT_EQ(seen, (std::set<int64_t>{-3, -2, -1, 0, 1, 2, 3}));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.Below(1), 0u);
}

}  // namespace
}  // namespace qconform::generators
