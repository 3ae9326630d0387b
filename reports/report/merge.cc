#include "reports/report/merge.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "oracle/base/expected.h"

namespace qconform {
namespace {

std::string ShardName(const ShardRecord& shard) {
  return std::to_string(shard.index) + " of " + std::to_string(shard.count);
}

// Returns an error unless each shard of the same run is there just once.
Status CheckShards(const std::vector<ShardReport>& shards) {
  if (shards.empty()) return Expected("reports to merge", "one for each shard", "none");
  const ShardReport& first = shards.front();
  std::map<int64_t, std::string> names;
  for (const ShardReport& shard : shards) {
    const std::optional<ShardRecord>& record = shard.report.run.selection.shard;
    if (!record)
      return Expected(shard.name, "the report of a shard", "that of a whole run");
    if (Status same =
            CheckSameRun(first.report.run, shard.report.run, ShardRule::kAnyShard);
        !same) {
      return Expected(shard.name, "a shard of the run of " + first.name,
                      "one of another run: " + same.error().message);
    }
    // The same word may mean other things in another version.
    if (shard.report.report_version != first.report.report_version) {
      return Expected(
          shard.name,
          "a report of version " + first.report.report_version + ", as " + first.name,
          "version " + shard.report.report_version);
    }
    if (record->count != first.report.run.selection.shard->count) {
      return Expected(shard.name,
                      "one of " +
                          std::to_string(first.report.run.selection.shard->count) +
                          " shards, as " + first.name,
                      "shard " + ShardName(*record));
    }
    if (const auto [found, inserted] = names.emplace(record->index, shard.name);
        !inserted) {
      return Expected(
          shard.name, "each shard once",
          "shard " + ShardName(*record) + ", which " + found->second + " is, too");
    }
  }
  const int64_t count = first.report.run.selection.shard->count;
  std::string missing;
  for (int64_t index = 0; index < count && missing.size() < 200; ++index) {
    if (!names.contains(index))
      missing += (missing.empty() ? "" : ", ") + std::to_string(index);
  }
  if (!missing.empty()) {
    return Expected("reports to merge", "all " + std::to_string(count) + " shards",
                    "all but " + missing);
  }
  return Ok();
}

}  // namespace

Result<Report> MergeReports(std::vector<ShardReport> shards) {
  if (Status checked = CheckShards(shards); !checked) return checked.error();
  std::sort(shards.begin(), shards.end(), [](const ShardReport& a, const ShardReport& b) {
    return a.report.run.selection.shard->index < b.report.run.selection.shard->index;
  });
  RunInfo run = shards.front().report.run;
  const std::string version = shards.front().report.report_version;
  run.selection.shard.reset();
  run.duration_s = 0;
  bool finished = true;
  std::vector<CellRecord> cells;
  std::vector<NodeTestRecord> node_tests;
  std::vector<NegativeRecord> negative;
  std::map<std::string, std::string> owners;  // cell -> file
  for (ShardReport& shard : shards) {
    for (const CellRecord& cell : shard.report.cells) {
      if (const auto [found, inserted] = owners.emplace(cell.cell, shard.name);
          !inserted) {
        return Expected(
            shard.name, "each cell in one shard",
            "the cell " + cell.cell + ", which " + found->second + " has, too");
      }
    }
    const RunInfo& part = shard.report.run;
    run.selection.cells = std::max(run.selection.cells, part.selection.cells);
    finished = finished && shard.report.complete;
    run.duration_s += part.duration_s;
    run.start_time = std::min(run.start_time, part.start_time);
    AddMachine(run.machine, part.machine);  // the shards' own reports say which
    std::move(shard.report.cells.begin(), shard.report.cells.end(),
              std::back_inserter(cells));
    std::move(shard.report.node_tests.begin(), shard.report.node_tests.end(),
              std::back_inserter(node_tests));
    std::move(shard.report.negative.begin(), shard.report.negative.end(),
              std::back_inserter(negative));
  }
  return BuildReport(std::move(run), std::move(cells), std::move(node_tests), finished,
                     std::move(negative), version);
}

bool AreParts(const Report& a, const Report& b) {
  if (a.run.backend != b.run.backend || a.run.suite != b.run.suite ||
      a.report_version != b.report_version || a.run.selection.shard ||
      b.run.selection.shard) {
    return false;
  }
  std::set<std::string_view> ids;
  for (const CellRecord& cell : a.cells) ids.insert(cell.cell);
  return std::none_of(b.cells.begin(), b.cells.end(),
                      [&](const CellRecord& cell) { return ids.contains(cell.cell); });
}

Result<Report> JoinParts(Report a, Report b) {
  const auto append = [](auto& to, auto& from) {
    for (auto& item : from) {
      if (std::find(to.begin(), to.end(), item) == to.end()) {
        to.push_back(std::move(item));
      }
    }
  };
  RunInfo& run = a.run;
  append(run.selection.operators, b.run.selection.operators);
  append(run.selection.cell_patterns, b.run.selection.cell_patterns);
  append(run.operators, b.run.operators);
  if (run.selection.profile != b.run.selection.profile) run.selection.profile.clear();
  run.selection.cells += b.run.selection.cells;
  run.start_time = std::min(run.start_time, b.run.start_time);
  run.duration_s += b.run.duration_s;
  if (run.command_line != b.run.command_line) {
    run.command_line.push_back(";");
    std::move(b.run.command_line.begin(), b.run.command_line.end(),
              std::back_inserter(run.command_line));
  }
  AddMachine(run.machine, b.run.machine);
  std::move(b.cells.begin(), b.cells.end(), std::back_inserter(a.cells));
  append(a.node_tests, b.node_tests);
  append(a.negative, b.negative);
  return BuildReport(std::move(run), std::move(a.cells), std::move(a.node_tests),
                     a.complete && b.complete, std::move(a.negative), a.report_version);
}

}  // namespace qconform
