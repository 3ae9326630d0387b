#include "harness/runner/testing/run_on.h"

#include <gtest/gtest.h>

#include <atomic>
#include <utility>

#include "harness/runner/runner.h"
#include "harness/runner/selection.h"

namespace qconform {

std::vector<CellRecord> RunOn(Backend& backend, const std::vector<std::string>& cells,
                              Level level, int jobs, uint64_t seed) {
  const auto selected = SelectCells(cells);
  EXPECT_TRUE(selected.ok());
  if (!selected) return {};
  const RunRequest request{.cells = *selected,
                           .level = level,
                           .seed = seed,
                           .jobs = jobs,
                           .replay = {backend.info().kind, {}, seed}};
  std::vector<CellRecord> records;
  const std::atomic<bool> stop{false};
  const auto keep = [&](CellRecord record) {
    EXPECT_NE(record.verdict, Verdict::kError) << record.cell << ": " << record.reason;
    records.push_back(std::move(record));
  };
  EXPECT_TRUE(RunCells(backend, request, keep, stop));
  // Who looks at each record would find nothing wrong where there are none.
  EXPECT_FALSE(records.empty());
  EXPECT_EQ(records.size(), selected->size());
  return records;
}

}  // namespace qconform
