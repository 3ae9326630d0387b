#include "oracle/formats/codes.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

using enum DataType;

TEST(Codes, FourBits_FirstElementIsTheLowNibble) {  // QL-50
  Tensor tensor = Tensor::Zeros(kInt4, {3});
  tensor.data = {std::byte{0xA1}, std::byte{0xF7}};
  EXPECT_EQ(ReadCode(tensor.view(), 0), 0x1u);
  EXPECT_EQ(ReadCode(tensor.view(), 1), 0xAu);
  EXPECT_EQ(ReadCode(tensor.view(), 2), 0x7u);
  WriteCode(tensor.mutable_view(), 1, 0x5);
  EXPECT_EQ(tensor.data[0], std::byte{0x51});
  WriteCode(tensor.mutable_view(), 2, 0x0);
  EXPECT_EQ(tensor.data[1], std::byte{0xF0});  // QL-51: the rest of the byte stays
}

TEST(Codes, TwoBits_FirstElementIsTheLowestBits) {  // QL-50
  Tensor tensor = Tensor::Zeros(kUint2, {5});
  tensor.data = {std::byte{0xE4}, std::byte{0x02}};  // 0 1 2 3, 2
  EXPECT_EQ(ReadCodes(tensor.view()), (std::vector<uint64_t>{0, 1, 2, 3, 2}));
  WriteCode(tensor.mutable_view(), 2, 1);
  EXPECT_EQ(tensor.data[0], std::byte{0xD4});
}

TEST(Codes, SixBits_AreAStreamOfBits) {  // QL-52
  const std::vector<uint64_t> x{0x21, 0x1E, 0x35, 0x0B, 0x3F, 0x02, 0x2C};
  for (const DataType type : {kFloat6E2M3, kFloat6E3M2}) {
    for (size_t count = 0; count <= x.size(); ++count) {
      Tensor tensor = Tensor::Zeros(type, {static_cast<int64_t>(count)});
      for (size_t i = 0; i < count; ++i) {
        WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), x[i]);
      }
      // The clause's formula; elements that are not there are 0.
      std::vector<std::byte> bytes;
      for (size_t i = 0; i < count; i += 4) {
        const auto at = [&](size_t k) { return i + k < count ? x[i + k] : 0; };
        for (const uint64_t byte :
             {at(0) + 64 * (at(1) % 4), at(1) / 4 + 16 * (at(2) % 16), at(2) / 16 + 4 * at(3)}) {
          bytes.push_back(static_cast<std::byte>(byte));
        }
      }
      bytes.resize((6 * count + 7) / 8);
      EXPECT_EQ(tensor.data, bytes) << count;
      EXPECT_EQ(ReadCodes(tensor.view()),
                std::vector(x.begin(), x.begin() + static_cast<int64_t>(count)));
    }
  }
  Tensor tensor = Tensor::Zeros(kFloat6E2M3, {2});
  tensor.data = {std::byte{0xA1}, std::byte{0xF7}};
  EXPECT_EQ(ReadCodes(tensor.view()), (std::vector<uint64_t>{0x21, 0x1E}));
  WriteCode(tensor.mutable_view(), 1, 0x01);
  // QL-51: the rest of the last byte stays.
  EXPECT_EQ(tensor.data, (std::vector<std::byte>{std::byte{0x61}, std::byte{0xF0}}));
}

TEST(Codes, WholeBytes_AreLittleEndian) {
  for (const DataType type : AllDataTypes()) {
    if (BitWidth(type) < 8) continue;
    SCOPED_TRACE(DataTypeName(type));
    Tensor tensor = Tensor::Zeros(type, {3});
    const uint64_t code = 0x8877665544332211 & (~uint64_t{0} >> (64 - BitWidth(type)));
    WriteCode(tensor.mutable_view(), 1, code);
    EXPECT_EQ(ReadCodes(tensor.view()), (std::vector<uint64_t>{0, code, 0}));
    EXPECT_EQ(tensor.data[static_cast<size_t>(BitWidth(type) / 8)], std::byte{0x11});
  }
}

TEST(Codes, AllPositionsOfSubByteTypes_RoundTrip) {
  int visited = 0;
  for (const DataType type :
       {kInt2, kUint2, kInt4, kUint4, kFloat4E2M1, kFloat6E2M3, kFloat6E3M2}) {
    const uint64_t codes = uint64_t{1} << BitWidth(type);
    for (int64_t position = 0; position < 9; ++position) {
      for (uint64_t code = 0; code < codes; ++code, ++visited) {
        Tensor tensor = Tensor::Zeros(type, {9});
        for (std::byte& byte : tensor.data) byte = std::byte{0xFF};
        WriteCode(tensor.mutable_view(), position, code);
        for (int64_t i = 0; i < 9; ++i) {
          ASSERT_EQ(ReadCode(tensor.view(), i), i == position ? code : codes - 1);
        }
      }
    }
  }
  EXPECT_EQ(visited, 9 * (2 * 4 + 3 * 16 + 2 * 64));
}

TEST(CodeToString, GivesBitsAndValue) {
  struct Row {
    DataType type;
    uint64_t code;
    const char* text;
  };
  const Row rows[] = {
      {kFloat, 0x3F000001, "0x3f000001 (0x1.000002p-1)"},
      {kFloat, 0x00000001, "0x00000001 (0x1p-149)"},  // smallest subnormal
      {kFloat, 0x80000000, "0x80000000 (-0)"},
      {kFloat, 0x00000000, "0x00000000 (0)"},
      {kFloat, 0x40200000, "0x40200000 (0x1.4p+1)"},
      {kFloat16, 0x7C00, "0x7c00 (+Inf)"},
      {kFloat16, 0xFC00, "0xfc00 (-Inf)"},
      {kFloat16, 0x8000, "0x8000 (-0)"},
      {kDouble, 0x3FF0000000000000, "0x3ff0000000000000 (0x1p+0)"},
      {kFloat8E4M3FN, 0x7F, "0x7f (NaN)"},
      {kFloat8E4M3FNUZ, 0x80, "0x80 (NaN)"},
      {kFloat8E4M3FN, 0xFE, "0xfe (-0x1.cp+8)"},  // -448
      {kFloat6E2M3, 0x1F, "0x1f (0x1.ep+2)"},     // 7.5
      {kFloat6E3M2, 0x3F, "0x3f (-0x1.cp+4)"},    // -28
      {kFloat6E3M2, 0x20, "0x20 (-0)"},
      {kFloat8E8M0, 0x00, "0x00 (0x1p-127)"},
      {kUint8, 0x82, "0x82 (130)"},
      {kInt4, 0xD, "0xd (-3)"},
      {kUint2, 0x3, "0x3 (3)"},
      {kInt32, 0xFFFFFFFF, "0xffffffff (-1)"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(CodeToString(row.type, row.code), row.text);
  }
  EXPECT_EQ(BitsToString(kInt2, 2), "0x2");
  EXPECT_EQ(ValueToString(kFloat, 0x3F000001), "0x1.000002p-1");
}

}  // namespace
}  // namespace qconform
