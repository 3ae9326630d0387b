#include "reports/show/badge.h"

#include "reports/diff/part.h"
#include "reports/history/history.h"
#include "reports/record/evidence.h"
#include "reports/show/summary/summary_writer.h"
#include "reports/show/xml.h"

namespace qconform {
namespace {

constexpr const char* kGreen = "#1a7f37";
constexpr const char* kYellow = "#8a6100";
constexpr const char* kRed = "#b42318";
constexpr const char* kGrey = "#57606a";

struct Message {
  std::string text;
  const char* color;
};

Message MessageOf(const Report& report, const KnownOutcome* known) {
  const int64_t passes = report.totals.cells.passes();
  int64_t waived = 0;
  int64_t deviating =
      report.totals.node_tests.deviations() + (AnyDeviates(report.negative) ? 1 : 0);
  for (const CellRecord& cell : report.cells) {
    const bool is_known = known != nullptr && known->Find(cell.cell) != nullptr;
    waived += is_known;
    deviating += IsDeviation(cell.verdict) && !is_known;
  }
  const int64_t supported =
      report.totals.selected - report.totals.cells[Verdict::kUnsupported];
  const std::string noun =
      supported < report.totals.selected ? " supported cells pass" : " cells pass";
  const std::string share =
      GroupedDigits(passes) + " of " + GroupedDigits(supported) + noun;
  if (deviating > 0 || (known != nullptr && !known->problems.empty()))
    return {share, kRed};
  if (!report.complete) return {share + ", incomplete", kGrey};
  if (report.totals.selected == 0) return {share, kGrey};  // nothing was asked
  if (waived > 0) return {share + ", " + GroupedDigits(waived) + " waived", kYellow};
  if (passes < report.totals.selected) return {share, kYellow};
  return {share, kGreen};
}

// One half of the badge; the text is stretched to its width, whatever the font.
std::string Half(int x, int width, const char* color, const std::string& text) {
  const std::string at = std::to_string(x);
  return "<rect x=\"" + at + "\" width=\"" + std::to_string(width) +
         "\" height=\"20\" fill=\"" + color + "\"/><text x=\"" + std::to_string(x + 7) +
         "\" y=\"14\" textLength=\"" + std::to_string(width - 14) + "\">" +
         XmlEscaped(text) + "</text>";
}

// Pixels of a text of code points, most of them Latin letters.
int WidthOf(const std::string& text) {
  return static_cast<int>(Writer::Columns(text)) * 65 / 10 + 14;
}

// The name of a backend in at most 24 letters.
std::string ShortName(const std::string& name) {
  constexpr size_t kMost = 24;
  if (Writer::Columns(name) <= kMost) return name;
  std::string text = name;
  while (Writer::Columns(text) >= kMost) text.pop_back();  // ends between code points
  return text + "\u2026";
}

}  // namespace

std::string BadgeSvg(const Report& report, const KnownOutcome* known) {
  const SelectionRecord& selection = report.run.selection;
  std::string label = "ONNX quantization";
  // A user's own profile is not to be taken for a built-in one.
  constexpr std::string_view kOwn = "own:";
  if (selection.profile.starts_with(kOwn)) {
    label += ", own profile " + selection.profile.substr(kOwn.size());
  } else if (!selection.profile.empty()) {
    label += ", " + selection.profile;
  }
  const bool part = report.part_of > 0;
  if (part || (selection.profile.empty() && !selection.cell_patterns.empty()))
    label += ", selection";
  label += ", " + report.run.suite.level;
  const Message message = MessageOf(report, known);
  const BackendRecord& backend = report.run.backend;
  const std::string version = backend.version.empty() ? "" : " " + backend.version;
  const std::string name = DisplayName(backend) + version;
  const std::string shown = ShortName(DisplayName(backend)) + version + ": " + label;
  const int left = WidthOf(shown);
  const int right = WidthOf(message.text);
  const std::string width = std::to_string(left + right);
  const std::string title = XmlEscaped(
      name + ": " + label + ": " + message.text + (part ? "; " + PartText(report) : "") +
      "; results sha256:" + report.results_digest.substr(0, 16));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width +
         "\" height=\"20\" role=\"img\" aria-label=\"" + title + "\"><title>" + title +
         "</title><clipPath id=\"r\"><rect width=\"" + width +
         "\" height=\"20\" rx=\"3\"/></clipPath><g clip-path=\"url(#r)\" "
         "font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">"
         "<g fill=\"#fff\">" +
         Half(0, left, "#3b4048", shown) +
         Half(left, right, message.color, message.text) + "</g></g></svg>\n";
}

}  // namespace qconform
