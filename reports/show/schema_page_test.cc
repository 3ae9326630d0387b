#include "reports/show/schema_page.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "oracle/base/file.h"

namespace qconform {
namespace {

TEST(SchemaPage, CommittedPage_IsWhatTheSchemasGive) {
  const auto page = ReadFile(QCONFORM_SOURCE_DIR "/docs/report_format.md");
  ASSERT_TRUE(page) << page.error().message;
  // script/docs makes it again.
  EXPECT_EQ(*page, ReportFormatMarkdown());
}

// What GitHub makes of a heading.
std::string Anchor(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') anchor += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') {
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return anchor;
}

TEST(SchemaPage, LinksLeadToHeadings_AndNoFieldIsWithoutMeaning) {
  const std::string page = ReportFormatMarkdown();
  std::set<std::string> anchors;
  std::set<std::string> links;
  int rows = 0;
  for (size_t begin = 0; begin < page.size();) {
    const size_t end = page.find('\n', begin);
    const std::string line = page.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("#")) {
      EXPECT_TRUE(anchors.insert(Anchor(line.substr(line.find(' ') + 1))).second) << line;
    }
    if (line.starts_with("| `")) {
      ++rows;
      EXPECT_FALSE(line.ends_with("|  |")) << line;
    }
    static const std::regex kLink(R"(\]\(#([^)]*)\))");
    for (std::sregex_iterator it(line.begin(), line.end(), kLink), none; it != none;
         ++it) {
      links.insert((*it)[1]);
    }
  }
  EXPECT_GT(rows, 100);
  EXPECT_GT(links.size(), 10u);
  for (const std::string& link : links) EXPECT_TRUE(anchors.contains(link)) << link;
}

}  // namespace
}  // namespace qconform
