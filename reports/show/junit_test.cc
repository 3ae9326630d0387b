#include "reports/show/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "oracle/base/file.h"
#include "reports/testing/example_records.h"
#include "reports/testing/occurrences.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// By libxml2's program, where it is installed.
bool HasXmllint() { return std::system("xmllint --version >/dev/null 2>&1") == 0; }
bool IsValid(const std::string& xml) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(WriteFileAtomically(directory / "junit.xsd", JUnitSchema()));
  EXPECT_TRUE(WriteFileAtomically(directory / "junit.xml", xml));
  const std::string command = "xmllint --noout --schema '" +
                              (directory / "junit.xsd").string() + "' '" +
                              (directory / "junit.xml").string() + "' >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

TEST(JUnit, Counts_AgreeWithTheVerdicts) {
  const Report report = ExampleReport();
  const std::string xml = JUnitText(report, nullptr);
  EXPECT_EQ(Occurrences(xml, "<testcase "),
            report.cells.size() + report.node_tests.size());
  EXPECT_EQ(Occurrences(xml, "<failure "), 2u + 1u);  // of cells, of node tests
  EXPECT_EQ(Occurrences(xml, "<error "), 6u + 2u);
  EXPECT_EQ(Occurrences(xml, "<skipped "), 3u + 2u);
  EXPECT_EQ(Occurrences(xml, "<testsuite "), 4u);
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"QLinearMatMul.21.UINT8\" "
                             "name=\"QLinearMatMul/21/FLOAT16-UINT8-INT8-UINT8/"
                             "per_row-per_column\" time=\"0.002\"/>"));
  EXPECT_THAT(xml, HasSubstr("type=\"nonconformant\" message=\"nonconformant, diagnosis "
                             "ties_away, 17 of 129 728 elements wrong\""));
  EXPECT_THAT(xml, HasSubstr("rerun: qconform replay"));
}

// Sums an attribute over all suites.
int64_t SumOf(const std::string& xml, const std::string& attribute) {
  int64_t sum = 0;
  const std::string start = " " + attribute + "=\"";
  for (size_t suite = xml.find("<testsuite "); suite != std::string::npos;
       suite = xml.find("<testsuite ", suite + 1)) {
    const size_t place = xml.find(start, suite);
    EXPECT_LT(place, xml.find('>', suite)) << attribute;
    sum += std::stoll(xml.substr(place + start.size()));
  }
  return sum;
}

TEST(JUnit, CountsOfTheSuites_AreThoseOfTheirCases) {
  const std::string xml = JUnitText(ExampleReport(), nullptr);
  EXPECT_EQ(SumOf(xml, "tests"), static_cast<int64_t>(Occurrences(xml, "<testcase ")));
  EXPECT_EQ(SumOf(xml, "failures"), static_cast<int64_t>(Occurrences(xml, "<failure ")));
  EXPECT_EQ(SumOf(xml, "errors"), static_cast<int64_t>(Occurrences(xml, "<error ")));
  EXPECT_EQ(SumOf(xml, "skipped"), static_cast<int64_t>(Occurrences(xml, "<skipped ")));
}

TEST(JUnit, KnownDifferences_AreSkippedAndTheirProblemsFail) {
  const Report report = ExampleReport();
  KnownDifference entry;
  entry.cells = {"*"};
  entry.verdict = Verdict::kNonconformant;
  entry.reason = "ties & <rounding>";
  const KnownOutcome outcome = ApplyKnownDifferences({entry}, report, "2026-08-01");
  const std::string xml = JUnitText(report, &outcome);
  EXPECT_THAT(
      xml,
      HasSubstr("<skipped message=\"known difference: ties &amp; &lt;rounding&gt; ("));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"known_differences\""));
  EXPECT_EQ(Occurrences(xml, "type=\"unexpected_pass\""), 3u);
  EXPECT_TRUE(!HasXmllint() || IsValid(xml));
}

TEST(JUnit, NegativeModels_PassWhereNobodyIsWrong) {
  std::vector<NegativeRecord> negative;
  for (const NegativeResult result : AllNegativeResults()) {
    NegativeRecord record;
    record.id = "QuantizeLinear@13/" + std::string(NegativeResultName(result));
    record.kind = "legal";
    record.clause = "QL-30";
    record.op_type = "QuantizeLinear";
    record.opset_version = 13;
    record.phase = "none";
    record.result = result;
    negative.push_back(record);
  }
  const std::string xml =
      JUnitText(*BuildReport(ExampleRun(), {}, {}, true, negative), nullptr);
  EXPECT_EQ(Occurrences(xml, "<testcase "), negative.size());
  EXPECT_EQ(Occurrences(xml, "<error "), 4u);
  EXPECT_EQ(Occurrences(xml, "<error type=\"refused_legal\""), 1u) << xml;
  EXPECT_EQ(Occurrences(xml, "<error type=\"error\""), 1u) << xml;
  EXPECT_EQ(Occurrences(xml, "<error type=\"crashed\""), 1u) << xml;
  EXPECT_EQ(Occurrences(xml, "<error type=\"timed_out\""), 1u) << xml;
  EXPECT_EQ(Occurrences(xml, "<failure "), 1u);
  EXPECT_EQ(Occurrences(xml, "<failure type=\"deviates\""), 1u) << xml;
  // A legal model that was not taken is not a pass.
  EXPECT_EQ(Occurrences(xml, "<skipped "), 1u);
  EXPECT_EQ(Occurrences(xml, "<skipped message=\"declined, QL-30"), 1u) << xml;
}

// Outputs that differ are no deviation by themselves.
TEST(JUnit, ReportOfAModel_HasItsWholeRunAsANote) {
  const std::string xml = JUnitText(
      ExampleModelReport({ExamplePart("conv", 0, Verdict::kNonconformant)}), nullptr);
  EXPECT_EQ(Occurrences(xml, "<failure "), 1u);
  EXPECT_THAT(xml, HasSubstr("<property name=\"model\" value=\"net.onnx\"/>"));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"whole_model\" name=\"net.onnx\" "
                             "time=\"0.000\"/>\n    <system-out>The whole model on mine "
                             "differs from the composition:"));
}

TEST(JUnit, IncompleteReport_HasAnError) {
  const Report report = *BuildReport(ExampleReport().run, {}, {}, false);
  EXPECT_THAT(JUnitText(report, nullptr), HasSubstr("type=\"incomplete\""));
  EXPECT_THAT(JUnitText(ExampleReport(), nullptr), Not(HasSubstr("incomplete")));
}

TEST(JUnit, StrangeText_IsStillXml) {
  Report report = ExampleReport();
  report.cells[0].reason = "a \x01 \x7f \x1b[31m \"quote\" <tag> & \n line";
  report.cells[1].verdict = Verdict::kUnsupported;
  report.cells[1].reason = "\uFFFE \uFFFF \uFFFD \uFFBF \u00BF";
  report.run.start_time = "not a time";
  const std::string xml = JUnitText(report, nullptr);
  EXPECT_THAT(xml, Not(HasSubstr("\x1b")));
  EXPECT_THAT(xml, Not(HasSubstr("\x7f")));
  EXPECT_THAT(xml, HasSubstr("\uFFFD \uFFFD \uFFFD \uFFBF \u00BF"));
  EXPECT_THAT(xml, HasSubstr("&quot;quote&quot; &lt;tag&gt; &amp; \n line"));
  EXPECT_TRUE(!HasXmllint() || IsValid(xml));
}

TEST(JUnit, IsValidByTheSchema) {
  if (!HasXmllint()) GTEST_SKIP() << "xmllint (libxml2-utils) is not installed";
  EXPECT_TRUE(IsValid(JUnitText(ExampleReport(), nullptr)));
  EXPECT_TRUE(IsValid(JUnitText(*BuildReport(ExampleRun(), {}, {}, true), nullptr)));
  std::string wrong = JUnitText(ExampleReport(), nullptr);
  wrong.replace(wrong.find("time=\"0.002\""), 12, "when=\"0.002\"");
  EXPECT_FALSE(IsValid(wrong));
}

}  // namespace
}  // namespace qconform
