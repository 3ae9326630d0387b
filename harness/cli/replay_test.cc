// From a report to its evidence: replay, and report --cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "reports/report/report.h"
#include "testing/cli_folder.h"
#include "testing/run_tool.h"

namespace qconform {
namespace {

class Replay : public CliFolder {};

// Runs a line that a report gives: "qconform replay ...".
Ran RunLine(const std::string& line) { return RunTool(line.substr(line.find(' ') + 1)); }

TEST_F(Replay, OfAListedCase_RerunsIt) {
  const Ran list =
      RunTool("list cases --level smoke --cells 'QuantizeLinear/10/FLOAT-*'");
  ASSERT_EQ(list.exit_code, 0);
  const std::string id = list.output.substr(0, list.output.find('\n'));
  const Ran ran = RunTool("replay " + id + " --backend simd");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_NE(ran.output.find("case " + id), std::string::npos);
  EXPECT_NE(ran.output.find("conformant"), std::string::npos);
}

// What a report shows is what its line shows.
TEST_F(Replay, OfACounterexample_ShowsItsElement) {
  const Ran ran = RunTool(
      "run --backend faulty:reciprocal_multiply --cells 'QuantizeLinear/13/FLOAT-*' "
      "--no-progress --report " +
      Path("r.json"));
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  int shown = 0;
  for (const CellRecord& cell : report->cells) {
    for (const Counterexample& example : cell.counterexamples) {
      ASSERT_TRUE(example.index.has_value());
      const Ran replayed = RunLine(example.replay);
      EXPECT_EQ(replayed.exit_code, 1) << example.replay;
      const std::string element = "y" + ShapeToString(*example.index) + ": expected " +
                                  example.expected.bits + " (" + example.expected.value +
                                  ")";
      EXPECT_TRUE(Has(replayed.output, element)) << element << "\n" << replayed.output;
      ++shown;
    }
  }
  EXPECT_EQ(shown, 12);  // three of each of four cells
}

// A replay names the models that give the bits of its case, and works an element through
// by the first.
TEST_F(Replay, OfAWrongAnswer_NamesTheModelsThatGiveIt) {
  const struct {
    const char* fault;
    const char* cells;
    const char* words;
  } kRows[] = {{"ties_away", "'QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor'",
                "\n  ties_away: Ties are rounded away from zero.\n"},
               {"zero_point_ignored", "'QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor'",
                "\n  zero_point_ignored: The zero point is ignored.\n"}};
  for (const auto& row : kRows) {
    const std::string backend = " --backend faulty:" + std::string(row.fault);
    const Ran ran = RunTool("run" + backend + " --cells " + row.cells +
                            " --level standard --no-progress --report " + Path("r.json"));
    EXPECT_EQ(ran.exit_code, 1) << ran.output;
    const auto report = ReadReport(Path("r.json"));
    ASSERT_TRUE(report.ok()) << report.error().message;
    const Ran replayed = RunLine(report->cells.front().counterexamples.front().replay);
    EXPECT_EQ(replayed.exit_code, 1);
    EXPECT_TRUE(Has(replayed.output, row.words)) << replayed.output;
    EXPECT_TRUE(Has(replayed.output, row.fault)) << replayed.output;
  }
}

// So it does of a graph.
TEST_F(Replay, OfAWrongGraph_NamesTheModelsThatGiveIt) {
  const Ran ran = RunTool(
      "run --backend faulty:requantization_dropped --cells "
      "'graphs.choosers/*DQ-Relu-Q.*' "
      "--level smoke --no-progress --report " +
      Path("r.json"));
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  const auto cell = std::ranges::find_if(
      report->cells, [](const CellRecord& one) { return !one.counterexamples.empty(); });
  ASSERT_NE(cell, report->cells.end());
  const Ran replayed = RunLine(cell->counterexamples.front().replay);
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_TRUE(Has(replayed.output, "\n  requantization_dropped")) << replayed.output;
}

// What the file asks is what its author meant: ONNX's checker sees all of it.
TEST_F(Replay, OfAStoredCaseThatIsNoValidModel_IsBadInput) {
  const std::string text = R"({"qconform_case": 1, "why": "a tie",
    "op_type": "QuantizeLinear", "opset_version": 19, "attributes": {"saturate": 0},
    "operands": [
      {"name": "x", "form": "input", "type": "FLOAT", "shape": [1],
       "codes": ["0x40200000"]},
      {"name": "y_scale", "form": "input", "type": "FLOAT", "shape": [],
       "codes": ["0x3f800000"]},
      {"name": "y_zero_point", "form": "input", "type": "FLOAT8E4M3FN", "shape": [],
       "codes": ["0x00"]}],
    "output": {"type": "FLOAT8E4M3FN", "shape": [1]}})";
  const struct {
    const char* part;
    const char* by;
    int exit_code;
    const char* words;
  } kRows[] = {{"saturate", "saturate", 0, "conformant"},
               {"saturate", "satruate", 2, "satruate"},
               {"{\"type\": \"FLOAT8E4M3FN\"", "{\"type\": \"UINT8\"", 2, "inference"},
               {"\"shape\": [1]}}", "\"shape\": [7]}}", 2, "inference"}};
  for (const auto& row : kRows) {
    std::string changed = text;
    const size_t at = changed.find(row.part);
    ASSERT_NE(at, std::string::npos) << row.part << " in " << text;
    changed.replace(at, std::string(row.part).size(), row.by);
    std::ofstream(Path("case.json")) << changed;
    const Ran ran = RunTool("replay " + Path("case.json") + " --backend simd");
    EXPECT_EQ(ran.exit_code, row.exit_code) << ran.output;
    EXPECT_TRUE(Has(ran.output, row.words)) << ran.output;
  }
}

// Each in the words of the report, with the exit code of a run of it alone.
TEST_F(Replay, OfANegativeModel_AsksItOfTheBackend) {
  const Ran ran = RunTool(
      "run -v --backend faulty:ties_away --no-cells --negative --no-progress --report " +
      Path("r.json"));
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  const std::string before = "rerun: ";
  int shown = 0;
  for (size_t at = 0; (at = ran.output.find(before, at)) != std::string::npos; ++at) {
    const size_t from = at + before.size();
    const std::string line = ran.output.substr(from, ran.output.find('\n', from) - from);
    const Ran replayed = RunLine(line);
    EXPECT_EQ(replayed.exit_code, 1) << line << replayed.output;
    EXPECT_TRUE(Has(replayed.output, "\ndeviates: y[")) << replayed.output;
    ++shown;
  }
  EXPECT_EQ(shown, 3);
  const struct {
    const char* arguments;
    int exit_code;
    const char* words;
  } kRows[] = {
      {"QuantizeLinear@10/legal_rank_1_x --backend simd", 0, "\npass\n"},
      {"QuantizeLinear@13/scale_too_short --backend simd", 4, "\nrefused: "},
      {"QuantizeLinear@13/no_such_model", 2, "expected the id of a negative model"},
      {"QuantizeLinear@10/legal_rank_1_x --emit cpp", 2,
       "--emit: expected a case, got the negative model"}};
  for (const auto& row : kRows) {
    const Ran one = RunTool("replay " + std::string(row.arguments));
    EXPECT_EQ(one.exit_code, row.exit_code) << one.output;
    EXPECT_TRUE(Has(one.output, row.words)) << one.output;
  }
}

TEST_F(Replay, OfMoreThanItPrints_SaysHowManyMore) {
  const std::string replay =
      "replay QuantizeLinear/13@13/FLOAT-FLOAT-UINT8/per_tensor/inputs/saturate=1/ties/0 "
      "--backend faulty:ties_away";
  EXPECT_TRUE(Has(RunTool(replay).output, " more (--most)"));
  EXPECT_FALSE(Has(RunTool(replay + " --most 100000").output, " more (--most)"));
}

TEST_F(Replay, ReportOfCells_ShowsTheDiagnosisAndTheElement) {
  ASSERT_EQ(RunTool("run --backend faulty:ties_away --level smoke --cells "
                    "'QuantizeLinear/13/FLOAT-FLOAT-INT8/*' --no-progress --report " +
                    Path("r.json"))
                .exit_code,
            1);
  const Ran ran = RunTool("report " + Path("r.json") + " --cells '*'");
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  for (const char* words : {"nonconformant QuantizeLinear/13/FLOAT-FLOAT-INT8/per_axis",
                            "Explained by ties_away", "of x=0x", "rounded, ties to even",
                            "rerun: qconform replay"}) {
    EXPECT_TRUE(Has(ran.output, words)) << words << "\n" << ran.output;
  }
}

TEST_F(Replay, DiffWithAnIncompleteReport_IsRefusedWhereAsked) {
  const std::string run = "run --level smoke --no-progress --cells ";
  ASSERT_EQ(
      RunTool(run + "'QuantizeLinear/10/*' --report " + Path("whole.json")).exit_code, 0);
  const std::string journal = Text("whole.json.journal");
  std::ofstream(Path("part.journal"))
      << journal.substr(0, journal.find('\n', journal.find('\n') + 1) + 1);
  RunTool("report " + Path("part.journal") + " --json " + Path("part.json"));
  const std::string diff = "diff " + Path("part.json") + " " + Path("whole.json");
  EXPECT_EQ(RunTool(diff).exit_code, 3);
  const Ran refused = RunTool(diff + " --require-complete");
  EXPECT_EQ(refused.exit_code, 2) << refused.output;
  EXPECT_TRUE(Has(refused.output, "part.json: expected the report of a whole run"))
      << refused.output;
  EXPECT_EQ(
      RunTool("diff --require-complete " + Path("whole.json") + " " + Path("whole.json"))
          .exit_code,
      0);
}

TEST_F(Replay, OfTheOracle_PrintsTheAnswers) {
  const std::string id =
      "QuantizeLinear/13@13/FLOAT-FLOAT-UINT8/per_tensor/inputs/saturate=1/ties/0";
  const Ran ran = RunTool("replay --backend oracle --most 100000 " + id);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\n  y = [0x")) << ran.output;
  EXPECT_TRUE(ran.output.ends_with(")]\nconformant\n")) << ran.output;
  const Ran few = RunTool("replay --backend oracle --most 1 " + id);
  EXPECT_TRUE(Has(few.output, ", ...]\nconformant\n")) << few.output;
}

TEST_F(Replay, EmittedCase_GoesToAFileAndComesFromStdin) {
  const std::string id =
      "QuantizeLinear/13@13/FLOAT-FLOAT-UINT8/per_tensor/inputs/saturate=1/ties/0";
  const Ran made = RunTool("replay --emit json -o " + Path("case.json") + " " + id);
  EXPECT_EQ(made.exit_code, 0) << made.output;
  EXPECT_EQ(made.output, "");
  EXPECT_EQ(Text("case.json"), RunTool("replay --emit json " + id).output);
  EXPECT_EQ(Text("case.json"), RunTool("replay --emit json -o - " + id).output);
  const Ran piped = RunTool("replay - < " + Path("case.json"));
  EXPECT_EQ(piped.exit_code, 0) << piped.output;
}

}  // namespace
}  // namespace qconform
