// A history for people: terminal and Markdown.
#include <algorithm>
#include <string_view>

#include "oracle/base/text.h"
#include "reports/diff/finding_changes.h"
#include "reports/history/history.h"
#include "reports/record/evidence.h"
#include "reports/show/markdown_text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

int64_t Declined(const VerdictCounts& cells) {
  return cells[Verdict::kUnsupported] + cells[Verdict::kPartial];
}

std::string Padded(const std::string& text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string Head(const History& history) {
  return history.backend + (history.device.empty() ? "" : " (" + history.device + ")") +
         ": " + Plural(static_cast<int64_t>(history.releases.size()), "release") + ", " +
         history.releases.front().version + " to " + history.releases.back().version +
         ", level " + history.suite.level + ", seed " +
         std::to_string(history.suite.seed);
}

std::string FindingsHead(const History& history) {
  const int64_t gone = std::ranges::count_if(
      history.findings, [](const HistoryFinding& one) { return one.cells.back() == 0; });
  const auto all = static_cast<int64_t>(history.findings.size());
  return Plural(all, "finding") + ": " + GroupedDigits(all - gone) + " in " +
         history.releases.back().version + ", " + GroupedDigits(gone) + " no longer";
}

// The change of a finding in a release; null if there is none.
const FindingChange* ChangeOf(const HistoryRelease& release, const std::string& finding) {
  const auto found = std::ranges::find(release.changes, finding, &FindingChange::finding);
  return found == release.changes.end() ? nullptr : &*found;
}

std::vector<std::string> OtherChanges(const HistoryRelease& release) {
  std::vector<std::string> lines = release.other_changes;
  if (!release.complete) lines.emplace_back("the report is incomplete");
  return lines;
}

}  // namespace

std::string HistoryText(const History& history) {
  size_t width = std::string_view("release").size();
  for (const HistoryRelease& release : history.releases) {
    width = std::max(width, OneLine(release.version).size());
  }
  const auto row = [&](std::string first, std::vector<std::string> others) {
    first += std::string(width - std::min(width, first.size()), ' ');
    for (const std::string& other : others) first += Padded(other, 12);
    return first + "\n";
  };
  std::string text = OneLine(Head(history)) + "\n\n" +
                     row("release", {"cells", "pass", "deviate", "declined", "findings"});
  for (const HistoryRelease& release : history.releases) {
    text +=
        row(OneLine(release.version),
            {GroupedDigits(release.cells.total()), GroupedDigits(release.cells.passes()),
             GroupedDigits(release.cells.deviations()),
             GroupedDigits(Declined(release.cells)), GroupedDigits(release.findings)});
  }
  for (const HistoryRelease& release : history.releases) {
    for (const std::string& line : OtherChanges(release)) {
      text += "in " + OneLine(release.version) + ": " + OneLine(line) + "\n";
    }
  }
  text += "\n" + OneLine(FindingsHead(history)) + "\n";
  for (const HistoryFinding& finding : history.findings) {
    text += "\n" + OneLine(finding.finding) + "\n  in " +
            OneLine(ReleasesWith(history, finding)) + "\n";
    if (finding.cells.front() > 0) {
      text += "  " + row(OneLine(history.releases.front().version), {}).substr(0, width) +
              "  " + Plural(finding.cells.front(), "cell") + "\n";
    }
    for (const HistoryRelease& release : history.releases) {
      const FindingChange* change = ChangeOf(release, finding.finding);
      if (change == nullptr) continue;
      text += "  " + row(OneLine(release.version), {}).substr(0, width) + "  " +
              FindingState(*change) + ": " + OneLine(FindingSentence(*change)) + "\n";
    }
  }
  return text;
}

std::string HistoryMarkdown(const History& history) {
  std::string text = "### " + MarkdownEscaped(Head(history)) +
                     "\n\n| release | cells | pass | deviate | declined | findings |\n"
                     "|---|---:|---:|---:|---:|---:|\n";
  for (const HistoryRelease& release : history.releases) {
    text += "| " + MarkdownEscaped(release.version) + " | " +
            GroupedDigits(release.cells.total()) + " | " +
            GroupedDigits(release.cells.passes()) + " | " +
            GroupedDigits(release.cells.deviations()) + " | " +
            GroupedDigits(Declined(release.cells)) + " | " +
            GroupedDigits(release.findings) + " |\n";
  }
  text += "\n" + MarkdownEscaped(FindingsHead(history)) +
          ". Cells of each, by release:\n\n| finding |";
  std::string rule = "\n|---|";
  for (const HistoryRelease& release : history.releases) {
    text += " " + MarkdownEscaped(release.version) + " |";
    rule += "---:|";
  }
  text += rule + "\n";
  for (const HistoryFinding& finding : history.findings) {
    text += "| " + MarkdownTableCode(finding.finding) + " |";
    for (const int64_t cells : finding.cells) {
      text += cells == 0 ? " |" : " " + GroupedDigits(cells) + " |";
    }
    text += "\n";
  }
  for (const HistoryRelease& release : history.releases) {
    const std::vector<std::string> others = OtherChanges(release);
    if (release.changes.empty() && others.empty()) continue;
    text += "\n**" + MarkdownEscaped(release.version) + "**\n\n";
    for (const std::string& line : others) text += "- " + MarkdownEscaped(line) + "\n";
    for (const FindingChange& change : release.changes) {
      text += "- " + MarkdownCode(change.finding) + " " + FindingState(change) + ": " +
              MarkdownEscaped(FindingSentence(change)) + "\n";
    }
  }
  return text;
}

}  // namespace qconform
