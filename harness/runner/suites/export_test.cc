// An exported corpus, read back as a stranger would read it.
#include "harness/runner/suites/export.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cases/corpus/stored_case.h"
#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/backends/run_model.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/runner.h"
#include "harness/runner/suites/node_test_runner.h"
#include "oracle/base/sha256.h"
#include "oracle/core/clauses.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

std::string Bytes(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

// Path below `root` and bytes of every file.
std::map<std::string, std::string> Tree(const fs::path& root) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), root).string()] = Bytes(entry.path());
    }
  }
  return files;
}

class Export : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::temp_directory_path() /
                 ("qconform_export_test_" + std::to_string(getpid()) + "_" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  Result<ExportManifest> Make(const std::string& name,
                              const std::vector<std::string>& patterns,
                              bool strict = false) const {
    return ExportCases(
        {.directory = directory_ / name,
         .cell_patterns = patterns,
         .cells = *SelectCells(patterns),
         .level = Level::kSmoke,
         .seed = 1,
         .strict = strict,
         .tool_version = "0"},
        [](int64_t) {}, stop_);
  }
  // Everything that lies next to the exports.
  size_t Entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }

  fs::path directory_;
  std::atomic<bool> stop_{false};
};

TEST_F(Export, EverySinceVersion_GivesModelsThatOnnxAccepts) {
  const auto manifest = Make("out", {"QuantizeLinear/*/*-UINT8/per_tensor",
                                     "QuantizeLinear/*/*-FLOAT8E5M2/per_tensor",
                                     "QuantizeLinear/2*/*-INT4/blocked"});
  ASSERT_TRUE(manifest.ok()) << manifest.error().message;
  const auto read = ReadNodeTests((directory_ / "out").string(),
                                  std::vector<std::string>{"QuantizeLinear"});
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->broken.empty());
  EXPECT_TRUE(read->skipped.empty());
  EXPECT_EQ(read->tests.size(), manifest->cases.size());
  std::set<int> opset_versions;
  for (const NodeTest& test : read->tests) {
    EXPECT_TRUE(test.checked.ok()) << test.name << ": " << test.checked.error().message;
    opset_versions.insert(test.model.opset_version);
  }
  EXPECT_TRUE(opset_versions.contains(10));
  EXPECT_TRUE(opset_versions.contains(25));
  EXPECT_GE(opset_versions.size(), 16u);  // 10 to 25: each one is probed
}

TEST_F(Export, Manifest_HasTheDigestOfEveryFile) {
  const auto manifest = Make("out", {"QuantizeLinear/13/*"});
  ASSERT_TRUE(manifest.ok()) << manifest.error().message;
  std::map<std::string, std::string> files = Tree(directory_ / "out");
  EXPECT_EQ(files.at("manifest.json"), ExportManifestText(*manifest));
  files.erase("manifest.json");
  for (const ExportedCase& exported : manifest->cases) {
    EXPECT_TRUE(ParseCaseId(exported.case_id).ok());
    for (const auto& [path, sha256] : exported.files) {
      const auto found = files.find(exported.folder + "/" + path);
      ASSERT_NE(found, files.end()) << path;
      EXPECT_EQ(Sha256Hex(found->second), sha256) << path;
      files.erase(found);
    }
  }
  EXPECT_TRUE(files.empty()) << files.begin()->first;
  EXPECT_EQ(Entries(), 1u);  // nothing else is left
}

TEST_F(Export, Manifest_NamesTheClausesOfEachCase) {
  const auto manifest = Make("out", {"QuantizeLinear/13/FLOAT-FLOAT-INT8/per_tensor",
                                     "QuantizeLinear/25/FLOAT16-FLOAT16-FLOAT8E5M2/*",
                                     "QLinearMatMul/21/*-UINT8-INT8-UINT8/*"});
  ASSERT_TRUE(manifest.ok()) << manifest.error().message;
  std::map<std::string, std::set<std::string>> by_operator;
  for (const ExportedCase& exported : manifest->cases) {
    EXPECT_FALSE(exported.clauses.empty()) << exported.case_id;
    by_operator[exported.case_id.substr(0, exported.case_id.find('/'))].insert(
        exported.clauses.begin(), exported.clauses.end());
    const auto has = [&](const char* clause) {
      return std::ranges::count(exported.clauses, clause) == 1;
    };
    const std::string& id = exported.case_id;
    EXPECT_TRUE(exported.free.any_nan == 0 || has("QL-23")) << id;
    EXPECT_TRUE(exported.free.any_code == 0 || has("QL-12")) << id;
    const bool open = std::ranges::any_of(Clauses(), [&](const Clause& clause) {
      return clause.is_open() && has(std::string(clause.id).c_str());
    });
    EXPECT_TRUE(exported.free.total() == 0 || open || has("QL-23") || has("MM-12")) << id;
  }
  // Normative, free and parametric ones.
  for (const char* clause : {"QL-10", "QL-13", "QL-20a", "QL-24"}) {
    EXPECT_TRUE(by_operator["QuantizeLinear"].contains(clause)) << clause;
  }
  for (const char* clause : {"MM-01", "MM-02", "MM-03"}) {
    EXPECT_TRUE(by_operator["QLinearMatMul"].contains(clause)) << clause;
  }
  EXPECT_NE(Bytes(directory_ / "out" / "manifest.json").find("\"clauses\":[\"QL-"),
            std::string::npos);
}

TEST_F(Export, EqualRequests_GiveEqualBytes) {
  ASSERT_TRUE(Make("a", {"QuantizeLinear/19/FLOAT16-*/per_axis"}).ok());
  ASSERT_TRUE(Make("b", {"QuantizeLinear/19/FLOAT16-*/per_axis"}).ok());
  EXPECT_EQ(Tree(directory_ / "a"), Tree(directory_ / "b"));
}

// Every element that y has otherwise than the oracle, now and then.
class WrongBackend : public Backend {
 public:
  const BackendInfo& info() const override { return oracle_->info(); }
  PrepareResult Prepare(const Model& model) override {
    return std::make_unique<Wrong>(
        std::get<std::unique_ptr<PreparedModel>>(oracle_->Prepare(model)));
  }

 private:
  class Wrong : public PreparedModel {
   public:
    explicit Wrong(std::unique_ptr<PreparedModel> right) : right_(std::move(right)) {}
    RunResult Run(std::span<const TensorView> inputs) override {
      RunResult result = right_->Run(inputs);
      Tensor& y = std::get<Outputs>(result).front();
      for (int64_t i = 100; i < *ElementCount(y.shape); i += 50) {
        WriteCode(y.mutable_view(), i, ReadCode(y.view(), i) ^ 1);
      }
      return result;
    }

   private:
    std::unique_ptr<PreparedModel> right_;
  };
  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
};

// The harness' own verdict on one case.
bool Passes(Backend& backend, const OpCase& op_case) {
  const auto oracle = OracleModel::Create(op_case.model);
  const std::vector<TensorView> inputs = ViewsOf(op_case.inputs);
  const auto answer = std::make_shared<const CaseAnswer>(*oracle->Evaluate(inputs));
  const RunResult result = RunModel(backend, op_case).value();
  const Outputs& outputs = std::get<Outputs>(result);
  const Comparison comparison = Compare(*answer, outputs, 1);
  if (comparison.mismatches() == 0) return true;
  const std::vector<uint32_t> codes = CodesOf(outputs);
  const AnsweredCase answered{ContentAnswers::Create(op_case.model, inputs, answer),
                              answer, codes};
  const auto explained = ExplainByReadings({&answered, 1});
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (comparison.tiers[tier].mismatches > 0 && !(*explained)[tier]) return false;
  }
  return true;
}

TEST_F(Export, ReadBackAsNodeTests_GivesTheSameVerdicts) {
  const auto manifest = Make("out", {"QuantizeLinear/10/*", "QuantizeLinear/21/FLOAT16-*",
                                     "QuantizeLinear/25/FLOAT-FLOAT-INT2/*"});
  ASSERT_TRUE(manifest.ok()) << manifest.error().message;
  const auto found = FindNodeTests({(directory_ / "out").string()});
  ASSERT_TRUE(found.ok()) << found.error().message;
  std::map<std::string, const FoundNodeTest*> by_name;
  for (const FoundNodeTest& test : found->tests) by_name[test.name] = &test;
  const auto oracle = MakeOracleBackend();
  WrongBackend wrong;
  int deviating = 0;
  for (const ExportedCase& exported : manifest->cases) {
    ASSERT_TRUE(by_name.contains(exported.folder)) << exported.folder;
    const FoundNodeTest& test = *by_name[exported.folder];
    EXPECT_EQ(RunNodeTest(*oracle, test).verdict, NodeVerdict::kPass) << exported.folder;
    const OpCase op_case = *MakeCase(*ParseCaseId(exported.case_id), 1);
    const bool passes = Passes(wrong, op_case);
    EXPECT_EQ(RunNodeTest(wrong, test).verdict,
              passes ? NodeVerdict::kPass : NodeVerdict::kDeviates)
        << exported.folder;
    deviating += passes ? 0 : 1;
  }
  EXPECT_GT(deviating, 20);
}

TEST_F(Export, Strict_LeavesOutWhatOtherAnswersPass) {
  // FLOAT has one right answer there; FLOAT16 has two readings of QL-04.
  const std::vector<std::string> cells{"QuantizeLinear/21/FLOAT-FLOAT-UINT8/*",
                                       "QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/*"};
  const auto all = Make("all", cells);
  const auto strict = Make("strict", cells, /*strict=*/true);
  ASSERT_TRUE(all.ok() && strict.ok());
  size_t with_free = 0;
  for (const ExportedCase& exported : all->cases) {
    with_free += exported.free.total() > 0 ? 1 : 0;
  }
  EXPECT_GT(with_free, 0u);
  EXPECT_EQ(static_cast<size_t>(strict->left_out), with_free);
  EXPECT_EQ(strict->cases.size(), all->cases.size() - with_free);
  for (const ExportedCase& exported : strict->cases) EXPECT_EQ(exported.free.total(), 0);
}

// The tests that are offered to ONNX: each has a reason and, but for the sign of a zero
// in two of them, one right answer.
TEST_F(Export, StoredCases_AreNodeTestsOfTheirName) {
  ExportRequest request{.directory = {},
                        .cell_patterns = {},
                        .cells = {},
                        .level = Level::kSmoke,
                        .seed = 1,
                        .strict = false,
                        .tool_version = "0"};
  for (const fs::directory_entry& entry :
       fs::directory_iterator(QCONFORM_SOURCE_DIR "/docs/upstream/onnx_opset_28")) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().stem().string();
    request.stored.push_back({name, *ParseStoredCase(Bytes(entry.path()), name)});
  }
  ASSERT_FALSE(request.stored.empty());
  EXPECT_LE(request.stored.size(), 40u);
  for (const TensorField field : {TensorField::kRawData, TensorField::kInt32Data}) {
    const bool int32_data = field == TensorField::kInt32Data;
    request.directory = directory_ / (int32_data ? "int32" : "raw");
    request.field = field;
    const auto manifest = ExportCases(
        request, [](int64_t) {}, stop_);
    if (NewestOpsetVersion() < 28) {
      EXPECT_FALSE(manifest.ok());
      continue;
    }
    ASSERT_TRUE(manifest.ok()) << manifest.error().message;
    EXPECT_EQ(manifest->cases.size(), request.stored.size());
    std::set<std::string> clauses;
    for (const Clause& clause : Clauses()) clauses.insert(std::string(clause.id));
    for (const ExportedCase& exported : manifest->cases) {
      EXPECT_EQ(exported.folder, "test_" + exported.case_id);
      EXPECT_EQ(exported.generator, "stored");
      EXPECT_FALSE(exported.why.empty()) << exported.case_id;
      const bool has_free_signs = exported.case_id.ends_with("_underflow");
      EXPECT_EQ(exported.free.total() > 0, has_free_signs) << exported.case_id;
      EXPECT_EQ(exported.free.total(), exported.free.readings) << exported.case_id;
      EXPECT_FALSE(exported.clauses.empty()) << exported.case_id;
      for (const std::string& clause : exported.clauses) {
        EXPECT_TRUE(clauses.contains(clause)) << exported.case_id << clause;
      }
    }
    const std::string text = Bytes(request.directory / "manifest.json");
    EXPECT_NE(text.find("\"why\":\""), std::string::npos);
    EXPECT_EQ(text.find("\"int32_data\"") != std::string::npos, int32_data);
    const auto found = FindNodeTests({request.directory.string()});
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(found->tests.size(), request.stored.size());
    const auto oracle = MakeOracleBackend();
    for (const FoundNodeTest& test : found->tests) {
      EXPECT_EQ(RunNodeTest(*oracle, test).verdict, NodeVerdict::kPass) << test.name;
    }
  }
}

TEST_F(Export, Directory_IsCheckedBeforeTheWork) {
  std::ofstream(directory_ / "file") << "x";
  EXPECT_NE(CheckExportDirectory(directory_).error().message.find("not empty"),
            std::string::npos);
  EXPECT_NE(CheckExportDirectory(directory_ / "file").error().message.find("got a file"),
            std::string::npos);
  EXPECT_FALSE(CheckExportDirectory(directory_ / "none" / "out").ok());
  EXPECT_NE(CheckExportDirectory("").error().message.find(
                "expected a new or an empty one, got none"),
            std::string::npos);
  EXPECT_TRUE(CheckExportDirectory(directory_ / "out").ok());
  EXPECT_TRUE(CheckExportDirectory(directory_ / "out/").ok());
  fs::create_directory(directory_ / "empty");
  EXPECT_TRUE(Make("empty", {"QuantizeLinear/10/FLOAT-*"}).ok());
}

TEST_F(Export, Interrupted_LeavesNothing) {
  stop_ = true;
  EXPECT_FALSE(Make("out", {"QuantizeLinear/10/*"}).ok());
  EXPECT_EQ(Entries(), 0u);
}

TEST(ExportFolder, IsTheIdInAllowedCharacters) {
  const auto key = ParseCaseId(
      "QuantizeLinear/21@22/FLOAT16-FLOAT16-INT4/blocked/initializers/saturate=1/ties/"
      "17");
  ASSERT_TRUE(key.ok());
  EXPECT_EQ(
      ExportFolder(*key),
      "test_QuantizeLinear.21-22.FLOAT16-FLOAT16-INT4.blocked.initializers.saturate=1."
      "ties.17");
}

}  // namespace
}  // namespace qconform
