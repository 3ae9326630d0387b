#include "reports/report/answers.h"

#include <gtest/gtest.h>

#include <functional>

#include "reports/testing/example_records.h"

namespace qconform {
namespace {

Report ChangedExample(const std::function<void(RunInfo&, CellRecord&)>& change) {
  const Report example = ExampleReport();
  RunInfo run = example.run;
  std::vector<CellRecord> cells = example.cells;
  for (CellRecord& cell : cells) {
    if (cell.verdict == Verdict::kNonconformant) change(run, cell);
  }
  return *BuildReport(run, cells, example.node_tests, true, example.negative);
}

// `results` is of one backend and says so; the answers are whoever's.
TEST(AnswersDigest, OfAnotherBackendWithTheSameAnswers_IsTheSame) {
  const Report report = ExampleReport();
  EXPECT_EQ(report.answers_digest, AnswersDigest(report));
  EXPECT_EQ(report.answers_digest.size(), 64u);
  const Report other = ChangedExample([](RunInfo& run, CellRecord& cell) {
    run.backend.name = "plugin:mine.so";
    run.backend.version = "9";
    run.tool.version = "7.0.0";
    run.suite.version = "9.9.9";
    cell.reason = "other words";
    cell.diagnosis = "truncates";
    cell.deviation->model = "another sentence";
    cell.not_told_apart = {"QL-04:f32_quotient"};
    cell.counterexamples[0].replay = "qconform replay --backend plugin:mine.so";
    cell.counterexamples[0].message = "words";
    cell.counterexamples[0].steps.clear();
    cell.time_ms = 99;
  });
  EXPECT_EQ(other.answers_digest, report.answers_digest);
  EXPECT_NE(other.results_digest, report.results_digest);
}

TEST(AnswersDigest, OfOtherAnswers_IsAnother) {
  const std::string same = ExampleReport().answers_digest;
  const std::function<void(RunInfo&, CellRecord&)> changes[] = {
      [](RunInfo&, CellRecord& cell) { cell.verdict = Verdict::kInvalidOutput; },
      [](RunInfo&, CellRecord& cell) { ++cell.tiers[0].mismatches; },
      [](RunInfo&, CellRecord& cell) { ++cell.free; },
      [](RunInfo&, CellRecord& cell) { cell.counterexamples[0].actual.bits = "0x01"; },
      [](RunInfo&, CellRecord& cell) { cell.counterexamples.pop_back(); },
      [](RunInfo&, CellRecord& cell) { cell.observed[0].behaviours = {"qmax"}; }};
  int tried = 0;
  for (const auto& change : changes) {
    EXPECT_NE(ChangedExample(change).answers_digest, same) << tried;
    ++tried;
  }
  EXPECT_EQ(tried, 6);
}

TEST(AnswersDigest, OfOtherNodeTestsAndNegativeModels_IsAnother) {
  Report report = ExampleReport();
  const std::string same = report.answers_digest;
  report.node_tests[0].reason += "words";
  EXPECT_EQ(AnswersDigest(report), same);
  report.node_tests[0].verdict = report.node_tests[0].verdict == NodeVerdict::kPass
                                     ? NodeVerdict::kDeviates
                                     : NodeVerdict::kPass;
  EXPECT_NE(AnswersDigest(report), same);
}

TEST(AnswersDigest, ThatDoesNotAgreeWithTheRows_IsRefused) {
  std::string text = ReportText(ExampleReport());
  const size_t place = text.find("\"answers_digest\":\"") + 18;
  text.replace(place, 64, std::string(64, 'a'));
  const auto report = ParseReport(text, "report.json");
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("answers_digest: does not agree with the rows"),
            std::string::npos)
      << report.error().message;
}

}  // namespace
}  // namespace qconform
