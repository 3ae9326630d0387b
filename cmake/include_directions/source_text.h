// The text of a source file without its comments, and its strings.
#ifndef QCONFORM_CMAKE_INCLUDE_DIRECTIONS_SOURCE_TEXT_H_
#define QCONFORM_CMAKE_INCLUDE_DIRECTIONS_SOURCE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace qconform {

enum class Language { kCpp, kJavaScript, kPython };  // protobuf's is read as C++

struct StringLiteral {
  size_t line = 0;  // from 1
  std::string text;
};

struct SourceText {
  // The source with blanks in place of comments and of what stands inside of quotes; its
  // lines are those of the source.
  std::string code;
  std::vector<StringLiteral> strings;
};

SourceText ReadSource(std::string_view source, Language language);

}  // namespace qconform

#endif  // QCONFORM_CMAKE_INCLUDE_DIRECTIONS_SOURCE_TEXT_H_
