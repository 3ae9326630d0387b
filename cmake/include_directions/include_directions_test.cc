// The rules hold in this project's tree, and each finds what is planted against it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "cmake/include_directions/rules.h"
#include "cmake/include_directions/source_text.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<TreeFile> ReadTree(const fs::path& root) {
  const std::set<std::string> not_ours{"build", ".git", ".deps", "node_modules",
                                       "__pycache__"};
  std::vector<TreeFile> tree;
  for (auto at = fs::recursive_directory_iterator(root);
       at != fs::recursive_directory_iterator(); ++at) {
    if (at->is_directory() && not_ours.count(at->path().filename().string()) > 0) {
      at.disable_recursion_pending();
    } else if (at->is_regular_file() || at->is_symlink()) {
      const std::string path = at->path().lexically_relative(root).generic_string();
      tree.push_back({path, IsSource(path) ? ReadText(at->path()) : ""});
    }
  }
  std::sort(tree.begin(), tree.end(),
            [](const TreeFile& a, const TreeFile& b) { return a.path < b.path; });
  return tree;
}

std::string Spell(const Violation& one) {
  return one.path + (one.line > 0 ? ":" + std::to_string(one.line) : "") + ": " +
         one.what;
}

TEST(IncludeDirections, HoldInThisTree) {
  const std::vector<TreeFile> tree = ReadTree(QCONFORM_SOURCE_DIR);
  ASSERT_GT(std::count_if(tree.begin(), tree.end(),
                          [](const TreeFile& one) { return IsSource(one.path); }),
            100);
  for (const Violation& one : FindViolations(tree)) ADD_FAILURE() << Spell(one);
}

constexpr char kGoodClauses[] =
    "// QL-01\nconst char* kClause = \"TO-01\";\nstd::vector<int> All() { return {10, "
    "13, 19}; }\n";

// A tree in which nothing is wrong, with an operator that is built.
std::vector<TreeFile> GoodTree() {
  return {
      {"oracle/core/a.cc", "#include \"oracle/formats/codes.h\"\n#include <vector>\n"},
      {"oracle/core/a_test.cc",
       "#include \"oracle/exact/value.h\"\n#include <gmpxx.h>\n"},
      {"oracle/base/a.cc", "#include <nlohmann/json.hpp>\n"},
      {"oracle/exact/a.cc", "#include <gmpxx.h>\n#include \"oracle/base/result.h\"\n"},
      {"oracle/operators/toy_op/clauses.cc", kGoodClauses},
      {"cases/lattice/a.cc", "#include \"onnx/defs/schema.h\"\n"},
      {"cases/operators/toy_op/a.cc",
       "#include \"cases/operators/toy_op/a.h\"\nauto x = operands[0]; auto name = "
       "\"ToyOp\";\n"},
      {"harness/backends/simd/a-inl.h", "#include \"hwy/highway.h\"\n"},
      {"harness/backends/a.cc", "#include \"harness/core/a.h\"\n"},
      {"harness/backends/a_test.mjs", "const name = 'ToyOp';\n"},
      {"harness/backends/testing/a.py", "name = 'ToyOp'\n"},
      {"harness/operators/toy_op/a.cc",
       "#include \"oracle/operators/toy_op/a.h\"\n#include \"harness/core/a.h\"\n"
       "#include \"harness/backends/simd/toy_op/a.h\"\n"},
      {"oracle/graphs/a.cc",
       "#include \"oracle/core/answer.h\"\nauto x = operands[0]; auto y = \"ToyOp\";\n"
       "bool z = since_version >= 13; int w[] = {10, 13};\n"},
      {"oracle/exact/graphs/a.cc", "#include \"oracle/exact/operators/toy_op/a.h\"\n"},
      {"cases/graphs/a.cc", "auto graph = \"TO-Relu-Q\";\n"},
      {"harness/graphs/a.cc", "#include \"oracle/graphs/a.h\"\nauto y = \"ToyOp\";\n"},
      {"harness/core/b.cc", "#include \"oracle/graphs/a.h\"\n"},
      {"harness/runner/a.cc",
       "#include \"oracle/core/answer.h\"\n#include <sys/wait.h>\n"
       "// ToyOp, TO-01, {10, 13}, inputs[0]\n/* \"ToyOp\" */\n"
       "int sizes[] = {10, 14}; int other[] = {13, 10}; auto x = inputs[index];\n"
       "auto y = \"DeToyOp\"; auto z = \"G-01\"; auto w = outputs[0]; int n = 1'000;\n"},
      {"harness/gtest/a.cc", "#include <gtest/gtest.h>\n"},
      {"harness/cli/a.cc",
       "#include <CLI/CLI.hpp>\n#include \"qconform_version_made.h\"\n"
       "#include \"harness/faults/a.h\"\n"},
      {"reports/html/a.js", "// 'ToyOp'\nconst x = y.replace(/'/g, ''); // \"TO-01\"\n"},
      {"harness/backends/python/a.py", "# 'ToyOp'\nx = inputs[i]\n"},
      {"docs/a.md", "ToyOp"},
      {"cases/profiles/a.json", "\"ToyOp\""},
  };
}

TEST(IncludeDirections, FindNothingInAGoodTree) {
  for (const Violation& one : FindViolations(GoodTree())) ADD_FAILURE() << Spell(one);
}

struct Plant {
  const char* path;
  const char* text;
  const char* what;  // a part of what must be found, once
};

void PrintTo(const Plant& plant, std::ostream* out) {
  *out << plant.path << ": " << plant.text;
}

class IncludeDirectionsFind : public testing::TestWithParam<Plant> {};

TEST_P(IncludeDirectionsFind, ThePlant) {
  const Plant& plant = GetParam();
  std::vector<TreeFile> tree = GoodTree();
  tree.push_back({plant.path, std::string("// planted\n") + plant.text + "\n"});
  if (tree.back().path.substr(tree.back().path.size() - 3) == ".py")
    tree.back().text.replace(0, 2, "##");
  const std::vector<Violation> found = FindViolations(tree);
  ASSERT_EQ(found.size(), 1u) << (found.size() > 1 ? Spell(found[1]) : "");
  EXPECT_EQ(found[0].path, plant.path);
  EXPECT_EQ(found[0].line, 2u);
  EXPECT_NE(found[0].what.find(plant.what), std::string::npos) << found[0].what;
}

const Plant kDirections[] = {
    {"oracle/tensor/p.h", "#include <oracle/formats/b.h>",
     "oracle/tensor may not include"},
    {"oracle/formats/p.cc", "#include \"oracle/core/b.h\"",
     "oracle/formats may not include"},
    {"oracle/exact/p.cc", "#include \"oracle/tensor/tensor.h\"",
     "oracle/exact may not include"},
    {"oracle/core/p.cc", "#include \"cases/model/model.h\"",
     "oracle/core may not include"},
    {"oracle/core/p.cc", "#include <gmpxx.h>", "gmp is private"},
    {"oracle/core/p.cc", "#include \"oracle/exact/value.h\"",
     "oracle/core may not include"},
    {"oracle/core/p.cc", "#include \"oracle/operators/toy_op/p.h\"", "may not include"},
    {"cases/core/p.cc", "#include \"oracle/core/answer.h\"", "cases may not include"},
    {"cases/core/p.cc", "#include \"onnx/onnx_pb.h\"", "onnx/ is private"},
    {"cases/node_tests/p.cc", "  #  include <google/protobuf/message.h>  // why",
     "google/protobuf/ is private"},
    {"cases/p.cc", "  #include <onnxruntime_c_api.h>", "onnxruntime is private"},
    {"reports/p.cc", "#include \"harness/runner/runner.h\"", "reports may not include"},
    {"reports/p.cc", "#include \"cases/model/model.h\"", "reports may not include"},
    {"harness/backends/simd/p-inl.h", "#include \"oracle/formats/codes.h\"",
     "may not include"},
    {"harness/backends/simd/p.cc", "#include \"harness/backends/backend.h\"",
     "may not include"},
    {"harness/runner/p.cc", "#include \"hwy/highway.h\"", "hwy/ is private"},
    {"harness/runner/p.cc", "#include <nlohmann/json.hpp>", "nlohmann/ is private"},
    {"harness/runner/p.cc", "#include <CLI/CLI.hpp>", "CLI/ is private"},
    {"harness/runner/p.cc", "#include \"harness/cli/shard.h\"",
     "harness/runner may not include"},
    {"harness/runner/p.cc", "#include <gtest/gtest.h>", "only tests and benchmarks"},
    {"harness/runner/p.cc", "#include \"oracle/exact/value.h\"", "may not include"},
    {"harness/runner/p.cc", "#include \"reports/testing/records.h\"",
     "only tests include"},
    {"harness/runner/p.cc", "#include \"../../oracle/exact/value.h\"", "project's root"},
    {"harness/runner/p.cc", "#include \"sibling.h\"", "project's root"},
    // The inner order of harness.
    {"harness/core/p.h", "#include \"harness/backends/p.h\"",
     "harness/core may not include"},
    {"harness/backends/p.h", "#include \"harness/compare/p.h\"", "may not include"},
    {"harness/compare/p.h", "#include \"harness/diagnosis/p.h\"", "may not include"},
    {"harness/diagnosis/p.h", "#include \"harness/runner/p.h\"", "may not include"},
    {"harness/runner/shrink/p.h", "#include \"harness/runner/ask/p.h\"",
     "may not include"},
    {"harness/runner/ask/p.h", "#include \"harness/runner/judge/p.h\"",
     "may not include"},
    {"harness/runner/judge/p.h", "#include \"harness/runner/p.h\"", "may not include"},
    {"harness/runner/p.h", "#include \"harness/runner/suites/p.h\"", "may not include"},
    {"harness/runner/suites/p.h", "#include \"harness/faults/p.h\"", "may not include"},
    {"harness/runner/p.h", "#include \"harness/faults/p.h\"", "may not include"},
    {"harness/faults/p.h", "#include \"harness/certificate/p.h\"", "may not include"},
    {"harness/operators/toy_op/p.h", "#include \"harness/runner/p.h\"",
     "may not include"},
    {"harness/operators/toy_op/p.h", "#include \"harness/backends/p.h\"",
     "may not include"},
    {"harness/cli/p.h", "#include \"harness/operators/toy_op/p.h\"", "may not include"},
    {"oracle/graphs/p.h", "#include \"oracle/operators/toy_op/p.h\"", "may not include"},
    {"oracle/core/p.h", "#include \"oracle/graphs/p.h\"", "may not include"},
    {"oracle/exact/graphs/p.h", "#include \"oracle/graphs/p.h\"", "may not include"},
    {"cases/graphs/p.h", "#include \"oracle/graphs/p.h\"", "may not include"},
    {"harness/graphs/p.h", "#include \"harness/backends/p.h\"", "may not include"},
    {"cases/core/p.h", "#include \"cases/operators/toy_op/p.h\"", "is an operator's own"},
    {"harness/runner/p.h", "#include \"harness/backends/simd/toy_op/p.h\"",
     "is an operator's own"},
};
INSTANTIATE_TEST_SUITE_P(Directions, IncludeDirectionsFind,
                         testing::ValuesIn(kDirections));

// What only the folder of an operator may know, planted in a file of each language.
std::vector<Plant> PlantedKnowledge() {
  std::vector<Plant> plants;
  for (const char* path :
       {"cases/core/p.h", "harness/runner/p.cc", "harness/p.proto", "reports/html/p.js",
        "harness/backends/p.mjs", "python/p.py"}) {
    plants.insert(plants.end(),
                  {{path, "x = \"ToyOp\";", "names ToyOp"},
                   {path, "x = \"a/toy_op/b\";", "names toy_op"},
                   {path, "x = \"by TO-17.\";", "cites TO-"},
                   {path, "ToyOpProblem y;", "the code names ToyOp"},
                   {path, "y = toy_op.f(x);", "the code names toy_op"},
                   {path, "x = {10, 19};", "a list of since_versions"},
                   {path, "x = [10, 13, 19,];", "a list of since_versions"},
                   {path, "y = since_version >= 13;", "a since_version compared"},
                   {path, "y = node.inputs[0];", "the position of an operand"},
                   {path, "y = operands[ 12 ];", "the position of an operand"}});
  }
  for (const char* path :
       {"reports/html/p.js", "harness/backends/p.mjs", "python/p.py"}) {
    plants.push_back({path, "x = 'ToyOp'", "names ToyOp"});
  }
  for (const char* path : {"reports/html/p.js", "harness/backends/p.mjs"}) {
    plants.push_back({path, "x = `of ${y} ToyOp`", "names ToyOp"});
  }
  for (const char* path : {"cases/core/p.h", "harness/runner/p.cc"}) {
    plants.push_back({path, "x = R\"t(a \" ToyOp)t\";", "names ToyOp"});
    plants.push_back({path, "y = inputs.at(2);", "the position of an operand"});
    plants.push_back({path, "y = c.operands()[2];", "the position of an operand"});
  }
  for (const char* path : {"oracle/graphs/p.cc", "oracle/exact/graphs/p.cc",
                           "cases/graphs/p.cc", "harness/graphs/p.cc"}) {
    plants.push_back({path, "x = \"by TO-17.\";", "cites TO-"});
  }
  plants.push_back({"python/p.py", "\"\"\"By ToyOp.\n\"\"\"", "names ToyOp"});
  return plants;
}
INSTANTIATE_TEST_SUITE_P(Knowledge, IncludeDirectionsFind,
                         testing::ValuesIn(PlantedKnowledge()));

TEST(IncludeDirections, FindAFolderWithoutARule) {
  const std::vector<Violation> found = FindViolations({{"harness/other/a.cc", ""}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(Spell(found[0]),
            "harness/other/a.cc: no rule says what this folder may include");
}

TEST(IncludeDirections, FindALargeFolder) {
  std::vector<TreeFile> tree;
  for (size_t i = 0; i < kMostEntries; ++i) {
    tree.push_back({"cases/a/" + std::to_string(i) + ".json", ""});
  }
  EXPECT_TRUE(FindViolations(tree).empty());
  tree.push_back({"cases/a/b/c.json", ""});
  const std::vector<Violation> found = FindViolations(tree);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(Spell(found[0]), "cases/a: 41 entries; at most 40 are easy to look through");
}

TEST(SourceText, KeepsLinesAndTakesCommentsAndStringsOut) {
  const SourceText read = ReadSource(
      "a /* \"b\"\n*/ c = \"d // \\\" e\"; // 'f'\ng = R\"(h\n\")\"; 1'000'000\n",
      Language::kCpp);
  ASSERT_EQ(read.strings.size(), 2u);
  EXPECT_EQ(read.strings[0].text, "d // \\\" e");
  EXPECT_EQ(read.strings[0].line, 2u);
  EXPECT_EQ(read.strings[1].text, "h\n\"");
  EXPECT_EQ(read.strings[1].line, 3u);
  EXPECT_EQ(std::count(read.code.begin(), read.code.end(), '\n'), 4);
  EXPECT_NE(read.code.find("1'000'000"), std::string::npos);
  EXPECT_EQ(read.code.find('b'), std::string::npos);
}

}  // namespace
}  // namespace qconform
