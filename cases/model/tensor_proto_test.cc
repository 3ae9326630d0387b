// TensorProto in each of its fields for data, and in fields that are not allowed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cases/model/serialize.h"
#include "onnx/onnx_pb.h"

namespace qconform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::vector<std::byte> Bytes(std::vector<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

// A tensor of `type` whose bytes are all different.
Tensor Counting(DataType type, Shape shape) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  for (size_t i = 0; i < tensor.data.size(); ++i) {
    tensor.data[i] = static_cast<std::byte>(0x9D + 31 * i);
  }
  return tensor;
}

// Unused bits of the last byte belong to no element, and are read as 0.
Tensor WithoutUnusedBits(Tensor tensor) {
  if (!tensor.data.empty()) {
    tensor.data.back() &= LastByteMask(tensor.type, ElementCount(tensor.shape).value());
  }
  return tensor;
}

onnx::TensorProto Proto(DataType type, const Shape& shape) {
  onnx::TensorProto proto;
  proto.set_data_type(static_cast<int32_t>(type));
  for (const int64_t dimension : shape) proto.add_dims(dimension);
  return proto;
}

TEST(ParseTensor, RawDataOfEveryType_RoundTrips) {
  int visited = 0;
  for (const DataType type : AllDataTypes()) {
    for (const Shape& shape :
         {Shape{}, Shape{1}, Shape{3, 3}, Shape{5}, Shape{2, 0, 3}}) {
      const Tensor tensor = Counting(type, shape);
      const Tensor used = WithoutUnusedBits(tensor);
      const Result<Tensor> parsed = ParseTensor(SerializeTensor(tensor, "t"));
      ASSERT_TRUE(parsed.ok()) << parsed.error().message;
      EXPECT_EQ(*parsed, used) << DataTypeName(type) << ShapeToString(shape);
      EXPECT_EQ(SerializeTensor(*parsed, "t"), SerializeTensor(used, "t"));
      ++visited;
    }
  }
  EXPECT_EQ(visited, 22 * 5);
}

TEST(SerializeTensor, Int32DataOfEveryType_RoundTrips) {
  for (const DataType type : AllDataTypes()) {
    for (const Shape& shape :
         {Shape{}, Shape{1}, Shape{3}, Shape{2, 2}, Shape{5}, Shape{2, 0, 3}}) {
      const Tensor tensor = Counting(type, shape);
      onnx::TensorProto proto;
      ASSERT_TRUE(
          proto.ParseFromString(SerializeTensor(tensor, "t", TensorField::kInt32Data)));
      const bool has_own_field = type == DataType::kFloat || type == DataType::kDouble ||
                                 type == DataType::kInt64;
      EXPECT_EQ(proto.has_raw_data(), has_own_field);
      if (BitWidth(type) == 6) {  // QL-52
        EXPECT_EQ(proto.int32_data_size(), *ElementCount(shape));
        for (const int32_t entry : proto.int32_data()) EXPECT_EQ(entry & ~0x3F, 0);
      }
      const Tensor parsed = ParseTensor(proto.SerializeAsString()).value();
      EXPECT_EQ(parsed, WithoutUnusedBits(tensor))
          << DataTypeName(type) << ShapeToString(shape);
    }
  }
}

TEST(ParseTensor, Int32DataOfEveryType_GivesItsBits) {
  struct Row {
    DataType type;
    Shape shape;
    std::vector<int32_t> entries;
    std::vector<int> bytes;
  };
  const Row kRows[] = {
      {DataType::kInt32, {2}, {-2, 0x01020304}, {0xFE, 0xFF, 0xFF, 0xFF, 4, 3, 2, 1}},
      {DataType::kInt16, {2}, {-32768, 32767}, {0x00, 0x80, 0xFF, 0x7F}},
      {DataType::kUint16, {1}, {65535}, {0xFF, 0xFF}},
      {DataType::kInt8, {3}, {-128, -1, 127}, {0x80, 0xFF, 0x7F}},
      {DataType::kUint8, {2}, {0, 255}, {0, 255}},
      // The bits, not the value: 1.0 and -2.0.
      {DataType::kFloat16, {2}, {0x3C00, 0xC000}, {0x00, 0x3C, 0x00, 0xC0}},
      {DataType::kBfloat16, {1}, {0xBF80}, {0x80, 0xBF}},
      {DataType::kFloat8E4M3FN, {2}, {0x7F, 0xFF}, {0x7F, 0xFF}},
      {DataType::kFloat8E4M3FNUZ, {1}, {0x80}, {0x80}},
      {DataType::kFloat8E5M2, {1}, {0xFC}, {0xFC}},
      {DataType::kFloat8E5M2FNUZ, {1}, {0x80}, {0x80}},
      {DataType::kFloat8E8M0, {1}, {0xFE}, {0xFE}},
      // Two elements per entry, the first in the low nibble.
      {DataType::kUint4, {3}, {0x21, 0x03}, {0x21, 0x03}},
      {DataType::kInt4, {2, 2}, {0xF8, 0x7F}, {0xF8, 0x7F}},
      {DataType::kFloat4E2M1, {}, {0x07}, {0x07}},
      // Four elements per entry, the first in the lowest bits.
      {DataType::kUint2, {5}, {0xE4, 0x01}, {0xE4, 0x01}},
      {DataType::kInt2, {4}, {0x1B}, {0x1B}},
      // One element per entry; four of them take three bytes (QL-52).
      {DataType::kFloat6E2M3, {}, {0x2A}, {0x2A}},
      {DataType::kFloat6E3M2, {2}, {0x3F, 0x20}, {0x3F, 0x08}},
      {DataType::kFloat6E2M3, {3, 1}, {0x01, 0x02, 0x3F}, {0x81, 0xF0, 0x03}},
      {DataType::kFloat6E3M2, {1, 2, 2}, {0x01, 0x22, 0x14, 0x3B}, {0x81, 0x48, 0xED}},
      {DataType::kFloat6E2M3, {5}, {0, 0, 0, 0x3F, 0x15}, {0, 0, 0xFC, 0x15}},
      // Bits 0 to 5 count, as in numpy_helper.to_array of ONNX 1.23.
      {DataType::kFloat6E3M2, {2}, {-1, 0x40}, {0x3F, 0x00}},
      {DataType::kFloat6E2M3, {3}, {0x7FFFFFC1, -62, 0x3F}, {0x81, 0xF0, 0x03}},
      // Unused bits of a last entry.
      {DataType::kUint4, {3}, {0x21, 0xF3}, {0x21, 0x03}},
      {DataType::kUint2, {5}, {0xE4, -3}, {0xE4, 0x01}},
      // Modulo 256, as in test_quantizelinear_int4 of ONNX 1.16.
      {DataType::kInt4, {3}, {-8, 256 + 7}, {0xF8, 0x07}},
      {DataType::kUint4, {2}, {-1}, {0xFF}},
      {DataType::kFloat4E2M1, {2}, {-128}, {0x80}},
      {DataType::kInt2, {4}, {-28}, {0xE4}},
      {DataType::kInt8, {0}, {}, {}},
  };
  for (const Row& row : kRows) {
    onnx::TensorProto proto = Proto(row.type, row.shape);
    for (const int32_t entry : row.entries) proto.add_int32_data(entry);
    const Result<Tensor> parsed = ParseTensor(proto.SerializeAsString());
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(*parsed, (Tensor{row.type, row.shape, Bytes(row.bytes)}))
        << DataTypeName(row.type);
  }
}

TEST(ParseTensor, FloatAndDoubleData_KeepEveryBit) {
  onnx::TensorProto floats = Proto(DataType::kFloat, {2});
  floats.add_float_data(-0.0f);
  floats.add_float_data(std::numeric_limits<float>::signaling_NaN());
  EXPECT_EQ(ParseTensor(floats.SerializeAsString()).value().data,
            Bytes({0, 0, 0, 0x80, 0, 0, 0xA0, 0x7F}));
  onnx::TensorProto doubles = Proto(DataType::kDouble, {1});
  doubles.add_double_data(-2.0);
  EXPECT_EQ(ParseTensor(doubles.SerializeAsString()).value().data,
            Bytes({0, 0, 0, 0, 0, 0, 0, 0xC0}));
  onnx::TensorProto integers = Proto(DataType::kInt64, {1});
  integers.add_int64_data(-2);
  EXPECT_EQ(ParseTensor(integers.SerializeAsString()).value().data,
            Bytes({0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}));
}

TEST(ParseTensor, Int32DataOutOfRange_IsAnError) {
  struct Row {
    DataType type;
    int32_t entry;
  };
  const Row kRows[] = {
      {DataType::kInt8, 128},         {DataType::kInt8, -129},
      {DataType::kUint8, 256},        {DataType::kUint8, -1},
      {DataType::kInt16, 32768},      {DataType::kUint16, 65536},
      {DataType::kFloat16, -1},       {DataType::kBfloat16, 65536},
      {DataType::kFloat8E4M3FN, 256}, {DataType::kFloat8E8M0, -1},
  };
  for (const Row& row : kRows) {
    onnx::TensorProto proto = Proto(row.type, {1});
    proto.add_int32_data(row.entry);
    const Result<Tensor> parsed = ParseTensor(proto.SerializeAsString());
    ASSERT_FALSE(parsed.ok()) << DataTypeName(row.type) << row.entry;
    EXPECT_THAT(parsed.error().message,
                AllOf(HasSubstr("int32_data[0] is " + std::to_string(row.entry)),
                      HasSubstr(std::string(DataTypeName(row.type)))));
  }
}

TEST(ParseTensor, Hostile_IsAnErrorThatNamesTheField) {
  struct Row {
    std::string says;
    std::function<void(onnx::TensorProto&)> spoil;
  };
  const Row kRows[] = {
      {"data_type is missing", [](auto& t) { t.clear_data_type(); }},
      {"data type 0 (UNDEFINED)", [](auto& t) { t.set_data_type(0); }},
      {"data type 8 (STRING)", [](auto& t) { t.set_data_type(8); }},
      {"data type 12 (UINT32)", [](auto& t) { t.set_data_type(12); }},
      {"data type -3", [](auto& t) { t.set_data_type(-3); }},
      {"data type 99999", [](auto& t) { t.set_data_type(99999); }},
      {"negative dimension", [](auto& t) { t.set_dims(0, -2); }},
      {"more than 2^58", [](auto& t) { t.set_dims(0, INT64_MAX); }},
      {"more than 2^58",
       [](auto& t) {
         t.set_dims(0, int64_t{1} << 40);
         t.add_dims(int64_t{1} << 40);
       }},
      // A zero after an overflow must not hide it.
      {"more than 2^58",
       [](auto& t) {
         t.set_dims(0, int64_t{1} << 40);
         t.add_dims(int64_t{1} << 40);
         t.add_dims(0);
       }},
      {"raw_data has 8 bytes, but FLOAT [1099511627776] takes 4398046511104",
       [](auto& t) { t.set_dims(0, int64_t{1} << 40); }},
      {"rank 65 is above 64",
       [](auto& t) {
         for (int i = 0; i < 64; ++i) t.add_dims(1);
       }},
      {"raw_data has 7 bytes, but FLOAT [2] takes 8",
       [](auto& t) { t.mutable_raw_data()->pop_back(); }},
      {"raw_data has 9 bytes", [](auto& t) { t.mutable_raw_data()->push_back('x'); }},
      {"raw_data has 8 bytes, but FLOAT [0] takes 0", [](auto& t) { t.set_dims(0, 0); }},
      {"float_data has 0 entries, but FLOAT [2] takes 2",
       [](auto& t) { t.clear_raw_data(); }},
      {"float_data has 3 entries, but FLOAT [2] takes 2",
       [](auto& t) {
         t.clear_raw_data();
         for (int i = 0; i < 3; ++i) t.add_float_data(0);
       }},
      {"int32_data has 2 entries, but INT4 [2] takes 1",
       [](auto& t) {
         t.set_data_type(onnx::TensorProto::INT4);
         t.clear_raw_data();
         for (int i = 0; i < 2; ++i) t.add_int32_data(0);
       }},
      {"int32_data has 1 entries, but INT2 [5] takes 2",
       [](auto& t) {
         t.set_data_type(onnx::TensorProto::INT2);
         t.set_dims(0, 5);
         t.clear_raw_data();
         t.add_int32_data(0);
       }},
      // Not four elements in three entries.
      {"int32_data has 3 entries, but FLOAT6E2M3 [2,2] takes 4",
       [](auto& t) {
         t.set_data_type(static_cast<int32_t>(DataType::kFloat6E2M3));
         t.add_dims(2);
         t.clear_raw_data();
         for (int i = 0; i < 3; ++i) t.add_int32_data(0);
       }},
      // Nor one element in each byte: four elements take three bytes.
      {"raw_data has 4 bytes, but FLOAT6E3M2 [2,2] takes 3",
       [](auto& t) {
         t.set_data_type(static_cast<int32_t>(DataType::kFloat6E3M2));
         t.add_dims(2);
         t.mutable_raw_data()->resize(4);
       }},
      // All its bits together are 2^64.
      {"double_data has 0 entries, but DOUBLE [288230376151711744] takes",
       [](auto& t) {
         t.set_data_type(onnx::TensorProto::DOUBLE);
         t.set_dims(0, kMostElements);
         t.clear_raw_data();
       }},
      {"both raw_data and float_data", [](auto& t) { t.add_float_data(0); }},
      {"lies in int32_data; it belongs in raw_data or float_data",
       [](auto& t) {
         t.clear_raw_data();
         t.add_int32_data(0);
         t.add_int32_data(0);
       }},
      {"data of type INT8 lies in float_data; it belongs in raw_data or int32_data",
       [](auto& t) {
         t.set_data_type(onnx::TensorProto::INT8);
         t.clear_raw_data();
         t.add_float_data(0);
       }},
      {"lies in int64_data",
       [](auto& t) {
         t.clear_raw_data();
         t.add_int64_data(0);
       }},
      {"lies in string_data",
       [](auto& t) {
         t.clear_raw_data();
         t.add_string_data("");
       }},
      {"lies in double_data",
       [](auto& t) {
         t.clear_raw_data();
         t.add_double_data(0);
       }},
      {"external_data",
       [](auto& t) { t.set_data_location(onnx::TensorProto::EXTERNAL); }},
      {"external_data", [](auto& t) { t.add_external_data()->set_key("location"); }},
      {"segment", [](auto& t) { t.mutable_segment()->set_begin(0); }},
  };
  int visited = 0;
  for (const Row& row : kRows) {
    onnx::TensorProto proto = Proto(DataType::kFloat, {2});
    proto.set_raw_data(std::string(8, '\0'));
    ASSERT_TRUE(ParseTensor(proto.SerializeAsString()).ok());
    row.spoil(proto);
    const Result<Tensor> parsed = ParseTensor(proto.SerializeAsString());
    ASSERT_FALSE(parsed.ok()) << row.says;
    EXPECT_THAT(parsed.error().message, HasSubstr(row.says));
    ++visited;
  }
  EXPECT_EQ(visited, 31);
}

TEST(ParseTensor, ForeignBytes_AreAnError) {
  EXPECT_THAT(ParseTensor("").error().message, HasSubstr("data_type is missing"));
  EXPECT_THAT(ParseTensor("{\"dims\": [1]}").error().message,
              HasSubstr("not a TensorProto"));
  const std::string bytes = SerializeTensor(Counting(DataType::kUint8, {100}), "t");
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(ParseTensor(bytes.substr(0, length)).ok()) << length;
  }
}

}  // namespace
}  // namespace qconform
