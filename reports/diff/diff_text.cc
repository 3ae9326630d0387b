// The outputs of a diff for people: terminal and Markdown (reports/diff/diff.h).
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "oracle/base/text.h"
#include "reports/diff/diff.h"
#include "reports/diff/finding_changes.h"
#include "reports/record/evidence.h"
#include "reports/show/markdown_text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// Of cells; node tests and negative models come on top, with a few words each.
constexpr size_t kMostMarkdownBytes = 45000;
constexpr size_t kMostRows = 20;
constexpr size_t kMostWords = 120;
// Of a sentence that does not end: a comment on a pull request has a limit.
constexpr size_t kLongestSentence = 200;

std::string Shown(const std::optional<Verdict>& verdict) {
  return verdict ? std::string(VerdictName(*verdict)) : "no row";
}

std::string Shown(const std::optional<NodeVerdict>& verdict) {
  return verdict ? std::string(NodeVerdictName(*verdict)) : "no row";
}

std::string Shown(const std::optional<NegativeResult>& result) {
  return result ? std::string(NegativeResultName(*result)) : "no row";
}

template <typename Change>
std::string Step(const Change& change) {
  if (change.before == change.after) return Shown(change.after);
  return Shown(change.before) + " -> " + Shown(change.after);
}

// Of the cells that were fixed, or regressed: those that deviated before and do so still.
std::string InPart(const ReportDiff& diff, ChangeKind kind) {
  if (kind != ChangeKind::kFixed && kind != ChangeKind::kRegressed) return "";
  const int64_t count = std::count_if(
      diff.cells.begin(), diff.cells.end(),
      [kind](const CellChange& change) { return change.Is(kind) && change.in_part(); });
  if (count == 0) return "";
  return ", " + GroupedDigits(count) +
         (kind == ChangeKind::kFixed ? " of them in part" : " of which deviated before");
}

std::string Counts(const ReportDiff& diff) {
  std::string text;
  for (const ChangeKind kind : kChangeKinds) {
    const int64_t count = diff.Count(kind);
    if (count == 0) continue;
    text += GroupedDigits(count) + " " + std::string(ChangeKindWords(kind)) +
            InPart(diff, kind) + "; ";
  }
  text += GroupedDigits(diff.unchanged) + " unchanged";
  if (diff.waived == 0) return text;
  return text + "; " + GroupedDigits(diff.waived) + " of the worse are known";
}

// What a person should look at: failures, comparability, nothing.
std::string Sign(const ReportDiff& diff, const FailOn& fail_on) {
  switch (ExitCodeFor(diff, fail_on)) {
    case ExitCode::kDeviation:
      return "\u274c";
    case ExitCode::kIncomplete:
      return "\u26aa";
    default:
      return "\u2705";
  }
}

std::string FindingsHead(const ReportDiff& diff) {
  return Plural(static_cast<int64_t>(diff.findings.size()), "finding") + " changed, " +
         GroupedDigits(diff.findings_unchanged) + " did not";
}

// The findings that a change of a kind is about: those that it had where it got better,
// else those that it has.
std::string GroupOf(const CellChange& change, ChangeKind kind) {
  const bool of_before = kind == ChangeKind::kFixed ||
                         kind == ChangeKind::kNoLongerSupported ||
                         kind == ChangeKind::kNoLongerAsked;
  const auto& first = of_before ? change.findings_before : change.findings_after;
  const auto& second = of_before ? change.findings_after : change.findings_before;
  std::set<std::string> names(first.begin(), first.end());
  if (names.empty()) names.insert(second.begin(), second.end());
  return Joined(names, ", ");
}

// The changes of a kind by their findings, in the order in which these come first.
using Groups = std::vector<std::pair<std::string, std::vector<const CellChange*>>>;
Groups GroupsOf(const ReportDiff& diff, ChangeKind kind) {
  Groups groups;
  std::map<std::string, size_t> places;
  for (const CellChange& change : diff.cells) {
    if (!change.Is(kind)) continue;
    const std::string name = GroupOf(change, kind);
    const auto [place, added] = places.emplace(name, groups.size());
    if (added) groups.push_back({name, {}});
    groups[place->second].second.push_back(&change);
  }
  return groups;
}

// "12 cells, 3 of them in part"
std::string KindHead(const ReportDiff& diff, ChangeKind kind) {
  int64_t known = 0;
  for (const CellChange& change : diff.cells) {
    known += change.Is(kind) && !change.known.empty() ? 1 : 0;
  }
  std::string text = Plural(diff.Count(kind), "cell") + InPart(diff, kind);
  if (known > 0) text += ", " + GroupedDigits(known) + " of them known";
  return text;
}

bool IsWorse(ChangeKind kind) {
  return kind == ChangeKind::kRegressed || kind == ChangeKind::kNewlySupportedWrong;
}

std::vector<std::string> WhatChanged(const ReportDiff& diff) {
  std::vector<std::string> lines = diff.suite_changes;
  lines.insert(lines.end(), diff.selection_changes.begin(), diff.selection_changes.end());
  lines.insert(lines.end(), diff.backend_changes.begin(), diff.backend_changes.end());
  lines.insert(lines.end(), diff.tool_changes.begin(), diff.tool_changes.end());
  if (!diff.before_complete) lines.emplace_back("the old report is incomplete");
  if (!diff.after_complete) lines.emplace_back("the new report is incomplete");
  return lines;
}

// What the new report says of a negative model.
std::string Words(const NegativeChange& change) {
  if (change.text.empty()) return "";
  return "; " +
         OneLine(Shortened(FirstSentences(change.text, kMostWords), kLongestSentence));
}

// In changed cells all that differs; in others the verdicts say it.
std::vector<std::string> Details(const CellChange& change) {
  std::vector<std::string> lines;
  if (!change.known.empty()) lines.push_back("known: " + change.known);
  for (size_t i = 0; i < change.what.size() && i < 4; ++i)
    lines.push_back(change.what[i]);
  if (change.what.size() > 4) {
    const auto left_out = static_cast<int64_t>(change.what.size() - 4);
    lines.push_back("and " + Plural(left_out, "more difference"));
  }
  return lines;
}

// The changes of one kind, with at most `most` cells.
std::string KindText(const ReportDiff& diff, ChangeKind kind, size_t most) {
  std::string text =
      "\n" + std::string(ChangeKindWords(kind)) + ": " + KindHead(diff, kind) + "\n";
  size_t shown = 0;
  size_t left_out = 0;
  for (const auto& [finding, changes] : GroupsOf(diff, kind)) {
    if (shown >= most) {
      left_out += changes.size();
      continue;
    }
    if (!finding.empty()) {
      text += "  " + OneLine(finding) + ": " +
              Plural(static_cast<int64_t>(changes.size()), "cell") + "\n";
    }
    for (const CellChange* change : changes) {
      if (shown >= most) {
        ++left_out;
        continue;
      }
      ++shown;
      // Rows that only one report has cannot be compared.
      if (!change->before || !change->after) {
        text += "  " + OneLine(change->cell) + " (" +
                Shown(change->before ? change->before : change->after) + ")\n";
        continue;
      }
      text += "  " + OneLine(change->cell) + "\n    " + Step(*change) + "\n";
      for (const std::string& line : Details(*change)) {
        text += "    " + OneLine(line) + "\n";
      }
      if (IsWorse(kind) && change->evidence) {
        text += "    " + OneLine(CounterexampleSentence(*change->evidence)) +
                "\n    rerun: " + OneLine(change->evidence->replay) + "\n";
      }
    }
  }
  if (left_out > 0) {
    text += "  and " + Plural(static_cast<int64_t>(left_out), "cell") + " more\n";
  }
  return text;
}

}  // namespace

std::string DiffText(const ReportDiff& diff, size_t most_cells) {
  constexpr size_t kMostFindings = 10;
  const auto side = [](const std::string& backend, const std::string& results,
                       const std::string& answers) {
    return OneLine(backend) + ", results sha256:" + OneLine(results.substr(0, 16)) +
           ", answers sha256:" + OneLine(answers.substr(0, 16)) + "\n";
  };
  std::string text =
      "before    " + side(diff.before_backend, diff.before_digest, diff.before_answers) +
      "after     " + side(diff.after_backend, diff.after_digest, diff.after_answers) +
      "cells     " + Counts(diff) + "\n" + OneLine(diff.Cause()) + "\n";
  for (const std::string& line : WhatChanged(diff)) text += "  " + OneLine(line) + "\n";
  if (!diff.findings.empty()) text += "\n" + FindingsHead(diff) + "\n";
  for (size_t i = 0; i < diff.findings.size(); ++i) {
    if (i == kMostFindings) {
      text += "  and " + std::to_string(diff.findings.size() - i) + " more\n";
      break;
    }
    const FindingChange& change = diff.findings[i];
    text += "  " + OneLine(change.finding) + "\n    " + FindingState(change) + ": " +
            OneLine(FindingSentence(change)) + "\n";
  }
  for (const ChangeKind kind : kChangeKinds) {
    if (diff.Count(kind) == 0) continue;
    // A few of those that do not matter, as examples.
    const bool few =
        kind == ChangeKind::kNewlyAsked || kind == ChangeKind::kNoLongerAsked ||
        kind == ChangeKind::kNewlySupportedRight || kind == ChangeKind::kOtherWords;
    text += KindText(diff, kind, few ? std::min<size_t>(most_cells, 5) : most_cells);
  }
  if (!diff.node_tests.empty()) text += "\nnode tests\n";
  for (const NodeTestChange& change : diff.node_tests) {
    text += "  " + std::string(ChangeKindWords(change.kind)) + ": " +
            OneLine(change.name) + " (" + OneLine(change.release) + "): " + Step(change) +
            "\n";
  }
  if (!diff.negative_models.empty()) text += "\nnegative models\n";
  for (size_t i = 0; i < diff.negative_models.size(); ++i) {
    const NegativeChange& change = diff.negative_models[i];
    if (i >= most_cells && !DefaultFailOn().contains(change.kind)) {
      text += "  and " +
              GroupedDigits(static_cast<int64_t>(diff.negative_models.size() - i)) +
              " more\n";
      break;
    }
    text += "  " + std::string(ChangeKindWords(change.kind)) + ": " + OneLine(change.id) +
            ": " + Step(change) + Words(change) + "\n";
  }
  return text;
}

std::string DiffMarkdown(const ReportDiff& diff, size_t most_cells,
                         const FailOn& fail_on) {
  constexpr size_t kMostFindings = 20;
  std::string text = "### " + Sign(diff, fail_on) + " " +
                     MarkdownEscaped(diff.after_backend) + ": " + Counts(diff) + "\n\n" +
                     diff.Cause() + "\n\n";
  const std::vector<std::string> lines = WhatChanged(diff);
  if (!lines.empty()) {
    text += "<details><summary>What else changed</summary>\n\n";
    for (const std::string& line : lines) text += "- " + MarkdownEscaped(line) + "\n";
    text += "\n</details>\n\n";
  }
  if (!diff.findings.empty()) {
    text +=
        FindingsHead(diff) + ":\n\n| finding | | what became of it |\n|---|---|---|\n";
    for (size_t i = 0; i < diff.findings.size() && i < kMostFindings; ++i) {
      const FindingChange& change = diff.findings[i];
      text += "| " + MarkdownTableCode(change.finding) + " | " + FindingState(change) +
              " | " + MarkdownEscaped(FindingSentence(change)) + " |\n";
    }
    if (diff.findings.size() > kMostFindings) {
      text += "\nand " + std::to_string(diff.findings.size() - kMostFindings) + " more\n";
    }
    text += "\n";
  }
  const std::string footer =
      "<sub>results <code>sha256:" + diff.before_digest.substr(0, 16) +
      "</code> before, <code>sha256:" + diff.after_digest.substr(0, 16) +
      "</code> after; answers <code>sha256:" + diff.before_answers.substr(0, 16) +
      "</code> before, <code>sha256:" + diff.after_answers.substr(0, 16) +
      "</code> after</sub>\n";
  size_t shown = 0;
  bool cut = false;
  for (const ChangeKind kind : kChangeKinds) {
    if (diff.Count(kind) == 0 || cut) continue;
    text += "<details" + std::string(IsWorse(kind) ? " open" : "") + "><summary><b>" +
            std::string(ChangeKindWords(kind)) + "</b>: " + KindHead(diff, kind) +
            "</summary>\n\n";
    for (const auto& [finding, changes] : GroupsOf(diff, kind)) {
      if (cut) break;
      if (!finding.empty()) text += "\n" + MarkdownCode(finding) + "\n\n";
      for (const CellChange* change : changes) {
        std::string item = "- " + MarkdownCode(change->cell) + " " +
                           MarkdownEscaped(Step(*change)) + "\n";
        for (const std::string& line : Details(*change)) {
          item += "  - " + MarkdownEscaped(line) + "\n";
        }
        if (IsWorse(kind) && change->evidence) {
          item += "  - " + MarkdownEscaped(CounterexampleSentence(*change->evidence)) +
                  "\n  - " + MarkdownCode(change->evidence->replay) + "\n";
        }
        cut = shown >= most_cells ||
              text.size() + item.size() + footer.size() + 500 > kMostMarkdownBytes;
        if (cut) {
          text += "- ...\n";
          break;
        }
        ++shown;
        text += item;
      }
    }
    text += "\n</details>\n\n";
  }
  for (size_t i = 0; i < diff.node_tests.size() && i < kMostRows; ++i) {
    const NodeTestChange& change = diff.node_tests[i];
    text += "- node test " + MarkdownCode(change.name) + " (" +
            MarkdownEscaped(change.release) +
            "): " + std::string(ChangeKindWords(change.kind)) + ", " +
            MarkdownEscaped(Step(change)) + "\n";
  }
  for (size_t i = 0; i < diff.negative_models.size() && i < kMostRows; ++i) {
    const NegativeChange& change = diff.negative_models[i];
    text += "- negative model " + MarkdownCode(change.id) + ": " +
            std::string(ChangeKindWords(change.kind)) + ", " +
            MarkdownEscaped(Step(change)) + MarkdownEscaped(Words(change)) + "\n";
  }
  const size_t rows = std::min(diff.node_tests.size(), kMostRows) +
                      std::min(diff.negative_models.size(), kMostRows);
  const size_t all = diff.node_tests.size() + diff.negative_models.size();
  if (all > rows) {
    text += "- and " + GroupedDigits(static_cast<int64_t>(all - rows)) + " more\n";
  }
  if (all > 0) text += "\n";
  return text + footer;
}

}  // namespace qconform
