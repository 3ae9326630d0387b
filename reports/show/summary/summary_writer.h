// Lines of a terminal: marks, colours, columns. Private to
// reports/show/summary/summary.cc.
#ifndef QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_WRITER_H_
#define QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_WRITER_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/record/verdict.h"
#include "reports/show/summary/summary.h"
#include "reports/show/terminal_text.h"

namespace qconform {

inline std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = std::min(text.find(' ', start), text.size());
    words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

enum class Mark {
  kAllConformant,
  kAllPass,
  kDeviates,
  kDeclined,
  kUnknown,
  kNone,
  kRefused
};

inline Mark MarkOf(const VerdictCounts& counts) {
  const std::optional<Verdict> worst = counts.worst();
  if (!worst) return Mark::kNone;
  if (IsDeviation(*worst)) return Mark::kDeviates;
  if (*worst == Verdict::kRefusedLegal) return Mark::kRefused;
  if (counts[Verdict::kMistrusted] > 0 || counts[Verdict::kError] > 0 ||
      counts[Verdict::kUntested] > 0 || counts.unknown() > 0) {
    return Mark::kUnknown;
  }
  if (!IsPass(*worst)) return Mark::kDeclined;
  return *worst == Verdict::kAdmissible ? Mark::kAllPass : Mark::kAllConformant;
}

struct MarkStyle {
  const char* ascii;
  const char* unicode;
  const char* color;  // ANSI
};

inline const MarkStyle& StyleOf(Mark mark) {
  static constexpr MarkStyle kStyles[] = {{"ok", "\u2713", "32"},  {"~", "\u2248", "36"},
                                          {"!", "\u2717", "1;31"}, {"-", "\u25cb", "33"},
                                          {"?", "?", "35"},        {".", "\u00b7", "2"},
                                          {"x", "\u2298", "1;33"}};
  return kStyles[static_cast<size_t>(mark)];
}

inline Mark MarkOf(Verdict verdict) {
  VerdictCounts counts;
  counts.Add(verdict);
  return MarkOf(counts);
}

// Text that knows how many columns it takes, whatever its bytes and colours.
class Writer {
 public:
  explicit Writer(const SummaryOptions& options) : options_(options) {}

  std::string Symbol(Mark mark) const {
    return options_.unicode ? StyleOf(mark).unicode : StyleOf(mark).ascii;
  }
  std::string Painted(const std::string& text, const char* color) const {
    const std::string line = OneLine(text);
    return options_.color ? "\033[" + std::string(color) + "m" + line + "\033[0m" : line;
  }
  std::string Painted(const std::string& text, Mark mark) const {
    return Painted(text, StyleOf(mark).color);
  }

  // Columns of a text: code points, for there are no wide ones.
  static size_t Columns(const std::string& text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
  }
  static std::string Spaces(size_t columns, const std::string& text) {
    return std::string(columns - std::min(columns, Columns(text)), ' ');
  }

  void Line(const std::string& text = "") { text_ += OneLine(text) + "\n"; }
  // A line with parts of Painted; its other parts are our own words.
  void PaintedLine(const std::string& text) { text_ += text + "\n"; }
  void Heading(const std::string& text) { PaintedLine(Painted(text, "1")); }
  // "label   words ...", wrapped at the width with a hanging indent.
  void Labelled(const std::string& label, const std::vector<std::string>& words) {
    std::string line = label + Spaces(kLabel, label);
    bool first = true;
    for (const std::string& word : words) {
      if (!first &&
          Columns(line) + 1 + Columns(word) > static_cast<size_t>(options_.width)) {
        Line(line);
        line = std::string(kLabel, ' ');
        first = true;
      }
      line += (first ? "" : " ") + word;
      first = false;
    }
    Line(line);
  }
  std::string Take() { return std::move(text_); }

  static constexpr size_t kLabel = 16;

 private:
  const SummaryOptions& options_;
  std::string text_;
};

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_WRITER_H_
