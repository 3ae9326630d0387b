// What the program's exit code says of a report, and which flags and files of known
// differences change it. CI jobs read nothing else.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "oracle/base/file.h"
#include "reports/diff/known_differences.h"
#include "reports/report/report.h"
#include "reports/testing/example_records.h"
#include "testing/cli_folder.h"
#include "testing/run_tool.h"

namespace qconform {
namespace {

struct Row {
  std::string arguments;
  int exit_code;
};

class ExitCodes : public CliFolder {
 protected:
  // One cell of UINT8 and one of INT8.
  Report ReportOf(Verdict of_uint8, Verdict of_int8) const {
    RunInfo run = ExampleRun();
    std::vector<CellRecord> cells;
    for (const auto& [type, verdict] :
         {std::pair(DataType::kUint8, of_uint8), {DataType::kInt8, of_int8}}) {
      cells.push_back(ExampleCell("QuantizeLinear", 21,
                                  {DataType::kFloat, DataType::kFloat, type},
                                  "per_tensor", verdict));
    }
    run.selection.cells = static_cast<int64_t>(cells.size());
    return *BuildReport(run, cells, {}, true);
  }

  void Write(const std::string& name, Report report) const {
    ASSERT_TRUE(WriteReport(Path(name + ".json"), report));
    report.run.selection.shard = ShardRecord{0, 1, report.run.selection.cells};
    ASSERT_TRUE(WriteReport(Path(name + "_shard.json"),
                            *BuildReport(report.run, report.cells, {}, true)));
  }

  void WriteKnown(const std::string& name, const std::string& cells,
                  Verdict verdict) const {
    KnownDifference entry;
    entry.cells = {cells};
    entry.verdict = verdict;
    entry.reason = "somebody answers for it";
    ASSERT_TRUE(WriteFileAtomically(Path(name + ".json"), KnownDifferencesText({entry})));
  }

  void SetUp() override {
    CliFolder::SetUp();
    Write("deviating", ReportOf(Verdict::kNonconformant, Verdict::kConformant));
    Write("declining", ReportOf(Verdict::kConformant, Verdict::kUnsupported));
    Write("refusing", ReportOf(Verdict::kConformant, Verdict::kRefusedLegal));
    Write("right", ReportOf(Verdict::kConformant, Verdict::kConformant));
    WriteKnown("known_wrong", "*-UINT8/*", Verdict::kNonconformant);
    WriteKnown("known_declined", "*-INT8/*", Verdict::kUnsupported);
    WriteKnown("known_refused", "*-INT8/*", Verdict::kRefusedLegal);
    ASSERT_TRUE(
        WriteFileAtomically(Path("known_nothing.json"), KnownDifferencesText({})));
  }

  std::string Known(const std::string& name) const {
    return " --known " + Path("known_" + name + ".json");
  }

  void Check(const std::vector<Row>& rows) const {
    for (const Row& row : rows) {
      const Ran ran = RunTool(row.arguments);
      EXPECT_EQ(ran.exit_code, row.exit_code) << row.arguments << "\n" << ran.output;
    }
  }
};

TEST_F(ExitCodes, OfAReport) {
  const std::string deviating = "report " + Path("deviating.json");
  const std::string declining = "report " + Path("declining.json");
  const std::string refusing = "report " + Path("refusing.json");
  const std::string allow = " --allow-unsupported";
  Check({{"report " + Path("right.json"), 0},
         {deviating, 1},
         {deviating + allow, 1},
         {declining, 3},
         {declining + allow, 0},
         {deviating + Known("nothing"), 1},
         {deviating + Known("wrong"), 0},
         {declining + Known("nothing"), 3},
         {declining + Known("nothing") + allow, 0},
         {declining + Known("declined"), 0},
         // A kernel that refuses a legal model is no missing kernel.
         {refusing, 3},
         {refusing + allow, 3},
         {refusing + Known("nothing") + allow, 3},
         {refusing + Known("declined") + allow, 1},
         {refusing + Known("refused"), 0},
         // Answered for, and not so any more.
         {declining + Known("wrong"), 1},
         {deviating + Known("declined"), 1}});
}

TEST_F(ExitCodes, OfAPartOfAReport) {
  const std::string deviating = "report " + Path("deviating.json");
  const std::string declining = "report " + Path("declining.json");
  const std::string right = "report " + Path("right.json");
  const std::string all = " --cells '*'";
  const std::string uint8 = " --cells '*-UINT8/*'";
  const std::string int8 = " --cells '*-INT8/*'";
  const std::string allow = " --allow-unsupported";
  Check({{deviating + all, 1},
         {deviating + uint8, 1},
         {deviating + int8, 0},
         {declining + all, 3},
         {declining + all + allow, 0},
         {declining + uint8, 0},
         {declining + int8, 4},
         {deviating + uint8 + Known("wrong"), 0},
         {deviating + uint8 + Known("nothing"), 1},
         {right + uint8 + Known("wrong"), 1},
         {right + int8 + Known("wrong"), 0}});
}

TEST_F(ExitCodes, OfMergedShards) {
  const auto merge = [&](const std::string& name) {
    return "merge " + Path(name + "_shard.json") + " -o " + Path("whole.json");
  };
  Check({{merge("right"), 0},
         {merge("deviating"), 1},
         {merge("deviating") + " --allow-unsupported", 1},
         {merge("declining"), 3},
         {merge("declining") + " --allow-unsupported", 0},
         {merge("refusing"), 3},
         {merge("refusing") + " --allow-unsupported", 3}});
}

// Wherever it lies: else no baseline, shard or waiver would fit it elsewhere.
TEST_F(ExitCodes, PluginByAnotherPath_IsTheSameBackend) {
  const std::string library = "qconform_example_plugin.so";
  std::filesystem::create_symlink(std::string(QCONFORM_PLUGINS) + "/" + library,
                                  Path(library));
  const auto run = [&](const std::string& plugin, const std::string& report) {
    return RunTool(
               "run --level smoke --cells 'QuantizeLinear/10/FLOAT*' --backend "
               "plugin:" +
               plugin + " --report " + Path(report))
        .exit_code;
  };
  EXPECT_EQ(run(QCONFORM_PLUGINS "/" + library, "one.json"), 0);
  EXPECT_EQ(run(Path(library), "two.json"), 0);
  const Ran diff = RunTool("diff " + Path("one.json") + " " + Path("two.json"));
  EXPECT_EQ(diff.exit_code, 0);
  EXPECT_NE(diff.output.find("Nothing changed."), std::string::npos) << diff.output;
  EXPECT_EQ(ReadReport(Path("one.json"))->results_digest,
            ReadReport(Path("two.json"))->results_digest);
  EXPECT_EQ(ReadReport(Path("two.json"))->run.backend.name, "plugin:" + library);
}

TEST_F(ExitCodes, OfARun) {
  const std::string run =
      "run --level smoke --no-progress --report " + Path("r.json") + " --backend ";
  // Takes FLOAT alone, no INT32.
  const std::string declining = run + "plugin:" QCONFORM_PLUGINS
                                      "/qconform_example_plugin.so --cells "
                                      "'QuantizeLinear/10/*'";
  const std::string cell = " --cells 'QuantizeLinear/10/FLOAT-FLOAT-UINT8/*'";
  const std::string refusing = run +
                               "plugin:" QCONFORM_PLUGINS
                               "/qconform_bad_plugin.so --backend-option "
                               "fault=refuse" +
                               cell;
  const std::string wrong = run + "faulty:ties_away" + cell;
  const std::string right = run + "simd" + cell;
  const std::string allow = " --allow-unsupported";
  Check({{right, 0},
         {wrong, 1},
         {wrong + " --exit-zero", 0},
         {declining, 3},
         {declining + allow, 0},
         {refusing, 3},
         {refusing + allow, 3},
         {right + Known("nothing"), 0},
         {right + Known("wrong"), 1},
         {wrong + Known("nothing"), 1},
         {wrong + Known("wrong"), 0},
         {declining + Known("nothing"), 3},
         {declining + Known("nothing") + allow, 0}});
}

}  // namespace
}  // namespace qconform
