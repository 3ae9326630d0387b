// Reads and writes valid folders, and broken ones.

#include "cases/node_tests/node_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "cases/model/serialize.h"
#include "oracle/base/sha256.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::vector<std::string> kOperators{"QuantizeLinear", "QLinearMatMul"};

Model SmallModel() {
  Model model;
  model.opset_version = 13;
  model.ir_version = 7;
  model.node = {"QuantizeLinear", "", {"x", "s", "z"}, {"y"}, {}};
  model.inputs = {{"x", DataType::kFloat, {3}},
                  {"s", DataType::kFloat, {}},
                  {"z", DataType::kInt8, {}}};
  model.outputs = {{"y", DataType::kInt8, {3}}};
  return model;
}

std::vector<Tensor> SmallInputs() {
  return {Tensor::Zeros(DataType::kFloat, {3}), Tensor::Zeros(DataType::kFloat, {}),
          Tensor::Zeros(DataType::kInt8, {})};
}

std::vector<Tensor> SmallOutputs() { return {Tensor::Zeros(DataType::kInt8, {3})}; }

class NodeTestsTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::path(testing::TempDir()) /
                 ("qconform_" + std::to_string(getpid()) + "_" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  Result<std::vector<WrittenFile>> Write(const std::string& name) {
    return WriteNodeTest(directory_.string(), name, SmallModel(), SmallInputs(),
                         SmallOutputs());
  }
  Result<NodeTests> Read() { return ReadNodeTests(directory_.string(), kOperators); }

  static void Put(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  fs::path directory_;
};

TEST_F(NodeTestsTest, Written_AreReadBack) {
  ASSERT_TRUE(Write("test_b").ok());
  ASSERT_TRUE(Write("test_a").ok());
  const Result<NodeTests> tests = Read();
  ASSERT_TRUE(tests.ok()) << tests.error().message;
  EXPECT_THAT(tests->broken, IsEmpty());
  ASSERT_THAT(tests->tests, SizeIs(2));
  const NodeTest& test = tests->tests[0];
  EXPECT_EQ(test.name, "test_a");
  EXPECT_EQ(test.directory, (directory_ / "test_a").string());
  EXPECT_EQ(test.model, SmallModel());
  EXPECT_EQ(test.model_sha256, Sha256Hex(SerializeModel(SmallModel())));
  EXPECT_TRUE(test.checked.ok());
  ASSERT_THAT(test.data_sets, SizeIs(1));
  EXPECT_EQ(test.data_sets[0].name, "test_data_set_0");
  EXPECT_EQ(test.data_sets[0].inputs, SmallInputs());
  EXPECT_EQ(test.data_sets[0].outputs, SmallOutputs());
  EXPECT_EQ(test.data_sets[0].disputed, "");
}

TEST_F(NodeTestsTest, WrittenFiles_AreListedWithTheirDigests) {
  const auto written = Write("test_a");
  ASSERT_TRUE(written.ok()) << written.error().message;
  std::vector<std::string> paths;
  for (const WrittenFile& file : *written) {
    paths.push_back(file.path);
    std::ifstream stream(directory_ / file.path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    EXPECT_EQ(file.sha256, Sha256Hex(bytes)) << file.path;
  }
  EXPECT_THAT(paths, ElementsAre("test_a/model.onnx", "test_a/test_data_set_0/input_0.pb",
                                 "test_a/test_data_set_0/input_1.pb",
                                 "test_a/test_data_set_0/input_2.pb",
                                 "test_a/test_data_set_0/output_0.pb"));
}

TEST_F(NodeTestsTest, EveryLayout_IsFound) {
  ASSERT_TRUE(Write("test_a").ok());
  const fs::path test = directory_ / "test_a";
  for (const char* below : {"release/node", "tree/onnx/backend/test/data/node"}) {
    const fs::path to = directory_ / below;
    fs::create_directories(to);
    fs::copy(test, to / "test_a", fs::copy_options::recursive);
  }
  for (const char* given : {".", "./", "test_a", "test_a/", "release", "release/node",
                            "tree", "tree/onnx", "tree/onnx/backend/test/data"}) {
    const Result<NodeTests> tests =
        ReadNodeTests((directory_ / given).string(), kOperators);
    ASSERT_TRUE(tests.ok()) << tests.error().message;
    ASSERT_THAT(tests->tests, SizeIs(1)) << given;
    EXPECT_EQ(tests->tests[0].name, "test_a") << given;
  }
}

TEST_F(NodeTestsTest, DataSets_AreReadInTheOrderOfTheirNumbers) {
  ASSERT_TRUE(Write("test_a").ok());
  const fs::path test = directory_ / "test_a";
  for (const char* set : {"test_data_set_2", "test_data_set_10"}) {
    fs::copy(test / "test_data_set_0", test / set);
  }
  const NodeTests tests = Read().value();
  ASSERT_THAT(tests.tests, SizeIs(1));
  std::vector<std::string> names;
  for (const DataSet& set : tests.tests[0].data_sets) names.push_back(set.name);
  EXPECT_THAT(names,
              ElementsAre("test_data_set_0", "test_data_set_2", "test_data_set_10"));
}

TEST_F(NodeTestsTest, OtherOperators_AreSkippedByName) {
  ASSERT_TRUE(Write("test_a").ok());
  Model other = SmallModel();
  other.node.op_type = "Relu";
  other.node.inputs = {"x"};
  ASSERT_TRUE(WriteNodeTest(directory_.string(), "test_relu", other, SmallInputs(),
                            SmallOutputs())
                  .ok());
  const NodeTests tests = Read().value();
  EXPECT_THAT(tests.tests, SizeIs(1));
  ASSERT_THAT(tests.skipped, SizeIs(1));
  EXPECT_EQ(tests.skipped[0].name, "test_relu");
  EXPECT_THAT(tests.skipped[0].operators, ElementsAre("Relu"));
}

TEST_F(NodeTestsTest, ModelAgainstTheRules_IsReadWithTheCheckersWords) {
  Model model = SmallModel();
  model.node.attributes = {{"no_such_attribute", int64_t{1}}};
  ASSERT_TRUE(
      WriteNodeTest(directory_.string(), "test_a", model, SmallInputs(), SmallOutputs())
          .ok());
  const NodeTests tests = Read().value();
  ASSERT_THAT(tests.tests, SizeIs(1));
  ASSERT_FALSE(tests.tests[0].checked.ok());
  EXPECT_THAT(tests.tests[0].checked.error().message, HasSubstr("no_such_attribute"));
}

TEST_F(NodeTestsTest, BrokenFolders_NameFileAndReason) {
  struct Row {
    std::string says;
    std::function<void(const fs::path&)> spoil;
  };
  const auto set = [](const fs::path& test) { return test / "test_data_set_0"; };
  const Row kRows[] = {
      {"model.onnx: is missing", [](const fs::path& t) { fs::remove(t / "model.onnx"); }},
      {"model.onnx: not an ONNX model",
       [](const fs::path& t) {
         fs::resize_file(t / "model.onnx", fs::file_size(t / "model.onnx") - 10);
       }},
      {"model.onnx: not a whole ONNX model: it has no graph",
       [](const fs::path& t) { fs::resize_file(t / "model.onnx", 0); }},
      {"model.onnx: not an ONNX model",
       [](const fs::path& t) { Put(t / "model.onnx", "\x89PNG\r\n\x1A\n"); }},
      {"model.onnx: is not a regular file",
       [](const fs::path& t) {
         fs::remove(t / "model.onnx");
         fs::create_directory(t / "model.onnx");
       }},
      {"test_broken/test_data_set_0: expected a folder with input_0.pb",
       [&](const fs::path& t) { fs::remove_all(set(t)); }},
      {"test_data_set_0/input_0.pb: is missing; the model has 3 inputs",
       [&](const fs::path& t) { fs::remove(set(t) / "input_0.pb"); }},
      {"test_data_set_0/input_2.pb: is missing",
       [&](const fs::path& t) { fs::remove(set(t) / "input_2.pb"); }},
      {"test_data_set_0/output_0.pb: is missing; the model has 1 outputs",
       [&](const fs::path& t) { fs::remove(set(t) / "output_0.pb"); }},
      {"test_data_set_0: has 4 files input_*.pb, but the model has 3 inputs",
       [&](const fs::path& t) { Put(set(t) / "input_3.pb", ""); }},
      {"input_1.pb: tensor: raw_data has 3 bytes",
       [&](const fs::path& t) {
         std::string bytes = SerializeTensor(Tensor::Zeros(DataType::kFloat, {}), "");
         bytes.pop_back();
         --bytes[bytes.size() - 4];  // the length of raw_data
         Put(set(t) / "input_1.pb", bytes);
       }},
      {"input_1.pb: not a TensorProto",
       [&](const fs::path& t) { Put(set(t) / "input_1.pb", "{\"dims\": []}"); }},
      {"input_1.pb: is FLOAT [1], but the model's 's' is FLOAT []",
       [&](const fs::path& t) {
         Put(set(t) / "input_1.pb",
             SerializeTensor(Tensor::Zeros(DataType::kFloat, {1}), ""));
       }},
      {"output_0.pb: is UINT8 [3], but the model's 'y' is INT8 [3]",
       [&](const fs::path& t) {
         Put(set(t) / "output_0.pb",
             SerializeTensor(Tensor::Zeros(DataType::kUint8, {3}), ""));
       }},
  };
  ASSERT_TRUE(Write("test_good").ok());
  int visited = 0;
  for (const Row& row : kRows) {
    fs::remove_all(directory_ / "test_broken");
    ASSERT_TRUE(Write("test_broken").ok());
    row.spoil(directory_ / "test_broken");
    const Result<NodeTests> tests = Read();
    ASSERT_TRUE(tests.ok()) << tests.error().message;
    EXPECT_THAT(tests->tests, SizeIs(1));  // the good one is not lost
    ASSERT_THAT(tests->broken, SizeIs(1)) << row.says;
    EXPECT_EQ(tests->broken[0].name, "test_broken");
    EXPECT_THAT(tests->broken[0].message,
                HasSubstr((directory_ / "test_broken/").string()));
    EXPECT_THAT(tests->broken[0].message, HasSubstr(row.says));
    ++visited;
  }
  EXPECT_EQ(visited, 14);
}

TEST_F(NodeTestsTest, NameThatNoReportCanHold_IsBroken) {
  ASSERT_TRUE(Write("test_a").ok());
  fs::rename(directory_ / "test_a", directory_ / "test_\xFF");
  const NodeTests tests = Read().value();
  EXPECT_THAT(tests.tests, IsEmpty());
  ASSERT_THAT(tests.broken, SizeIs(1));
  EXPECT_EQ(tests.broken[0].message, "test_?: the name is not UTF-8");
}

TEST_F(NodeTestsTest, NoNodeTests_IsAnError) {
  EXPECT_THAT(Read().error().message,
              HasSubstr("0 node tests found of QuantizeLinear, QLinearMatMul"));
  ASSERT_TRUE(Write("test_a").ok());
  const std::vector<std::string> other{"Relu"};
  EXPECT_THAT(
      ReadNodeTests(directory_.string(), other).error().message,
      HasSubstr("0 node tests found of Relu; the 1 folder is of other operators or "
                "graphs: test_a: 'QuantizeLinear' is not judged"));
  EXPECT_THAT(ReadNodeTests((directory_ / "none").string(), kOperators).error().message,
              HasSubstr("none: is missing"));
  EXPECT_THAT(ReadNodeTests((directory_ / "test_a/model.onnx").string(), kOperators)
                  .error()
                  .message,
              HasSubstr("is not a directory"));
}

TEST_F(NodeTestsTest, WriteWithWrongTensors_WritesNothing) {
  const std::string to = directory_.string();
  std::vector<Tensor> inputs = SmallInputs();
  inputs.pop_back();
  EXPECT_THAT(
      WriteNodeTest(to, "test_a", SmallModel(), inputs, SmallOutputs()).error().message,
      HasSubstr("test_a: inputs: expected 3, as the model has, got 2"));
  inputs.push_back(Tensor::Zeros(DataType::kUint8, {}));
  EXPECT_THAT(
      WriteNodeTest(to, "test_a", SmallModel(), inputs, SmallOutputs()).error().message,
      HasSubstr("input_2.pb: is UINT8 [], but the model's 'z' is INT8 []"));
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(NodeTestsTest, WriteToABadPlace_IsAnError) {
  for (const char* name : {"", "test_a/b", "test_a b", "../test_a", "other", "test_\n"}) {
    EXPECT_FALSE(Write(name).ok()) << name;
  }
  ASSERT_TRUE(Write("test_a").ok());
  EXPECT_THAT(Write("test_a").error().message, HasSubstr("is there already"));
  const std::string below_a_file = (directory_ / "test_a/model.onnx").string();
  EXPECT_FALSE(
      WriteNodeTest(below_a_file, "test_b", SmallModel(), SmallInputs(), SmallOutputs())
          .ok());
  // Neither the failures nor the success leave anything else behind.
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), {}), 1);
}

// As on a full disk: the error has the cause, and nothing is left.
TEST_F(NodeTestsTest, WriteThatTheSystemRefuses_NamesTheCause) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit low = before;
  low.rlim_cur = 20;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
  const auto written = Write("test_a");
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message,
              HasSubstr("model.onnx: cannot be written: File too large"));
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(NodeTestsTest, RestOfAKilledRun_IsReplaced) {
  fs::create_directories(directory_ / ".test_a.partial/test_data_set_0");
  Put(directory_ / ".test_a.partial/test_data_set_0/input_9.pb", "rest");
  ASSERT_TRUE(Write("test_a").ok());
  EXPECT_THAT(Read().value().tests, SizeIs(1));
  EXPECT_FALSE(fs::exists(directory_ / ".test_a.partial"));
}

TEST_F(NodeTestsTest, AGraph_IsReadIfItsNodesAre) {
  Model graph = SmallModel();
  graph.node = {kGraphOpType,
                "",
                {"x", "s", "z"},
                {"y"},
                {},
                {{"Identity", "", {"x"}, {"h"}, {}},
                 {"QuantizeLinear", "", {"h", "s", "z"}, {"y"}, {}}}};
  ASSERT_TRUE(WriteNodeTest(directory_.string(), "test_graph", graph, SmallInputs(),
                            SmallOutputs())
                  .ok());
  ASSERT_TRUE(Write("test_node").ok());
  const auto read = [&](IsGraphNodeOf is_graph_node) {
    return *ReadNodeTests(directory_.string(), kOperators, is_graph_node);
  };
  EXPECT_THAT(read(nullptr).tests, SizeIs(1));
  EXPECT_THAT(read(nullptr).skipped.at(0).operators,
              ElementsAre("Identity", "QuantizeLinear"));
  EXPECT_THAT(read([](const std::string& node) { return node != "Identity"; }).tests,
              SizeIs(1));
  const NodeTests both = read([](const std::string&) { return true; });
  ASSERT_THAT(both.tests, SizeIs(2));
  EXPECT_EQ(both.tests[0].model, graph);
}

// A model of quantizing nodes and Identity, of which `spoil` makes a graph that is not
// read.
TEST_F(NodeTestsTest, GraphThatIsNotRead_IsNamedWithItsReason) {
  struct Row {
    std::string says;
    std::function<void(Node&)> spoil;
  };
  const Row kRows[] = {
      {"has 9 nodes; graphs of 2 to 8 nodes are read",
       [](Node& graph) {
         graph.body.front().outputs = {"h0"};
         for (int i = 0; i < 7; ++i) {
           const std::string from = "h" + std::to_string(i);
           const std::string to = i == 6 ? "h" : "h" + std::to_string(i + 1);
           graph.body.insert(graph.body.end() - 1, {"Identity", "", {from}, {to}, {}});
         }
       }},
      {"'Softmax' is not judged in graphs",
       [](Node& graph) { graph.body[0].op_type = "Softmax"; }},
      {"'com.example.Identity' is not judged in graphs",
       [](Node& graph) { graph.body[0].domain = "com.example"; }},
      {"no node quantizes or dequantizes",
       [](Node& graph) {
         graph.body[1] = {"Identity", "", {"h"}, {"y"}, {}};
       }},
  };
  const auto is_graph_node = [](const std::string& node) {
    return node == "Identity" || node == "QuantizeLinear";
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.says);
    Model graph = SmallModel();
    graph.node = {kGraphOpType,
                  "",
                  {"x", "s", "z"},
                  {"y"},
                  {},
                  {{"Identity", "", {"x"}, {"h"}, {}},
                   {"QuantizeLinear", "", {"h", "s", "z"}, {"y"}, {}}}};
    row.spoil(graph.node);
    const fs::path folder = directory_ / "test_graph";
    fs::create_directories(folder);
    Put(folder / "model.onnx", SerializeModel(graph));
    const auto alone = ReadNodeTests(directory_.string(), kOperators, is_graph_node);
    ASSERT_FALSE(alone.ok());
    EXPECT_THAT(
        alone.error().message,
        HasSubstr(", or of graphs of 2 to 8 nodes, one of which is of these; the 1 "
                  "folder is of other operators or graphs: test_graph: " +
                  row.says));
    ASSERT_TRUE(Write("test_node").ok());
    const auto both = ReadNodeTests(directory_.string(), kOperators, is_graph_node);
    ASSERT_TRUE(both.ok()) << both.error().message;
    EXPECT_THAT(both->tests, SizeIs(1));
    EXPECT_EQ(both->skipped.at(0).reason, row.says);
    fs::remove_all(directory_ / "test_node");
  }
}

TEST_F(NodeTestsTest, ManyFoldersOfOthers_AreNamedInPart) {
  for (const char* name : {"test_a", "test_b", "test_c", "test_d", "test_e"}) {
    ASSERT_TRUE(Write(name).ok());
  }
  const std::vector<std::string> other{"Relu"};
  EXPECT_THAT(ReadNodeTests(directory_.string(), other).error().message,
              HasSubstr("test_c: 'QuantizeLinear' is not judged; and 2 more"));
}

}  // namespace
}  // namespace qconform
