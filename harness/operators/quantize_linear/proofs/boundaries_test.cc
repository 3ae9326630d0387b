#include "harness/operators/quantize_linear/proofs/boundaries.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "harness/operators/quantize_linear/proofs/chunks.h"

namespace qconform::quantize_linear {
namespace {

// Sums up the chunks, and checks that they follow each other without gaps.
uint64_t Covered(const ChunkedRange& chunks) {
  uint64_t next = chunks.range.first;
  for (int64_t i = 0; i < chunks.chunks(); ++i) {
    const CodeRange chunk = chunks.At(i);
    EXPECT_EQ(chunk.first, next);
    EXPECT_GT(chunk.count, 0u);
    next += chunk.count;
  }
  return next - chunks.range.first;
}

TEST(Chunks, EveryKind_CoversItsInputsOnce) {
  EXPECT_EQ(Covered(LineChunks(DataType::kFloat)), uint64_t{1} << 32);
  EXPECT_EQ(Covered(LineChunks(DataType::kInt32)), uint64_t{1} << 32);
  EXPECT_EQ(Covered(LineChunks(DataType::kFloat16)), uint64_t{1} << 16);
  EXPECT_EQ(Covered(PlaneChunks()), uint64_t{1} << 16);
  EXPECT_EQ(Covered(AllScalesChunks(DataType::kUint8)), 0x7F7FFFFFu);
  EXPECT_EQ(Covered(AllScalesChunks(DataType::kInt16)), 0x7F7FFFFFu);
  const ChunkedRange binade = BinadeChunks(DataType::kInt16, -3);
  EXPECT_EQ(Covered(binade), uint64_t{1} << 23);
  EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(binade.range.first)), 0.125f);
}

TEST(Boundaries, BesideOf_IsNextToTheExactProductForEveryMagnitudeAndSign) {
  int64_t visited = 0;
  for (const float q : {0.5f, -0.5f, 127.5f, -254.5f, 0x1p-10f, 65535.5f}) {
    const uint32_t code = std::bit_cast<uint32_t>(q);
    // The neighbour of larger magnitude.
    const bool negative = q < 0;
    const double midpoint =
        negative ? MidpointOf(code + 1, code) : MidpointOf(code, code + 1);
    for (uint64_t scale = 1; scale <= 0x7F7FFFFF; scale += 999983) {
      const auto s = static_cast<uint32_t>(scale);
      const double product = static_cast<double>(std::bit_cast<float>(s)) * midpoint;
      const BesideBoundary beside = BesideOf(s, midpoint);
      const float below = std::bit_cast<float>(beside.below);
      const float above = std::bit_cast<float>(beside.above);
      ASSERT_LT(below, product) << q << " " << s;
      ASSERT_GT(above, product) << q << " " << s;
      if (std::isfinite(above) && above != 0 && std::isfinite(below)) {
        ASSERT_EQ(std::nextafter(below, INFINITY), above) << q << " " << s;
      }
      ++visited;
    }
  }
  EXPECT_EQ(visited, 6 * 2140);
}

}  // namespace
}  // namespace qconform::quantize_linear
