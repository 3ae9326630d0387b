#include "reports/show/summary/summary_matrix.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "reports/record/finding.h"
#include "reports/record/order.h"

namespace qconform {
namespace {

// A row: its name, and the verdicts of each since_version.
struct Row {
  std::string name;
  std::map<int, VerdictCounts> by_version;
};

// Whether every cell of the row is unsupported.
bool IsUnsupported(const Row& row) {
  return std::ranges::all_of(row.by_version, [](const auto& item) {
    return item.second[Verdict::kUnsupported] == item.second.total();
  });
}

std::string NameOf(const TotalsRow& row, MatrixRows rows) {
  switch (rows) {
    case MatrixRows::kOperators:
      return OneLine(row.op_type);
    case MatrixRows::kTypeClasses:
      return TypeClass(row.output_type);
    case MatrixRows::kTypes:
      break;
  }
  return std::string(DataTypeName(row.output_type));
}

// The rows of one operator, in the order of people's types.
std::vector<Row> RowsOf(const Report& report, const std::string& op_type,
                        MatrixRows kind) {
  std::vector<TotalsRow> totals;
  for (const TotalsRow& row : report.totals.by_since_version_and_output_type) {
    if (row.op_type == op_type) totals.push_back(row);
  }
  std::stable_sort(totals.begin(), totals.end(),
                   [](const TotalsRow& a, const TotalsRow& b) {
                     return TypeRank(a.output_type) < TypeRank(b.output_type);
                   });
  std::vector<Row> rows;
  for (const TotalsRow& total : totals) {
    const std::string name = NameOf(total, kind);
    auto row = std::ranges::find(rows, name, &Row::name);
    if (row == rows.end()) row = rows.insert(rows.end(), {name, {}});
    row->by_version[total.since_version].Add(total.counts);
  }
  return rows;
}

// The symbol of a group of cells: "ok", "!75" where only 75 % of the supported ones pass.
struct Shown {
  std::string text;
  Mark mark;
};

Shown Show(const VerdictCounts& counts, const Writer& writer) {
  const VerdictCounts supported = Supported(counts);
  const Mark mark = GroupMark(counts);
  if (supported.passes() == supported.total()) return {writer.Symbol(mark), mark};
  // 99 of 100 is not rounded to all of them.
  const int64_t percent = 100 * supported.passes() / supported.total();
  const bool has_sign = mark == Mark::kDeviates || mark == Mark::kRefused;
  const std::string sign = has_sign ? writer.Symbol(mark) : "";
  return {sign + std::to_string(percent), mark};
}

std::string Legend(const std::set<Mark>& seen, bool rates, const Writer& writer,
                   size_t width) {
  std::vector<std::string> words;
  const auto add = [&](Mark mark, const char* text) {
    if (seen.contains(mark)) words.push_back(writer.Symbol(mark) + " " + text);
  };
  add(Mark::kAllConformant, "all pass");
  add(Mark::kAllPass, "by a reading");
  if (seen.contains(Mark::kDeviates)) {
    words.push_back(writer.Symbol(Mark::kDeviates) + "N only N % pass");
  } else if (rates) {
    words.push_back("N only N % pass");
  }
  add(Mark::kRefused, "refuses legal models");
  add(Mark::kDeclined, "unsupported");
  add(Mark::kUnknown, "not judged");
  add(Mark::kNone, "no such cell");
  std::string line;
  for (const std::string& word : words) {
    const std::string next = (line.empty() ? "" : "; ") + word;
    if (Writer::Columns(line + next) > width) break;
    line += next;
  }
  return line;
}

std::vector<std::string> LinesOf(const Report& report, const Writer& writer, int width,
                                 MatrixRows kind) {
  std::vector<std::string> operators;
  std::set<int> versions;
  for (const TotalsRow& row : report.totals.by_since_version_and_output_type) {
    versions.insert(row.since_version);
    if (operators.empty() || operators.back() != row.op_type) {
      operators.push_back(row.op_type);
    }
  }
  if (operators.empty()) return {};
  // The operator is a heading above its types; it is left out if there is only one.
  struct Line {
    std::string label;
    const Row* row;        // null: the label is the whole line
    bool is_note = false;  // which may run over the columns
  };
  std::vector<std::vector<Row>> rows;
  for (const std::string& op_type : operators) {
    rows.push_back(RowsOf(report, op_type, kind));
  }
  std::vector<Line> wanted;
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool several = kind != MatrixRows::kOperators && rows.size() > 1;
    if (several) wanted.push_back({OneLine(operators[i]), nullptr});
    const std::string indent = several ? "  " : "";
    const auto unsupported =
        static_cast<size_t>(std::ranges::count_if(rows[i], IsUnsupported));
    const bool folded = unsupported > 1 && unsupported < rows[i].size();
    for (const Row& row : rows[i]) {
      if (!folded || !IsUnsupported(row)) wanted.push_back({indent + row.name, &row});
    }
    if (folded) {
      wanted.push_back(
          {indent + std::to_string(unsupported) + " other rows: all unsupported", nullptr,
           true});
    }
  }
  size_t label = std::string("since_version").size();
  for (const Line& line : wanted) {
    if (!line.is_note) label = std::max(label, Writer::Columns(line.label));
  }
  const size_t room = static_cast<size_t>(width) - label;
  const size_t column = std::clamp<size_t>((room - 10) / versions.size(), 4, 6);
  const size_t needed = label + column * versions.size();

  std::set<Mark> seen;
  bool rates = false;
  std::vector<std::pair<std::string, std::string>> texts;  // painted, passes/supported
  size_t last = std::string("passing").size();
  for (const Line& line : wanted) {
    std::string text = line.label + Writer::Spaces(label, line.label);
    VerdictCounts all;
    for (const int version : versions) {
      if (line.row == nullptr) break;
      const auto counts = line.row->by_version.find(version);
      const VerdictCounts here =
          counts == line.row->by_version.end() ? VerdictCounts() : counts->second;
      all.Add(here);
      const Shown shown = Show(here, writer);
      seen.insert(shown.mark);
      rates = rates || Supported(here).passes() < Supported(here).total();
      text += Writer::Spaces(column, shown.text) + writer.Painted(shown.text, shown.mark);
    }
    const VerdictCounts supported = Supported(all);
    texts.emplace_back(line.row == nullptr ? line.label : text,
                       line.row == nullptr ? ""
                                           : std::to_string(supported.passes()) + "/" +
                                                 std::to_string(supported.total()));
    last = std::max(last, texts.back().second.size());
  }
  // The counts are left out where they do not fit.
  const bool counted = needed + 1 + last <= static_cast<size_t>(width);
  last = std::min<size_t>(last + 4, static_cast<size_t>(width) - needed);
  const auto with_last = [&](const std::string& text, const std::string& end) {
    return counted && !end.empty() ? text + Writer::Spaces(last, end) + end : text;
  };
  std::string head = "since_version" + Writer::Spaces(label, "since_version");
  for (const int version : versions) {
    const std::string text = std::to_string(version);
    head += Writer::Spaces(column, text) + text;
  }
  std::vector<std::string> lines{writer.Painted(with_last(head, "passing"), "1")};
  for (const auto& [text, end] : texts) lines.push_back(with_last(text, end));
  lines.push_back(Legend(seen, rates, writer, static_cast<size_t>(width)));
  return lines;
}

}  // namespace

VerdictCounts Supported(const VerdictCounts& counts) {
  VerdictCounts supported;
  for (const Verdict verdict : counts.occurring()) {
    if (verdict == Verdict::kUnsupported || verdict == Verdict::kUntested) continue;
    supported.Add(verdict, counts[verdict]);
  }
  return supported;
}

Mark GroupMark(const VerdictCounts& counts) {
  const VerdictCounts supported = Supported(counts);
  if (supported.total() > 0) return MarkOf(supported);
  if (counts.total() == 0) return Mark::kNone;
  return counts[Verdict::kUnsupported] == 0 ? Mark::kUnknown : Mark::kDeclined;
}

std::vector<std::string> MatrixLines(const Report& report, const Writer& writer,
                                     int width, size_t most) {
  for (const MatrixRows rows : {MatrixRows::kTypes, MatrixRows::kTypeClasses}) {
    std::vector<std::string> lines = LinesOf(report, writer, width, rows);
    if (lines.size() <= most) return lines;
  }
  return LinesOf(report, writer, width, MatrixRows::kOperators);
}

}  // namespace qconform
