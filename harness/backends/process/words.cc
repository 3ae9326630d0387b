#include "harness/backends/process/words.h"

#include "oracle/base/expected.h"

namespace qconform {

Result<std::vector<std::string>> SplitWords(std::string_view command) {
  const auto fault = [&](const std::string& expected, const std::string& got) {
    return Expected("command '" + std::string(command) + "'", expected, got);
  };
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == '\'') {
      if (c == '\'')
        quote = '\0';
      else
        word += c;
    } else if (c == '\\') {
      if (i + 1 == command.size())
        return fault("a character after the last backslash", "the end");
      const char next = command[++i];
      const bool kept = quote == '"' &&
                        std::string_view("$`\"\\\n").find(next) == std::string_view::npos;
      if (kept) word += c;
      if (next != '\n') word += next;
      in_word = in_word || next != '\n';
    } else if (quote == '"') {
      if (c == '"')
        quote = '\0';
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != '\0') return fault(std::string("a closing ") + quote, "the end");
  if (in_word) words.push_back(std::move(word));
  if (words.empty()) return fault("a program", "no word");
  return words;
}

}  // namespace qconform
