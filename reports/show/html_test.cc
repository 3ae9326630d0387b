#include "reports/show/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/base/packed.h"
#include "reports/testing/example_records.h"
#include "reports/testing/occurrences.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The embedded data, as a browser takes it out of its element.
nlohmann::json DataOf(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const size_t begin = page.find(open) + open.size();
  const auto packed =
      ParseJson(page.substr(begin, page.find("</script>", begin) - begin), "data");
  return nlohmann::json::parse(Dump(*Unpacked(*packed, "data")));
}

TEST(Html, EveryCellIsInTheData) {
  const Report report = ExampleReport();
  const nlohmann::json data = DataOf(HtmlText(report));
  ASSERT_EQ(data["reports"].size(), 1u);
  const nlohmann::json& cells = data["reports"][0]["cells"];
  ASSERT_EQ(cells.size(), report.cells.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(cells[i]["cell"], report.cells[i].cell);
    EXPECT_EQ(cells[i]["verdict"], VerdictName(report.cells[i].verdict));
  }
}

// The page and `qconform diff` judge by one function: replay lines and order are no
// change.
TEST(Html, ChangesAreThoseOfTheDiff) {
  const Report before = ExampleReport();
  std::vector<CellRecord> cells = before.cells;
  size_t regressed = 0;
  for (CellRecord& cell : cells) {
    for (Counterexample& example : cell.counterexamples) example.replay += " --jobs 2";
    if (cell.verdict != Verdict::kNonconformant) continue;
    cell.tiers[0].mismatches += 1;
    ++regressed;
  }
  const Report after = *BuildReport(before.run, cells, before.node_tests, true);
  const nlohmann::json changes = DataOf(HtmlText(after, {.beside = &before}))["changes"];
  EXPECT_EQ(changes.size(), regressed);
  for (const auto& [cell, kind] : changes.items()) EXPECT_EQ(kind, "regressed") << cell;
  EXPECT_EQ(DataOf(HtmlText(after))["changes"].size(), 0u);
}

TEST(Html, NeedsNothingFromElsewhere) {
  const std::string page = HtmlText(ExampleReport());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* word :
       {"src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("}) {
    EXPECT_THAT(page, Not(HasSubstr(word)));
  }
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(Html, WordsOfABackend_CannotBreakOutOfTheData) {
  Report report = ExampleReport();
  const std::string words = "</script><script>alert(1)</script><!-- \u2028 \"'{{data}}";
  report.cells[0].reason = words;
  report.run.backend.name = "<b>&\"name\"";
  const std::string page = HtmlText(report);
  EXPECT_EQ(Occurrences(page, "</script>"), 2u);
  EXPECT_EQ(Occurrences(page, "<script"), 2u);
  EXPECT_THAT(page, HasSubstr("<title>&lt;b&gt;&amp;&quot;name&quot;:"));
  EXPECT_EQ(DataOf(page)["reports"][0]["cells"][0]["reason"], words);
}

TEST(Html, WholeLattice_IsSmall) {
  RunInfo run = ExampleRun();
  run.selection.cells = 4772;
  const Report fine = *BuildReport(run, WholeLattice(Verdict::kConformant), {}, true);
  const size_t bytes = HtmlText(fine).size();
  RecordProperty("bytes", static_cast<int>(bytes));
  EXPECT_LT(bytes, 2'000'000u);
  const Report bad = *BuildReport(run, WholeLattice(Verdict::kNonconformant), {}, true);
  EXPECT_LT(HtmlText(bad, {.beside = &fine}).size(), 10'000'000u);
}

TEST(Html, EmptyReport_IsAPage) {
  EXPECT_EQ(
      DataOf(HtmlText(*BuildReport(ExampleRun(), {}, {}, true)))["reports"][0]["cells"]
          .size(),
      0u);
}

}  // namespace
}  // namespace qconform
