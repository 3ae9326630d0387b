#include "harness/reference_path/inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "cases/arrays/npy.h"
#include "cases/model/carried_type.h"
#include "cases/model/serialize.h"
#include "harness/reference_path/testing/small_models.h"

namespace qconform {
namespace {

using testing::HasSubstr;

class Inputs_Test : public testing::Test {
 protected:
  // a FLOAT [N,2], b/c BOOL [N,N].
  Inputs_Test() {
    Model model = EmptyGraph();
    model.node.body = {MakeNode("Relu", {"a"}, "y"), MakeNode("Not", {"b/c"}, "z")};
    model.inputs = {{"a", DataType::kFloat, {-1, 2}, {"N", ""}},
                    {"b/c", kCarriedBool, {-1, -1}, {"N", "N"}}};
    model.outputs = {{"y", DataType::kFloat, {-1, 2}, {"N", ""}},
                     {"z", kCarriedBool, {-1, -1}, {"N", "N"}}};
    file_ = std::make_unique<ModelFile>(WrittenModel(models_, "model", model));
  }

  void Write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
  }
  void WriteMask() { Write("b_c.npy", SerializeNpy(Bytes(kCarriedBool, {1, 1}, {1}))); }

  std::string WhyNotRead() {
    const auto inputs = ReadInputs(*file_, folder_.path());
    return inputs ? "read" : inputs.error().message;
  }

  TemporaryFolder models_;
  TemporaryFolder folder_;
  std::unique_ptr<ModelFile> file_;
};

TEST_F(Inputs_Test, FilesByNumberAndByName_AreRead) {
  const Tensor a = Floats({1, 2}, {1, 2});
  Write("input_0.pb", SerializeTensor(a, "any"));
  WriteMask();
  auto inputs = ReadInputs(*file_, folder_.path());
  ASSERT_TRUE(inputs) << inputs.error().message;
  EXPECT_EQ(inputs->at("a"), a);
  EXPECT_EQ(inputs->at("b/c"), Bytes(kCarriedBool, {1, 1}, {1}));
  // The name goes before the number.
  const Tensor other = Floats({1, 2}, {3, 4});
  Write("a.npy", SerializeNpy(other));
  inputs = ReadInputs(*file_, folder_.path());
  ASSERT_TRUE(inputs);
  EXPECT_EQ(inputs->at("a"), other);
  const auto sizes = SizesOf(*file_, *inputs);
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->named, (std::map<std::string, int64_t>{{"N", 1}}));
}

// The names 'v/1' and 'v_1' give the same file name.
TEST(Inputs_TestOfNames, FileOfTwoValues_IsRefused) {
  const TemporaryFolder models;
  const TemporaryFolder folder;
  Model model = EmptyGraph();
  model.node.body = {MakeNode("Relu", {"v/1"}, "y"), MakeNode("Relu", {"v_1"}, "z")};
  model.inputs = {{"v/1", DataType::kFloat, {1, 2}}, {"v_1", DataType::kFloat, {1, 2}}};
  model.outputs = {{"y", DataType::kFloat, {1, 2}}, {"z", DataType::kFloat, {1, 2}}};
  const ModelFile file = WrittenModel(models, "model", model);
  const auto write = [&](const std::string& name) {
    std::ofstream(folder.path() / name, std::ios::binary)
        << SerializeNpy(Floats({1, 2}, {1, 2}));
  };
  write("v_1.npy");
  const auto inputs = ReadInputs(file, folder.path());
  ASSERT_FALSE(inputs);
  EXPECT_THAT(inputs.error().message,
              HasSubstr("v_1.npy: expected the tensor of one value, got a file for 'v/1' "
                        "and for 'v_1'; input_0.npy"));
  const auto values = ReadActivations(file, {"v/1", "v_1"}, folder.path());
  ASSERT_FALSE(values);
  EXPECT_THAT(values.error().message, HasSubstr("expected the tensor of one value"));
  std::filesystem::remove(folder.path() / "v_1.npy");
  write("input_0.npy");
  write("input_1.npy");
  const auto numbered = ReadInputs(file, folder.path());
  ASSERT_TRUE(numbered) << numbered.error().message;
  EXPECT_EQ(numbered->size(), 2u);
}

TEST_F(Inputs_Test, WrongOnes_AreNamed) {
  EXPECT_THAT(WhyNotRead(), HasSubstr("input 'a': expected FLOAT [N,2], got no file; "));
  Write("a.npy", SerializeNpy(Bytes(DataType::kInt8, {1, 2}, {1, 2})));
  EXPECT_THAT(WhyNotRead(), HasSubstr("expected FLOAT [N,2], got INT8 [1,2]"));
  Write("a.npy", SerializeNpy(Floats({1, 3}, {1, 2, 3})));
  EXPECT_THAT(WhyNotRead(), HasSubstr("expected FLOAT [N,2], got FLOAT [1,3]"));
  Write("a.npy", SerializeNpy(Floats({2}, {1, 2})));
  EXPECT_THAT(WhyNotRead(), HasSubstr("expected FLOAT [N,2], got FLOAT [2]"));
  Write("a.npy", "no array");
  EXPECT_THAT(WhyNotRead(),
              HasSubstr("a.npy: array: expected a file that numpy.save wrote"));
  Write("a.npy", SerializeNpy(Floats({2, 2}, {1, 2, 3, 4})));
  EXPECT_THAT(WhyNotRead(), HasSubstr("input 'b/c': expected BOOL [N,N], got no file"));
  WriteMask();
  const auto inputs = ReadInputs(*file_, folder_.path());
  ASSERT_TRUE(inputs) << inputs.error().message;
  const auto sizes = SizesOf(*file_, *inputs);
  ASSERT_FALSE(sizes);
  EXPECT_THAT(sizes.error().message,
              HasSubstr("dimension 'N': expected one size in all inputs, got "));
}

// A file without elements may have any sizes beside the 0.
TEST_F(Inputs_Test, HugeSizes_AreRefused) {
  const auto sizes =
      SizesOf(*file_, {{"b/c", Bytes(kCarriedBool, {1099511627776, 0}, {})}});
  ASSERT_FALSE(sizes);
  EXPECT_THAT(sizes.error().message,
              HasSubstr("'N': expected at most 2147483648, got 1099511627776"));
}

TEST_F(Inputs_Test, WhatIsNoFile_IsNamed) {
  std::filesystem::create_directory(folder_.path() / "a.npy");
  EXPECT_THAT(WhyNotRead(), HasSubstr("a.npy: expected a file, got a directory"));
  std::filesystem::remove(folder_.path() / "a.npy");
  ASSERT_EQ(mkfifo((folder_.path() / "a.npy").c_str(), 0600), 0);
  EXPECT_THAT(WhyNotRead(), HasSubstr("a.npy: expected a file, got a "));
}

// As ONNX's node tests have their inputs.
TEST_F(Inputs_Test, BoolsOfATensorProto_AreRead) {
  Write("a.npy", SerializeNpy(Floats({1, 2}, {1, 2})));
  // dims: 1, 1; data_type: BOOL; int32_data: 1, or raw_data of one byte.
  const std::string head("\x08\x01\x08\x01\x10\x09", 6);
  for (const std::string& data :
       {std::string("\x2a\x01\x01"), std::string("\x4a\x01\x01")}) {
    Write("b_c.pb", head + data);
    const auto inputs = ReadInputs(*file_, folder_.path());
    ASSERT_TRUE(inputs) << inputs.error().message;
    EXPECT_EQ(inputs->at("b/c"), Bytes(kCarriedBool, {1, 1}, {1}));
  }
  Write("b_c.pb", head + "\x2a\x01\x02");
  EXPECT_THAT(WhyNotRead(), HasSubstr("expected 0 or 1 in each element of BOOL"));
  Write("b_c.pb", head);
  EXPECT_THAT(WhyNotRead(), HasSubstr("expected 1 elements of BOOL"));
}

TEST_F(Inputs_Test, FolderThatIsNone_IsNamed) {
  const auto inputs = ReadInputs(*file_, folder_.path() / "nowhere");
  ASSERT_FALSE(inputs);
  EXPECT_THAT(inputs.error().message,
              HasSubstr("nowhere: expected a folder, got nothing there"));
}

TEST_F(Inputs_Test, Activations_AreThoseThatAreThere) {
  auto none = ReadActivations(*file_, {"a", "y"}, folder_.path());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message,
              HasSubstr("expected a file for a value that a part reads, such as a.npy"));
  Write("y.npy", SerializeNpy(Floats({3, 2}, {1, 2, 3, 4, 5, 6})));
  const auto some = ReadActivations(*file_, {"a", "y"}, folder_.path());
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_EQ(some->size(), 1u);
}

TEST(CroppedTo_Test, FirstElements_AreTaken) {
  EXPECT_EQ(CroppedTo(Floats({2, 3}, {1, 2, 3, 4, 5, 6}), {2, 2}),
            Floats({2, 2}, {1, 2, 4, 5}));
  // Elements 1 2 3 / 4 5 6 of four bits each.
  EXPECT_EQ(CroppedTo(Bytes(DataType::kUint4, {2, 3}, {0x21, 0x43, 0x65}), {2, 2}),
            Bytes(DataType::kUint4, {2, 2}, {0x21, 0x54}));
}

}  // namespace
}  // namespace qconform
