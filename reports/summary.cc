#include "reports/summary.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "reports/consistency.h"
#include "reports/evidence.h"
#include "reports/order.h"

namespace qconform {
namespace {

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = std::min(text.find(' ', start), text.size());
    words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

enum class Mark { kAllConformant, kAllPass, kDeviates, kDeclined, kUnknown, kNone };

Mark MarkOf(const VerdictCounts& counts) {
  const std::optional<Verdict> worst = counts.worst();
  if (!worst) return Mark::kNone;
  if (IsDeviation(*worst)) return Mark::kDeviates;
  if (counts[Verdict::kMistrusted] > 0 || counts[Verdict::kUntested] > 0)
    return Mark::kUnknown;
  if (!IsPass(*worst)) return Mark::kDeclined;
  return *worst == Verdict::kAdmissible ? Mark::kAllPass : Mark::kAllConformant;
}

struct MarkStyle {
  const char* ascii;
  const char* unicode;
  const char* color;  // ANSI
};

const MarkStyle& StyleOf(Mark mark) {
  static constexpr MarkStyle kStyles[] = {{"ok", "\u2713", "32"},  {"~", "\u2248", "36"},
                                          {"!", "\u2717", "1;31"}, {"-", "\u25cb", "33"},
                                          {"?", "?", "35"},        {".", "\u00b7", "2"}};
  return kStyles[static_cast<size_t>(mark)];
}

Mark MarkOf(Verdict verdict) {
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
    return options_.color ? "\033[" + std::string(color) + "m" + text + "\033[0m" : text;
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

  void Line(const std::string& text = "") { text_ += text + "\n"; }
  void Heading(const std::string& text) { Line(Painted(text, "1")); }
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

// --- the matrix ----------------------------------------------------------------

std::string MatrixCell(const Writer& writer, const VerdictCounts& counts) {
  const Mark mark = MarkOf(counts);
  std::string text = writer.Symbol(mark);
  if (mark == Mark::kNone) return text;
  text += " ";
  if (mark != Mark::kAllConformant && mark != Mark::kAllPass) {
    text += std::to_string(counts.passes()) + "/";
  }
  return text + std::to_string(counts.total());
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
      text += Writer::Spaces(columns, cell) + writer->Painted(cell, MarkOf(counts));
    }
    writer->Line(text);
  }
}

void AddLegend(const Report& report, Writer* writer) {
  static constexpr struct {
    Mark mark;
    const char* words;
  } kLegend[] = {{Mark::kAllConformant, "all conformant"},
                 {Mark::kAllPass, "all pass, some as admissible"},
                 {Mark::kDeviates, "some deviate"},
                 {Mark::kDeclined, "some declined"},
                 {Mark::kUnknown, "some untested or mistrusted"},
                 {Mark::kNone, "no such cell"}};
  std::set<Mark> seen = {Mark::kNone};
  bool fractions = false;
  for (const TotalsRow& row : report.totals.by_since_version_and_output_type) {
    seen.insert(MarkOf(row.counts));
    fractions = fractions || row.counts.passes() < row.counts.total();
  }
  std::vector<std::string> words;
  for (const auto& item : kLegend) {
    if (seen.contains(item.mark))
      words.push_back(writer->Symbol(item.mark) + " " + item.words + ";");
  }
  words.push_back(fractions ? "numbers: passes/cells" : "numbers: cells");
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
    for (const Verdict verdict : AllVerdicts()) {
      columns[0].second.Add(verdict, row.counts[verdict]);
    }
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
  for (auto verdict = AllVerdicts().rbegin(); verdict != AllVerdicts().rend();
       ++verdict) {
    const bool occurs =
        std::any_of(columns.begin(), columns.end(),
                    [&](const auto& column) { return column.second[*verdict] > 0; });
    if (!occurs) continue;
    const std::string name(VerdictName(*verdict));
    std::string line = name + Writer::Spaces(Writer::kLabel, name);
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string text = std::to_string(columns[i].second[*verdict]);
      line += Writer::Spaces(widths[i], text) + text;
    }
    writer->Line(writer->Painted(line, MarkOf(*verdict)));
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
    writer->Line(writer->Painted(writer->Symbol(Mark::kDeviates) + " " + cell.cell,
                                 Mark::kDeviates));
    writer->Line("  " + VerdictSentence(cell));
    const std::string note = DiagnosisNote(cell);
    if (!note.empty()) writer->Labelled("  why", Words(note));
    if (cell.counterexamples.empty()) continue;
    const Counterexample& example = cell.counterexamples.front();
    writer->Line("  " + CounterexampleSentence(example));
    std::vector<std::string> operands;
    for (const OperandRecord& operand : example.operands) {
      operands.push_back(operand.name + "=" + ShownValue(operand.value));
    }
    if (!operands.empty()) writer->Labelled("  of", operands);
    writer->Line("  rerun: " + example.replay);
  }
  if (failed.size() > static_cast<size_t>(options.failures)) {
    writer->Line("  and " +
                 Plural(static_cast<int64_t>(failed.size()) - options.failures, "cell") +
                 " more that deviate");
  }
}

void AddOpsets(const Report& report, const std::string& op_type, Writer* writer) {
  std::vector<std::string> words;
  for (const TotalsRow& row : report.totals.by_opset_version) {
    if (row.op_type != op_type) continue;
    std::string word =
        std::to_string(row.opset_version) + " " + writer->Symbol(MarkOf(row.counts));
    if (row.counts.passes() < row.counts.total()) {
      word += " " + std::to_string(row.counts.passes()) + "/" +
              std::to_string(row.counts.total());
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

}  // namespace

std::string SummaryText(const Report& report, const SummaryOptions& options) {
  Writer writer(options);
  const RunInfo& run = report.run;
  const Totals& totals = report.totals;
  std::vector<std::string> operators;
  for (const TotalsRow& row : totals.by_since_version) {
    if (operators.empty() || operators.back() != row.op_type)
      operators.push_back(row.op_type);
  }
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
                            GroupedDigits(totals.selected), "pass;",
                            Plural(totals.cases, "case") + ",",
                            Plural(totals.elements, "element"), "compared,", duration});
  if (!totals.readings.empty())
    writer.Labelled("admissible by", CountedNames(totals.readings));
  for (const MixedReadings& mixed : FindMixedReadings(report.cells)) {
    writer.Labelled("mixed", Words(mixed.Text()));
  }
  if (!totals.diagnoses.empty())
    writer.Labelled("diagnosed as", CountedNames(totals.diagnoses));
  if (!totals.observed.empty())
    writer.Labelled("observed", CountedNames(totals.observed));
  AddNodeTests(totals.node_tests, &writer);
  AddNegative(report.negative, &writer);
  writer.Labelled(
      "suite",
      {"level " + run.suite.level + ",", "seed " + std::to_string(run.suite.seed) + ",",
       "ONNX " + run.suite.onnx_version + ",", run.tool.name + " " + run.tool.version,
       "(" + run.tool.commit + ")"});
  if (!report.complete) {
    writer.Line(
        writer.Painted("INCOMPLETE: " + GroupedDigits(totals.cells.total()) + " of " +
                           Plural(totals.selected, "selected cell") +
                           (totals.selected == 1 ? " has its row" : " have their rows"),
                       Mark::kDeviates));
  }
  AddFailures(report, options, &writer);
  if (!report.results_digest.empty())
    writer.Labelled("results", {"sha256:" + report.results_digest.substr(0, 16)});
  if (!options.report_path.empty()) writer.Labelled("report", {options.report_path});
  return writer.Take();
}

}  // namespace qconform
