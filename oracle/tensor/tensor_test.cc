#include "oracle/tensor/tensor.h"

#include <gtest/gtest.h>

#include "oracle/base/result.h"

namespace qconform {
namespace {

TEST(DataType, NamesAndNumbers_RoundTrip) {
  int visited = 0;
  for (const DataType type : AllDataTypes()) {
    EXPECT_EQ(ParseDataType(DataTypeName(type)), type);
    EXPECT_EQ(DataTypeFromNumber(static_cast<int64_t>(type)), type);
    EXPECT_TRUE(BitWidth(type) > 0);
    ++visited;
  }
  EXPECT_EQ(visited, 22);
  EXPECT_EQ(ParseDataType("float"), std::nullopt);
  EXPECT_EQ(DataTypeFromNumber(8), std::nullopt);  // STRING
  EXPECT_EQ(DataTypeName(DataType::kUndefined), "UNDEFINED");
}

TEST(DataType, Kinds_AreDisjoint) {
  for (const DataType type : AllDataTypes()) {
    EXPECT_FALSE(IsInteger(type) && IsFloatingPoint(type));
  }
  EXPECT_TRUE(IsFloat8(DataType::kFloat8E5M2FNUZ));
  EXPECT_FALSE(IsFloat8(DataType::kFloat8E8M0));
  EXPECT_FALSE(IsInteger(DataType::kFloat8E8M0));
  EXPECT_TRUE(HasNan(DataType::kFloat8E4M3FN));
  EXPECT_FALSE(HasNan(DataType::kFloat6E3M2));
  EXPECT_FALSE(HasNan(DataType::kInt8));
}

TEST(ElementCount, Odd_Shapes) {
  EXPECT_EQ(ElementCount(Shape{}), 1);
  EXPECT_EQ(ElementCount(Shape{3, 0, 5}), 0);
  EXPECT_EQ(ElementCount(Shape{-1}), std::nullopt);
  EXPECT_EQ(ElementCount(Shape{int64_t{1} << 30, int64_t{1} << 28}), kMostElements);
  EXPECT_EQ(ElementCount(Shape{int64_t{1} << 30, (int64_t{1} << 28) + 1}), std::nullopt);
  EXPECT_EQ(ElementCount(Shape{int64_t{1} << 40, int64_t{1} << 40}), std::nullopt);
  EXPECT_EQ(ElementCount(Shape{int64_t{1} << 40, int64_t{1} << 40, 0}), std::nullopt);
  EXPECT_EQ(ElementCount(Shape{0, int64_t{1} << 40, int64_t{1} << 40}), std::nullopt);
  EXPECT_EQ(ElementCount(Shape{0, -1}), std::nullopt);
}

TEST(PackedByteSize, SubByte_RoundsUp) {
  EXPECT_EQ(PackedByteSize(DataType::kInt4, 3), 2u);
  EXPECT_EQ(PackedByteSize(DataType::kUint2, 5), 2u);
  EXPECT_EQ(PackedByteSize(DataType::kFloat6E2M3, 1), 1u);
  EXPECT_EQ(PackedByteSize(DataType::kFloat6E3M2, 2), 2u);
  EXPECT_EQ(PackedByteSize(DataType::kFloat6E3M2, 4), 3u);
  EXPECT_EQ(PackedByteSize(DataType::kFloat6E2M3, 5), 4u);
  EXPECT_EQ(PackedByteSize(DataType::kFloat, 3), 12u);
  EXPECT_EQ(PackedByteSize(DataType::kInt2, 0), 0u);
  // All their bits together are 2^64.
  EXPECT_EQ(PackedByteSize(DataType::kDouble, kMostElements), uint64_t{1} << 61);
}

TEST(LastByteMask, SubByte_HoldsTheLastElements) {
  struct Row {
    DataType type;
    int64_t count;
    unsigned mask;
  };
  const Row rows[] = {
      {DataType::kInt2, 1, 0x03},
      {DataType::kUint2, 2, 0x0F},
      {DataType::kUint2, 3, 0x3F},
      {DataType::kInt2, 4, 0xFF},
      {DataType::kUint2, 5, 0x03},
      {DataType::kInt4, 1, 0x0F},
      {DataType::kUint4, 2, 0xFF},
      {DataType::kFloat4E2M1, 3, 0x0F},
      {DataType::kFloat6E2M3, 1, 0x3F},
      {DataType::kFloat6E3M2, 2, 0x0F},
      {DataType::kFloat6E2M3, 3, 0x03},
      {DataType::kFloat6E3M2, 4, 0xFF},
      {DataType::kFloat6E2M3, 5, 0x3F},
      // Whole bytes leave nothing unused, nor does a tensor without a byte.
      {DataType::kInt8, 3, 0xFF},
      {DataType::kFloat, 1, 0xFF},
      {DataType::kInt2, 0, 0xFF},
      // The most elements and one less: their bits still can be counted.
      {DataType::kInt4, kMostElements, 0xFF},
      {DataType::kInt2, kMostElements - 1, 0x3F}};
  for (const Row& row : rows) {
    EXPECT_EQ(LastByteMask(row.type, row.count), std::byte(row.mask))
        << DataTypeName(row.type) << " x " << row.count;
  }
}

TEST(Tensor, Zeros_HasPackedSize) {
  const Tensor tensor = Tensor::Zeros(DataType::kUint4, {3, 3});
  EXPECT_EQ(tensor.data.size(), 5u);
  EXPECT_EQ(ShapeToString(tensor.shape), "[3,3]");
  EXPECT_EQ(ShapeToString(Shape{}), "[]");
}

TEST(Result, HoldsValueOrError) {
  const Result<int> value = 3;
  const Result<int> error = Error{"no"};
  EXPECT_TRUE(value.ok());
  EXPECT_EQ(*value, 3);
  EXPECT_FALSE(error.ok());
  EXPECT_EQ(error.error().message, "no");
}

}  // namespace
}  // namespace qconform
