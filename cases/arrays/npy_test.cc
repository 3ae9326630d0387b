#include "cases/arrays/npy.h"

#include <gtest/gtest.h>

#include <string>

#include "cases/model/carried_type.h"

namespace qconform {
namespace {

// Returns a file of version 1 with this dictionary.
std::string File(const std::string& dictionary, const std::string& data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dictionary.size());
  file += '\0';
  return file + dictionary + data;
}

std::string WhyNot(const std::string& bytes, DataType expected = DataType::kUndefined) {
  const auto read = ParseNpy(bytes, expected);
  return read ? "read" : read.error().message;
}

Tensor Bytes(DataType type, Shape shape, std::initializer_list<int> bytes) {
  Tensor tensor{type, std::move(shape), {}};
  for (const int byte : bytes) tensor.data.push_back(static_cast<std::byte>(byte));
  return tensor;
}

TEST(Npy, WrittenArrays_AreReadBack) {
  for (const Tensor& tensor :
       {Bytes(DataType::kInt8, {2, 3}, {1, 2, 3, 4, 5, 6}),
        Bytes(DataType::kFloat, {}, {0, 0, 0x80, 0x3F}), Bytes(DataType::kInt64, {0}, {}),
        Bytes(kCarriedBool, {1, 2}, {1, 0}), Bytes(kCarriedUint32, {1}, {1, 2, 3, 4}),
        Bytes(DataType::kFloat16, {1}, {0, 0x3C})}) {
    const auto read = ParseNpy(SerializeNpy(tensor), DataType::kUndefined);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, tensor);
  }
}

TEST(Npy, HeaderAsNumpyWritesIt_IsRead) {
  const auto read =
      ParseNpy(File("{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }   \n",
                    std::string("\x01\x00\x02\x00", 4)),
               DataType::kUndefined);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, Bytes(DataType::kUint16, {2}, {1, 0, 2, 0}));
}

TEST(Npy, TypesOfMlDtypes_AreReadAsTheExpectedType) {
  const std::string two = "{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }";
  const auto bfloat16 = ParseNpy(File(two, "\x80\x3F"), DataType::kBfloat16);
  ASSERT_TRUE(bfloat16) << bfloat16.error().message;
  EXPECT_EQ(*bfloat16, Bytes(DataType::kBfloat16, {1}, {0x80, 0x3F}));
  const std::string three = "{'descr': '|V1', 'fortran_order': False, 'shape': (3,), }";
  const auto int4 = ParseNpy(File(three, "\x01\xFF\x03"), DataType::kInt4);
  ASSERT_TRUE(int4) << int4.error().message;
  EXPECT_EQ(*int4, Bytes(DataType::kInt4, {3}, {0xF1, 0x03}));
  EXPECT_EQ(WhyNot(File(two, "\x80\x3F"), DataType::kFloat8E5M2),
            "descr: expected a type of NumPy or the bytes of FLOAT8E5M2 elements, got "
            "'<V2'");
}

TEST(Npy, WrongFiles_AreNamed) {
  const auto with = [](const std::string& descr, const std::string& order,
                       const std::string& shape) {
    return File("{'descr': '" + descr + "', 'fortran_order': " + order +
                    ", 'shape': " + shape + "}",
                "1234");
  };
  EXPECT_EQ(WhyNot("PK\3\4"),
            "array: expected a file that numpy.save wrote, got other bytes");
  EXPECT_EQ(WhyNot(with(">f4", "False", "(1,)")),
            "descr: expected little-endian elements, got '>f4'");
  EXPECT_EQ(WhyNot(with("<c8", "False", "(1,)")),
            "descr: expected a type that ONNX has, such as '<f4' or '|i1', got '<c8'");
  EXPECT_EQ(WhyNot(with("|i1", "True", "(2, 2)")),
            "fortran_order: expected False (numpy.ascontiguousarray changes it), got "
            "True");
  EXPECT_EQ(WhyNot(with("<f4", "False", "(2,)")),
            "data: expected the elements of shape [2], got 4 bytes");
  EXPECT_EQ(WhyNot(with("<f8", "False", "(4611686018427387904, 4)")),
            "data: expected the elements of shape [4611686018427387904,4], got 4 bytes");
  EXPECT_EQ(WhyNot(with("<f4", "False", "(-1,)")).substr(0, 54),
            "header: expected descr, fortran_order and shape, got '");
  EXPECT_EQ(WhyNot(std::string("\x93NUMPY\x01\x00\xFF\xFF{}", 12)),
            "header: expected at most 2 bytes, got 65535");
  // Longer than headers are, though the file has so many bytes.
  EXPECT_EQ(WhyNot(std::string("\x93NUMPY\x02\x00\x00\x00\x02\x00", 12) +
                   std::string(1 << 18, ' ')),
            "header: expected at most 65536 bytes, got 131072");
  // A name that would set the terminal's color.
  EXPECT_EQ(WhyNot(with(">\x1b[31m", "False", "(1,)")),
            "descr: expected little-endian elements, got '>?[31m'");
  EXPECT_EQ(WhyNot(with("V\x1b[31m", "False", "(1,)"), DataType::kBfloat16),
            "descr: expected a type of NumPy or the bytes of BFLOAT16 elements, got "
            "'V?[31m'");
  // Text that would be code elsewhere is none here.
  EXPECT_EQ(WhyNot(with("<f4", "False", "(__import__('os').abort(),)")).substr(0, 54),
            "header: expected descr, fortran_order and shape, got '");
}

// What is kept of such bytes would be another value than the one that was saved.
TEST(Npy, BytesThatAreNoElements_AreNamed) {
  const auto of = [](const std::string& descr, const std::string& data, DataType type) {
    return WhyNot(File("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" +
                           std::to_string(data.size()) + ",), }",
                       data),
                  type);
  };
  const DataType none = DataType::kUndefined;
  EXPECT_EQ(of("|b1", std::string("\0\1", 2), none), "read");
  EXPECT_EQ(of("|b1", "\1\2", none),
            "data: expected an element of BOOL in each byte, got 2");
  EXPECT_EQ(of("|b1", "\xFF", none),
            "data: expected an element of BOOL in each byte, got 255");
  EXPECT_EQ(of("|i1", "\x07\xF8\x0F", DataType::kInt4), "read");
  EXPECT_EQ(of("|i1", "\x64", DataType::kInt4),
            "data: expected an element of INT4 in each byte, got 100");
  EXPECT_EQ(of("|i1", "\xF7", DataType::kInt4),
            "data: expected an element of INT4 in each byte, got 247");
  EXPECT_EQ(of("|u1", "\x10", DataType::kUint4),
            "data: expected an element of UINT4 in each byte, got 16");
  EXPECT_EQ(of("|u1", "\xF8", DataType::kUint4),
            "data: expected an element of UINT4 in each byte, got 248");
}

}  // namespace
}  // namespace qconform
