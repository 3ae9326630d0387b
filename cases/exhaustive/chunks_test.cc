#include "cases/exhaustive/chunks.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

TEST(ChunkedRange, ChunksCoverTheRangeOnceAndTheLastIsShorter) {
  const ChunkedRange range{{100, 25}, 10};
  ASSERT_EQ(range.chunks(), 3);
  EXPECT_EQ(range.At(0), (CodeRange{100, 10}));
  EXPECT_EQ(range.At(1), (CodeRange{110, 10}));
  EXPECT_EQ(range.At(2), (CodeRange{120, 5}));
  EXPECT_EQ((ChunkedRange{{0, 0}, 10}.chunks()), 0);
}

}  // namespace
}  // namespace qconform
