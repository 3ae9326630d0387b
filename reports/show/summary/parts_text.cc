#include "reports/show/summary/parts_text.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "oracle/base/text.h"
#include "reports/record/evidence.h"
#include "reports/show/summary/summary_facts.h"
#include "reports/show/summary/summary_writer.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

constexpr size_t kMostOfText = 160;

// "/conv1/Conv (DQ,DQ-Conv-Q, UINT8-INT8-FLOAT-UINT8)"
std::string NameOf(const CellRecord& row) {
  const std::string what =
      row.part && !row.part->graph.empty() ? row.part->graph : row.op_type;
  return (row.part ? row.part->name : row.cell) + " (" + what + ", " +
         Joined(row.types, "-", DataTypeName) + ")";
}

void AddEvidence(const CellRecord& row, Writer& writer) {
  AddWhy(row, writer);
  if (row.part && !row.part->asked_as.empty()) {
    writer.Labelled("  asked as", Words(row.part->asked_as));
  }
  if (row.counterexamples.empty()) return;
  const Counterexample& example = row.counterexamples.front();
  writer.Line("  " +
              OneLine(FirstSentences(CounterexampleSentence(example), kMostOfText)));
  std::vector<std::string> operands;
  for (const OperandRecord& operand : example.operands) {
    operands.push_back(operand.name + "=" + ShownValue(operand.value));
  }
  // Sums have many.
  constexpr size_t kMostOperands = 12;
  if (operands.size() > kMostOperands) {
    const size_t left = operands.size() - kMostOperands;
    operands.resize(kMostOperands);
    operands.push_back("and " + std::to_string(left) + " more");
  }
  if (!operands.empty()) writer.Labelled("  operands", operands);
  for (const std::string& line : WorkedLines(example, WorkedModelName(row))) {
    writer.Line("    " + line);
  }
  writer.Line("  rerun: " + example.replay);
}

// Worst first; equals in the order of the model.
std::vector<const CellRecord*> WorstFirst(const Report& report) {
  std::vector<const CellRecord*> rows;
  for (const CellRecord& row : report.cells) rows.push_back(&row);
  std::ranges::stable_sort(rows, {}, &CellRecord::verdict);
  return rows;
}

void AddNotJudged(const ModelRecord& model, Writer& writer) {
  std::map<std::string, std::vector<std::string>> names;  // by reason
  for (const NotJudgedPart& part : model.not_judged) {
    names[part.reason].push_back(part.name);
  }
  for (const auto& [reason, parts] : names) {
    writer.Labelled("not judged",
                    Words(Plural(static_cast<int64_t>(parts.size()), "part") + ": " +
                          OneLine(FirstSentences(reason, kMostOfText)) + " (" +
                          parts.front() + (parts.size() > 1 ? ", ..." : "") + ")"));
  }
}

std::string Answer(const CellRecord& row) {
  std::string text = VerdictSentence(row);
  if (!row.reading.empty() && text.find(row.reading) == std::string::npos) {
    text += ", " + row.reading;
  }
  const bool shows = !row.counterexamples.empty() && row.counterexamples.front().index;
  if (shows) text += "; " + CounterexampleSentence(row.counterexamples.front());
  if (!shows && !row.reason.empty() && !IsPass(row.verdict)) {
    text += ": " + FirstSentences(row.reason, kMostOfText);
  }
  return OneLine(text);
}

}  // namespace

std::string PartsText(const Report& report, const SummaryOptions& options, bool all) {
  Writer writer(options);
  const std::vector<const CellRecord*> rows = WorstFirst(report);
  const auto most = static_cast<size_t>(std::max(options.failures, 0));
  size_t deviating = 0;
  int64_t more = 0;
  std::map<Verdict, int64_t> counted;
  for (const CellRecord* row : rows) {
    const Mark mark = MarkOf(row->verdict);
    const bool shows_evidence =
        IsDeviation(row->verdict) || row->verdict == Verdict::kRefusedLegal;
    if (row->verdict == Verdict::kConformant && !all) {
      ++counted[row->verdict];
      continue;
    }
    writer.PaintedLine(writer.Painted(writer.Symbol(mark) + " " + NameOf(*row), mark));
    writer.Line("  " + VerdictSentence(*row));
    if (shows_evidence) {
      if (deviating++ < most || all) {
        AddEvidence(*row, writer);
      } else {
        ++more;
      }
    } else if (!IsPass(row->verdict) && !row->reason.empty()) {
      writer.Labelled("  because",
                      Words(OneLine(FirstSentences(row->reason, kMostOfText))));
    }
  }
  for (const auto& [verdict, count] : counted) {
    writer.PaintedLine(writer.Painted(writer.Symbol(MarkOf(verdict)) + " " +
                                          Plural(count, "part") + " " +
                                          std::string(VerdictName(verdict)),
                                      MarkOf(verdict)));
  }
  if (more > 0) {
    writer.Line("-v shows the evidence of " + Plural(more, "part") + " more");
  }
  AddNotJudged(*report.run.selection.model, writer);
  const std::string& whole_run = report.run.selection.model->whole_run;
  std::string label = "whole model";
  for (const std::string& line :
       whole_run.empty() ? std::vector<std::string>() : Split(whole_run, "\n")) {
    writer.Labelled(std::exchange(label, ""), Words(OneLine(line)));
  }
  return writer.Take();
}

std::string PartsSideBySide(std::span<const BackendReport> reports,
                            const SummaryOptions& options) {
  Writer writer(options);
  size_t width = 0;
  for (const BackendReport& one : reports) width = std::max(width, one.name.size());
  int64_t same = 0;
  int64_t all = 0;
  int64_t not_compared = 0;  // parts whose bits are not known to be the same
  for (const CellRecord& row : reports.front().report->cells) {
    std::vector<const CellRecord*> answers;
    std::vector<std::string> bits;
    bool has_all_bits = true;
    for (const BackendReport& one : reports) {
      const auto& cells = one.report->cells;
      const auto found = std::ranges::find(cells, row.cell, &CellRecord::cell);
      answers.push_back(found == cells.end() ? nullptr : &*found);
      const auto compared = one.bits.find(row.cell);
      has_all_bits =
          has_all_bits && (&one == &reports.front() || compared != one.bits.end());
      bits.push_back(compared == one.bits.end() ? "" : compared->second);
    }
    ++all;
    const bool differ = std::ranges::any_of(answers, [&](const CellRecord* other) {
      return other == nullptr || other->verdict != row.verdict ||
             other->diagnosis != row.diagnosis || other->reading != row.reading ||
             (!row.counterexamples.empty() &&
              (other->counterexamples.empty() ||
               row.counterexamples.front().actual !=
                   other->counterexamples.front().actual));
    });
    const bool has_other_bits = std::ranges::any_of(
        bits, [](const std::string& words) { return !words.empty(); });
    if (!differ && !has_other_bits) {
      ++same;
      not_compared += has_all_bits ? 0 : 1;
      continue;
    }
    writer.Heading(NameOf(row));
    for (size_t i = 0; i < answers.size(); ++i) {
      const std::string& name = reports[i].name;
      const CellRecord* answer = answers[i];
      const Mark mark = answer == nullptr ? Mark::kNone : MarkOf(answer->verdict);
      writer.PaintedLine("  " + writer.Painted(writer.Symbol(mark) + " " + name, mark) +
                         Writer::Spaces(width, name) + "  " +
                         (answer == nullptr ? "not asked" : Answer(*answer)));
      if (!bits[i].empty()) {
        writer.Labelled("    bits", Words("other than those of " + reports.front().name +
                                          " " + bits[i]));
      }
    }
  }
  if (all != same) {
    writer.Line("the backends differ about " + std::to_string(all - same) + " of " +
                Plural(all, "part"));
  } else if (not_compared > 0) {
    writer.Line("the backends do not differ about any of " + Plural(all, "part") +
                "; the bits of their answers were not compared for " +
                std::to_string(not_compared));
  } else {
    writer.Line("the backends give the same bits for all cases of " +
                Plural(all, "part"));
  }
  return writer.Take();
}

}  // namespace qconform
