// A plugin that is right and does something to the process that it runs in: its answers
// are judged as ever, or its own cell is lost, and the run goes on.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "../testing/cli_folder.h"
#include "../testing/run_tool.h"
#include "reports/report/report.h"

namespace qconform {
namespace {

constexpr char kCell[] = "QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor";

struct Row {
  const char* act;
  Verdict verdict;
  const char* reason = "";  // a part of it
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.act; }

class HostilePlugin : public CliFolder, public testing::WithParamInterface<Row> {};

TEST_P(HostilePlugin, CostsItsOwnCellAtMost) {
  const Ran ran = RunTool(
      std::string("run --backend plugin:" QCONFORM_PLUGINS
                  "/qconform_hostile_plugin.so ") +
      "--backend-option act=" + GetParam().act + " --cells " + kCell +
      " --cells QuantizeLinear/10/FLOAT-FLOAT-INT8/per_tensor --jobs 1 --level smoke "
      "--no-negative --no-progress --report " +
      Path("r.json") + " </dev/null");
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << ran.output;
  EXPECT_TRUE(report->complete);
  ASSERT_EQ(report->cells.size(), 2u);
  for (const CellRecord& cell : report->cells) {
    if (cell.cell == kCell) {
      EXPECT_EQ(VerdictName(cell.verdict), VerdictName(GetParam().verdict))
          << cell.reason;
      EXPECT_TRUE(Has(cell.reason, GetParam().reason)) << cell.reason;
    } else {  // INT8 is declined, whatever the process before it came to
      EXPECT_EQ(VerdictName(cell.verdict), VerdictName(Verdict::kUnsupported))
          << cell.reason;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(Path("r.json.tmp")));
}

INSTANTIATE_TEST_SUITE_P(
    All, HostilePlugin,
    testing::Values(
        Row{"nothing", Verdict::kConformant}, Row{"rounds_down", Verdict::kConformant},
        Row{"traps", Verdict::kConformant}, Row{"flushes", Verdict::kConformant},
        Row{"locale", Verdict::kConformant}, Row{"chdir", Verdict::kConformant},
        Row{"umask", Verdict::kConformant}, Row{"clearenv", Verdict::kConformant},
        Row{"blocks_signals", Verdict::kConformant},
        Row{"ignores_signals", Verdict::kConformant},
        Row{"closes_standard_files", Verdict::kConformant},
        Row{"does_not_block", Verdict::kConformant},
        Row{"reads_stdin", Verdict::kConformant}, Row{"prints", Verdict::kConformant},
        Row{"no_files", Verdict::kConformant}, Row{"no_file_size", Verdict::kConformant},
        Row{"new_session", Verdict::kConformant},
        Row{"aborts_at_exit", Verdict::kConformant},
        Row{"hangs_at_exit", Verdict::kConformant},
        Row{"writes_at_exit", Verdict::kConformant},
        Row{"leaves_child", Verdict::kConformant}, Row{"smaller", Verdict::kConformant},
        Row{"closes_others", Verdict::kCrashed, "cannot write: Bad file descriptor"},
        Row{"writes_to_all_files", Verdict::kFailed, "got 'rubbish"},
        Row{"no_memory", Verdict::kCrashed,
            "the backend changed the limits of its process"},
        Row{"exits", Verdict::kCrashed, "exited with code 0 before it had answered"},
        Row{"becomes_another", Verdict::kCrashed, "exited with code 0"},
        Row{"ends_thread", Verdict::kCrashed, "signal 6 (SIGABRT)"},
        Row{"ends_group", Verdict::kCrashed, "signal 15 (SIGTERM)"},
        Row{"no_functions", Verdict::kCrashed, "SIGSEGV"},
        Row{"unmaps", Verdict::kCrashed, "SIGSEGV"},
        Row{"exits_in_destroy", Verdict::kCrashed, "exited with code 3"},
        Row{"endless_text", Verdict::kRefusedLegal, "refused as invalid: AAAA"}),
    [](const auto& row) { return std::string(row.param.act); });

}  // namespace
}  // namespace qconform
