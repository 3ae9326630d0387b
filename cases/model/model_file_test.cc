#include "cases/model/model_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cases/model/serialize.h"
#include "cases/model/skeleton.h"
#include "cases/model/testing/model_bytes.h"
#include "oracle/base/testing/temporary_directory.h"

namespace qconform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Tensor Floats(Shape shape, std::vector<float> values) {
  Tensor tensor{DataType::kFloat, std::move(shape), {}};
  const auto bytes = std::as_bytes(std::span(values));
  tensor.data.assign(bytes.begin(), bytes.end());
  return tensor;
}

class ModelFileTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return directory_ / name; }

  std::string Write(const ModelToWrite& model) const {
    WriteBytes(Path("model.onnx"), ModelBytes(model));
    return Path("model.onnx");
  }

  ModelFile Open(const ModelToWrite& model) const {
    auto file = ModelFile::Open(Write(model));
    EXPECT_TRUE(file) << file.error().message;
    return *std::move(file);
  }

  std::string ErrorOf(const ModelToWrite& model) const {
    const auto file = ModelFile::Open(Write(model));
    return file ? "" : file.error().message;
  }

  TemporaryDirectory temporary_;
  std::filesystem::path directory_ = temporary_.path();
};

// x -> QuantizeLinear -> y with a named dimension.
ModelToWrite SmallModel() {
  ModelToWrite model;
  model.imports = {{"", 21}, {"com.example", 3}};
  model.graph.inputs = {{"x", DataType::kFloat, {-1, 4}, {"batch", ""}}};
  model.graph.outputs = {{"y", DataType::kUint8, {-1, 4}, {"batch", ""}}};
  model.graph.initializers = {{"scale", Floats({}, {0.5f})}};
  model.graph.nodes = {
      {{"QuantizeLinear", "", {"x", "scale"}, {"y"}, {{"axis", int64_t{1}}}},
       "quantize"}};
  return model;
}

TEST_F(ModelFileTest, HasWhatTheFileSays) {
  const ModelFile file = Open(SmallModel());
  EXPECT_EQ(file.ir_version(), 10);
  EXPECT_EQ(file.opset_version(), 21);
  EXPECT_EQ(file.opset_imports().at("com.example"), 3);
  ASSERT_EQ(file.nodes().size(), 1u);
  EXPECT_EQ(file.nodes()[0].name, "quantize");
  EXPECT_EQ(file.nodes()[0].node.op_type, "QuantizeLinear");
  EXPECT_THAT(file.inputs(), ElementsAre("x"));
  EXPECT_THAT(file.outputs(), ElementsAre("y"));
  const FileValue* x = file.FindValue("x");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->shape, (Shape{-1, 4}));
  EXPECT_THAT(x->dim_params, ElementsAre("batch", ""));
  EXPECT_EQ(file.ProducerOf("y"), 0u);
  EXPECT_EQ(file.ProducerOf("x"), std::nullopt);
  EXPECT_THAT(file.ReadersOf("scale"), ElementsAre(0u));
  EXPECT_TRUE(file.IsOutput("y"));
  EXPECT_EQ(*file.LoadConstant("scale"), Floats({}, {0.5f}));
  EXPECT_THAT(file.LoadConstant("x").error().message, HasSubstr("expected a constant"));
  EXPECT_EQ(file.checker(), "");
}

// Protobuf would print a complaint whenever it writes such a name.
TEST_F(ModelFileTest, DropsNamesOfDimensionsThatAreNotUtf8) {
  ModelToWrite model = SmallModel();
  model.graph.inputs[0].dim_params = {"@@", ""};
  std::string bytes = ModelBytes(model);
  bytes.replace(bytes.find("@@"), 2, "\xff\xfe");
  WriteBytes(Path("model.onnx"), bytes);
  const auto opened = ModelFile::Open(Path("model.onnx"));
  ASSERT_TRUE(opened) << opened.error().message;
  const ModelFile& file = *opened;
  EXPECT_TRUE(file.FindValue("x")->dim_params.empty());
  testing::internal::CaptureStderr();
  const std::vector<size_t> nodes{0};
  const std::vector<ValueInfo> inputs{{"x", DataType::kUndefined, {}}};
  EXPECT_TRUE(file.ExtractBytes(nodes, inputs, file.outputs()));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(ModelFileTest, ReadsConstantNodesInAllForms) {
  ModelToWrite model = SmallModel();
  model.graph.initializers.clear();
  model.graph.constants = {{.name = "scale", .tensor = Floats({}, {2})},
                           {.name = "numbers", .ints = {3, 4}},
                           {.name = "text", .text = "hello"}};
  const ModelFile file = Open(model);
  EXPECT_EQ(file.nodes().size(), 1u);
  EXPECT_EQ(file.constants().size(), 3u);
  EXPECT_EQ(*file.LoadConstant("scale"), Floats({}, {2}));
  const auto numbers = file.LoadConstant("numbers");
  ASSERT_TRUE(numbers) << numbers.error().message;
  EXPECT_EQ(numbers->type, DataType::kInt64);
  EXPECT_EQ(numbers->shape, Shape{2});
  EXPECT_FALSE(file.LoadConstant("text"));
  EXPECT_EQ(file.FindConstant("text")->type, DataType::kUndefined);
}

TEST_F(ModelFileTest, LoadsLargeConstantsOnlyWhenAsked) {
  ModelToWrite model = SmallModel();
  std::vector<float> values(5000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  model.graph.initializers.push_back({"large", Floats({5000}, values)});
  model.graph.constants = {{.name = "of_node", .tensor = Floats({50, 100}, values)}};
  const ModelFile file = Open(model);
  EXPECT_EQ(file.FindValue("large")->shape, Shape{5000});
  EXPECT_EQ(*file.LoadConstant("large"), Floats({5000}, values));
  EXPECT_EQ(file.LoadConstant("of_node").value().shape, (Shape{50, 100}));
}

uint64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t whole = 0;
  uint64_t resident = 0;
  statm >> whole >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// A file of a gigabyte with a hole where the data is.
TEST_F(ModelFileTest, OpensAFileOfAGigabyte) {
  constexpr uint64_t kData = uint64_t{1} << 30;
  const auto message = [](uint32_t number, const std::string& bytes, uint64_t more = 0) {
    std::string text;
    AppendVarint(number << 3 | 2, text);
    AppendVarint(bytes.size() + more, text);
    return text + bytes;
  };
  // A TensorProto INT8 [2^30] named "w" whose raw_data comes last.
  std::string tensor;
  AppendVarint(1 << 3 | 0, tensor);
  AppendVarint(kData, tensor);
  AppendVarint(2 << 3 | 0, tensor);
  AppendVarint(3, tensor);
  tensor += message(8, "w");
  AppendVarint(9 << 3 | 2, tensor);
  AppendVarint(kData, tensor);
  const std::string initializer = message(5, tensor, kData);
  // The graph of the small model, and the large tensor behind it.
  const std::string small = ModelBytes(SmallModel());
  const std::string graph = message(7, initializer, kData);
  WriteBytes(Path("large.onnx"), small + graph);
  std::filesystem::resize_file(Path("large.onnx"), small.size() + graph.size() + kData);

  const uint64_t before = ResidentBytes();
  const auto file = ModelFile::Open(Path("large.onnx"));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->FindValue("w")->shape, Shape{int64_t{kData}});
  EXPECT_EQ(*file->LoadConstant("scale"), Floats({}, {0.5f}));
  EXPECT_LT(ResidentBytes() - std::min(before, ResidentBytes()), uint64_t{64} << 20);
}

TEST_F(ModelFileTest, ReadsExternalData) {
  ModelToWrite model = SmallModel();
  std::filesystem::create_directory(directory_ / "weights");
  WriteBytes(Path("weights/data"), std::string("abcdefgh"));
  model.graph.externals = {
      {"w", DataType::kInt8, {2, 2}, {{"location", "weights/data"}, {"offset", "3"}}},
      {"v", DataType::kInt8, {8}, {{"location", "weights/data"}, {"length", "8"}}}};
  const ModelFile file = Open(model);
  EXPECT_EQ(file.FindConstant("w")->external_file, "weights/data");
  const auto w = file.LoadConstant("w");
  ASSERT_TRUE(w) << w.error().message;
  EXPECT_EQ(w->data, (std::vector{std::byte{'d'}, std::byte{'e'}, std::byte{'f'},
                                  std::byte{'g'}}));
  EXPECT_EQ(file.LoadConstant("v").value().data.size(), 8u);
}

TEST_F(ModelFileTest, RejectsExternalDataThatIsNotBelowTheModel) {
  WriteBytes(Path("data"), "abcd");
  std::filesystem::create_directory(directory_ / "inner");
  std::filesystem::create_symlink("..", directory_ / "inner" / "up");
  struct Wrong {
    std::map<std::string, std::string> entries;
    const char* what;
  };
  const Wrong wrongs[] = {
      {{{"location", "../data"}}, "expected a file below the folder"},
      {{{"location", Path("data")}}, "expected a file below the folder"},
      {{{"location", "up/data"}}, "expected a file below the folder"},
      {{{"location", "missing"}}, "No such file"},
      {{}, "expected a location"},
      {{{"location", "own"}, {"offset", "2"}}, "expected at least 4 bytes"},
      {{{"location", "own"}, {"offset", "-1"}}, "expected a number of bytes"},
      {{{"location", "own"}, {"length", "3"}}, "expected 4 bytes, got 3"},
  };
  WriteBytes(Path("inner/own"), "abcd");
  for (const Wrong& wrong : wrongs) {
    ModelToWrite model = SmallModel();
    model.graph.externals = {{"w", DataType::kInt8, {4}, wrong.entries}};
    WriteBytes(Path("inner/model.onnx"), ModelBytes(model));
    const auto file = ModelFile::Open(Path("inner/model.onnx"));
    ASSERT_TRUE(file) << file.error().message;
    const auto loaded = file->LoadConstant("w");
    ASSERT_FALSE(loaded) << wrong.what;
    EXPECT_THAT(loaded.error().message, HasSubstr(wrong.what));
  }
}

TEST_F(ModelFileTest, KnowsWhatLiesInSubgraphsAndFunctions) {
  ModelToWrite model = SmallModel();
  GraphToWrite body;
  body.nodes = {{{"Add", "", {"x", "inner"}, {"sum"}, {}}, "add"},
                {{"QuantizeLinear", "", {"sum", "scale"}, {"z"}, {}}, "deep"}};
  body.initializers = {{"inner", Floats({}, {1})}};
  body.outputs = {{"z", DataType::kUint8, {}}};
  model.graph.nodes.push_back({{"If", "", {"condition"}, {"chosen"}, {}},
                               "if",
                               {{"then_branch", body}, {"else_branch", body}}});
  model.graph.inputs.push_back({"condition", static_cast<DataType>(9), {}});
  model.functions = {
      {"com.example", "Twice", {"a"}, {"b"}, {{{"Add", "", {"a", "a"}, {"b"}, {}}}}}};
  const ModelFile file = Open(model);
  ASSERT_EQ(file.nodes().size(), 2u);
  EXPECT_THAT(file.nodes()[1].captured, ElementsAre("x", "scale"));
  EXPECT_THAT(file.nodes()[1].unread, HasSubstr("type GRAPH is not read"));
  ASSERT_EQ(file.nested().size(), 5u);
  EXPECT_EQ(file.nested()[0].where, "function com.example.Twice");
  EXPECT_EQ(file.nested()[2].op_type, "QuantizeLinear");
  EXPECT_EQ(file.nested()[2].where, "else_branch of If 'if'");
  ASSERT_EQ(file.functions().size(), 1u);
  EXPECT_EQ(file.functions()[0].nodes, 1u);
  EXPECT_THAT(file.ReadersOf("scale"), ElementsAre(0u, 1u));
  EXPECT_EQ(file.FindValue("condition")->type_name, "BOOL");
}

TEST_F(ModelFileTest, RejectsWhatIsNoModel) {
  WriteBytes(Path("text"), "This is no model, but a text of some length.");
  EXPECT_THAT(ModelFile::Open(Path("text")).error().message,
              HasSubstr("not an ONNX model"));
  WriteBytes(Path("empty"), "");
  EXPECT_THAT(ModelFile::Open(Path("empty")).error().message,
              HasSubstr("expected an ONNX model, got a file without a graph"));
  EXPECT_THAT(ModelFile::Open(Path("missing")).error().message,
              HasSubstr("No such file"));
  EXPECT_THAT(ModelFile::Open(directory_).error().message,
              HasSubstr("expected a regular file, got a directory"));
  const std::string bytes = ModelBytes(SmallModel());
  for (size_t size = 1; size < bytes.size(); ++size) {
    WriteBytes(Path("cut"), bytes.substr(0, size));
    const auto file = ModelFile::Open(Path("cut"));  // must not crash
    if (!file) {
      EXPECT_THAT(file.error().message, HasSubstr("expected"));
    }
  }
}

TEST_F(ModelFileTest, RejectsGraphsThatAreNone) {
  ModelToWrite cycle = SmallModel();
  cycle.graph.nodes.push_back({{"Relu", "", {"b"}, {"a"}, {}}, "first"});
  cycle.graph.nodes.push_back({{"Relu", "", {"a"}, {"b"}, {}}, "second"});
  EXPECT_THAT(ErrorOf(cycle), HasSubstr("got a cycle with Relu"));
  ModelToWrite twice = SmallModel();
  twice.graph.nodes.push_back(twice.graph.nodes[0]);
  EXPECT_THAT(ErrorOf(twice), HasSubstr("value 'y': expected one source, got two"));
  ModelToWrite constants = SmallModel();
  constants.graph.initializers.push_back(constants.graph.initializers[0]);
  EXPECT_THAT(ErrorOf(constants), HasSubstr("constant 'scale': expected one source"));
}

TEST_F(ModelFileTest, InfersTypesBehindOperatorsThatItDoesNotKnow) {
  ModelToWrite model = SmallModel();
  model.graph.nodes = {{{"Foo", "com.unknown", {"x"}, {"foo"}, {}}},
                       {{"Relu", "", {"foo"}, {"relu"}, {}}},
                       {{"QuantizeLinear", "", {"relu", "scale"}, {"y"}, {}}}};
  model.graph.values = {{"foo", DataType::kFloat, {-1, 4}, {"batch", ""}}};
  const ModelFile file = Open(model);
  EXPECT_EQ(file.FindValue("relu")->type, DataType::kFloat);
  EXPECT_EQ(file.ShapesWith({.named = {{"batch", 7}}}).shapes.at("relu"), (Shape{7, 4}));
}

TEST_F(ModelFileTest, ImpliesTypesBehindOperatorsThatItDoesNotKnow) {
  ModelToWrite model = SmallModel();
  // codes = Foo(x): their zero point says that they are INT8. y = Q(Bar(...)).
  model.imports["com.unknown"] = 1;
  model.graph.initializers.push_back({"zero", Tensor::Zeros(DataType::kInt8, {})});
  model.graph.nodes = {{{"Foo", "com.unknown", {"x"}, {"codes"}, {}}},
                       {{"DequantizeLinear", "", {"codes", "scale", "zero"}, {"f"}, {}}},
                       {{"Bar", "com.unknown", {"f"}, {"bar"}, {}}},
                       {{"QuantizeLinear", "", {"bar", "scale"}, {"y"}, {}}}};
  for (const int opset_version : {13, 21}) {
    model.imports[""] = opset_version;
    const ModelFile file = Open(model);
    EXPECT_EQ(file.FindValue("codes")->type, DataType::kInt8);
    EXPECT_EQ(file.FindValue("f")->type, DataType::kFloat);
    EXPECT_EQ(file.FindValue("bar")->type, DataType::kFloat);
    EXPECT_EQ(file.FindValue("codes")->shape, std::nullopt);
  }
}

TEST_F(ModelFileTest, FollowsShapesThatAreComputed) {
  ModelToWrite model = SmallModel();
  // y = QuantizeLinear(Reshape(x, Concat(Shape(x)[0], 2, 2)))
  Tensor numbers{DataType::kInt64, {2}, {}};
  numbers.data.resize(16);
  numbers.data[0] = numbers.data[8] = std::byte{2};
  Tensor zero = Tensor::Zeros(DataType::kInt64, {1});
  model.graph.initializers.push_back({"two_two", numbers});
  model.graph.initializers.push_back({"zero", zero});
  model.graph.nodes = {
      {{"Shape", "", {"x"}, {"shape"}, {}}},
      {{"Gather", "", {"shape", "zero"}, {"batch_size"}, {}}},
      {{"Concat", "", {"batch_size", "two_two"}, {"sizes"}, {{"axis", int64_t{0}}}}},
      {{"Reshape", "", {"x", "sizes"}, {"reshaped"}, {}}},
      {{"QuantizeLinear", "", {"reshaped", "scale"}, {"y"}, {}}}};
  model.graph.outputs = {{"y", DataType::kUndefined, {}}};
  const ModelFile file = Open(model);
  const KnownShapes& known = file.ShapesWith({.named = {{"batch", 5}}});
  EXPECT_EQ(known.shapes.at("y"), (Shape{5, 2, 2}));
  EXPECT_THAT(known.numbers.at("sizes"), ElementsAre(5, 2, 2));
  EXPECT_EQ(file.ChooseSizes({}).other, 1);
}

TEST_F(ModelFileTest, ExtractsNodesAsTheyAre) {
  ModelToWrite model = SmallModel();
  WriteBytes(Path("data"), "abcd");
  model.graph.nodes.insert(model.graph.nodes.begin(),
                           {{"Relu", "", {"before"}, {"x"}, {}}, "relu"});
  model.graph.inputs[0].name = "before";
  model.graph.nodes.push_back(
      {{"DequantizeLinear", "", {"w", "scale"}, {"weights"}, {}}, "dequantize"});
  model.graph.externals = {{"w", DataType::kInt8, {4}, {{"location", "data"}}}};
  const ModelFile file = Open(model);
  const std::vector<size_t> nodes{1, 2};
  const std::vector<ValueInfo> inputs{{"x", DataType::kFloat, {3, 4}}};
  const std::vector<std::string> outputs{"y", "weights"};
  const auto bytes = file.ExtractBytes(nodes, inputs, outputs);
  ASSERT_TRUE(bytes) << bytes.error().message;
  WriteBytes(Path("part.onnx"), *bytes);
  const auto part = ModelFile::Open(Path("part.onnx"));
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_EQ(part->checker(), "");
  ASSERT_EQ(part->nodes().size(), 2u);
  EXPECT_EQ(part->nodes()[1].name, "dequantize");
  EXPECT_EQ(part->FindValue("x")->shape, (Shape{3, 4}));
  EXPECT_EQ(part->LoadConstant("w").value().data.size(), 4u);
  EXPECT_EQ(part->opset_imports(), file.opset_imports());

  EXPECT_THAT(file.ExtractBytes(nodes, {}, outputs).error().message,
              HasSubstr("value 'x': expected an input, a constant or the output"));
}

}  // namespace
}  // namespace qconform
