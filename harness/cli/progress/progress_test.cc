#include "harness/cli/progress/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace qconform {
namespace {

TEST(ProgressText, HasPerCentDeviationsAndTime) {
  EXPECT_EQ(ProgressText("cells", 512, 5672, 3, 12.7),
            "512/5672 cells, 9 %, 3 deviating, 0:12");
  EXPECT_EQ(ProgressText("chunks", 4, 4, 0, 3725), "4/4 chunks, 100 %, 1:02:05");
}

TEST(ProgressBar, FillsTheColumnsAndNoMore) {
  EXPECT_EQ(ProgressBar("half", 5, 10, 18), "[#####.....] half");
  EXPECT_EQ(ProgressBar("done", 10, 10, 18), "[##########] done");
  for (int columns = 1; columns < 120; ++columns) {
    EXPECT_LT(ProgressBar("12/24 cells, 50 %, 0:12", 12, 24, columns).size(),
              static_cast<size_t>(columns));
  }
  EXPECT_EQ(ProgressBar("no room for a bar", 1, 2, 12), "no room for");
}

// stderr of a test is no terminal.
TEST(Progress, WithoutATerminal_PrintsALineNowAndThen) {
  testing::internal::CaptureStderr();
  {
    Progress progress("cells", 4, true, std::chrono::seconds(0));
    progress.Update(1, 0);
    progress.Update(2, 1);
  }
  {
    Progress silent("cells", 4, true);  // before 30 s have passed
    silent.Update(1, 0);
    Progress unwanted("cells", 4, false, std::chrono::seconds(0));
    unwanted.Update(1, 0);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "1/4 cells, 25 %, 0:00\n2/4 cells, 50 %, 1 deviating, 0:00\n");
}

}  // namespace
}  // namespace qconform
