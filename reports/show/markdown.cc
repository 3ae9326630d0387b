#include "reports/show/markdown.h"

#include <algorithm>
#include <map>
#include <set>

#include "oracle/base/text.h"
#include "reports/diff/part.h"
#include "reports/record/evidence.h"
#include "reports/record/order.h"
#include "reports/record/totals.h"
#include "reports/show/deviating_rows.h"
#include "reports/show/markdown_text.h"
#include "reports/show/terminal_text.h"
#include "reports/show/xml.h"

namespace qconform {
namespace {

constexpr const char* kCross = "\u274c";
constexpr const char* kQuestion = "\u2753";

// A sign for each kind of verdict; the word follows if there is room.
const char* SignOf(Verdict verdict) {
  if (IsDeviation(verdict)) return kCross;
  if (verdict == Verdict::kConformant) return "\u2705";        // tick
  if (verdict == Verdict::kAdmissible) return "\u2611\ufe0f";  // box with a tick
  if (!IsOfBackend(verdict) || verdict == Verdict::kMistrusted || !IsKnown(verdict)) {
    return kQuestion;
  }
  if (verdict == Verdict::kRefusedLegal) return "\u26d4";  // no entry
  return "\u26aa";                                         // declined
}

std::string Headline(const Report& report, const KnownOutcome* known) {
  const VerdictCounts& cells = report.totals.cells;
  const int64_t known_count = known ? static_cast<int64_t>(known->known_cells.size()) : 0;
  int64_t deviations = cells.deviations();
  if (known) {
    for (const auto& [cell, entry] : known->known_cells) {
      deviations -= IsDeviation(known->entries[entry].verdict);
    }
  }
  const auto problems = static_cast<int64_t>(known ? known->problems.size() : 0);
  std::string text = MarkdownEscaped(report.run.backend.name) + ": ";
  const bool fine =
      cells.passes() + known_count == report.totals.selected && report.complete;
  const std::string others = DeviatingRowsText(report);
  const std::string unjudged = UnjudgedText(report);
  const std::string refused = RefusedLegalText(report);
  if (deviations > 0 || problems > 0 || !others.empty()) {
    text = std::string(kCross) + " " + text;
    if (deviations > 0) {
      text += GroupedDigits(deviations) + " of " +
              Plural(report.totals.selected, RowNoun(report)) +
              (deviations == 1 ? " deviates" : " deviate");
    }
    if (!others.empty()) text += (deviations > 0 ? ", " : "") + others;
    if (problems > 0) {
      text += (deviations > 0 || !others.empty() ? ", " : "") +
              Plural(problems, "problem") + " with known differences";
    }
    if (!unjudged.empty()) text += ", " + unjudged;
    if (!refused.empty()) text += "; " + refused;
  } else if (!unjudged.empty()) {
    text = std::string(kQuestion) + " " + text + GroupedDigits(cells.passes()) + " of " +
           Plural(report.totals.selected, RowNoun(report)) + " pass, none deviates, " +
           unjudged + (refused.empty() ? "" : "; " + refused);
  } else if (fine && report.totals.selected > 0 && refused.empty()) {
    text = "\u2705 " + text + "all " + Plural(report.totals.selected, RowNoun(report)) +
           " pass";
    if (known_count > 0) {
      text += ", " + GroupedDigits(known_count) + " of them as known differences";
    }
  } else {
    text = (refused.empty() ? "\u26aa " : "\u26d4 ") + text +
           GroupedDigits(cells.passes()) + " of " +
           Plural(report.totals.selected, RowNoun(report)) + " pass, none deviates" +
           (refused.empty() ? "" : "; " + refused);
  }
  return "### " + text + "\n\n";
}

std::string VerdictTable(const Report& report) {
  std::vector<std::pair<std::string, VerdictCounts>> columns = {
      {RowNoun(report) + "s", report.totals.cells}};
  std::map<std::pair<size_t, std::string>, VerdictCounts> tiers;
  for (const TotalsRow& row : report.totals.by_tier) {
    tiers[{TierRank(row.tier), row.tier}].Add(row.counts);
  }
  for (const auto& [tier, counts] : tiers) columns.emplace_back(tier.second, counts);
  std::string head = "| verdict |";
  std::string rule = "|---|";
  for (const auto& [name, counts] : columns) {
    head += " " + MarkdownEscaped(name) + " |";
    rule += "--:|";
  }
  std::string text = head + "\n" + rule + "\n";
  VerdictCounts all;
  for (const auto& [name, counts] : columns) all.Add(counts);
  const std::vector<Verdict> verdicts = all.occurring();
  for (auto verdict = verdicts.rbegin(); verdict != verdicts.rend(); ++verdict) {
    text += "| " + std::string(SignOf(*verdict)) + " " +
            MarkdownEscaped(std::string(VerdictName(*verdict))) + " |";
    for (const auto& [name, counts] : columns)
      text += " " + GroupedDigits(counts[*verdict]) + " |";
    text += "\n";
  }
  return text + "\n";
}

std::string Matrix(const Report& report, const std::string& op_type) {
  std::set<int> versions;
  std::vector<DataType> types;
  std::map<std::pair<DataType, int>, VerdictCounts> counts;
  for (const TotalsRow& row : report.totals.by_since_version_and_output_type) {
    if (row.op_type != op_type) continue;
    versions.insert(row.since_version);
    counts[{row.output_type, row.since_version}] = row.counts;
  }
  for (const TotalsRow& row : report.totals.by_output_type) {
    if (row.op_type == op_type) types.push_back(row.output_type);
  }
  std::sort(types.begin(), types.end(),
            [](DataType a, DataType b) { return TypeRank(a) < TypeRank(b); });
  std::string head = "| " + MarkdownEscaped(op_type) + " |";
  std::string rule = "|---|";
  for (const int version : versions) {
    head += " " + std::to_string(version) + " |";
    rule += "--:|";
  }
  std::string text = head + "\n" + rule + "\n";
  for (const DataType type : types) {
    text += "| " + std::string(DataTypeName(type)) + " |";
    for (const int version : versions) {
      const auto found = counts.find({type, version});
      if (found == counts.end()) {
        text += " |";
        continue;
      }
      const VerdictCounts& cell = found->second;
      text += " " + std::string(SignOf(*cell.worst())) + " ";
      if (cell.passes() < cell.total()) text += std::to_string(cell.passes()) + "/";
      text += std::to_string(cell.total()) + " |";
    }
    text += "\n";
  }
  return text + "\n";
}

// Text in a line of HTML: Markdown does not act there, and shows its backslashes.
std::string InHtmlLine(const std::string& text) {
  std::string line;
  for (const char c : XmlEscaped(text)) {
    switch (c) {
      case '\n':  // an empty line would end the HTML
        line += ' ';
        break;
      case '@':  // names nobody
        line += "&#64;";
        break;
      case '#':
        line += "&#35;";
        break;
      default:
        line += c;
    }
  }
  return line;
}

std::string Evidence(const CellRecord& cell, const KnownDifference* known) {
  std::string text = "<details><summary>" + std::string(SignOf(cell.verdict)) +
                     " <code>" + InHtmlLine(cell.cell) + "</code> " +
                     InHtmlLine(VerdictSentence(cell)) + "</summary>\n\n";
  if (known) {
    text += "Known difference: " + MarkdownEscaped(known->reason);
    if (!known->url.empty()) text += " " + MarkdownEscaped(known->url);
    text += "\n\n";
  }
  if (!cell.reason.empty()) text += MarkdownCode(cell.reason) + "\n\n";
  for (const BoundOnlyTier& tier : cell.bound_only) {
    text += MarkdownEscaped(tier.Text()) + "\n\n";
  }
  const std::string why = DiagnosisText(cell);
  if (!why.empty()) text += MarkdownEscaped(why) + "\n\n";
  for (const Counterexample& example : cell.counterexamples) {
    std::string lines = OneLine(CounterexampleSentence(example)) + "\n";
    const std::string operands = OperandsSentence(example);
    if (!operands.empty()) lines += "of " + OneLine(operands) + "\n";
    for (const std::string& line : WorkedLines(example, WorkedModelName(cell))) {
      lines += "  " + OneLine(line) + "\n";
    }
    lines += OneLine(example.replay) + "\n";
    // A fence that no line of the evidence can close.
    std::string fence = "```";
    while (lines.find(fence) != std::string::npos) fence += "`";
    text += fence + "\n" + lines + fence + "\n";
  }
  return text + "</details>\n";
}

// The findings, each with one element as an example.
std::string Findings(const Report& report) {
  constexpr size_t kMost = 20;
  const std::vector<FindingRecord>& findings = report.findings;
  if (findings.empty()) return "";
  std::string text = "| finding | " + RowNoun(report) +
                     "s | elements | smallest example |\n|---|--:|--:|---|\n";
  for (size_t i = 0; i < findings.size() && i < kMost; ++i) {
    const FindingRecord& finding = findings[i];
    const std::string example =
        finding.example ? FirstSentences(CounterexampleSentence(*finding.example), 200)
                        : "";
    text += "| " + MarkdownTableCode(finding.id.Text()) + " | " +
            GroupedDigits(finding.cells.size()) + " | " +
            (finding.elements > 0 ? GroupedDigits(finding.elements) : "") + " | " +
            MarkdownEscaped(example) + " |\n";
  }
  if (findings.size() > kMost) {
    text += "\nand " + Plural(static_cast<int64_t>(findings.size() - kMost), "finding") +
            " more.\n";
  }
  return text + "\n";
}

std::string NamesWithCells(const std::map<std::string, int64_t>& names) {
  return Joined(names, ", ", [](const auto& item) {
    return MarkdownCode(item.first) + " (" + Plural(item.second, "cell") + ")";
  });
}

std::string CountedList(const std::map<std::string, int64_t>& counts,
                        const std::map<std::string, std::string>& examples) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += (text.empty() ? "" : "; ") + MarkdownEscaped(name) + " in " +
            Plural(count, "cell");
    const auto example = examples.find(name);
    if (counts.size() > 1 && example != examples.end()) {
      text += ", such as " + MarkdownEscaped(example->second);
    }
  }
  return text;
}

std::string Unspecified(const std::vector<UnspecifiedRow>& rows) {
  if (rows.empty()) return "";
  std::string text =
      "What the backend does where the specification leaves it free (never judged):\n\n"
      "| operator | clause | input | seen | between cells | each time |\n"
      "|---|---|---|---|---|---|\n";
  for (const UnspecifiedRow& row : rows) {
    std::string varies;
    for (const auto& [what, count] : row.varies_with) {
      varies += (varies.empty() ? "varies with " : "; ") + MarkdownEscaped(what) +
                " in " + Plural(count, "cell");
    }
    text += "| " + MarkdownEscaped(row.op_type) + " | " + MarkdownEscaped(row.clause) +
            " | " + MarkdownEscaped(row.input_class) + " | " +
            CountedList(row.behaviours, row.examples) + " | " +
            (row.behaviours.size() > 1 ? "differs" : "the same") + " | " +
            (varies.empty() ? "the same" : varies) + " |\n";
  }
  return text + "\n";
}

std::string MixedTable(const std::vector<MixedReadings>& rows) {
  if (rows.empty()) return "";
  std::string text =
      "Open clauses that the backend reads in more than one way. A cell is counted under "
      "the first reading that explains its bits, and under canonical if it is conformant "
      "and one of the other readings gives other bits. Each cell by itself is legal:\n\n"
      "| operator | since_version | clause | readings |\n|---|--:|---|---|\n";
  for (const MixedReadings& row : rows) {
    text += "| " + MarkdownEscaped(row.op_type) + " | " +
            std::to_string(row.since_version) + " | " + MarkdownEscaped(row.clause) +
            " | " + CountedList(row.readings, row.cells) + " |\n";
  }
  return text + "\n";
}

std::string Problems(const KnownOutcome& known) {
  if (known.problems.empty()) return "";
  std::string text = "**Problems with known differences**\n\n";
  for (size_t i = 0; i < known.problems.size() && i < 20; ++i) {
    const KnownProblem& problem = known.problems[i];
    text += "- " + MarkdownCode(std::string(KnownProblemName(problem.kind))) + " " +
            MarkdownEscaped(problem.sentence) + "\n";
  }
  if (known.problems.size() > 20) {
    text += "- and " + std::to_string(known.problems.size() - 20) + " more\n";
  }
  return text + "\n";
}

// A few of the rows besides cells that deviate or could not be judged.
std::string Rows(const std::vector<DeviatingRow>& rows, const char* sign) {
  constexpr size_t kMost = 20;
  constexpr size_t kMostBytes = 400;
  std::string text;
  for (size_t i = 0; i < rows.size() && i < kMost; ++i) {
    const std::string words = FirstSentences(rows[i].words, kMostBytes);
    text += "- " + std::string(sign) + " " + MarkdownEscaped(rows[i].name) + ": " +
            MarkdownEscaped(rows[i].verdict) + (words.empty() ? "" : ", ") +
            MarkdownEscaped(words) + "\n";
  }
  if (rows.size() > kMost) {
    text += "- and " + std::to_string(rows.size() - kMost) + " more\n";
  }
  return text.empty() ? "" : text + "\n";
}

std::string NodeTests(const Report& report) {
  const NodeVerdictCounts& counts = report.totals.node_tests;
  if (counts.total() == 0) return "";
  std::string text = "ONNX's node tests: ";
  for (const NodeVerdict verdict : AllNodeVerdicts()) {
    if (counts[verdict] == 0) continue;
    text += std::to_string(counts[verdict]) + " " +
            std::string(NodeVerdictName(verdict)) + ", ";
  }
  text += "of " + std::to_string(counts.total()) + ".\n\n";
  return text + Rows(DeviatingNodeTests(report), kCross);
}

std::string NegativeModels(const Report& report) {
  if (report.negative.empty()) return "";
  std::string text = "Negative models: ";
  for (const std::string& count : NegativeCounts(report.negative)) text += count + ", ";
  text += "of " + std::to_string(report.negative.size()) + ".\n\n";
  return text + Rows(DeviatingNegativeModels(report), kCross);
}

std::string Footer(const Report& report) {
  const RunInfo& run = report.run;
  std::string text = "<sub>" + Plural(report.totals.cases, "case") + ", " +
                     Plural(report.totals.elements, "element") +
                     " compared bit by bit; level " + MarkdownEscaped(run.suite.level) +
                     ", seed " + std::to_string(run.suite.seed) + ", ONNX " +
                     MarkdownEscaped(run.suite.onnx_version) + "; " +
                     MarkdownEscaped(run.tool.name + " " + run.tool.version + " (" +
                                     run.tool.commit + ")");
  return text + "; results <code>sha256:" + report.results_digest.substr(0, 16) +
         "</code>, answers <code>sha256:" + report.answers_digest.substr(0, 16) +
         "</code></sub>\n";
}

// The model's name, what a run of the whole model gave, and what is not judged.
std::string WholeModel(const ModelRecord& model) {
  std::string text = "Model " + MarkdownCode(model.name) +
                     ", `sha256:" + model.sha256.substr(0, 16) + "`. ";
  bool was_item = false;  // lines that begin with blanks are items
  for (const std::string& line : Split(model.whole_run, "\n")) {
    const bool is_item = line.starts_with(' ');
    if (is_item || was_item) text += is_item && was_item ? "\n" : "\n\n";
    text += (is_item ? "- " : "") +
            MarkdownEscaped(is_item ? line.substr(line.find_first_not_of(' ')) : line) +
            (is_item ? "" : " ");
    was_item = is_item;
  }
  text += "\n\n";
  std::map<std::string, int64_t> reasons;
  for (const NotJudgedPart& part : model.not_judged) ++reasons[part.reason];
  for (const auto& [reason, count] : reasons) {
    text +=
        "- " + Plural(count, "part") + " not judged: " + MarkdownEscaped(reason) + "\n";
  }
  return text + (reasons.empty() ? "" : "\n");
}

}  // namespace

std::string MarkdownText(const Report& report, const KnownOutcome* known,
                         const MarkdownOptions& options) {
  std::string text = Headline(report, known);
  if (report.part_of > 0) {
    text += "> **A selection**: " + PartText(report) +
            "; its node tests and negative models are left out.\n\n";
  }
  if (!report.complete) {
    text += "> **Incomplete**: " + GroupedDigits(report.totals.cells.total()) +
            " rows of " + Plural(report.totals.selected, "selected " + RowNoun(report)) +
            ".\n\n";
  }
  text += Findings(report);
  if (report.run.selection.model) text += WholeModel(*report.run.selection.model);
  text += VerdictTable(report);
  if (known) text += Problems(*known);

  std::string end;
  end += Unspecified(report.totals.unspecified);
  end += MixedTable(report.totals.mixed_readings);
  const std::map<std::string, int64_t> readings = AdmissibleBy(report.cells);
  if (!readings.empty()) {
    end += "Admissible by " + NamesWithCells(readings) + ".\n\n";
  }
  const std::string bound_only = BoundOnlyText(report.cells);
  if (!bound_only.empty()) {
    end += "Explained by a bound only: " + MarkdownEscaped(bound_only) + ".\n\n";
  }
  const std::string wider_bound = WiderBoundText(report.cells);
  if (!wider_bound.empty()) {
    end += "Explained by a wider bound only: " + MarkdownEscaped(wider_bound) + ".\n\n";
  }
  if (!report.totals.diagnoses.empty()) {
    end += "Diagnosed as " + NamesWithCells(report.totals.diagnoses) + ".\n\n";
  }
  const std::string judged_at = JudgedAtText(report.cells);
  if (!judged_at.empty()) end += "Judged at " + MarkdownEscaped(judged_at) + ".\n\n";
  end += NodeTests(report);
  end += NegativeModels(report);
  end += Rows(RefusingRows(report), "\u26d4");
  end += Rows(UnjudgedRows(report), kQuestion);
  std::string matrices;
  std::set<std::string> seen;
  for (const TotalsRow& row : report.totals.by_since_version) {
    if (seen.insert(row.op_type).second) matrices += Matrix(report, row.op_type);
  }
  if (!matrices.empty()) {
    end +=
        "<details><summary>Passes of cells, by output type and "
        "since_version</summary>\n\n" +
        matrices + "</details>\n\n";
  }
  end += Footer(report);

  // Deviations that nobody answers for first, then the worse verdicts.
  std::vector<const CellRecord*> shown;
  for (const CellRecord& cell : report.cells) {
    if (!IsPass(cell.verdict) && cell.verdict != Verdict::kUntested)
      shown.push_back(&cell);
  }
  const auto key = [&](const CellRecord* cell) {
    return std::pair(known && known->Find(cell->cell), cell->verdict);
  };
  std::stable_sort(
      shown.begin(), shown.end(),
      [&](const CellRecord* a, const CellRecord* b) { return key(a) < key(b); });
  size_t count = 0;
  for (; count < shown.size() && count < options.cells; ++count) {
    const std::string evidence =
        Evidence(*shown[count], known ? known->Find(shown[count]->cell) : nullptr);
    if (text.size() + evidence.size() + end.size() + 200 > options.most_bytes) break;
    text += evidence;
  }
  if (count < shown.size()) {
    text += "\nand " + Plural(static_cast<int64_t>(shown.size() - count), "cell") +
            " more that " +
            (shown.size() - count == 1 ? "does not pass" : "do not pass") + ".\n";
  }
  if (!shown.empty()) text += "\n";
  return text + end;
}

}  // namespace qconform
