#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "oracle/base/reading.h"
#include "oracle/base/text.h"
#include "reports/record/evidence.h"
#include "reports/record/mixed_readings.h"
#include "reports/record/order.h"
#include "reports/record/totals.h"
#include "reports/show/deviating_rows.h"
#include "reports/show/summary/parts_text.h"
#include "reports/show/summary/summary.h"
#include "reports/show/summary/summary_facts.h"
#include "reports/show/summary/summary_matrix.h"
#include "reports/show/summary/summary_writer.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// --- the matrix ----------------------------------------------------------------

std::string MatrixCell(const Writer& writer, const VerdictCounts& counts) {
  const VerdictCounts supported = Supported(counts);
  const Mark mark = GroupMark(counts);
  std::string text = writer.Symbol(mark);
  if (supported.total() == 0) return text;
  text += " ";
  if (mark != Mark::kAllConformant && mark != Mark::kAllPass) {
    text += std::to_string(supported.passes()) + "/";
  }
  return text + std::to_string(supported.total());
}

void AddMatrix(const Report& report, const std::string& op_type,
               const SummaryOptions& options, Writer* writer) {
  std::set<int> versions;
  const auto by_rank = [](DataType a, DataType b) { return TypeRank(a) < TypeRank(b); };
  std::map<DataType, std::map<int, VerdictCounts>, decltype(by_rank)> matrix(by_rank);
  for (const TotalsRow& row : report.totals.by_since_version_and_output_type) {
    if (row.op_type != op_type) continue;
    versions.insert(row.since_version);
    matrix[row.output_type][row.since_version] = row.counts;
  }
  size_t columns = 0;  // the widest cell
  for (const auto& [type, line] : matrix) {
    for (const auto& [version, counts] : line) {
      columns = std::max(columns, Writer::Columns(MatrixCell(*writer, counts)));
    }
  }
  const size_t room =
      (static_cast<size_t>(options.width) - Writer::kLabel) / versions.size();
  columns = std::max(columns + 1, std::min<size_t>(room, 9));

  std::string head = "since_version" + Writer::Spaces(Writer::kLabel, "since_version");
  for (const int version : versions) {
    const std::string text = std::to_string(version);
    head += Writer::Spaces(columns, text) + text;
  }
  writer->Heading(head);
  for (auto& [type, line] : matrix) {
    const std::string name(DataTypeName(type));
    std::string text = name + Writer::Spaces(Writer::kLabel, name);
    for (const int version : versions) {
      const VerdictCounts& counts = line[version];
      const std::string cell = MatrixCell(*writer, counts);
      text += Writer::Spaces(columns, cell) + writer->Painted(cell, GroupMark(counts));
    }
    writer->PaintedLine(text);
  }
}

void AddLegend(const Report& report, Writer* writer) {
  static constexpr struct {
    Mark mark;
    const char* words;
  } kLegend[] = {{Mark::kAllConformant, "all conformant"},
                 {Mark::kAllPass, "all pass, some as admissible"},
                 {Mark::kDeviates, "some deviate"},
                 {Mark::kRefused, "some refuse legal models as invalid"},
                 {Mark::kDeclined, "unsupported, or some right only in part"},
                 {Mark::kUnknown, "some untested, mistrusted or with an error"},
                 {Mark::kNone, "no such cell"}};
  std::set<Mark> seen = {Mark::kNone};
  bool fractions = false;
  for (const TotalsRow& row : report.totals.by_since_version_and_output_type) {
    seen.insert(GroupMark(row.counts));
    const VerdictCounts supported = Supported(row.counts);
    fractions = fractions || supported.passes() < supported.total();
  }
  std::vector<std::string> words;
  for (const auto& item : kLegend) {
    if (seen.contains(item.mark))
      words.push_back(writer->Symbol(item.mark) + " " + item.words + ";");
  }
  words.push_back(fractions ? "numbers: passes/supported cells"
                            : "numbers: supported cells");
  writer->Labelled("marks", words);
}

// --- verdicts per tier ----------------------------------------------------------

// "conversion_range" goes into two lines of a column.
std::pair<std::string, std::string> TwoLines(const std::string& name) {
  const size_t cut = name.find('_');
  if (cut == std::string::npos) return {name, ""};
  return {name.substr(0, cut), name.substr(cut + 1)};
}

void AddTiers(const Report& report, const std::string& op_type, Writer* writer) {
  std::vector<std::pair<std::string, VerdictCounts>> columns;
  columns.emplace_back("cells", VerdictCounts());
  for (const TotalsRow& row : report.totals.by_since_version) {
    if (row.op_type != op_type) continue;
    columns[0].second.Add(row.counts);
  }
  for (const TotalsRow& row : report.totals.by_tier) {
    if (row.op_type == op_type) columns.emplace_back(row.tier, row.counts);
  }
  std::string first = "verdict" + Writer::Spaces(Writer::kLabel, "verdict");
  std::string second = std::string(Writer::kLabel, ' ');
  std::vector<size_t> widths;
  for (const auto& [name, counts] : columns) {
    const auto [above, below] = TwoLines(name);
    const size_t width =
        std::max<size_t>({above.size(), below.size(), 6}) + 1 + (widths.empty() ? 0 : 1);
    widths.push_back(width);
    first += Writer::Spaces(width, above) + above;
    second += Writer::Spaces(width, below) + below;
  }
  writer->Heading(first);
  if (second.find_first_not_of(' ') != std::string::npos) writer->Heading(second);
  VerdictCounts all;
  for (const auto& [name, counts] : columns) all.Add(counts);
  const std::vector<Verdict> verdicts = all.occurring();
  for (auto verdict = verdicts.rbegin(); verdict != verdicts.rend(); ++verdict) {
    const std::string name(VerdictName(*verdict));
    std::string line = name + Writer::Spaces(Writer::kLabel, name);
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string text = std::to_string(columns[i].second[*verdict]);
      line += Writer::Spaces(widths[i], text) + text;
    }
    writer->PaintedLine(writer->Painted(line, MarkOf(*verdict)));
  }
}

// --- the rest --------------------------------------------------------------------

std::vector<std::string> CountedNames(const std::map<std::string, int64_t>& names) {
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [name, count] : names) sorted.emplace_back(-count, name);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> words;
  for (size_t i = 0; i < sorted.size() && i < 5; ++i) {
    words.push_back(sorted[i].second + " (" + Plural(-sorted[i].first, "cell") + ")" +
                    (i + 1 < sorted.size() ? "," : ""));
  }
  if (sorted.size() > 5)
    words.push_back("and " + std::to_string(sorted.size() - 5) + " more");
  return words;
}

// Names that are wider than a line are broken between their words.
std::vector<std::string> SeparateWords(const std::vector<std::string>& texts) {
  return Words(Joined(texts, " "));
}

// Of a foreign text: two lines.
constexpr size_t kMostForeign = 120;

// An element in words, worked through where it is, and the line that runs it again.
void AddExample(const Counterexample& example, const std::string& model, Writer* writer) {
  writer->Line("  " + CounterexampleSentence(example));
  std::vector<std::string> operands;
  for (const OperandRecord& operand : example.operands) {
    operands.push_back(operand.name + "=" + ShownValue(operand.value));
  }
  if (!operands.empty()) writer->Labelled("  operands", operands);
  for (const std::string& line : WorkedLines(example, model)) writer->Line("    " + line);
  writer->Line("  rerun: " + example.replay);
}

void AddFailures(const Report& report, const SummaryOptions& options, Writer* writer) {
  std::vector<const CellRecord*> failed;
  for (const CellRecord& cell : report.cells) {
    if (IsDeviation(cell.verdict)) failed.push_back(&cell);
  }
  std::stable_sort(
      failed.begin(), failed.end(),
      [](const CellRecord* a, const CellRecord* b) { return a->verdict < b->verdict; });
  if (failed.empty() || options.failures <= 0) return;
  writer->Line();
  for (size_t i = 0; i < failed.size() && i < static_cast<size_t>(options.failures);
       ++i) {
    const CellRecord& cell = *failed[i];
    writer->PaintedLine(writer->Painted(writer->Symbol(Mark::kDeviates) + " " + cell.cell,
                                        Mark::kDeviates));
    writer->Line("  " + VerdictSentence(cell));
    if (!cell.varied.empty()) writer->Labelled("  varied", Words(VariedText(cell)));
    AddWhy(cell, *writer);
    if (cell.counterexamples.empty()) continue;
    const bool mixed = cell.deviation && !cell.deviation->mixed_readings.empty();
    for (size_t e = 0; e < (mixed ? cell.counterexamples.size() : 1); ++e) {
      AddExample(cell.counterexamples[e], WorkedModelName(cell), writer);
    }
  }
  if (failed.size() > static_cast<size_t>(options.failures)) {
    writer->Line("  and " +
                 Plural(static_cast<int64_t>(failed.size()) - options.failures, "cell") +
                 " more that deviate");
  }
}

// The findings with the most cells, each with one element as an example.
void AddFindings(const Report& report, Writer* writer) {
  constexpr size_t kMost = 5;
  const std::vector<FindingRecord>& findings = report.findings;
  if (findings.empty()) return;
  writer->Heading(Plural(static_cast<int64_t>(findings.size()), "finding") + " in " +
                  Plural(report.totals.cells.deviations(), "deviating cell"));
  for (size_t i = 0; i < findings.size() && i < kMost; ++i) {
    const FindingRecord& finding = findings[i];
    const auto cells = static_cast<int64_t>(finding.cells.size());
    std::string words;
    if (finding.elements > 0) words = Plural(finding.elements, "element") + "; ";
    if (finding.example) {
      words +=
          OneLine(FirstSentences(CounterexampleSentence(*finding.example), kMostForeign));
    }
    writer->Line("  " + finding.id.Text());
    writer->Labelled("    " + Plural(cells, "cell"), Words(words));
  }
  if (findings.size() > kMost) {
    writer->Line("  and " + std::to_string(findings.size() - kMost) +
                 " more, in the report");
  }
  writer->Line();
}

// Rows besides cells that deviate or could not be judged: the exit code comes from these
// too.
void AddRows(const std::vector<DeviatingRow>& rows, Mark mark, const char* noun,
             const char* what, const SummaryOptions& options, Writer* writer) {
  if (rows.empty() || options.failures <= 0) return;
  const auto most = static_cast<size_t>(options.failures);
  writer->Line();
  for (size_t i = 0; i < rows.size() && i < most; ++i) {
    writer->PaintedLine(writer->Painted(writer->Symbol(mark) + " " + rows[i].name, mark));
    writer->Labelled("  " + rows[i].verdict, Words(rows[i].words));
    if (!rows[i].replay.empty()) writer->Line("  rerun: " + rows[i].replay);
  }
  if (rows.size() > most) {
    writer->Line("  and " + Plural(static_cast<int64_t>(rows.size() - most), noun) +
                 " more that " + what);
  }
}

// Of each reading that the backend follows: its formula, and an element that shows it.
void AddReadings(const Report& report, const SummaryOptions& options, Writer* writer) {
  if (options.failures <= 0) return;
  std::set<std::string> shown;
  for (const CellRecord& cell : report.cells) {
    if (!cell.example || cell.verdict != Verdict::kAdmissible) continue;
    if (shown.size() == static_cast<size_t>(options.failures)) break;
    if (!shown.insert(cell.example->reading).second) continue;
    writer->Line();
    writer->PaintedLine(writer->Painted(writer->Symbol(Mark::kAllPass) + " " + cell.cell,
                                        Mark::kAllPass));
    writer->Line("  " + VerdictSentence(cell));
    const auto readings = ReadingsOfTiers(cell.example->reading);
    if (!readings) writer->Labelled("  reading", Words(readings.error().message));
    for (const Reading& reading : readings ? *readings : std::set<Reading>()) {
      const std::string name = Spell(std::vector{reading});
      const auto formula = options.explanations.find(name);
      if (formula != options.explanations.end()) {
        writer->Labelled("  reading", Words(name + ": " + formula->second));
      }
    }
    for (const BoundOnlyTier& tier : cell.bound_only) {
      writer->Labelled("  bound only", Words(tier.Text()));
    }
    AddExample(*cell.example, WorkedModelName(cell), writer);
  }
}

void AddOpsets(const Report& report, const std::string& op_type, Writer* writer) {
  std::vector<std::string> words;
  for (const TotalsRow& row : report.totals.by_opset_version) {
    if (row.op_type != op_type) continue;
    std::string word =
        std::to_string(row.opset_version) + " " + writer->Symbol(GroupMark(row.counts));
    const VerdictCounts supported = Supported(row.counts);
    if (supported.passes() < supported.total()) {
      word += " " + std::to_string(supported.passes()) + "/" +
              std::to_string(supported.total());
    }
    words.push_back(word + ",");
  }
  if (words.empty()) return;
  words.back().pop_back();
  writer->Labelled("opset_version", words);
}

void AddNodeTests(const NodeVerdictCounts& counts, Writer* writer) {
  if (counts.total() == 0) return;
  std::vector<std::string> words;
  for (auto verdict = AllNodeVerdicts().rbegin(); verdict != AllNodeVerdicts().rend();
       ++verdict) {
    if (counts[*verdict] == 0) continue;
    words.push_back(std::to_string(counts[*verdict]) + " " +
                    std::string(NodeVerdictName(*verdict)) + ",");
  }
  words.push_back("of " + std::to_string(counts.total()));
  writer->Labelled("node tests", words);
}

void AddNegative(const std::vector<NegativeRecord>& records, Writer* writer) {
  if (records.empty()) return;
  std::vector<std::string> words = NegativeCounts(records);
  for (std::string& word : words) word += ",";
  words.push_back("of " + std::to_string(records.size()));
  writer->Labelled("negative models", words);
}

// Why cells were declined, whole or in part, in the backend's words.
void AddDeclined(const Report& report, Writer* writer) {
  std::map<std::string, int64_t> reasons;
  for (const CellRecord& cell : report.cells) {
    const bool declined =
        cell.verdict == Verdict::kUnsupported || cell.verdict == Verdict::kPartial;
    if (!declined || cell.reason.empty()) continue;
    ++reasons[OneLine(FirstSentences(cell.reason, kMostForeign))];
  }
  const std::string text = Joined(CountedNames(reasons), " ");
  if (!text.empty()) writer->Labelled("declined", Words(text));
}

// In how many cells models with named dimensions were answered.
void AddDynamicShapes(const Report& report, Writer* writer) {
  int64_t answered = 0;
  int64_t declined = 0;
  for (const CellRecord& cell : report.cells) {
    answered += cell.dynamic_shapes == kDynamicShapesAnswered ? 1 : 0;
    declined += cell.dynamic_shapes == kDynamicShapesDeclined ? 1 : 0;
  }
  if (answered + declined == 0) return;
  std::string text = "answered in " + Plural(answered, "cell");
  if (declined > 0) {
    text +=
        ", declined in " + GroupedDigits(declined) + " (not counted against the backend)";
  }
  writer->Labelled("dynamic shapes", Words(text));
}

// What readings, diagnoses and observations took of the time of the cells.
void AddTimes(const Report& report, Writer* writer) {
  double explaining = 0;
  double all = 0;
  for (const CellRecord& cell : report.cells) {
    explaining += cell.explain_ms;
    all += cell.time_ms;
  }
  if (explaining <= 0 || all <= explaining) return;
  char text[160];
  std::snprintf(text, sizeof text,
                "readings, diagnosis and observations took %.2f s, %.1f %% on top of the "
                "other %.2f s of the cells",
                explaining / 1000, 100 * explaining / (all - explaining),
                (all - explaining) / 1000);
  writer->Labelled("explaining", Words(text));
}

}  // namespace

std::string DetailedSummaryText(const Report& report, const SummaryOptions& options) {
  if (report.run.selection.model) return PartsText(report, options, /*all=*/true);
  Writer writer(options);
  const RunInfo& run = report.run;
  const Totals& totals = report.totals;
  std::vector<std::string> operators;
  for (const TotalsRow& row : totals.by_since_version) {
    if (operators.empty() || operators.back() != row.op_type)
      operators.push_back(row.op_type);
  }
  AddFindings(report, &writer);
  for (const std::string& op_type : operators) {
    writer.Heading(op_type + " on " + run.backend.name);
    writer.Line();
    AddMatrix(report, op_type, options, &writer);
    writer.Line();
    AddTiers(report, op_type, &writer);
    writer.Line();
    AddOpsets(report, op_type, &writer);
    if (op_type == operators.back()) AddLegend(report, &writer);
    writer.Line();
  }
  char duration[32];
  std::snprintf(duration, sizeof duration, "%.1f s", run.duration_s);
  writer.Labelled("cells", {GroupedDigits(totals.cells.passes()), "of",
                            GroupedDigits(Supported(totals.cells).total()),
                            "supported pass;", Plural(totals.cases, "case") + ",",
                            Plural(totals.elements, "element"), "compared,", duration});
  const std::map<std::string, int64_t> readings = AdmissibleBy(report.cells);
  if (!readings.empty())
    writer.Labelled("by reading", SeparateWords(CountedNames(readings)));
  for (const MixedReadings& mixed : totals.mixed_readings) {
    writer.Labelled("mixed", Words(mixed.Text()));
  }
  const std::string bound_only = BoundOnlyText(report.cells);
  if (!bound_only.empty()) writer.Labelled("bound only", Words(bound_only));
  const std::string wider_bound = WiderBoundText(report.cells);
  if (!wider_bound.empty()) writer.Labelled("wider bound", Words(wider_bound));
  if (!totals.diagnoses.empty())
    writer.Labelled("diagnosed as", CountedNames(totals.diagnoses));
  const std::string judged_at = JudgedAtText(report.cells);
  if (!judged_at.empty()) writer.Labelled("judged at", Words(judged_at));
  for (const std::string& group : VariantGroups(report)) {
    writer.Labelled("by variant", Words(group));
  }
  AddDeclined(report, &writer);
  for (const UnspecifiedRow& row : totals.unspecified) {
    writer.Labelled(&row == &totals.unspecified.front() ? "unspecified" : "",
                    Words(row.Text()));
  }
  AddDynamicShapes(report, &writer);
  AddTimes(report, &writer);
  AddNodeTests(totals.node_tests, &writer);
  AddNegative(report.negative, &writer);
  writer.Labelled(
      "suite",
      {"level " + run.suite.level + ",", "seed " + std::to_string(run.suite.seed) + ",",
       "ONNX " + run.suite.onnx_version + ",", run.tool.name + " " + run.tool.version,
       "(" + run.tool.commit + ")"});
  if (!report.complete) {
    writer.PaintedLine(writer.Painted(IncompleteText(report), Mark::kDeviates));
  }
  AddReadings(report, options, &writer);
  AddFailures(report, options, &writer);
  AddRows(DeviatingNodeTests(report), Mark::kDeviates, "node test", "deviate", options,
          &writer);
  AddRows(RefusingRows(report), Mark::kRefused, "row",
          "refused as invalid, although it is legal", options, &writer);
  AddRows(UnjudgedRows(report), Mark::kUnknown, "row", "could not be judged", options,
          &writer);
  AddRows(DeviatingNegativeModels(report), Mark::kDeviates, "negative model", "deviate",
          options, &writer);
  if (!report.results_digest.empty())
    writer.Labelled("results", {"sha256:" + report.results_digest.substr(0, 16)});
  if (!report.answers_digest.empty())
    writer.Labelled("answers", {"sha256:" + report.answers_digest.substr(0, 16)});
  if (!options.report_path.empty()) writer.Labelled("report", {options.report_path});
  return writer.Take();
}

}  // namespace qconform
