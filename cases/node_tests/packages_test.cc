// The node tests of ONNX releases that script/bootstrap fetched.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/core/operator_cases.h"
#include "cases/lattice/lattice.h"
#include "cases/node_tests/disputed.h"
#include "cases/node_tests/node_tests.h"

namespace qconform {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

Result<NodeTests> ReadPackage(const std::string& release) {
  return ReadNodeTests(std::string(QCONFORM_DEPS_DIR) + "/node-tests/" + release,
                       JudgedOperators());
}

std::map<std::string, int> CountsByOperator(const NodeTests& tests) {
  std::map<std::string, int> counts;
  for (const NodeTest& test : tests.tests) ++counts[test.model.node.op_type];
  return counts;
}

// The same by the names of the folders: ONNX names a node test after its operator, as in
// test_quantizelinear_axis and test_basic_convinteger. Those that end in _expanded have
// the function's body, which is a graph of several nodes.
std::map<std::string, int> CountsByName(const std::string& release) {
  std::map<std::string, int> counts;
  for (const auto& folder : std::filesystem::directory_iterator(
           std::string(QCONFORM_DEPS_DIR) + "/node-tests/" + release)) {
    const std::string name = folder.path().filename().string() + "_";
    if (name.ends_with("_expanded_")) continue;
    for (const std::string& op_type : JudgedOperators()) {
      std::string word = "_" + op_type + "_";
      std::ranges::transform(word, word.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
      });
      if (name.find(word) != std::string::npos) ++counts[op_type];
    }
  }
  return counts;
}

// A release that script/bootstrap unpacks only on request may be missing.
struct Package {
  std::string release;
  bool by_default;
  int quantize_linear;
  int qlinear_matmul;
  size_t folders;
  size_t disputed;
  std::set<int> opset_versions;  // of these two operators
};

// Counted in the releases, which script/bootstrap unpacks in part.
const Package kKnown[] = {
    {"1.23.2", false, 13, 8, 45, 0, {21, 28}}, {"1.22.0", true, 13, 8, 45, 0, {21, 25}},
    {"1.21.0", false, 13, 8, 45, 4, {21, 25}}, {"1.20.1", false, 13, 8, 45, 4, {21, 25}},
    {"1.20.0", false, 13, 8, 45, 4, {21, 25}}, {"1.17.0", true, 10, 8, 39, 4, {21}},
    {"1.12.0", true, 2, 2, 17, 0, {10, 13}},
};

// The releases that are there. If PyPI could not be reached, Debian's 1.20 or 1.21
// replaces 1.22, so one of them has to be there.
std::vector<Package> Packages() {
  std::vector<Package> packages;
  int newer = 0;
  for (const Package& package : kKnown) {
    const bool is_newer = package.quantize_linear == 13;
    const bool there = std::filesystem::exists(std::string(QCONFORM_DEPS_DIR) +
                                               "/node-tests/" + package.release);
    // A missing package is a failure: script/bootstrap provides it.
    if (!there && (is_newer || !package.by_default)) continue;
    newer += is_newer ? 1 : 0;
    packages.push_back(package);
  }
  EXPECT_GE(newer, 1) << "script/bootstrap provides ONNX's node tests of 1.22.0";
  return packages;
}

TEST(Packages, EveryTestOfOurOperators_IsRead) {
  for (const Package& package : Packages()) {
    SCOPED_TRACE(package.release);
    const Result<NodeTests> tests = ReadPackage(package.release);
    ASSERT_TRUE(tests.ok()) << tests.error().message;
    auto counts = CountsByOperator(*tests);
    EXPECT_EQ(counts, CountsByName(package.release));
    EXPECT_EQ(counts["QuantizeLinear"], package.quantize_linear);
    EXPECT_EQ(counts["QLinearMatMul"], package.qlinear_matmul);
    EXPECT_THAT(tests->broken, IsEmpty());
    EXPECT_EQ(tests->tests.size() + tests->skipped.size(), package.folders);
    std::set<int> opset_versions;
    for (const NodeTest& test : tests->tests) {
      const std::string& op_type = test.model.node.op_type;
      if (op_type == "QuantizeLinear" || op_type == "QLinearMatMul") {
        opset_versions.insert(test.model.opset_version);
      }
      EXPECT_THAT(test.data_sets, SizeIs(1)) << test.name;
      EXPECT_THAT(test.model_sha256, SizeIs(64));
      // An older ONNX rejects types that it does not know.
      EXPECT_TRUE(test.checked.ok() || test.model.opset_version > NewestOpsetVersion())
          << test.name << ": " << test.checked.error().message;
    }
    EXPECT_EQ(opset_versions, package.opset_versions);
  }
}

TEST(Packages, DisputedOutputs_AreKnownByNameAndDigest) {
  for (const Package& package : Packages()) {
    size_t disputed = 0;
    const Result<NodeTests> tests = ReadPackage(package.release);
    ASSERT_TRUE(tests.ok()) << tests.error().message;
    for (const NodeTest& test : tests->tests) {
      for (const DataSet& set : test.data_sets) disputed += !set.disputed.empty();
    }
    EXPECT_EQ(disputed, package.disputed) << package.release;
  }
  const auto& all = FindOperatorCases("QLinearMatMul")->disputed_outputs;
  EXPECT_THAT(all, SizeIs(4));
  const DisputedOutput& first = all.front();
  EXPECT_EQ(DisputedReason(first.test_name, first.output_sha256), first.reason);
  EXPECT_EQ(DisputedReason(first.test_name, std::string(64, '0')), "");  // corrected
  EXPECT_EQ(DisputedReason("test_other", first.output_sha256), "");
}

TEST(Packages, EveryTest_IsTheSameWhenWrittenAndReadAgain) {
  const std::filesystem::path directory =
      std::filesystem::path(testing::TempDir()) /
      ("qconform_" + std::to_string(getpid()) + "_packages");
  std::filesystem::remove_all(directory);
  int visited = 0;
  int expected = 0;
  for (const Package& package : Packages()) {
    for (const auto& [op_type, count] : CountsByName(package.release)) expected += count;
    const std::string below = (directory / package.release).string();
    const Result<NodeTests> tests = ReadPackage(package.release);
    ASSERT_TRUE(tests.ok()) << tests.error().message;
    for (const NodeTest& test : tests->tests) {
      const DataSet& set = test.data_sets.front();
      const auto written =
          WriteNodeTest(below, test.name, test.model, set.inputs, set.outputs);
      ASSERT_TRUE(written.ok()) << written.error().message;
    }
    const Result<NodeTests> again = ReadNodeTests(below, JudgedOperators());
    ASSERT_TRUE(again.ok()) << again.error().message;
    ASSERT_THAT(again->tests, SizeIs(tests->tests.size()));
    for (size_t i = 0; i < again->tests.size(); ++i) {
      EXPECT_EQ(again->tests[i].name, tests->tests[i].name);
      EXPECT_EQ(again->tests[i].model, tests->tests[i].model);
      EXPECT_EQ(again->tests[i].data_sets[0].inputs, tests->tests[i].data_sets[0].inputs);
      EXPECT_EQ(again->tests[i].data_sets[0].outputs,
                tests->tests[i].data_sets[0].outputs);
      ++visited;
    }
  }
  EXPECT_EQ(visited, expected);
  EXPECT_GE(visited, 21 + 18 + 4);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace qconform
