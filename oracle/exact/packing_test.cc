// The judge's packing, compared with bytes that were computed by hand.
#include "oracle/exact/packing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace qconform::exact {
namespace {

using Codes = std::vector<uint64_t>;

std::vector<std::byte> Bytes(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

void ExpectBothWays(const Codes& codes, int bits, const std::vector<std::byte>& bytes) {
  EXPECT_EQ(PackedBytes(codes, bits), bytes) << bits << " bits, " << codes.size();
  EXPECT_EQ(UnpackedCodes(bytes, bits, codes.size()), codes) << bits << " bits";
}

// QL-52: b0 = x0 + 64 (x1 mod 4), b1 = x1 div 4 + 16 (x2 mod 16), b2 = x2 div 16 + 4 x3.
TEST(ExactPacking, SixBits_AreFourElementsInThreeBytes) {
  // One element at a time is all ones, which shows the bits that belong to it.
  ExpectBothWays({0x3f, 0, 0, 0}, 6, Bytes({0x3f, 0x00, 0x00}));
  ExpectBothWays({0, 0x3f, 0, 0}, 6, Bytes({0xc0, 0x0f, 0x00}));
  ExpectBothWays({0, 0, 0x3f, 0}, 6, Bytes({0x00, 0xf0, 0x03}));
  ExpectBothWays({0, 0, 0, 0x3f}, 6, Bytes({0x00, 0x00, 0xfc}));
  // 1 + 64 * 2 = 129; 0 + 16 * 3 = 48; 0 + 4 * 4 = 16.
  ExpectBothWays({1, 2, 3, 4}, 6, Bytes({129, 48, 16}));
  // 0x1f + 64 * (33 mod 4) = 95; 33 div 4 + 16 * (22 mod 16) = 104;
  // 22 div 16 + 4 * 0x2a = 169.
  ExpectBothWays({0x1f, 33, 22, 0x2a}, 6, Bytes({95, 104, 169}));
  // The second group begins at a byte again.
  ExpectBothWays({1, 2, 3, 4, 0x1f, 33, 22, 0x2a}, 6, Bytes({129, 48, 16, 95, 104, 169}));
}

TEST(ExactPacking, SixBits_TheLastGroupIsFilledWithZeros) {
  ExpectBothWays({}, 6, {});
  ExpectBothWays({0x3f}, 6, Bytes({0x3f}));                          // 6 bits of 8
  ExpectBothWays({0x3f, 0x3f}, 6, Bytes({0xff, 0x0f}));              // 12 of 16
  ExpectBothWays({0x3f, 0x3f, 0x3f}, 6, Bytes({0xff, 0xff, 0x03}));  // 18 of 24
  ExpectBothWays({1, 2, 3, 4, 0x3f}, 6, Bytes({129, 48, 16, 0x3f}));
  ExpectBothWays({1, 2, 3, 4, 0x3f, 0x21}, 6, Bytes({129, 48, 16, 0x7f, 0x08}));
  ExpectBothWays({1, 2, 3, 4, 0x3f, 0x21, 0x11}, 6,
                 Bytes({129, 48, 16, 0x7f, 0x18, 0x01}));
}

TEST(ExactPacking, UnusedBits_AreNotRead) {
  EXPECT_EQ(UnpackedCodes(Bytes({0xff}), 6, 1), Codes{0x3f});
  EXPECT_EQ(UnpackedCodes(Bytes({0xc1, 0xf0, 0xfc}), 6, 2), (Codes{1, 3}));
  EXPECT_EQ(UnpackedCodes(Bytes({0x21, 0xf3}), 4, 3), (Codes{1, 2, 3}));
}

// QL-50, and little-endian order of whole bytes.
TEST(ExactPacking, OtherWidths) {
  ExpectBothWays({1, 2, 3}, 4, Bytes({0x21, 0x03}));
  ExpectBothWays({3, 0, 1, 2, 1}, 2, Bytes({0x93, 0x01}));
  ExpectBothWays({0x80, 0x01}, 8, Bytes({0x80, 0x01}));
  ExpectBothWays({0x1234, 0x5678}, 16, Bytes({0x34, 0x12, 0x78, 0x56}));
  ExpectBothWays({0x3f800000}, 32, Bytes({0, 0, 0x80, 0x3f}));
  ExpectBothWays({0xfff0000000000001}, 64, Bytes({1, 0, 0, 0, 0, 0, 0xf0, 0xff}));
}

// Each code at each of the four places, next to neighbours of all ones and all zeros.
TEST(ExactPacking, SixBits_EveryCodeAtEveryPlace) {
  for (size_t count = 1; count <= 9; ++count) {
    for (size_t place = 0; place < count; ++place) {
      for (uint64_t code = 0; code < 64; ++code) {
        for (uint64_t others : {0x00u, 0x3fu}) {
          Codes codes(count, others);
          codes[place] = code;
          const std::vector<std::byte> bytes = PackedBytes(codes, 6);
          ASSERT_EQ(bytes.size(), (6 * count + 7) / 8);
          ASSERT_EQ(UnpackedCodes(bytes, 6, count), codes);
        }
      }
    }
  }
}

}  // namespace
}  // namespace qconform::exact
