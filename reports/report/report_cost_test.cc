// What it costs to tell of a run of a million cases over both operators' whole
// lattice, at best and at worst: the journal as it goes, then the report. In a
// program of its own, so that the memory is that of the reports alone.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <ctime>

#include "oracle/base/file.h"
#include "reports/report/journal.h"
#include "reports/report/report.h"
#include "reports/testing/example_records.h"

namespace qconform {
namespace {

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The most that this process ever had in memory.
double PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

class ReportCost : public testing::TestWithParam<Verdict> {};

TEST_P(ReportCost, MillionCases_LessThan2SecondsAnd200Megabytes) {
  const TemporaryDirectory directory;
  RunInfo run = ExampleRun();
  run.selection.cell_patterns.clear();
  std::vector<CellRecord> cells = WholeLattice(GetParam());
  run.selection.cells = static_cast<int64_t>(cells.size());
  int64_t cases = 0;
  for (CellRecord& cell : cells) {
    cell.cases = 210;
    cases += cell.cases;
  }
  ASSERT_GE(cases, 1'000'000);

  const double start = CpuSeconds();
  auto journal = JournalWriter::Create(directory / "journal", run);
  ASSERT_TRUE(journal);
  for (const CellRecord& cell : cells) ASSERT_TRUE(journal->Append(cell));
  ASSERT_TRUE(journal->Finish(1));
  const auto report = BuildReport(run, std::move(cells), {}, true);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(WriteReport(directory / "report.json", *report));
  const double seconds = CpuSeconds() - start;

  EXPECT_EQ(report->totals.cases, cases);
  std::printf(
      "%s: %lld cases, %.2f s, %.0f MB at most, journal %.1f MB, report %.1f MB\n",
      std::string(VerdictName(GetParam())).c_str(), static_cast<long long>(cases),
      seconds, PeakMegabytes(),
      static_cast<double>(std::filesystem::file_size(directory / "journal")) / 1e6,
      static_cast<double>(std::filesystem::file_size(directory / "report.json")) / 1e6);
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(seconds, 2);
  EXPECT_LT(PeakMegabytes(), 200);
#endif
}

INSTANTIATE_TEST_SUITE_P(All, ReportCost,
                         testing::Values(Verdict::kConformant, Verdict::kNonconformant));

}  // namespace
}  // namespace qconform
