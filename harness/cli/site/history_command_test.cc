// history, as its users run it, on the releases that are published.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "../testing/run_tool.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kReleases =
    fs::path(QCONFORM_SOURCE_DIR) / "reports/published/history/onnx-reference";

class HistoryOfAFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() / ("qconform_history_test_" + std::to_string(getpid()));
    for (const char* version : {"1.22.0", "1.23.2"}) {
      fs::create_directories(folder_ / version / "cases");
      fs::copy(kReleases / (version + std::string(".json")),
               folder_ / version / "all.json");
      std::ofstream(folder_ / version / "cases" / "one.json") << "{\"case\":1}";
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(HistoryOfAFolder, FoldersOfReleases_AreReadAsOne) {
  const fs::path flat = folder_ / "flat";
  fs::create_directories(flat);
  for (const char* version : {"1.22.0", "1.23.2"}) {
    fs::copy(folder_ / version / "all.json", flat / (version + std::string(".json")));
  }
  const Ran expected = RunTool("history " + flat.string());
  fs::remove_all(flat);
  const Ran ran = RunTool("history " + folder_.string());
  EXPECT_EQ(ran.exit_code, expected.exit_code);
  EXPECT_EQ(ran.output,
            expected.output + "2 other .json files are no reports, and left out\n");
  EXPECT_THAT(ran.output, HasSubstr("1.23.2"));
}

TEST_F(HistoryOfAFolder, ABrokenReport_IsAnError) {
  std::ofstream(folder_ / "broken.json") << "{\"compact_report_version\":\"1.0.0\"}";
  const Ran ran = RunTool("history " + folder_.string());
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.output, HasSubstr("broken.json"));
}

TEST_F(HistoryOfAFolder, NoReports_AreAnError) {
  const Ran ran = RunTool("history " + (folder_ / "1.22.0" / "cases").string());
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.output, HasSubstr("expected a folder of reports"));
}

}  // namespace
}  // namespace qconform
