#include "reports/show/summary/summary_facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "oracle/base/text.h"
#include "reports/record/evidence.h"

namespace qconform {

std::string IncompleteText(const Report& report) {
  // A run that was cut off may have rows of all cells: untested ones.
  const VerdictCounts& cells = report.totals.cells;
  const int64_t tested =
      cells.total() - cells[Verdict::kUntested] - cells[Verdict::kError];
  const int64_t selected = report.totals.selected;
  return "INCOMPLETE: " + GroupedDigits(tested) + " of " +
         Plural(selected, "selected cell") + (selected == 1 ? " was" : " were") +
         " tested; the run was cut short";
}

namespace {

// The groups that a cell belongs to.
std::set<std::string> GroupsOf(const CellRecord& cell) {
  const std::string& op = cell.op_type;
  std::set<std::string> groups{op, op + "-" + std::to_string(cell.since_version),
                               op + " " + cell.granularity};
  for (const DataType type : cell.types) {
    const std::string name(DataTypeName(type));
    groups.insert(op + " with " + name);
  }
  for (const std::string& part : Split(cell.granularity, "-")) {
    groups.insert(op + " " + part);
  }
  return groups;
}

}  // namespace

std::vector<std::string> DeclinedGroups(const Report& report) {
  // Groups of which every cell was declined say what a backend does not take.
  std::set<std::string> mixed;
  std::vector<std::set<std::string>> left;
  for (const CellRecord& cell : report.cells) {
    std::set<std::string> groups = GroupsOf(cell);
    if (cell.verdict == Verdict::kUnsupported) {
      left.push_back(std::move(groups));
    } else if (cell.verdict != Verdict::kUntested) {
      mixed.merge(groups);
    }
  }
  std::vector<std::string> texts;
  while (!left.empty()) {
    std::map<std::string, int64_t> sizes;
    for (const std::set<std::string>& groups : left) {
      for (const std::string& group : groups) {
        if (!mixed.contains(group)) ++sizes[group];
      }
    }
    const auto largest =
        std::max_element(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) {
          // Of equal ones the first in the order of names, which is the shortest.
          return a.second < b.second;
        });
    if (largest == sizes.end()) break;
    const std::string name = largest->first;
    texts.push_back(name);
    std::erase_if(left, [&](const auto& groups) { return groups.contains(name); });
  }
  if (!left.empty()) {
    texts.push_back(GroupedDigits(left.size()) +
                    (left.size() == 1 ? " other" : " others"));
  }
  return texts;
}

std::vector<std::string> VariantGroups(const Report& report) {
  std::map<std::string, int64_t> counts;
  for (const CellRecord& cell : report.cells) {
    if (const std::string text = VariantsText(cell); !text.empty()) ++counts[text];
  }
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [text, cells] : counts) sorted.emplace_back(-cells, text);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> texts;
  for (const auto& [cells, text] : sorted) {
    texts.push_back(text + " (" + Plural(-cells, "cell") + ")");
  }
  return texts;
}

std::string UnspecifiedText(const Totals& totals) {
  const auto behaviours = static_cast<int64_t>(totals.unspecified.size());
  if (behaviours == 0) return "";
  int64_t varying = 0;
  std::set<std::string> with;
  for (const UnspecifiedRow& row : totals.unspecified) {
    if (row.varies_with.empty()) continue;
    ++varying;
    for (const auto& [what, cells] : row.varies_with) with.insert(what);
  }
  std::string text = Plural(behaviours, "behaviour");
  text += varying == 0
              ? (behaviours == 1 ? ", stable" : ", all stable")
              : ", " + GroupedDigits(varying) + (varying == 1 ? " varies" : " vary") +
                    " with " + Joined(with, ", ");
  return text + (behaviours == 1 ? "; -v shows it" : "; -v shows them");
}

void AddWhy(const CellRecord& row, Writer& writer) {
  std::string why;
  std::vector<std::string> commands;  // to copy, so that they are not wrapped
  for (const std::string& sentence : DiagnosisSentences(row)) {
    if (sentence.find("qconform ") != std::string::npos) {
      commands.push_back(sentence);
    } else {
      why += (why.empty() ? "" : " ") + sentence;
    }
  }
  if (!why.empty()) writer.Labelled("  why", Words(why));
  for (const std::string& command : commands) writer.Line("  " + OneLine(command));
}

}  // namespace qconform
