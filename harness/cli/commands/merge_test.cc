// merge of reports and journals that somebody changed.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "../testing/cli_folder.h"
#include "../testing/run_tool.h"
#include "oracle/base/file.h"
#include "oracle/base/text.h"
#include "reports/report/report.h"

namespace qconform {
namespace {

class MergeCommand : public CliFolder {
 protected:
  void SetUp() override {
    CliFolder::SetUp();
    for (const char* shard : {"0/2", "1/2"}) {
      const std::string file = Path(std::string(1, shard[0]) + ".json");
      const Ran ran = RunTool(
          "run --cells 'QuantizeLinear/10/*' --level smoke --no-progress --shard " +
          std::string(shard) + " --report " + file);
      ASSERT_EQ(ran.exit_code, 0) << ran.output;
    }
    lines_ = Split(*ReadFile(Path("1.json.journal")), "\n");
    ASSERT_EQ(lines_.size(), 5u);  // first, two cells, last, and nothing after it
  }

  Ran Merge(const std::string& second) {
    std::filesystem::remove(Path("whole.json"));
    return RunTool("merge " + Path("0.json") + " " + Path(second) + " -o " +
                   Path("whole.json"));
  }

  std::vector<std::string> lines_;  // of the journal of the second shard
};

TEST_F(MergeCommand, TakesJournalsOfShards) {
  ASSERT_EQ(Merge("1.json").exit_code, 0);
  const auto of_reports = ReadReport(Path("whole.json"));
  ASSERT_TRUE(of_reports);
  ASSERT_EQ(Merge("1.json.journal").exit_code, 0);
  const auto of_journal = ReadReport(Path("whole.json"));
  ASSERT_TRUE(of_journal);
  EXPECT_EQ(of_journal->cells, of_reports->cells);
  EXPECT_TRUE(of_journal->complete);
  // As a killed run leaves it.
  ASSERT_TRUE(WriteFileAtomically(Path("killed"), lines_[0] + "\n" + lines_[1] + "\n"));
  EXPECT_NE(Merge("killed").exit_code, 0);
  const auto of_killed = ReadReport(Path("whole.json"));
  ASSERT_TRUE(of_killed);
  EXPECT_FALSE(of_killed->complete);
  EXPECT_EQ(of_killed->cells.size(), 3u);
}

TEST_F(MergeCommand, JournalThatTheRunDidNotWrite_IsRefusedAndNothingIsWritten) {
  const std::string first = lines_[0] + "\n", a = lines_[1] + "\n", b = lines_[2] + "\n",
                    last = lines_[3] + "\n";
  const std::string foreign = Split(*ReadFile(Path("0.json.journal")), "\n").at(1) + "\n";
  std::string edited = a;
  const size_t verdict = edited.find("\"cases\":") + 8;
  edited[verdict] = edited[verdict] == '9' ? '8' : '9';
  const std::vector<std::string> kForged = {
      first + edited + b + last,
      first + b + a + last,
      first + b + last,
      first + a + a + b + last,
      first + foreign + b + last,
      first + a + foreign,
      first + b,
  };
  for (const std::string& forged : kForged) {
    ASSERT_TRUE(WriteFileAtomically(Path("forged"), forged));
    const Ran ran = Merge("forged");
    EXPECT_EQ(ran.exit_code, 2) << forged;
    EXPECT_TRUE(Has(ran.output,
                    "expected the line that this run wrote there, got one "
                    "that was changed or moved"))
        << ran.output;
    EXPECT_FALSE(std::filesystem::exists(Path("whole.json")));
  }
  // What the checks leave, the last line's digest and counts find.
  ASSERT_TRUE(WriteFileAtomically(Path("forged"), first + a + last));
  const Ran ran = Merge("forged");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_TRUE(Has(ran.output, "footer.cells: does not agree")) << ran.output;
}

}  // namespace
}  // namespace qconform
