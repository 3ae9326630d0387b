#include "reports/show/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/testing/example_records.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// A reader of RFC 4180 that knows nothing of the writer.
std::vector<std::vector<std::string>> Parse(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    std::string& field = rows.back().back();
    if (quoted) {
      if (text[i] != '"') {
        field += text[i];
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[i++];
      } else {
        quoted = false;
      }
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == ',') {
      rows.back().emplace_back();
    } else if (text[i] == '\n') {
      rows.emplace_back(1);
    } else {
      field += text[i];
    }
  }
  rows.pop_back();
  return rows;
}

TEST(Csv, OneRowPerCellUnderAHeadLine) {
  const Report report = ExampleReport();
  const auto rows = Parse(CsvText(report, nullptr));
  ASSERT_EQ(rows.size(), report.cells.size() + 1);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  for (size_t i = 0; i < report.cells.size(); ++i) {
    EXPECT_EQ(rows[i + 1][0], report.cells[i].cell);
    EXPECT_EQ(rows[i + 1][6], VerdictName(report.cells[i].verdict));
  }
  EXPECT_THAT(CsvText(report, nullptr), StartsWith("cell,op_type,since_version,types,"));
}

TEST(Csv, StrangeTexts_StayInTheirFieldAndAreNoFormulas) {
  Report report = ExampleReport();
  report.cells[0].reason = "a, \"b\"\nc";
  report.cells[1].reason = "=1+1";
  report.cells[2].reason = "+1";
  report.cells[3].reason = "-1";
  report.cells[4].reason = "@SUM(A1)";
  const auto rows = Parse(CsvText(report, nullptr));
  ASSERT_EQ(rows.size(), report.cells.size() + 1);
  EXPECT_THAT(rows[1], ::testing::Contains("a, \"b\"\nc"));
  EXPECT_THAT(rows[2], ::testing::Contains("'=1+1"));
  EXPECT_THAT(rows[3], ::testing::Contains("'+1"));
  EXPECT_THAT(rows[4], ::testing::Contains("'-1"));
  EXPECT_THAT(rows[5], ::testing::Contains("'@SUM(A1)"));
}

TEST(Csv, ControlCharacters_AreShown) {
  Report report = ExampleReport();
  report.cells[0].reason = std::string("a\x1b[2J\a\0b", 8);
  const std::string text = CsvText(report, nullptr);
  EXPECT_THAT(text, HasSubstr("a\\x1b[2J\\x07\\x00b"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Csv, KnownDifferences_AreNamed) {
  const Report report = ExampleReport();
  KnownDifference entry;
  entry.cells = {"*"};
  entry.verdict = Verdict::kCrashed;
  entry.reason = "it is known";
  const KnownOutcome outcome = ApplyKnownDifferences({entry}, report, "2026-08-01");
  EXPECT_THAT(CsvText(report, &outcome), HasSubstr(",it is known,"));
}

}  // namespace
}  // namespace qconform
