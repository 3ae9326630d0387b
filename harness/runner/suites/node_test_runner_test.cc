// Who is told to be wrong, the test or the backend: expected outputs judge nobody before
// the oracle has judged them.
#include "harness/runner/suites/node_test_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/runner/testing/changed_backend.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using testing::HasSubstr;

Tensor Codes(DataType type, Shape shape, const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

// x = 1.5, 2.5, -1 over 1 with a zero point; its data sets expect these outputs.
NodeTest TestOf(DataType y, uint64_t zero_point,
                const std::vector<std::vector<uint64_t>>& expected) {
  const std::vector<Tensor> inputs{
      Codes(DataType::kFloat, {3}, {0x3FC00000, 0x40200000, 0xBF800000}),
      Codes(DataType::kFloat, {}, {0x3F800000}), Codes(y, {}, {zero_point})};
  NodeTest test;
  test.name = "test_quantizelinear";
  test.model.opset_version = 21;
  test.model.ir_version = 10;
  test.model.node.op_type = "QuantizeLinear";
  test.model.node.inputs = {"x", "y_scale", "y_zero_point"};
  test.model.node.outputs = {"y"};
  for (size_t i = 0; i < inputs.size(); ++i) {
    test.model.inputs.push_back(
        {test.model.node.inputs[i], inputs[i].type, inputs[i].shape});
  }
  test.model.outputs = {{"y", y, {3}}};
  for (const std::vector<uint64_t>& codes : expected) {
    DataSet data;
    data.name = "test_data_set_" + std::to_string(test.data_sets.size());
    data.inputs = inputs;
    data.outputs = {Codes(y, {3}, codes)};
    test.data_sets.push_back(std::move(data));
  }
  return test;
}

constexpr DataType kY = DataType::kUint8;
const std::vector<uint64_t> kRight{2, 2, 0};
const std::vector<uint64_t> kTiesAway{2, 3, 0};

NodeTestRecord RunOn(NodeTest test, RunResult answer) {
  ChangedBackend backend([&](const Model&, auto, RunResult) { return answer; });
  const std::string name = test.name;
  return RunNodeTest(backend, {"1.20.0", std::move(test), name});
}

RunResult Gives(const std::vector<uint64_t>& codes, DataType y = kY) {
  return Outputs{Codes(y, {3}, codes)};
}

TEST(RunNodeTest, WhoIsWrong_IsToldApart) {
  using Kind = BackendError::Kind;
  const struct {
    std::vector<uint64_t> expected;
    RunResult answer;
    NodeVerdict verdict;
    const char* reason;
  } kRows[] = {
      {kRight, Gives(kRight), NodeVerdict::kPass, ""},
      {kRight, Gives(kTiesAway), NodeVerdict::kDeviates, "y[1]"},
      // What is expected is wrong: whatever the backend does.
      {kTiesAway, Gives(kRight), NodeVerdict::kDisputed, "no reading gives"},
      {kTiesAway, Gives(kTiesAway), NodeVerdict::kDisputed, "no reading gives"},
      {kTiesAway, BackendError{Kind::kCrashed, "died"}, NodeVerdict::kDisputed, ""},
      {kRight, BackendError{Kind::kCrashed, "died"}, NodeVerdict::kDeviates, "died"},
      {kRight, Gives(kRight, DataType::kInt8), NodeVerdict::kDeviates, "INT8"},
      {kRight, Unsupported{"not today", ""}, NodeVerdict::kUnsupported, "not today"},
      {kRight, Refused{"odd"}, NodeVerdict::kRefusedLegal, "refused as invalid: odd"},
  };
  for (const auto& row : kRows) {
    const NodeTestRecord record = RunOn(TestOf(kY, 0, {row.expected}), row.answer);
    EXPECT_EQ(record.verdict, row.verdict) << record.reason;
    EXPECT_THAT(record.reason, HasSubstr(row.reason));
    if (row.verdict != NodeVerdict::kPass) {
      EXPECT_THAT(record.reason, HasSubstr("test_data_set_0: "));
    }
  }
}

// A newer ONNX than this program knows: judged by the newest definition, with a note, and
// if the expected output shows that the newer one means something else, by none.
TEST(RunNodeTest, NewerOpsetVersions_AreJudgedWithANote) {
  const struct {
    std::vector<uint64_t> expected;
    RunResult answer;
    NodeVerdict verdict;
  } kRows[] = {
      {kRight, Gives(kRight), NodeVerdict::kPass},
      {kRight, Gives(kTiesAway), NodeVerdict::kDeviates},
      {kTiesAway, Gives(kTiesAway), NodeVerdict::kDisputed},
  };
  for (const int opset_version : {NewestOpsetVersion() + 1, 1000}) {
    for (const auto& row : kRows) {
      NodeTest test = TestOf(kY, 0, {row.expected});
      test.model.opset_version = opset_version;
      const NodeTestRecord record = RunOn(std::move(test), row.answer);
      EXPECT_EQ(record.verdict, row.verdict) << record.reason;
      EXPECT_THAT(record.reason,
                  HasSubstr("opset_version " + std::to_string(opset_version) +
                            " is newer than those that are judged"));
    }
  }
}

TEST(RunNodeTest, OutputsKnownToBeWrong_AreDisputedByTheirReason) {
  NodeTest test = TestOf(kY, 0, {kRight});
  test.data_sets[0].disputed = "wraps";
  const NodeTestRecord record = RunOn(std::move(test), Gives(kTiesAway));
  EXPECT_EQ(record.verdict, NodeVerdict::kDisputed);
  EXPECT_EQ(record.reason, "test_data_set_0: wraps");
}

// Each data set is judged by itself, and the worst is the test's.
TEST(RunNodeTest, SeveralDataSets_TheWorstCounts) {
  const NodeTestRecord deviates =
      RunOn(TestOf(kY, 0, {kTiesAway, kRight, kTiesAway}), Gives(kTiesAway));
  EXPECT_EQ(deviates.verdict, NodeVerdict::kDeviates);
  EXPECT_THAT(deviates.reason, HasSubstr("test_data_set_1: "));
  const NodeTestRecord disputed =
      RunOn(TestOf(kY, 0, {kRight, kTiesAway}), Gives(kRight));
  EXPECT_EQ(disputed.verdict, NodeVerdict::kDisputed);
  EXPECT_THAT(disputed.reason, HasSubstr("test_data_set_1: "));
}

TEST(RunNodeTest, Digest_IsOfTheModelAndTheExpectedOutputs) {
  const auto digest = [](const char* model, const char* output) {
    NodeTest test = TestOf(kY, 0, {kRight});
    test.model_sha256 = model;
    test.data_sets[0].output_sha256 = {output};
    return RunOn(std::move(test), Gives(kRight)).digest;
  };
  EXPECT_EQ(digest("a", "b").size(), 64u);
  EXPECT_EQ(digest("a", "b"), digest("a", "b"));
  EXPECT_NE(digest("a", "b"), digest("a", "c"));
  EXPECT_NE(digest("a", "b"), digest("c", "b"));
}

// QL-24: with a zero point of 1 the quotients or the sums are as good.
TEST(RunNodeTest, AReadingOfEitherSide_PassesAndIsNamed) {
  const DataType y = DataType::kFloat8E4M3FN;
  const std::vector<uint64_t> added{0x42, 0x46, 0x00};    // 2.5, 3.5, 0
  const std::vector<uint64_t> ignored{0x3C, 0x42, 0xB8};  // 1.5, 2.5, -1
  const NodeTestRecord theirs = RunOn(TestOf(y, 0x38, {ignored}), Gives(added, y));
  EXPECT_EQ(theirs.verdict, NodeVerdict::kPass);
  EXPECT_EQ(theirs.reason,
            "test_data_set_0: the expected output follows QL-24:zero_point_ignored");
  const NodeTestRecord its = RunOn(TestOf(y, 0x38, {added}), Gives(ignored, y));
  EXPECT_EQ(its.verdict, NodeVerdict::kPass);
  EXPECT_EQ(its.reason, "test_data_set_0: the backend follows QL-24:zero_point_ignored");
}

TEST(RunNodeTest, AFolderThatIsNotSound_IsAnError) {
  ChangedBackend backend([](const Model&, auto, RunResult right) { return right; });
  const NodeTestRecord record =
      RunNodeTest(backend, {"1.20.0", Error{"model.onnx is missing"}, "test_a"});
  EXPECT_EQ(record.verdict, NodeVerdict::kError);
  EXPECT_EQ(record.name, "test_a");
  EXPECT_EQ(record.reason, "model.onnx is missing");
}

// Another program's graph may have any name; a report must not name a family that is
// none.
TEST(FindNodeTests, GraphOfAFamilyThatIsNone_BelongsToNone) {
  const auto directory = std::filesystem::temp_directory_path() /
                         ("qconform_found_" + std::to_string(getpid()));
  const auto op_type_of = [&](const std::string& name) {
    const NodeTest one = TestOf(kY, 0, {kRight});
    Model graph = one.model;
    graph.node.body = {
        {"Relu", "", {"x"}, {"h"}, {}},
        {"QuantizeLinear", "", {"h", "y_scale", "y_zero_point"}, {"y"}, {}}};
    graph.node.op_type = name;
    std::filesystem::remove_all(directory);
    std::filesystem::create_directories(directory);
    const DataSet& data = one.data_sets.front();
    EXPECT_TRUE(
        WriteNodeTest(directory.string(), "test_a", graph, data.inputs, data.outputs)
            .ok());
    const auto found = FindNodeTests({directory.string()});
    return found ? found->tests.at(0).test->model.node.op_type : found.error().message;
  };
  EXPECT_EQ(op_type_of("graphs.bogus"), kGraphOpType);
  EXPECT_EQ(op_type_of("graphs.choosers"), "graphs.choosers");
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace qconform
