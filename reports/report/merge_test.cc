#include "reports/report/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/testing/example_records.h"

namespace qconform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kShards = 7;

Report Whole() {
  RunInfo run = ExampleRun();
  std::vector<CellRecord> cells;
  for (const CellRecord& cell : WholeLattice(Verdict::kConformant)) {
    if (cells.size() < 20 || cell.op_type == "QLinearMatMul") cells.push_back(cell);
    if (cells.size() == 300) break;
  }
  for (size_t i = 0; i < cells.size(); i += 11) {
    cells[i] = ExampleCell(cells[i].op_type, cells[i].since_version, cells[i].types,
                           cells[i].granularity, AllVerdicts()[i % kVerdictCount]);
  }
  run.selection.cells = static_cast<int64_t>(cells.size());
  NegativeRecord model;
  model.id = "QuantizeLinear@21/m";
  model.kind = "invalid";
  model.result = NegativeResult::kLax;
  return *BuildReport(run, std::move(cells), {ExampleNodeTest("a", NodeVerdict::kPass)},
                      true, {model});
}

// Deals the cells of the whole run to shards, in a strange order.
std::vector<ShardReport> Shards(const Report& whole) {
  std::vector<ShardReport> shards;
  for (int64_t index = kShards - 1; index >= 0; --index) {
    std::vector<CellRecord> cells;
    for (size_t i = 0; i < whole.cells.size(); ++i) {
      if (static_cast<int64_t>(i * 31 % kShards) == index)
        cells.push_back(whole.cells[i]);
    }
    RunInfo run = whole.run;
    run.selection.shard = ShardRecord{index, kShards, static_cast<int64_t>(cells.size())};
    // The last shard began first.
    run.start_time = "2026-08-01T12:00:0" + std::to_string(kShards - 1 - index) + "Z";
    run.machine.cpu_model = "CPU " + std::to_string(index);
    const std::vector<NodeTestRecord> tests =
        index == 3 ? whole.node_tests : std::vector<NodeTestRecord>();
    const std::vector<NegativeRecord> models =
        index == 2 ? whole.negative : std::vector<NegativeRecord>();
    shards.push_back({"shard" + std::to_string(index) + ".json",
                      *BuildReport(run, std::move(cells), tests, true, models)});
  }
  return shards;
}

std::string MergeErrorOf(std::vector<ShardReport> shards) {
  const Result<Report> merged = MergeReports(std::move(shards));
  return merged ? "no error" : merged.error().message;
}

// A run that was cut off has a row for every cell too: untested ones.
TEST(Merge, AShardThatWasCutOff_LeavesTheWholeIncomplete) {
  std::vector<ShardReport> shards = Shards(Whole());
  const Report& cut = shards[1].report;
  shards[1].report = *BuildReport(cut.run, cut.cells, cut.node_tests, /*finished=*/false);
  const Result<Report> merged = MergeReports(std::move(shards));
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(static_cast<int64_t>(merged->cells.size()), merged->totals.selected);
  EXPECT_FALSE(merged->complete);
}

TEST(Merge, Results_AreThoseOfOneWholeRun) {
  const Report whole = Whole();
  const Result<Report> merged = MergeReports(Shards(whole));
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->results_digest, whole.results_digest);
  EXPECT_EQ(merged->totals, whole.totals);
  EXPECT_TRUE(merged->complete);
  EXPECT_EQ(merged->run.start_time, "2026-08-01T12:00:00Z");
  // As files, too.
  std::vector<ShardReport> read;
  for (const ShardReport& shard : Shards(whole)) {
    read.push_back({shard.name, *ParseReport(ReportText(shard.report), shard.name)});
  }
  EXPECT_EQ(MergeReports(std::move(read))->results_digest, whole.results_digest);
}

TEST(Merge, DurationsAreAdded_MachinesThatDifferAreSeveral) {
  std::vector<ShardReport> shards = Shards(Whole());
  for (ShardReport& shard : shards) {
    shard.report.run.duration_s = 2.5;
    shard.report.run.machine = shards[0].report.run.machine;
  }
  const Result<Report> alike = MergeReports(shards);
  ASSERT_TRUE(alike) << alike.error().message;
  EXPECT_EQ(alike->run.duration_s, 2.5 * 7);
  EXPECT_EQ(alike->run.machine, shards[0].report.run.machine);
  shards[1].report.run.machine.cores += 1;
  EXPECT_EQ(MergeReports(shards)->run.machine.cpu_model, "several");
  EXPECT_EQ(MergeReports(shards)->run.machine.cpu_features,
            shards[0].report.run.machine.cpu_features);
  shards[1].report.run.machine.cpu_features = {"avx2", "avx512_vnni"};
  EXPECT_TRUE(MergeReports(shards)->run.machine.cpu_features.empty());
}

TEST(Merge, MissingShard_IsNamed) {
  std::vector<ShardReport> shards = Shards(Whole());
  shards.erase(shards.begin() + 1);  // shard 5
  shards.pop_back();                 // shard 0
  EXPECT_THAT(MergeErrorOf(shards), HasSubstr("expected all 7 shards, got all but 0, 5"));
  EXPECT_THAT(MergeErrorOf({}), HasSubstr("expected one for each shard, got none"));
  shards = Shards(Whole());
  shards.erase(shards.begin());  // the last one, 6
  EXPECT_THAT(MergeErrorOf(shards), HasSubstr("got all but 6"));
}

TEST(Merge, DoubledShard_IsNamedWithItsTwin) {
  std::vector<ShardReport> shards = Shards(Whole());
  shards.push_back(shards.front());
  shards.back().name = "again.json";
  EXPECT_THAT(MergeErrorOf(shards),
              AllOf(HasSubstr("again.json"), HasSubstr("shard 6 of 7"),
                    HasSubstr("shard6.json")));
}

TEST(Merge, ForeignShard_IsNamedWithWhatDiffers) {
  const std::vector<ShardReport> right = Shards(Whole());
  std::vector<ShardReport> shards = right;
  shards[2].report.run.suite.seed = 2;
  EXPECT_THAT(MergeErrorOf(shards),
              HasSubstr("shard4.json: expected a shard of the run of shard6.json, "
                        "got one of another run: suite.seed is 1 there, 2 here"));
  shards = right;
  shards[2].report.run.backend.name = "other";
  EXPECT_THAT(MergeErrorOf(shards), HasSubstr("backend.name"));
  shards = right;
  shards[2].report.run.selection.shard->count = 8;
  EXPECT_THAT(MergeErrorOf(shards),
              HasSubstr("expected one of 7 shards, as shard6.json, got shard 4 of 8"));
  shards = right;
  shards[2].report.run.selection.shard.reset();
  EXPECT_THAT(MergeErrorOf(shards),
              HasSubstr("expected the report of a shard, got that of a whole run"));
}

TEST(Merge, CellInTwoShards_IsNamed) {
  std::vector<ShardReport> shards = Shards(Whole());
  const CellRecord cell = shards[0].report.cells[0];
  shards[1].report.cells.push_back(cell);
  EXPECT_THAT(MergeErrorOf(shards),
              AllOf(HasSubstr(cell.cell), HasSubstr("expected each cell in one shard")));
}

TEST(Merge, IncompleteShard_GivesAnIncompleteReport) {
  std::vector<ShardReport> shards = Shards(Whole());
  const Report& part = shards[0].report;
  std::vector<CellRecord> cells = part.cells;
  cells.pop_back();
  shards[0].report = *BuildReport(part.run, cells, part.node_tests, false);
  const Result<Report> merged = MergeReports(shards);
  ASSERT_TRUE(merged);
  EXPECT_FALSE(merged->complete);
}

// Reports of one backend that judge different cells, such as one for each operator.
TEST(JoinParts, TwoOperators_AreOneReport) {
  const Report whole = Whole();
  const auto part = [&](std::string_view op_type) {
    std::vector<CellRecord> cells;
    for (const CellRecord& cell : whole.cells) {
      if (cell.op_type == op_type) cells.push_back(cell);
    }
    RunInfo run = whole.run;
    run.selection.cells = static_cast<int64_t>(cells.size());
    run.selection.cell_patterns = {std::string(op_type) + "/*"};
    return *BuildReport(run, std::move(cells), whole.node_tests, true, whole.negative);
  };
  const Report a = part("QuantizeLinear");
  const Report b = part("QLinearMatMul");
  ASSERT_TRUE(AreParts(a, b));
  const Result<Report> joined = JoinParts(b, a);
  ASSERT_TRUE(joined) << joined.error().message;
  EXPECT_EQ(joined->cells, whole.cells);
  EXPECT_EQ(joined->findings, whole.findings);
  EXPECT_EQ(joined->node_tests, whole.node_tests);
  EXPECT_EQ(joined->negative, whole.negative);
  EXPECT_EQ(joined->totals.selected, whole.totals.selected);
  EXPECT_TRUE(joined->complete);
  EXPECT_FALSE(AreParts(a, a));
  Report other = b;
  other.run.backend.details["opt_level"] = "disable";
  EXPECT_FALSE(AreParts(a, other));
  other = b;
  other.run.suite.level = "smoke";
  EXPECT_FALSE(AreParts(a, other));
}

}  // namespace
}  // namespace qconform
