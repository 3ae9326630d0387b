// The stored cases of cases/operators/<operator>/corpus: counterexamples of planted
// faults, shrunk, each in a file that is named after its fault. They stay found when
// generators change.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <variant>

#include "cases/corpus/stored_case.h"
#include "harness/backends/faulty/faulty_backend.h"
#include "harness/backends/registry/registry.h"
#include "harness/compare/cell_answers.h"
#include "harness/compare/standing.h"
#include "oracle/base/file.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

class Corpus : public testing::Test {
 protected:
  // Returns the path of every case.
  static std::set<fs::path> Files() {
    std::set<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(QCONFORM_OPERATOR_CASES)) {
      const bool is_case = entry.path().extension() == ".json" &&
                           entry.path().parent_path().filename() == "corpus";
      if (is_case) files.insert(entry.path());
    }
    return files;
  }

  static StoredCase Read(const fs::path& path) {
    const auto text = ReadFile(path);
    EXPECT_TRUE(text) << path;
    if (!text) return {};
    auto stored = ParseStoredCase(*text, path.filename().string());
    EXPECT_TRUE(stored) << stored.error().message;
    return stored ? *std::move(stored) : StoredCase();
  }

  // Whether the specification allows what a backend answers.
  static bool Allows(const StoredCase& asked, Backend& backend) {
    auto prepared = backend.Prepare(asked.model);
    auto* node = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
    EXPECT_NE(node, nullptr) << asked.why;
    if (node == nullptr) return false;
    const RunResult result = (*node)->Run(ViewsOf(asked.inputs));
    const auto* outputs = std::get_if<Outputs>(&result);
    EXPECT_NE(outputs, nullptr) << asked.why;
    if (outputs == nullptr) return false;
    const auto content = ContentAnswers::Create(asked.model, ViewsOf(asked.inputs));
    EXPECT_TRUE(content) << content.error().message;
    if (!content) return false;
    const auto standing = StandingOf(*content, *outputs);
    EXPECT_TRUE(standing) << standing.error().message;
    return standing && standing->allowed();
  }
};

TEST_F(Corpus, EachCase_FindsTheFaultThatItIsNamedAfter) {
  const std::set<fs::path> files = Files();
  EXPECT_GE(files.size(), 75u);
  for (const fs::path& file : files) {
    const auto faulty = MakeFaultyBackend(file.stem().string());
    ASSERT_TRUE(faulty) << file << ": " << faulty.error().message;
    EXPECT_FALSE(Allows(Read(file), **faulty)) << file;
  }
}

TEST_F(Corpus, RightBackends_PassEachCase) {
  for (const char* name : {"oracle", "simd"}) {
    const auto backend = MakeBackend(name, {});
    if (!backend) continue;  // a build without kernels
    for (const fs::path& file : Files()) {
      EXPECT_TRUE(Allows(Read(file), **backend)) << name << " " << file;
    }
  }
}

}  // namespace
}  // namespace qconform
