#include "harness/cli/print/print.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "oracle/base/text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// Returns a number by its conversion without flags and width, such as ".3f".
template <typename Number>
std::string NumberText(std::string_view conversion, Number number) {
  const std::string format = "%" + std::string(conversion);
  char text[400];  // any double has less than 320 digits before the point
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::snprintf(text, sizeof text, format.c_str(), number);
#pragma GCC diagnostic pop
  return text;
}

void Put(std::string_view lines, std::FILE* file) {
  const std::string text = PrintableLines(lines);
  std::fwrite(text.data(), 1, text.size(), file);
}

}  // namespace

std::string PrintedText(const char* format, va_list arguments) {
  std::string text;
  for (std::string_view rest = format; !rest.empty();) {
    const size_t percent = std::min(rest.find('%'), rest.size());
    text += rest.substr(0, percent);
    rest.remove_prefix(percent);
    if (rest.empty()) break;
    const size_t end = rest.find_first_of("%dufgxcs", 1);
    assert(end != rest.npos);
    std::string_view conversion = rest.substr(1, end);
    rest.remove_prefix(end + 1);
    const bool left = conversion.starts_with('-');
    if (left) conversion.remove_prefix(1);
    size_t width = 0;
    if (conversion.starts_with('*')) {
      width = static_cast<size_t>(std::max(va_arg(arguments, int), 0));
      conversion.remove_prefix(1);
    }
    for (; conversion[0] >= '0' && conversion[0] <= '9'; conversion.remove_prefix(1)) {
      width = 10 * width + static_cast<size_t>(conversion[0] - '0');
    }
    std::string shown;
    const char kind = conversion.back();
    if (kind == '%') {
      shown = "%";
    } else if (kind == 's') {
      shown = OneLine(va_arg(arguments, const char*));
    } else if (kind == 'f' || kind == 'g') {
      shown = NumberText(conversion, va_arg(arguments, double));
    } else if (conversion.starts_with("ll")) {
      shown = NumberText(conversion, va_arg(arguments, long long));
    } else if (conversion.starts_with('l')) {
      shown = NumberText(conversion, va_arg(arguments, long));
    } else if (conversion.starts_with('z')) {
      shown = NumberText(conversion, va_arg(arguments, size_t));
    } else {
      shown = NumberText(conversion, va_arg(arguments, int));
    }
    const std::string blanks(width - std::min(width, shown.size()), ' ');
    text += left ? shown + blanks : blanks + shown;
  }
  return text;
}

void Print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  Put(PrintedText(format, arguments), stdout);
  va_end(arguments);
}

void PrintNote(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  Put(PrintedText(format, arguments), stderr);
  va_end(arguments);
}

void PrintLines(std::string_view lines) { Put(lines, stdout); }

void PrintDocument(std::string_view document) {
  std::fwrite(document.data(), 1, document.size(), stdout);
}

void PrintError(const std::string& message) {
  std::string text = "qconform: " + Joined(Split(message, "\n"), "\n  ");
  if (text.ends_with("\n  ")) text.resize(text.size() - 3);
  Put(text + "\n", stderr);
}

}  // namespace qconform
