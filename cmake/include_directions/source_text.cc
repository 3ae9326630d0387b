#include "cmake/include_directions/source_text.h"

#include <cctype>

namespace qconform {
namespace {

class Reader {
 public:
  Reader(std::string_view source, Language language)
      : source_(source), language_(language) {}

  SourceText Read() {
    while (at_ < source_.size()) {
      if (StartsComment()) {
        SkipComment();
      } else if (IsQuote()) {
        ReadString();
      } else if (language_ == Language::kJavaScript && StartsPattern()) {
        ReadUntil("/", nullptr);
      } else {
        if (!std::isspace(static_cast<unsigned char>(source_[at_]))) last_ = source_[at_];
        Copy();
      }
    }
    return std::move(text_);
  }

 private:
  bool At(std::string_view word) const {
    return source_.substr(at_, word.size()) == word;
  }

  void Copy() {
    if (source_[at_] == '\n') ++line_;
    text_.code += source_[at_++];
  }

  void Blank(size_t count) {
    for (; count > 0 && at_ < source_.size(); --count, ++at_) {
      if (source_[at_] == '\n') ++line_;
      text_.code += source_[at_] == '\n' ? '\n' : ' ';
    }
  }

  bool StartsComment() const {
    return language_ == Language::kPython ? At("#") : At("//") || At("/*");
  }

  void SkipComment() {
    const size_t end = At("/*") ? source_.find("*/", at_ + 2) : source_.find('\n', at_);
    const size_t length =
        end == std::string_view::npos ? source_.size() - at_ : end - at_;
    Blank(At("/*") ? length + 2 : length);
  }

  bool IsQuote() const {
    const char c = source_[at_];
    if (c == '"') return true;
    if (c == '`') return language_ == Language::kJavaScript;
    // A quote between digits separates them: 1'000'000.
    return c == '\'' && !(language_ == Language::kCpp && at_ > 0 &&
                          std::isalnum(static_cast<unsigned char>(source_[at_ - 1])));
  }

  // A pattern stands where a value may stand: after an operator or an opening bracket.
  bool StartsPattern() const {
    return At("/") &&
           std::string_view("(,=:[!&|?{};").find(last_) != std::string_view::npos;
  }

  void ReadString() {
    if (language_ == Language::kCpp && At("\"") && at_ > 0 && source_[at_ - 1] == 'R') {
      const size_t open = source_.find('(', at_);
      const std::string end =
          ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
      StringLiteral literal{line_, {}};
      const size_t close = source_.find(end, open);
      literal.text = source_.substr(open + 1, close - open - 1);
      Blank(close + end.size() - at_);
      text_.strings.push_back(std::move(literal));
      return;
    }
    StringLiteral literal{line_, {}};
    for (const std::string_view quote : {"\"\"\"", "'''"}) {
      if (language_ == Language::kPython && At(quote)) {
        ReadUntil(quote, &literal.text);
        text_.strings.push_back(std::move(literal));
        return;
      }
    }
    ReadUntil(source_.substr(at_, 1), &literal.text);
    text_.strings.push_back(std::move(literal));
  }

  // Reads what begins at `at_` with `quote` or a character of its length and ends with
  // it.
  void ReadUntil(std::string_view quote, std::string* text) {
    Blank(quote.size());
    while (at_ < source_.size() && !At(quote)) {
      if (quote.size() == 1 && quote != "`" && At("\n")) break;  // it has no end
      const size_t count = At("\\") ? 2 : 1;
      if (text != nullptr) *text += source_.substr(at_, count);
      Blank(count);
    }
    Blank(quote.size());
    last_ = '"';
  }

  std::string_view source_;
  Language language_;
  size_t at_ = 0;
  size_t line_ = 1;
  char last_ = ';';  // the last one that is no space
  SourceText text_;
};

}  // namespace

SourceText ReadSource(std::string_view source, Language language) {
  return Reader(source, language).Read();
}

}  // namespace qconform
