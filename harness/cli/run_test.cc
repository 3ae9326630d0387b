// run as its users run it: reports, journals, known differences and node tests.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/runner/selection.h"
#include "oracle/base/text.h"
#include "reports/report/journal.h"
#include "reports/report/report.h"
#include "testing/cli_folder.h"
#include "testing/run_tool.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

class RunCommand : public CliFolder {};

TEST_F(RunCommand, WritesAReportThatReadsBack) {
  const Ran ran = RunTool("run --cells 'QuantizeLinear/10/*' --level smoke --report " +
                          Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->complete);
  EXPECT_EQ(report->cells.size(), 4u);
  EXPECT_EQ(report->totals.cells.passes(), 4);
}

TEST_F(RunCommand, OfAllCells_AsksNegativeModelsToo) {
  const struct {
    const char* flags;
    bool asked;
  } kRows[] = {
      {"--shard 0/500", true},
      {"--shard 0/500 --no-negative", false},
      {"--shard 1/500", false},  // the first shard runs them for all
      {"--cells 'QuantizeLinear/10/FLOAT-FLOAT-UINT8/*'", false},
      {"--cells 'QuantizeLinear/10/FLOAT-FLOAT-UINT8/*' --negative", true},
      {"--no-cells --negative", true},
      {"--backend oracle --graphs --shard 0/500", true},
      {"--backend oracle --graphs --shard 0/500 --no-negative", false},
  };
  for (const auto& row : kRows) {
    const Ran ran = RunTool("run -v --level smoke --no-progress --report " +
                            Path("r.json") + " " + row.flags);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    EXPECT_EQ(Has(ran.output, "\nnegative models "), row.asked)
        << row.flags << ran.output;
    const auto report = ReadReport(Path("r.json"));
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(!report->negative.empty(), row.asked) << row.flags;
  }
}

// A run of one operator's cells asks nothing about another operator.
TEST_F(RunCommand, OfSomeCells_AsksNegativeModelsOfTheirOperators) {
  using Operators = std::set<std::string>;
  const struct {
    const char* flags;
    Operators operators;
  } kRows[] = {
      {"--cells 'QuantizeLinear/10/FLOAT-FLOAT-UINT8/*'", {"QuantizeLinear"}},
      {"--operator DequantizeLinear --cells '*/10/*'", {"DequantizeLinear"}},
      // Every shard has the same operators, whichever cells the first one has.
      {"--cells 'Q*Linear*/10/*-UINT8-*-UINT8/*' --cells 'QuantizeLinear/10/*' "
       "--shard 0/500",
       {"QLinearMatMul", "QuantizeLinear"}},
  };
  for (const auto& row : kRows) {
    const Ran ran = RunTool("run --level smoke --no-progress --negative --report " +
                            Path("r.json") + " " + row.flags);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    const auto report = ReadReport(Path("r.json"));
    ASSERT_TRUE(report.ok()) << report.error().message;
    Operators asked;
    for (const NegativeRecord& record : report->negative) asked.insert(record.op_type);
    EXPECT_EQ(asked, row.operators) << row.flags;
  }
}

TEST_F(RunCommand, Profile_SelectsCells_ThatOtherFlagsNarrow) {
  std::ofstream(Path("mine.json")) << R"({"profile_version": "1.0.0", "name": "mine",
    "title": "INT8 of ours", "means": "What our kernels cover.",
    "cells": ["QuantizeLinear/1?/FLOAT-FLOAT-INT8/per_tensor"],
    "passes": ["conformant"], "declinable": []})";
  const struct {
    std::string flags;
    size_t cells;
    const char* profile;
  } kRows[] = {
      {"--profile " + Path("mine.json"), 3, "own:mine"},
      {"--profile " + Path("mine.json") + " --cells '*/13/*'", 1, "own:mine-part"},
      {"--profile int8-core --cells 'QuantizeLinear/13/*-INT8/per_tensor'", 1,
       "own:int8-core-part"},
      {"--profile microscaling --cells '*'", CountCells("--profile microscaling"),
       "microscaling"},
  };
  for (const auto& row : kRows) {
    const Ran ran = RunTool("run -v --level smoke --no-progress --report " +
                            Path("r.json") + " " + row.flags);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    EXPECT_TRUE(Has(ran.output, std::string("profile ") + row.profile + ", "));
    const auto report = ReadReport(Path("r.json"));
    ASSERT_TRUE(report.ok());
    EXPECT_GT(row.cells, 0u) << row.flags;
    EXPECT_EQ(report->cells.size(), row.cells) << row.flags;
    EXPECT_EQ(report->run.selection.profile, row.profile);
    EXPECT_TRUE(report->negative.empty());
  }
  const Ran groups = RunTool("list groups --profile " + Path("mine.json"));
  EXPECT_EQ(groups.output,
            "QuantizeLinear 10 INT8\nQuantizeLinear 13 INT8\nQuantizeLinear 19 INT8\n");
  const std::pair<const char*, const char*> kBad[] = {
      {"run --profile int7", "--profile: expected a FILE, or one of int8-core"},
      {"run --profile int16 --no-cells --negative", "either --profile or --no-cells"},
      {"run --profile int16 --cells '*-INT8/*'", "--cells: expected a pattern that"},
      {"list cells --profile ./none.json", "./none.json: "},
  };
  for (const auto& [arguments, words] : kBad) {
    const Ran ran = RunTool(arguments);
    EXPECT_EQ(ran.exit_code, 2) << arguments;
    EXPECT_TRUE(Has(ran.output, words)) << ran.output;
  }
}

TEST_F(RunCommand, Operator_IsNamedOrAGlobWithoutASlash) {
  const auto ids = [](const std::string& flags) {
    const Ran ran = RunTool("list cells --ids " + flags);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    return ran.output;
  };
  const std::string all = ids("--cells 'QuantizeLinear/*'");
  EXPECT_EQ(ids("--operator QuantizeLinear"), all);
  EXPECT_EQ(ids("--cells QuantizeLinear"), all);
  EXPECT_EQ(ids("--cells '[PQ]uantize*'"), all);
  std::string each;
  for (const std::string& op_type : OperatorsInUse()) each += " --operator " + op_type;
  EXPECT_EQ(ids(each), ids(""));
  EXPECT_LT(ids("--operator QuantizeLinear --operator QLinearMatMul").size(),
            ids("").size());
  EXPECT_EQ(ids("--operator QuantizeLinear --cells '*/1[0-3]/*'"),
            ids("--cells 'QuantizeLinear/10/*' --cells 'QuantizeLinear/13/*'"));
  EXPECT_EQ(ids("--profile int8-core --operator QuantizeLinear"),
            ids("--profile int8-core --cells QuantizeLinear"));

  const Ran ran = RunTool(
      "run --operator QuantizeLinear --cells '*/10/*' --level smoke --no-progress "
      "--report " +
      Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->cells.size(), 4u);
  EXPECT_EQ(report->run.selection.cell_patterns,
            std::vector<std::string>{"QuantizeLinear/10/*"});
  EXPECT_TRUE(report->negative.empty());
  const std::pair<const char*, std::string> kBad[] = {
      {"run --operator Quantize", "--operator: expected one of " +
                                      Joined(JudgedOperators(), ", ") +
                                      ", got 'Quantize'"},
      {"faults --operator Relu", "--operator: expected one of "},
      {"run --operator QLinearMatMul --no-cells --negative",
       "either --operator or --no-cells"},
      {"certify --profile int16 --operator QLinearMatMul --vendor V --product P -o none",
       "--operator: expected a pattern that matches cells of the selection"},
  };
  for (const auto& [arguments, words] : kBad) {
    const Ran bad = RunTool(arguments);
    EXPECT_EQ(bad.exit_code, 2) << arguments;
    EXPECT_TRUE(Has(bad.output, words)) << bad.output;
  }
}

TEST_F(RunCommand, Quiet_PrintsTheVerdictOnly) {
  const std::string run = "run --operator QuantizeLinear --cells '*/10/*' --level smoke ";
  const Ran pass = RunTool(run + "-q -o " + Path("r.json"));
  EXPECT_EQ(pass.exit_code, 0);
  EXPECT_EQ(pass.output, "PASS  4 of 4 supported cells pass\n");
  EXPECT_TRUE(ReadReport(Path("r.json")).ok());
  const Ran fail =
      RunTool(run + "--quiet --backend faulty:ties_away -o " + Path("r.json"));
  EXPECT_EQ(fail.exit_code, 1);
  EXPECT_TRUE(fail.output.starts_with("FAIL  4 of 4 supported cells deviate, "))
      << fail.output;
  EXPECT_EQ(fail.output.find('\n'), fail.output.size() - 1) << fail.output;
  const Ran bad = RunTool(run + "-q -o " + Path("none/r.json"));
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_TRUE(Has(bad.output, "none")) << bad.output;
  const Ran full = RunTool(run + "-q -o " + Path("r.json") + " 2>&1 > /dev/full #");
  EXPECT_EQ(full.exit_code, 2) << full.output;
  EXPECT_TRUE(Has(full.output, "stdout: ")) << full.output;
}

TEST_F(RunCommand, ReportToStdout_LeavesTheScreenToStderr) {
  // The comment sign takes away the redirection that RunTool adds.
  const std::string run = "run --cells 'QuantizeLinear/10/*' --level smoke --report - ";
  const Ran ran = RunTool(run + "2> " + Path("screen") + " > " + Path("r.json") + " #");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.output, "");
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->cells.size(), 4u);
  std::ifstream in(Path("screen"));
  const std::string screen((std::istreambuf_iterator<char>(in)), {});
  EXPECT_TRUE(Has(screen, "4 cells, level smoke")) << screen;
  EXPECT_FALSE(Has(screen, "qconform report")) << "there is no file: " << screen;
  EXPECT_TRUE(screen.ends_with("\nPASS  4 of 4 supported cells pass\n")) << screen;
  const Ran quiet =
      RunTool(run + "-q 2> " + Path("screen") + " > " + Path("r.json") + " #");
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_TRUE(ReadReport(Path("r.json")).ok());
  std::ifstream line(Path("screen"));
  const std::string verdict((std::istreambuf_iterator<char>(line)), {});
  EXPECT_EQ(verdict, "PASS  4 of 4 supported cells pass\n");
  EXPECT_FALSE(fs::exists("-"));
  EXPECT_EQ(RunTool(run + "> /dev/full").exit_code, 2);
}

TEST_F(RunCommand, Json_IsTheReportOnStdout) {
  const std::string run = "run --cells 'QuantizeLinear/10/*' --level smoke --json ";
  const Ran ran = RunTool(run + "2> " + Path("screen") + " > " + Path("r.json") + " #");
  EXPECT_EQ(ran.exit_code, 0);
  ASSERT_TRUE(ReadReport(Path("r.json")).ok());
  EXPECT_TRUE(Has(Text("screen"), "\nPASS  4 of 4 supported cells pass\n"));
  const Ran both = RunTool(run + "-o " + Path("r.json"));
  EXPECT_EQ(both.exit_code, 2) << both.output;
  // A report that is read is handed on in the same way, from stdin too.
  const Ran again = RunTool("report --json < " + Path("r.json") + " - 2> " +
                            Path("screen") + " > " + Path("again.json") + " #");
  EXPECT_EQ(again.exit_code, 2) << "- is the value of --json";
  const Ran third = RunTool("report - --json < " + Path("r.json") + " 2> " +
                            Path("screen") + " > " + Path("again.json") + " #");
  EXPECT_EQ(third.exit_code, 0) << Text("screen");
  EXPECT_EQ(Text("again.json"), Text("r.json"));
  EXPECT_TRUE(Has(Text("screen"), "\nPASS  4 of 4")) << Text("screen");
  const Ran merged = RunTool("diff - " + Path("r.json") + " < " + Path("again.json"));
  EXPECT_EQ(merged.exit_code, 0) << merged.output;
}

// What came from stdin cannot be read again.
TEST_F(RunCommand, ReportFromStdin_NamesNoNextCommandWithAFile) {
  RunTool("run --cells 'QuantizeLinear/10/*' --level smoke -q -o " + Path("r.json"));
  const Ran ran = RunTool("report - < " + Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_FALSE(Has(ran.output, "/dev/stdin")) << ran.output;
  EXPECT_FALSE(Has(ran.output, "qconform report")) << ran.output;
}

TEST_F(RunCommand, TwoBackends_AreNamedByLetterVersionAndFile) {
  const std::string run = "run --cells 'QuantizeLinear/10/*' --level smoke -q -o ";
  RunTool(run + Path("a.json"));
  RunTool(run + Path("b.json") + " --backend faulty:ties_away");
  const Ran ran = RunTool("report " + Path("a.json") + " " + Path("b.json") + " --html " +
                          Path("two.html"));
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(ran.output.starts_with("A  simd")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "(" + Path("a.json") + ")\n   PASS  4 of 4")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\nB  faulty:ties_away")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "(" + Path("b.json") + ")\n   FAIL  4 of 4")) << ran.output;
}

// The screen of people: what is wrong, the next command, and the verdict at the end.
TEST_F(RunCommand, Screen_FitsTwentyFourLines) {
  const Ran ran = RunTool(
      "run --level smoke --no-progress --cells 'QuantizeLinear/2[135]/*INT8/*' "
      "--backend faulty:float_division -o " +
      Path("r.json"));
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  const auto lines = std::count(ran.output.begin(), ran.output.end(), '\n');
  EXPECT_LE(lines, 23) << ran.output;
  const size_t last = ran.output.rfind('\n', ran.output.size() - 2) + 1;
  EXPECT_TRUE(ran.output.substr(last).starts_with("FAIL  ")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\nnext  qconform report " + Path("r.json") + " -v\n"));
  EXPECT_TRUE(Has(ran.output, "\n      qconform replay QuantizeLinear/")) << ran.output;
  const Ran report = RunTool("report " + Path("r.json"));
  EXPECT_EQ(report.exit_code, 1);
  EXPECT_EQ(report.output.substr(report.output.find("\n\n")),
            ran.output.substr(ran.output.find("\n\n")));
  // The details have all of it.
  const Ran details = RunTool("report -v " + Path("r.json"));
  EXPECT_TRUE(Has(details.output, "\nopset_version ")) << details.output;
  EXPECT_TRUE(Has(details.output, "\nverdict ")) << details.output;
  EXPECT_TRUE(details.output.ends_with(ran.output.substr(last))) << details.output;
  const Ran quiet = RunTool("report -q " + Path("r.json"));
  EXPECT_EQ(quiet.output, ran.output.substr(last));
}

TEST_F(RunCommand, Interrupt_PrintsTheLineThatResumes) {
  // timeout sends SIGINT as Ctrl-C does.
  const std::string line = std::string(QCONFORM_TOOL) +
                           " run --level standard --no-progress --cells "
                           "'QuantizeLinear/2[1-8]/*' -o " +
                           Path("r.json");
  const Ran ran = RunTool("--version > /dev/null; timeout -s INT 3 " + line);
  EXPECT_TRUE(Has(ran.output, "Interrupted: the report holds what was done.\n"))
      << ran.output;
  const std::string resume = "To continue: " + std::string(QCONFORM_TOOL) +
                             " run --level standard --no-progress --cells "
                             "'QuantizeLinear/2[1-8]/*' -o " +
                             Path("r.json") + " --resume\n";
  EXPECT_TRUE(Has(ran.output, resume)) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\nINTERRUPTED  ")) << ran.output;
}

TEST_F(RunCommand, FailFast_StopsAtTheFirstDeviation_AndIsResumed) {
  const std::string run =
      "run --backend faulty:ties_away --cells 'QuantizeLinear/1[03]/*' --level smoke "
      "--no-progress --jobs 1 --report ";
  const Ran ran = RunTool(run + Path("r.json") + " --fail-fast");
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "Stopped at the first deviating cell")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\nTo continue: ")) << ran.output;
  EXPECT_FALSE(Has(ran.output, "Interrupted"));
  const auto stopped = ReadReport(Path("r.json"));
  ASSERT_TRUE(stopped.ok());
  EXPECT_FALSE(stopped->complete);
  EXPECT_EQ(stopped->totals.cells.deviations(), 1);
  EXPECT_EQ(stopped->totals.cells[Verdict::kUntested], 11);

  ASSERT_EQ(RunTool(run + Path("r.json") + " --resume").exit_code, 1);
  ASSERT_EQ(RunTool(run + Path("whole.json")).exit_code, 1);
  const auto resumed = ReadReport(Path("r.json"));
  const auto whole = ReadReport(Path("whole.json"));
  ASSERT_TRUE(resumed.ok() && whole.ok());
  EXPECT_TRUE(resumed->complete);
  EXPECT_EQ(resumed->results_digest, whole->results_digest);

  const Ran right =
      RunTool("run --cells 'QuantizeLinear/10/*' --level smoke --fail-fast -q -o " +
              Path("right.json"));
  EXPECT_EQ(right.exit_code, 0) << right.output;
  EXPECT_TRUE(ReadReport(Path("right.json"))->complete);
  const std::pair<const char*, const char*> kBad[] = {
      {"run --fail-fast --known k.json",
       "--fail-fast: expected either --known or --fail-fast, got both"},
      {"run --report - --resume", "--resume: expected --report FILE"},
  };
  for (const auto& [arguments, words] : kBad) {
    const Ran bad = RunTool(arguments);
    EXPECT_EQ(bad.exit_code, 2) << arguments;
    EXPECT_TRUE(Has(bad.output, words)) << bad.output;
  }
}

TEST_F(RunCommand, MergedShards_TellOfReadingsAsARunDoes) {
  const std::string shard = Path("shard.json");
  const std::string formula = "QL-04:f32_quotient: P = FLOAT, as deployed kernels divide";
  const Ran ran = RunTool(
      "run -v --backend faulty:float_division --level smoke --no-progress --shard 0/1 "
      "--cells 'QuantizeLinear/21/FLOAT16-FLOAT16-INT8/per_tensor' --report " +
      shard);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, formula)) << ran.output;
  const Ran merged = RunTool("merge -v " + shard + " --report " + Path("whole.json"));
  EXPECT_EQ(merged.exit_code, 0) << merged.output;
  EXPECT_TRUE(Has(merged.output, formula)) << merged.output;
}

TEST_F(RunCommand, ShardToWhichNothingFell_IsAPass) {
  const Ran ran = RunTool(
      "run --cells 'QuantizeLinear/10/*' --level smoke --no-progress "
      "--shard 4/5 --report " +
      Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "0 cells")) << ran.output;
}

TEST_F(RunCommand, EqualRuns_GiveEqualDigests) {
  const std::string what = "run --cells 'QuantizeLinear/13/*' --level smoke --report ";
  ASSERT_EQ(RunTool(what + Path("a.json") + " --jobs 1").exit_code, 0);
  ASSERT_EQ(RunTool(what + Path("b.json") + " --jobs 2").exit_code, 0);
  const auto a = ReadReport(Path("a.json"));
  const auto b = ReadReport(Path("b.json"));
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->results_digest, b->results_digest);
}

// A run that was killed: its journal without the footer, and half a line.
TEST_F(RunCommand, Resume_GoesOnToTheSameResults) {
  const std::string what = "run --cells 'QuantizeLinear/13/*' --level smoke --report ";
  ASSERT_EQ(RunTool(what + Path("whole.json")).exit_code, 0);
  ASSERT_EQ(RunTool(what + Path("cut.json")).exit_code, 0);
  std::ifstream in(Path("cut.json") + ".journal");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  size_t end = 0;
  for (int line = 0; line < 4; ++line) end = text.find('\n', end) + 1;
  std::ofstream(Path("cut.json") + ".journal") << text.substr(0, end + 20);
  fs::remove(Path("cut.json"));
  const Ran ran = RunTool(what + Path("cut.json") + " --resume");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const auto whole = ReadReport(Path("whole.json"));
  const auto resumed = ReadReport(Path("cut.json"));
  ASSERT_TRUE(whole.ok() && resumed.ok());
  EXPECT_TRUE(resumed->complete);
  EXPECT_EQ(whole->results_digest, resumed->results_digest);
  EXPECT_EQ(RunTool(what + Path("cut.json") + " --resume").exit_code, 2)
      << "a run that came to its end is not resumed";
}

// The cells that deviate, and those of them that are not explained.
std::pair<int, int> DeviatingAndNotExplained(const Report& report) {
  int deviating = 0, not_explained = 0;
  for (const CellRecord& cell : report.cells) {
    deviating += cell.verdict == Verdict::kNonconformant ? 1 : 0;
    not_explained += cell.not_explained.empty() ? 0 : 1;
  }
  return {deviating, not_explained};
}

// What the first part of a run spent on explanations is spent.
TEST_F(RunCommand, ExplainBudget_IsThatOfTheWholeRunWhereItIsResumed) {
  const std::string run =
      "run --backend faulty:ties_away --cells 'QuantizeLinear/1[03]/*' --level smoke "
      "--no-progress --jobs 1 --report " +
      Path("r.json");
  ASSERT_EQ(RunTool(run + " --fail-fast").exit_code, 1);
  const auto first = ReadReport(Path("r.json"));
  ASSERT_TRUE(first.ok());
  ASSERT_EQ(DeviatingAndNotExplained(*first), std::pair(1, 0));
  // A little less than was spent. By itself the next cell could be explained.
  double spent = 0;
  for (const CellRecord& cell : first->cells) spent = std::max(spent, cell.explain_ms);
  ASSERT_GT(spent, 0);
  const std::string budget = std::to_string(0.9 * spent / 1000);
  ASSERT_EQ(RunTool(run + " --resume --explain " + budget).exit_code, 1);
  const auto whole = ReadReport(Path("r.json"));
  ASSERT_TRUE(whole.ok());
  EXPECT_TRUE(whole->complete);
  const auto [deviating, not_explained] = DeviatingAndNotExplained(*whole);
  EXPECT_GT(deviating, 1);
  EXPECT_EQ(not_explained, deviating - 1);
}

TEST_F(RunCommand, LongerThanItsBudget_EndsWithTwoAndCanBeResumed) {
  const std::string run =
      "run --backend oracle --cells 'QuantizeLinear/10/*' --level smoke --no-progress";
  ASSERT_EQ(RunTool(run + " -o " + Path("whole.json")).exit_code, 0);
  const Ran refused = RunTool(
      "run --backend oracle --operator QLinearConv --budget 0.01 --no-progress -o " +
      Path("r.json"));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(
      refused.output,
      testing::ContainsRegex("--budget: expected at most 0.01 min, got about [0-9.]+ "
                             "min \\(from [0-9]+ of [0-9]+ cells\\); ask less"));
  // The few cells that are judged first count for the flags of explanations too.
  const Ran wrong = RunTool(
      "run --backend faulty:ties_away --cells 'QuantizeLinear/10/*' --level smoke "
      "--no-progress --no-explain --budget 600 -o " +
      Path("w.json"));
  EXPECT_EQ(wrong.exit_code, 1) << wrong.output;
  const auto [deviating, not_explained] =
      DeviatingAndNotExplained(*ReadReport(Path("w.json")));
  EXPECT_GT(deviating, 0);
  EXPECT_EQ(not_explained, deviating);
  const Ran within = RunTool(run + " --budget 600 -o " + Path("r.json"));
  EXPECT_EQ(within.exit_code, 0);
  EXPECT_THAT(within.output, testing::HasSubstr(" of 4 cells)"));
  EXPECT_EQ(ReadReport(Path("r.json"))->results_digest,
            ReadReport(Path("whole.json"))->results_digest);
}

// A shard has a budget of its own, and a merged report says of each cell what its shard
// said.
TEST_F(RunCommand, ExplainBudget_IsOfEachShard) {
  const auto shard = [&](int which, const std::string& flags) {
    const std::string number = std::to_string(which);
    return RunTool(
               "run --backend faulty:ties_away --cells 'QuantizeLinear/13/*' --level "
               "smoke --no-progress --shard " +
               number + "/2 " + flags + " --report " + Path(number + ".json"))
        .exit_code;
  };
  ASSERT_EQ(shard(0, "--no-explain"), 1);
  ASSERT_EQ(shard(1, ""), 1);
  ASSERT_EQ(RunTool("merge " + Path("0.json") + " " + Path("1.json") + " --report " +
                    Path("whole.json"))
                .exit_code,
            1);
  const auto first = ReadReport(Path("0.json"));
  const auto second = ReadReport(Path("1.json"));
  const auto whole = ReadReport(Path("whole.json"));
  ASSERT_TRUE(first.ok() && second.ok() && whole.ok());
  const auto [deviating, not_explained] = DeviatingAndNotExplained(*first);
  EXPECT_GT(deviating, 0);
  EXPECT_EQ(not_explained, deviating);
  const auto [others, none] = DeviatingAndNotExplained(*second);
  EXPECT_GT(others, 0);
  EXPECT_EQ(none, 0);
  EXPECT_EQ(DeviatingAndNotExplained(*whole),
            std::pair(deviating + others, not_explained));
}

TEST_F(RunCommand, ExplainBudget_ChangesNoVerdictWhateverTheJobs) {
  const std::string run =
      "run --backend faulty:ties_away --cells 'QuantizeLinear/13/*' --level smoke "
      "--no-progress --report ";
  ASSERT_EQ(RunTool(run + Path("1.json") + " --jobs 1 --no-explain").exit_code, 1);
  ASSERT_EQ(RunTool(run + Path("3.json") + " --jobs 3 --no-explain").exit_code, 1);
  ASSERT_EQ(RunTool(run + Path("some.json") + " --jobs 3 --explain 0.02").exit_code, 1);
  ASSERT_EQ(RunTool(run + Path("all.json") + " --jobs 2 --explain 1000").exit_code, 1);
  const auto one = ReadReport(Path("1.json"));
  const auto three = ReadReport(Path("3.json"));
  const auto some = ReadReport(Path("some.json"));
  const auto all = ReadReport(Path("all.json"));
  ASSERT_TRUE(one.ok() && three.ok() && some.ok() && all.ok());
  EXPECT_EQ(one->results_digest, three->results_digest);
  EXPECT_EQ(DeviatingAndNotExplained(*all).second, 0);
  for (const auto* other : {&*some, &*all}) {
    ASSERT_EQ(other->cells.size(), one->cells.size());
    for (size_t i = 0; i < one->cells.size(); ++i) {
      EXPECT_EQ(other->cells[i].cell, one->cells[i].cell);
      EXPECT_EQ(other->cells[i].verdict, one->cells[i].verdict);
      EXPECT_EQ(other->cells[i].mismatches(), one->cells[i].mismatches());
    }
  }
}

TEST_F(RunCommand, UnfinishedJournal_IsKeptByANewRun) {
  const std::string what =
      "run --cells 'QuantizeLinear/10/*' --level smoke --report " + Path("r.json");
  ASSERT_EQ(RunTool(what).exit_code, 0);
  fs::resize_file(Path("r.json.journal"), fs::file_size(Path("r.json.journal")) - 1);
  const Ran ran = RunTool(what);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "renamed the journal of an unfinished run to " +
                                  Path("r.json.journal.old")))
      << ran.output;
  EXPECT_TRUE(fs::exists(Path("r.json.journal.old")));
}

// A closed stream's number must not become that of a file.
TEST_F(RunCommand, ClosedStreams_LeaveReportAndJournalWhole) {
  const struct {
    const char* closed;
    int exit_code;
  } kRows[] = {{"<&- 2>/dev/null >&-", 2},  // the summary is lost
               {"<&- 2>&- >/dev/null", 0}};
  for (const auto& row : kRows) {
    const Ran ran = RunTool("run --cells 'QuantizeLinear/10/*' --level smoke --report " +
                            Path("r.json") + " " + row.closed + " #");
    EXPECT_EQ(ran.exit_code, row.exit_code) << row.closed;
    EXPECT_TRUE(ReadReport(Path("r.json")).ok());
    const auto journal = ReadJournal(Path("r.json.journal"));
    ASSERT_TRUE(journal.ok()) << journal.error().message;
    EXPECT_TRUE(journal->complete);
  }
}

TEST_F(RunCommand, ReportToADevice_HasNoJournalBesideIt) {
  const Ran ran =
      RunTool("run --cells 'QuantizeLinear/10/*' --level smoke --report /dev/null");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_FALSE(std::filesystem::exists("/dev/null.journal"));
  const Ran full =
      RunTool("run --cells 'QuantizeLinear/10/*' --level smoke --report /dev/full");
  EXPECT_EQ(full.exit_code, 2) << full.output;
  EXPECT_TRUE(Has(full.output, "/dev/full: cannot write: No space left on device\n"))
      << full.output;
}

// Without its last lines a journal is not that of the whole run. What is too long for it
// here is its footer, then the rows at its end; the report is shorter.
TEST_F(RunCommand, JournalThatEndsTooEarly_IsAFaultAndTheReportIncomplete) {
  const std::string what =
      "run --no-cells --negative --no-progress --report " + Path("r.json");
  ASSERT_EQ(RunTool(what).exit_code, 0);
  const auto journal = static_cast<rlim_t>(fs::file_size(Path("r.json.journal")));
  ASSERT_GT(journal, fs::file_size(Path("r.json")) + 2000);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  for (const rlim_t missing : {60, 1500}) {
    rlimit low = before;
    low.rlim_cur = journal - missing;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
    const Ran ran = RunTool(what);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(ran.exit_code, 2) << missing << ran.output;
    EXPECT_TRUE(Has(ran.output, "cannot write the journal: File too large"))
        << ran.output;
    const auto report = ReadReport(Path("r.json"));
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_FALSE(report->complete) << missing;
    EXPECT_FALSE(report->negative.empty());
  }
}

TEST_F(RunCommand, UpdateKnown_OfSomeCells_IsRefusedBeforeTheWork) {
  const std::string known = Path("known.json");
  std::ofstream(known) << R"({"known_differences_version": "1.0.0", "entries": []})";
  for (const char* part : {" --cells 'QuantizeLinear/10/*'", " --shard 0/2"}) {
    const Ran ran = RunTool("run --level smoke --update-known --known " + known + part +
                            " --report " + Path("r.json"));
    EXPECT_EQ(ran.exit_code, 2) << ran.output;
    EXPECT_TRUE(Has(ran.output, "--update-known: expected a run of all cells"))
        << ran.output;
    EXPECT_FALSE(fs::exists(Path("r.json.journal"))) << part;
  }
}

// Whatever part of the cells runs, shards told of by Bazel among them.
TEST_F(RunCommand, KnownDifferenceOfNoCell_FailsTheRunOfAnyPart) {
  const std::string known = Path("known.json");
  std::ofstream(known) << R"({"known_differences_version": "1.0.0", "entries": [{"cells":
      ["QuantizeLinear/99/nonsense"], "verdict": "nonconformant", "reason": "r"}]})";
  const std::string status = Path("status");
  for (const std::string& part :
       {std::string("--cells 'QuantizeLinear/10/*'"), std::string("--shard 0/100")}) {
    const Ran ran = RunTool("run --level smoke --no-negative --known " + known + " " +
                            part + " --report " + Path("r.json"));
    EXPECT_EQ(ran.exit_code, 1) << ran.output;
    EXPECT_TRUE(Has(ran.output, "nothing_matched: entry 0 (r)")) << ran.output;
    const std::string report = "report " + Path("r.json") + " --known " + known;
    EXPECT_EQ(RunTool(report + " --known-problems").exit_code, 1);
    EXPECT_EQ(RunTool(report + " --cells '*'").exit_code, 0) << "told of elsewhere";
  }
  std::ofstream(known) << R"({"known_differences_version": "1.0.0", "entries": []})";
  EXPECT_EQ(RunTool("report " + Path("r.json") + " --known-problems --known " + known)
                .exit_code,
            0);
  EXPECT_EQ(RunTool("report " + Path("r.json") + " --known-problems").exit_code, 2);
}

// Not opened anew: that would cut off what is printed, and what was there before.
TEST_F(RunCommand, OutputsToStdout_AreAppendedWhereItIsAFile) {
  const std::string log = Path("log");
  std::ofstream(log) << "before\n";
  const std::string run =
      "run --level smoke --cells 'QuantizeLinear/10/*' --report " + Path("r.json");
  ASSERT_EQ(RunTool(run).exit_code, 0);
  EXPECT_EQ(RunTool("report " + Path("r.json") +
                    " -v --markdown /dev/stdout --csv /dev/stdout >>" + log + " #")
                .exit_code,
            0);
  std::ifstream file(log);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(text.starts_with("before\n### ")) << text.substr(0, 200);
  EXPECT_TRUE(Has(text, "\ncell,op_type,")) << "the CSV";
  EXPECT_TRUE(Has(text, "\nresults  ")) << "the summary";
  // A report there has no journal. (Other programs may have left one.)
  const auto journal = [] {
    std::error_code absent;
    return fs::last_write_time("/dev/stdout.journal", absent);
  };
  const auto before = journal();
  EXPECT_EQ(RunTool("run --level smoke --cells 'QuantizeLinear/10/*' --report "
                    "/dev/stdout >" +
                    log + " #")
                .exit_code,
            0);
  EXPECT_EQ(journal(), before);
}

TEST_F(RunCommand, UpdateKnown_WithExitZero_RewritesTheFile) {
  const std::string known = Path("known.json");
  std::ofstream(known) << R"({"known_differences_version": "1.0.0", "entries": [{"cells":
      ["QuantizeLinear/10/*"], "verdict": "nonconformant", "reason": "long ago"}]})";
  const Ran ran =
      RunTool("run --level smoke --no-negative --update-known --exit-zero --known " +
              known + " --report " + Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  std::ifstream file(known);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(Has(text, "known_differences_version")) << text;
  EXPECT_FALSE(Has(text, "long ago")) << text;
}

// The node tests of a release, some of them, in a new folder.
void CopyNodeTests(const fs::path& to, std::initializer_list<const char*> names) {
  const fs::path from = fs::path(QCONFORM_DEPS_DIR) / "node-tests" / "1.17.0";
  fs::create_directories(to);
  for (const char* name : names) {
    fs::copy(from / name, to / name, fs::copy_options::recursive);
  }
}

// The rows of the others are kept.
TEST_F(RunCommand, BadNodeTests_AreNamedAndTheOthersRun) {
  CopyNodeTests(directory_ / "nodes",
                {"test_dynamicquantizelinear_expanded", "test_quantizelinear_axis",
                 "test_quantizelinear_uint4"});
  fs::remove(directory_ / "nodes/test_quantizelinear_uint4/test_data_set_0/input_0.pb");
  const Ran ran = RunTool("run --no-cells --node-tests " + Path("nodes") + " --report " +
                          Path("r.json"));
  EXPECT_EQ(ran.exit_code, 3) << "nobody is accused: " << ran.output;
  EXPECT_NE(RunTool("run --help").output.find("not counted against the backend"),
            std::string::npos);
  EXPECT_NE(ran.output.find("\n2 node tests, 1 folder of other operators skipped\n"),
            std::string::npos)
      << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->node_tests.size(), 2u);
  EXPECT_EQ(report->node_tests[0].verdict, NodeVerdict::kPass);
  EXPECT_EQ(report->node_tests[1].verdict, NodeVerdict::kError);
  EXPECT_NE(report->node_tests[1].reason.find("input_0.pb"), std::string::npos)
      << report->node_tests[1].reason;
}

// Cut off among the node tests, and among the negative models behind them.
TEST_F(RunCommand, ResumeAmongOtherRows_AsksEachOnce) {
  CopyNodeTests(directory_ / "nodes",
                {"test_quantizelinear_axis", "test_quantizelinear_uint4"});
  const std::string what = "run --no-cells --negative --no-progress --node-tests " +
                           Path("nodes") + " --report ";
  ASSERT_EQ(RunTool(what + Path("whole.json")).exit_code, 0);
  std::ifstream in(Path("whole.json") + ".journal");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  for (const int lines : {2, 10}) {
    size_t end = 0;
    for (int line = 0; line < lines; ++line) end = text.find('\n', end) + 1;
    std::ofstream(Path("cut.json") + ".journal") << text.substr(0, end);
    const Ran ran = RunTool(what + Path("cut.json") + " --resume");
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    const auto whole = ReadReport(Path("whole.json"));
    const auto resumed = ReadReport(Path("cut.json"));
    ASSERT_TRUE(whole.ok() && resumed.ok());
    EXPECT_EQ(whole->results_digest, resumed->results_digest) << lines;
    EXPECT_TRUE(ReadJournal(Path("cut.json") + ".journal").ok()) << lines;
  }
}

// ONNX's are always in .../data/node.
TEST_F(RunCommand, NodeTestsOfEqualFolderNames_AreToldApart) {
  for (const char* release : {"one", "two"}) {
    CopyNodeTests(directory_ / release / "data/node", {"test_quantizelinear_axis"});
  }
  CopyNodeTests(directory_ / "other", {"test_quantizelinear_axis"});
  const Ran ran = RunTool("run --no-cells --node-tests " + Path("one/data/node") +
                          " --node-tests " + Path("two/data/node/") + " --node-tests " +
                          Path("other") + " --report " + Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << ran.output;
  ASSERT_EQ(report->node_tests.size(), 3u);
  EXPECT_EQ(report->node_tests[0].release, "one/data/node");
  EXPECT_EQ(report->node_tests[1].release, "other");
  EXPECT_EQ(report->node_tests[2].release, "two/data/node");
}

TEST_F(RunCommand, NodeTests_OfTheFolderItself_HaveItsName) {
  CopyNodeTests(directory_ / "1.20.0", {"test_quantizelinear_axis"});
  const fs::path before = fs::current_path();
  fs::current_path(directory_ / "1.20.0");
  const Ran ran = RunTool("run --no-cells --node-tests . --report " + Path("r.json"));
  fs::current_path(before);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << ran.output;
  ASSERT_EQ(report->node_tests.size(), 1u);
  EXPECT_EQ(report->node_tests[0].release, "1.20.0");
}

TEST_F(RunCommand, NodeTests_NamedTwice_AreRefusedBeforeTheWork) {
  CopyNodeTests(directory_ / "data/node", {"test_quantizelinear_axis"});
  fs::create_directory_symlink(directory_ / "data", directory_ / "link");
  for (const char* second : {"data/node", "data/../data/node/", "data", "link",
                             "data/node/test_quantizelinear_axis"}) {
    const Ran ran =
        RunTool("run --no-cells --node-tests " + Path("data/node") + " --node-tests " +
                Path(second) + " --report " + Path("r.json"));
    EXPECT_EQ(ran.exit_code, 2) << second << "\n" << ran.output;
    EXPECT_TRUE(Has(ran.output, "got test_quantizelinear_axis in both ")) << ran.output;
    EXPECT_FALSE(fs::exists(Path("r.json")));
  }
}

TEST_F(RunCommand, EmptyNodeTests_IsAnError) {
  fs::create_directories(directory_ / "nodes");
  const Ran ran = RunTool("run --no-cells --node-tests " + Path("nodes"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.output.find("node test"), std::string::npos) << ran.output;
}

}  // namespace
}  // namespace qconform
