#include "harness/cli/print/print.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

[[gnu::format(printf, 1, 2)]] std::string Text(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::string text = PrintedText(format, arguments);
  va_end(arguments);
  return text;
}

TEST(PrintedText, Texts_AreOnOneLine) {
  EXPECT_EQ(Text("%s\n", "a\nb\x1b[1m"), "a\\nb\\x1b[1m\n");
  EXPECT_EQ(Text("%s", std::string(5000, 'x').c_str()), std::string(5000, 'x'));
}

TEST(PrintedText, Conversions_AreThoseOfPrintf) {
  EXPECT_EQ(Text("%-4s|%4s|%-*s|", "ab", "ab", 3, "a"), "ab  |  ab|a  |");
  EXPECT_EQ(Text("%d %5lld %-5lld| %zu %llu 0x%llx %c %%", -1, 2LL, 3LL, size_t{4}, 5ULL,
                 255ULL, 'c'),
            "-1     2 3    | 4 5 0xff c %");
  EXPECT_EQ(Text("%.2f %g %8.1f", 1.0, 0.5, 2.0), "1.00 0.5      2.0");
  EXPECT_EQ(Text("%.1f", 1e300).size(), 303u);
}

}  // namespace
}  // namespace qconform
