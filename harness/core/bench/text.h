// Text by the conversions of printf.
#ifndef QCONFORM_HARNESS_CORE_BENCH_TEXT_H_
#define QCONFORM_HARNESS_CORE_BENCH_TEXT_H_

#include <cstdarg>
#include <cstdio>
#include <string>

namespace qconform {

// Returns what printf prints.
[[gnu::format(printf, 1, 2)]] inline std::string TextOf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  std::string text(static_cast<size_t>(std::vsnprintf(nullptr, 0, format, again)), '\0');
  va_end(again);
  std::vsnprintf(text.data(), text.size() + 1, format, arguments);
  va_end(arguments);
  return text;
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BENCH_TEXT_H_
