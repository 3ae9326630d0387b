#include "oracle/base/shortage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace qconform {
namespace {

using testing::HasSubstr;

template <typename Exception>
std::string SentenceOf(const Exception& exception) {
  try {
    throw exception;
  } catch (...) {
    return CaughtShortage().value_or("none");
  }
}

TEST(Shortage, ItsSentence_NamesTheLimit) {
  const struct {
    int number;
    const char* limit;
  } kRows[] = {{EMFILE, "'ulimit -n'"},
               {ENFILE, "file-max"},
               {EAGAIN, "'ulimit -u'"},
               {ENOMEM, "'ulimit -v'"}};
  for (const auto& row : kRows) {
    EXPECT_TRUE(IsShortage(row.number));
    const std::string sentence = SentenceOf(ShortageOf("start a worker", row.number));
    EXPECT_THAT(sentence, HasSubstr("cannot start a worker: "));
    EXPECT_THAT(sentence, HasSubstr(row.limit));
  }
  EXPECT_FALSE(IsShortage(ENOENT));
}

TEST(CaughtShortage, OnlyWhatTheSystemDoesNotGive_IsOne) {
  EXPECT_THAT(SentenceOf(std::bad_alloc()), HasSubstr("not enough memory"));
  EXPECT_THAT(SentenceOf(std::system_error(
                  std::make_error_code(std::errc::resource_unavailable_try_again))),
              HasSubstr("'ulimit -u'"));
  EXPECT_EQ(SentenceOf(std::system_error(
                std::make_error_code(std::errc::no_such_file_or_directory))),
            "none");
  EXPECT_EQ(SentenceOf(std::runtime_error("a mistake")), "none");
  EXPECT_EQ(SentenceOf(1), "none");
}

}  // namespace
}  // namespace qconform
