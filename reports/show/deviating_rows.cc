#include "reports/show/deviating_rows.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "reports/record/evidence.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// The flags of a run's command line that chose its backend.
std::string BackendFlagsIn(const std::vector<std::string>& command_line) {
  constexpr std::string_view kSwitches[] = {"--in-process", "--isolate"};
  constexpr std::string_view kWithValue[] = {"--backend", "--backend-option",
                                             "--timeout-per-case", "--memory-limit",
                                             "--python"};
  std::string flags;
  for (size_t i = 0; i < command_line.size(); ++i) {
    const std::string& word = command_line[i];
    if (std::ranges::count(kSwitches, word) > 0) flags += " " + word;
    const std::string name = word.substr(0, word.find('='));
    if (std::ranges::count(kWithValue, name) == 0) continue;
    if (name.size() < word.size()) {
      flags += " " + name + " " + ShellWord(word.substr(name.size() + 1));
    } else if (i + 1 < command_line.size()) {
      flags += " " + name + " " + ShellWord(command_line[++i]);
    }
  }
  return flags;
}

std::vector<DeviatingRow> NodeTestsOf(const Report& report, NodeVerdict verdict) {
  std::vector<DeviatingRow> rows;
  for (const NodeTestRecord& test : report.node_tests) {
    if (test.verdict != verdict) continue;
    rows.push_back({"node test " + test.name + " (" + test.release + ")",
                    std::string(NodeVerdictName(test.verdict)), test.reason, ""});
  }
  return rows;
}

std::vector<DeviatingRow> NegativeModelsWhere(
    const Report& report, const std::function<bool(NegativeResult)>& wanted) {
  std::vector<DeviatingRow> rows;
  std::string flags = BackendFlagsIn(report.run.command_line);
  if (flags.empty()) flags = " --backend " + ShellWord(report.run.backend.name);
  for (const NegativeRecord& record : report.negative) {
    if (!wanted(record.result)) continue;
    rows.push_back({"negative model " + record.id,
                    std::string(NegativeResultName(record.result)), record.text,
                    "qconform replay " + ShellWord(record.id) + flags});
  }
  return rows;
}

}  // namespace

std::vector<DeviatingRow> DeviatingNodeTests(const Report& report) {
  return NodeTestsOf(report, NodeVerdict::kDeviates);
}

std::vector<DeviatingRow> UnjudgedRows(const Report& report) {
  std::vector<DeviatingRow> rows;
  for (const CellRecord& cell : report.cells) {
    if (cell.verdict != Verdict::kError) continue;
    rows.push_back({cell.cell, std::string(VerdictName(cell.verdict)), cell.reason, ""});
  }
  for (DeviatingRow& row : NodeTestsOf(report, NodeVerdict::kError)) {
    rows.push_back(std::move(row));
  }
  for (DeviatingRow& row : NegativeModelsWhere(report, [](NegativeResult result) {
         return result == NegativeResult::kError;
       })) {
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<DeviatingRow> RefusingRows(const Report& report) {
  std::vector<DeviatingRow> rows;
  for (const CellRecord& cell : report.cells) {
    if (cell.verdict != Verdict::kRefusedLegal) continue;
    const bool shown = !cell.counterexamples.empty();
    rows.push_back({cell.cell, std::string(VerdictName(cell.verdict)), cell.reason,
                    shown ? cell.counterexamples.front().replay : ""});
  }
  for (DeviatingRow& row : NodeTestsOf(report, NodeVerdict::kRefusedLegal)) {
    rows.push_back(std::move(row));
  }
  for (DeviatingRow& row : NegativeModelsWhere(report, [](NegativeResult result) {
         return result == NegativeResult::kRefusedLegal;
       })) {
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<DeviatingRow> DeviatingNegativeModels(const Report& report) {
  return NegativeModelsWhere(report,
                             [](NegativeResult result) { return IsDeviation(result); });
}

std::string DeviatingRowsText(const Report& report) {
  std::string text;
  const auto add = [&](size_t count, const char* noun) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + Plural(static_cast<int64_t>(count), noun) +
            (count == 1 ? " deviates" : " deviate");
  };
  add(static_cast<size_t>(report.totals.node_tests.deviations()), "node test");
  add(DeviatingNegativeModels(report).size(), "negative model");
  return text;
}

std::string RefusedLegalText(const Report& report) {
  std::string text;
  const auto add = [&](int64_t count, const char* noun) {
    if (count > 0) text += (text.empty() ? "" : ", ") + Plural(count, noun);
  };
  add(report.totals.cells[Verdict::kRefusedLegal], "cell");
  add(report.totals.node_tests[NodeVerdict::kRefusedLegal], "node test");
  add(std::ranges::count(report.negative, NegativeResult::kRefusedLegal,
                         &NegativeRecord::result),
      "unusual model");
  return text.empty() ? "" : text + " refused as invalid, though legal";
}

std::string UnjudgedText(const Report& report) {
  std::string text;
  const auto add = [&](int64_t count, const char* noun) {
    if (count > 0) text += (text.empty() ? "" : ", ") + Plural(count, noun);
  };
  add(report.totals.cells[Verdict::kError], "cell");
  add(report.totals.node_tests[NodeVerdict::kError], "node test");
  add(std::ranges::count(report.negative, NegativeResult::kError,
                         &NegativeRecord::result),
      "negative model");
  return text.empty() ? "" : text + " could not be judged";
}

std::string RowNoun(const Report& report) {
  return report.run.selection.model ? "part" : "cell";
}

}  // namespace qconform
