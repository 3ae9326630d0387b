#include "reports/show/summary/summary.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "oracle/base/text.h"
#include "reports/record/evidence.h"
#include "reports/record/totals.h"
#include "reports/show/deviating_rows.h"
#include "reports/show/summary/parts_text.h"
#include "reports/show/summary/summary_facts.h"
#include "reports/show/summary/summary_matrix.h"
#include "reports/show/summary/summary_writer.h"
#include "reports/show/verdict_line.h"

namespace qconform {
namespace {

using Lines = std::vector<std::string>;

// Returns the text in lines of at most `width` columns, broken at blanks and after
// slashes. The first begins with `first`, all others with `indent`.
Lines Wrapped(const std::string& first, const std::string& text, size_t width,
              const std::string& indent) {
  Lines pieces;
  for (const std::string& word : Words(text)) {
    size_t start = 0;
    while (start < word.size()) {
      size_t end = word.find('/', start);
      end = end == std::string::npos ? word.size() : end + 1;
      pieces.push_back(word.substr(start, end - start));
      start = end;
    }
    if (!word.empty()) pieces.back() += " ";
  }
  Lines lines{first};
  bool empty = true;
  for (const std::string& piece : pieces) {
    const size_t blank = piece.ends_with(' ') ? 1 : 0;
    if (!empty && Writer::Columns(lines.back() + piece) - blank > width) {
      lines.push_back(indent);
    }
    lines.back() += piece;
    empty = false;
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

// Returns as many of the items as fit into one line, and how many more there are:
// "A, B and 2 more groups".
std::string Fitting(const Lines& items, size_t width, const std::string& noun) {
  std::string text;
  const auto more = [&](size_t count) {
    const std::string nouns = noun.empty() ? "" : " " + noun + (count == 1 ? "" : "s");
    return " and " + std::to_string(count) + " more" + nouns;
  };
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string next = (i == 0 ? "" : ", ") + items[i];
    const std::string rest = i + 1 == items.size() ? "" : more(items.size() - i - 1);
    if (i > 0 && Writer::Columns(text + next + rest) > width) {
      return text + more(items.size() - i);
    }
    text += next;
  }
  return text;
}

// "x=61440 y_scale=1: expected +Inf, actual NaN", or without the operands where the text
// would be too long; what a case without an element said.
std::string ExampleText(const Counterexample& example, size_t width, size_t lines) {
  if (!example.index) return OneLine(FirstSentences(example.message, 2 * width));
  std::string expected = DecimalValue(example.expected);
  std::string actual = DecimalValue(example.actual);
  if (expected == actual) {
    expected = ShownValue(example.expected);
    actual = ShownValue(example.actual);
  }
  const std::string answers = "expected " + expected + ", actual " + actual;
  const std::string operands = Joined(example.operands, " ", [](const auto& operand) {
    return operand.name + "=" + DecimalValue(operand.value);
  });
  const std::string text = OneLine(operands + ": " + answers);
  if (!operands.empty() && Writer::Columns(text) <= lines * width) return text;
  const std::string output = example.output.empty() ? "y" : example.output;
  return OneLine(output + (example.index->empty() ? "" : ShapeToString(*example.index)) +
                 ": " + answers);
}

// The first since_version that really deviates, if the group in the id begins earlier.
std::string SinceText(const FindingRecord& finding) {
  if (finding.since_versions.empty()) return "";
  const std::string first = std::to_string(*finding.since_versions.begin());
  return finding.id.group == "since_" + first ? "" : " since " + first;
}

// The example takes up to `example_lines`.
Lines FindingLines(const FindingRecord& finding, const Writer& writer, size_t width,
                   size_t example_lines) {
  const std::string cells = Plural(static_cast<int64_t>(finding.cells.size()), "cell");
  Lines lines =
      Wrapped("  ", OneLine(finding.id.Text()) + ": " + cells + SinceText(finding), width,
              "    ");
  for (std::string& line : lines) line = writer.Painted(line, Mark::kDeviates);
  if (!finding.example) return lines;
  for (const std::string& line :
       Wrapped("    ", ExampleText(*finding.example, width - 4, example_lines), width,
               "    ")) {
    lines.push_back(line);
  }
  return lines;
}

std::string UndiagnosedText(int64_t undiagnosed) {
  return undiagnosed == 0 ? "" : " (" + GroupedDigits(undiagnosed) + " undiagnosed)";
}

// The findings with most cells in at most `most` lines, but at least one.
Lines FindingsLines(const Report& report, const Writer& writer, size_t width, size_t most,
                    size_t example_lines) {
  const std::vector<FindingRecord>& findings = report.findings;
  if (findings.empty()) return {};
  const auto undiagnosed = [&](size_t from) {
    return std::count_if(findings.begin() + static_cast<std::ptrdiff_t>(from),
                         findings.end(), [](const FindingRecord& finding) {
                           return finding.id.diagnosis == kUndiagnosed;
                         });
  };
  Lines lines{
      writer.Painted(Plural(static_cast<int64_t>(findings.size()), "finding") + " in " +
                         Plural(report.totals.cells.deviations(), "deviating cell") +
                         UndiagnosedText(undiagnosed(0)),
                     "1")};
  for (size_t i = 0; i < findings.size(); ++i) {
    const Lines next = FindingLines(findings[i], writer, width, example_lines);
    const size_t rest = i + 1 < findings.size() ? 1 : 0;
    if (i > 0 && lines.size() + next.size() + rest > most) {
      lines.push_back("  and " + std::to_string(findings.size() - i) + " more" +
                      UndiagnosedText(undiagnosed(i)));
      break;
    }
    lines.insert(lines.end(), next.begin(), next.end());
  }
  return lines;
}

// Names of rows that deviate: "2 of 706 deviate: A, B".
std::string RowsText(const std::vector<DeviatingRow>& rows, int64_t of, const char* noun,
                     const char* what, size_t width) {
  Lines names;
  for (const DeviatingRow& row : rows) {
    std::string name = OneLine(row.name);
    const std::string prefix = std::string(noun) + " ";
    if (name.starts_with(prefix)) name = name.substr(prefix.size());
    names.push_back(std::move(name));
  }
  const std::string count = GroupedDigits(rows.size()) +
                            (of > 0 ? " of " + GroupedDigits(of) : "") + " " + what +
                            ": ";
  return count + Fitting(names, width - std::min(width, count.size()), "");
}

// The first few of the texts, and how many more there are.
Lines Fewest(Lines texts) {
  constexpr size_t kMost = 4;
  if (texts.size() <= kMost) return texts;
  const std::string more = "and " + std::to_string(texts.size() - kMost + 1) + " more";
  texts.resize(kMost - 1);
  texts.push_back(more);
  return texts;
}

// A line for each other fact; `brief`: without what is only observed.
Lines FactLines(const Report& report, const Writer& writer, size_t width, bool brief) {
  Lines lines;
  const size_t room = width - Writer::kLabel;
  const auto add = [&](const std::string& label, const std::string& text) {
    if (text.empty()) return;
    for (const std::string& line :
         Wrapped(label + Writer::Spaces(Writer::kLabel, label), OneLine(text), width,
                 std::string(Writer::kLabel, ' '))) {
      lines.push_back(line);
    }
  };
  const Totals& totals = report.totals;
  const int64_t admissible = totals.cells[Verdict::kAdmissible];
  const int64_t partial = totals.cells[Verdict::kPartial];
  if (admissible > 0) {
    add("admissible",
        Plural(admissible, "cell") + " by a named reading" +
            (partial == 0 ? ""
                          : "; " + GroupedDigits(partial) + " more declined in part"));
  } else if (partial > 0) {
    add("partial", Plural(partial, "cell") + " right, but declined in part");
  }
  for (const std::string& text : Fewest(VariedTexts(report.cells))) add("varied", text);
  add("by variant", Fitting(VariantGroups(report), room, ""));
  const Lines declined = DeclinedGroups(report);
  if (!declined.empty()) {
    const std::string count = Plural(totals.cells[Verdict::kUnsupported], "cell") + ": ";
    add("declined",
        count + Fitting(declined, room - std::min(room, count.size()), "group"));
  }
  add("refused", RefusedLegalText(report));
  add("not explained", NotExplainedText(report.cells));
  if (!brief) add("unspecified", UnspecifiedText(totals));
  if (totals.node_tests.total() > 0) {
    const auto deviating = DeviatingNodeTests(report);
    std::string pass = GroupedDigits(totals.node_tests[NodeVerdict::kPass]) + " of " +
                       GroupedDigits(totals.node_tests.total()) + " pass";
    for (const NodeVerdict verdict : {NodeVerdict::kDisputed, NodeVerdict::kRefusedLegal,
                                      NodeVerdict::kUnsupported}) {
      if (totals.node_tests[verdict] == 0) continue;
      pass += ", " + GroupedDigits(totals.node_tests[verdict]) + " " +
              std::string(NodeVerdictName(verdict));
    }
    add("node tests", deviating.empty() ? pass
                                        : RowsText(deviating, totals.node_tests.total(),
                                                   "node test", "deviate", room));
  }
  if (const auto deviating = DeviatingNegativeModels(report); !deviating.empty()) {
    add("negative models",
        RowsText(deviating, static_cast<int64_t>(report.negative.size()),
                 "negative model", "deviate", room));
  }
  if (const auto rows = UnjudgedRows(report); !rows.empty()) {
    add("not judged", RowsText(rows, 0, "", "could not be judged", room));
    const auto first = std::ranges::find_if(
        rows, [](const DeviatingRow& row) { return !row.words.empty(); });
    if (first != rows.end()) {
      const std::string name = rows.size() > 1 ? first->name + ": " : "";
      add("", name + FirstSentences(first->words, 2 * width));
    }
  }
  if (!report.complete) {
    for (const std::string& line : Wrapped("", IncompleteText(report), width, "  ")) {
      lines.push_back(writer.Painted(line, Mark::kDeviates));
    }
  }
  return lines;
}

std::string ComparedLine(const Report& report, size_t width) {
  char duration[32];
  std::snprintf(duration, sizeof duration, "%.1f s", report.run.duration_s);
  const std::string label = "compared";
  const std::string text = label + Writer::Spaces(Writer::kLabel, label) +
                           Plural(report.totals.elements, "element") + " of " +
                           Plural(report.totals.cases, "case") + " in " + duration;
  return Writer::Columns(text) <= width ? text : "";
}

// The line that reruns the example of the first finding or of the first row that
// deviates.
std::string RerunLine(const Report& report) {
  for (const FindingRecord& finding : report.findings) {
    if (finding.example && !finding.example->replay.empty()) {
      return OneLine(finding.example->replay);
    }
  }
  for (const DeviatingRow& row : DeviatingNegativeModels(report)) {
    if (!row.replay.empty()) return OneLine(row.replay);
  }
  for (const DeviatingRow& row : RefusingRows(report)) {
    if (!row.replay.empty()) return OneLine(row.replay);
  }
  return "";
}

// The commands to type next, for people to copy whole.
Lines NextCommands(const Report& report, const SummaryOptions& options) {
  Lines commands;
  if (!options.report_path.empty()) {
    commands.push_back("qconform report " + ShellWord(options.report_path) + " -v");
  }
  if (std::string rerun = RerunLine(report); !rerun.empty()) {
    commands.push_back(std::move(rerun));
  }
  return commands;
}

// The lines of a terminal that a long line takes.
size_t Height(const std::string& line, size_t width) {
  return std::max<size_t>(1, (Writer::Columns(line) + width - 1) / width);
}

constexpr const char* kNextLabel = "next  ";

// `fits` becomes whether it has at most options.lines.
std::string Compose(const Report& report, const SummaryOptions& options, bool brief,
                    bool& fits) {
  const Writer writer(options);
  const auto width = static_cast<size_t>(options.width);
  Lines facts = FactLines(report, writer, width, brief);
  size_t closing = 1;
  for (const std::string& command : NextCommands(report, options)) {
    closing += Height(kNextLabel + command, width);
  }
  const auto lines = static_cast<size_t>(std::max(options.lines, 1));
  const size_t taken = facts.size() + closing;
  size_t left = lines - std::min(lines, taken);
  const Lines coarse = MatrixLines(report, writer, options.width, 0);
  const size_t for_findings = left - std::min(left, coarse.size() + 1);
  Lines findings = FindingsLines(report, writer, width, for_findings, 1);
  left -= std::min(left, findings.size() + (findings.empty() ? 0 : 1));
  const Lines matrix = MatrixLines(report, writer, options.width, left);
  left -= std::min(left, matrix.size());
  // Lines that are left show the operands of examples that are wider than one.
  constexpr size_t kExampleLines = 3;
  Lines whole =
      FindingsLines(report, writer, width, findings.size() + left, kExampleLines);
  if (!findings.empty() && whole.size() <= findings.size() + left) {
    left -= whole.size() - findings.size();
    findings = std::move(whole);
  }

  std::string text;
  const auto add = [&](const Lines& block) {
    for (const std::string& line : block) text += line + "\n";
  };
  add(findings);
  if (!findings.empty() && !matrix.empty()) text += "\n";
  add(matrix);
  if (left > 0 && !matrix.empty() && !facts.empty()) {
    text += "\n";
    --left;
  }
  add(facts);
  if (const std::string line = ComparedLine(report, width); left > 0 && !line.empty()) {
    add({line});
  }
  fits = static_cast<size_t>(std::ranges::count(text, '\n')) + closing <= lines;
  return text;
}

}  // namespace

std::string SummaryText(const Report& report, const SummaryOptions& options) {
  if (report.run.selection.model) return PartsText(report, options, /*all=*/false);
  bool fits = false;
  const std::string text = Compose(report, options, /*brief=*/false, fits);
  return fits ? text : Compose(report, options, /*brief=*/true, fits);
}

std::string ClosingText(const Report& report, const SummaryOptions& options,
                        ExitCode code) {
  const Writer writer(options);
  std::string text;
  for (const std::string& command : NextCommands(report, options)) {
    const bool first = text.empty();
    text += (first ? kNextLabel : std::string(std::string(kNextLabel).size(), ' ')) +
            command + "\n";
  }
  std::string line = VerdictLine(report, code, static_cast<size_t>(options.width));
  line.pop_back();
  const Mark mark = code == ExitCode::kPass        ? Mark::kAllConformant
                    : code == ExitCode::kDeviation ? Mark::kDeviates
                                                   : Mark::kDeclined;
  return text + writer.Painted(line, mark) + "\n";
}

}  // namespace qconform
