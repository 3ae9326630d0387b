#include "reports/site/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "reports/history/compact.h"
#include "reports/site/site_data.h"
#include "reports/testing/example_records.h"

namespace qconform {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

CellRecord CellOf(DataType type, Verdict verdict) {
  return ExampleCell("QuantizeLinear", 21, {DataType::kFloat, DataType::kFloat, type},
                     "per_tensor", verdict);
}

SiteReport ReportOf(const std::string& file, std::vector<CellRecord> cells,
                    const std::string& version = "1.0", RunInfo run = ExampleRun()) {
  run.backend.version = version;
  run.selection.cells = static_cast<int64_t>(cells.size());
  return {file, *BuildReport(run, std::move(cells), {}, true)};
}

SiteInput InputOf(std::vector<SiteReport> reports) {
  SiteInput input;
  input.reports = std::move(reports);
  input.tool = "qconform 1";
  input.clauses = {{"QL-10", "QuantizeLinear", "Ties go to even."},
                   {"DL-01", "DequantizeLinear", "Another operator's."}};
  input.explanations = {{"ties_away", "Ties are rounded away from zero."}};
  return input;
}

TEST(SiteBackends, PartsOfOneVersion_AreOne) {
  auto other_suite = ExampleRun();
  other_suite.suite.digest = std::string(64, 'c');
  other_suite.suite.level = "smoke";
  const auto backends =
      BackendsOf({ReportOf("a.json", {CellOf(DataType::kInt8, Verdict::kConformant)}),
                  ReportOf("b.json", {CellOf(DataType::kUint8, Verdict::kNonconformant)},
                           "1.0", other_suite)});
  ASSERT_TRUE(backends.ok()) << backends.error().message;
  ASSERT_THAT(*backends, SizeIs(1));
  const SiteBackend& backend = backends->front();
  EXPECT_THAT(backend.files, ElementsAre("a.json", "b.json"));
  EXPECT_THAT(backend.suites, SizeIs(2));
  EXPECT_THAT(backend.report.cells, SizeIs(2));
  EXPECT_THAT(backend.report.findings, SizeIs(1));
  EXPECT_EQ(backend.report.run.suite.level, "smoke and standard");
}

TEST(SiteBackends, CommonCellsOptionsOrVersions_AreApart) {
  auto with_option = ExampleRun();
  with_option.command_line = {"qconform", "run", "--backend-option", "threads=2"};
  const CellRecord cell = CellOf(DataType::kInt8, Verdict::kConformant);
  const auto backends =
      BackendsOf({ReportOf("a.json", {cell}, "1.10"), ReportOf("b.json", {cell}, "1.9"),
                  ReportOf("c.json", {cell}, "1.10"),
                  ReportOf("d.json", {cell}, "1.10", with_option)});
  ASSERT_TRUE(backends.ok());
  std::vector<std::string> labels, ids;
  for (const SiteBackend& backend : *backends) {
    labels.push_back(backend.Label());
    ids.push_back(backend.id);
  }
  EXPECT_THAT(labels,
              ElementsAre("simd:AVX2 1.9", "simd:AVX2 1.10",
                          "simd:AVX2 1.10, another run", "simd:AVX2 1.10, threads=2"));
  EXPECT_THAT(ids, ElementsAre("simd-AVX2-1.9", "simd-AVX2-1.10",
                               "simd-AVX2-1.10-another-run", "simd-AVX2-1.10-threads-2"));
}

TEST(SiteBackends, RunsOnTwoCpus_SayWhichFeaturesOneLacks) {
  RunInfo one = ExampleRun();
  one.machine.cpu_model = "A CPU";
  one.machine.cpu_features = {"amx_int8", "avx2", "avx512_vnni"};
  RunInfo other = ExampleRun();
  other.machine.cpu_model = "B CPU";
  other.machine.cpu_features = {"avx2"};
  const CellRecord cell = CellOf(DataType::kInt8, Verdict::kConformant);
  const auto backends = BackendsOf(
      {ReportOf("a.json", {cell}, "1.0", one), ReportOf("b.json", {cell}, "1.0", other)});
  ASSERT_TRUE(backends.ok());
  EXPECT_EQ(backends->at(0).Label(), "simd:AVX2 1.0");
  EXPECT_EQ(backends->at(1).Label(), "simd:AVX2 1.0, on B CPU without VNNI and AMX");
}

TEST(SiteBackends, FileNameParts_AreOfPlainLettersAndApart) {
  EXPECT_EQ(FileNamePart("a/../b c:d"), "a-..-b-c-d");
  EXPECT_EQ(FileNamePart("../"), "x");
  EXPECT_EQ(FileNamePart("\n<>"), "x");
  auto run = ExampleRun();
  run.backend.name = "simd AVX2";  // the same part as that of simd:AVX2
  const CellRecord cell = CellOf(DataType::kInt8, Verdict::kConformant);
  const auto backends =
      BackendsOf({ReportOf("a.json", {cell}), ReportOf("b.json", {cell}, "1.0", run)});
  ASSERT_TRUE(backends.ok());
  EXPECT_NE(backends->at(0).id, backends->at(1).id);
}

TEST(Site, Reports_HaveTheirPages) {
  const auto files = SiteFiles(
      InputOf({ReportOf("a.json", {CellOf(DataType::kInt8, Verdict::kNonconformant)})}));
  ASSERT_TRUE(files.ok()) << files.error().message;
  for (const char* name :
       {"index.html", "findings.html", "operator-QuantizeLinear.html",
        "backend-simd-AVX2-1.0.html", "report-simd-AVX2-1.0.html",
        "badge-simd-AVX2-1.0.svg", "site.js", "site.css", "data-index.js",
        "data-findings.js", "data-verdicts.js", "data-operator-QuantizeLinear.js"}) {
    EXPECT_TRUE(files->contains(name)) << name;
  }
  EXPECT_THAT(
      files->at("data-operator-QuantizeLinear.js"),
      AllOf(HasSubstr("\"FLOAT-FLOAT-INT8/\""), HasSubstr("nonconformant"),
            HasSubstr("Ties go to even."), HasSubstr("Ties are rounded away from zero."),
            Not(HasSubstr("Another operator's."))));
  EXPECT_THAT(files->at("data-findings.js"), HasSubstr("ties_away"));
  for (const auto& [name, text] : *files) {
    EXPECT_THAT(text, Not(HasSubstr("http://www.w3.org/1999"))) << name;
    EXPECT_THAT(text, Not(HasSubstr("src=\"http"))) << name;
  }
}

TEST(Site, Note_IsAboutTheBackendsWhoseFoldersItNames) {
  const CellRecord cell = CellOf(DataType::kInt8, Verdict::kNonconformant);
  SiteInput input = InputOf({ReportOf("reports/mine/1.0/a.json", {cell}, "1.0"),
                             ReportOf("reports/mine/1.0.1/a.json", {cell}, "1.0.1")});
  input.notes = {{"found", "<!-- -->\n# What </script> it does\nin `reports/mine/1.0`"},
                 {"other", "not-mine/1.0.1 and mine/1.0.12"}};
  const auto backends = BackendsOf(input.reports);
  ASSERT_TRUE(backends.ok());
  const Json notes = IndexData(*backends, input)["notes"];
  EXPECT_EQ(Dump(notes["found"]["title"]), "\"What </script> it does\"");
  EXPECT_EQ(Dump(notes["found"]["of"]), "[0]");
  EXPECT_EQ(Dump(notes["other"]["title"]), "\"other\"");
  EXPECT_EQ(Dump(notes["other"]["of"]), "[]");
  const auto files = SiteFiles(std::move(input));
  ASSERT_TRUE(files.ok()) << files.error().message;
  EXPECT_TRUE(files->contains("pages.html"));
  EXPECT_THAT(files->at("data-pages.js"), Not(HasSubstr("</script>")));
}

TEST(Site, History_HasItsPage) {
  const CellRecord wrong = CellOf(DataType::kInt8, Verdict::kNonconformant);
  const CellRecord right = CellOf(DataType::kInt8, Verdict::kConformant);
  std::vector<NamedCompact> releases;
  for (const SiteReport& one :
       {ReportOf("1.json", {right}, "1.0"), ReportOf("2.json", {wrong}, "2.0")}) {
    releases.push_back({one.file, *Compacted(one.report, one.file)});
  }
  SiteInput input = InputOf({ReportOf("a.json", {right})});
  input.histories.push_back(*MakeHistory(releases));
  const Json index = IndexData({}, input);
  const Json& histories = index["histories"];
  EXPECT_THAT(Dump(histories),
              HasSubstr("\"columns\":[{\"version\":\"1.0\",\"operators\":"
                        "{\"QuantizeLinear\":{\"conformant\":1}}},"
                        "{\"version\":\"2.0\",\"operators\":"
                        "{\"QuantizeLinear\":{\"nonconformant\":1}}}]"));
  const auto files = SiteFiles(std::move(input));
  ASSERT_TRUE(files.ok());
  EXPECT_TRUE(files->contains("history-simd-AVX2.html"));
  EXPECT_THAT(files->at("data-history-simd-AVX2.js"), HasSubstr("1 regressed"));
}

TEST(Site, HostileTexts_OpenNoTagAndNoScript) {
  CellRecord cell = CellOf(DataType::kInt8, Verdict::kNonconformant);
  cell.reason = "</script><script>evil()</script>";
  cell.counterexamples[0].message = "</script>]]>\u2028";
  RunInfo run = ExampleRun();
  run.backend.name = "\"><img src=x onerror=evil()>";
  run.backend.details = {{"<b>", "</b>"}};
  const auto files = SiteFiles(InputOf({ReportOf("a.json", {cell}, "<1>", run)}));
  ASSERT_TRUE(files.ok());
  for (const auto& [name, text] : *files) {
    EXPECT_THAT(text, Not(HasSubstr("<script>evil"))) << name;
    EXPECT_THAT(text, Not(HasSubstr("<img src=x"))) << name;
    EXPECT_EQ(
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789_.-"),
        name.npos)
        << name;
    if (name.starts_with("data-")) {
      EXPECT_THAT(text, Not(HasSubstr("<"))) << name;
    }
  }
}

TEST(Site, NoReportOrReportOnAModel_IsAnError) {
  EXPECT_THAT(SiteFiles(InputOf({})).error().message,
              HasSubstr("the site: expected a report at least"));
  SiteReport one = ReportOf("m.json", {CellOf(DataType::kInt8, Verdict::kConformant)});
  one.report.run.selection.model = ModelRecord{"m.onnx", std::string(64, 'a')};
  EXPECT_THAT(SiteFiles(InputOf({one})).error().message,
              HasSubstr("m.json: expected a report on cells"));
}

}  // namespace
}  // namespace qconform
