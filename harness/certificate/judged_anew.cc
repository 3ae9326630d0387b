#include "harness/certificate/judged_anew.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "harness/runner/runner.h"
#include "oracle/base/sha256.h"

namespace qconform {
namespace {

// A number from 0 to 1 that belongs to the text.
double Fraction(const std::string& text) {
  const std::string digits = Sha256Hex(text).substr(0, 8);
  return static_cast<double>(std::stoul(digits, nullptr, 16)) / 4294967296.0;
}

Verdict VerdictAt(const CellRecord& row, const std::string& setting) {
  const auto at = std::ranges::find(row.varied, setting, &VariedRecord::setting);
  return at == row.varied.end() ? row.verdict : at->verdict;
}

class AnewComparison {
 public:
  AnewComparison(const std::string& setting, uint64_t seed, JudgedAnew& judged)
      : where_((setting.empty() ? "" : " at " + setting)),
        how_("asked again as a run asks it, with seed " + std::to_string(seed)),
        judged_(judged) {}

  void Compare(Verdict before, const CellRecord& now) {
    const auto name = [](Verdict verdict) { return std::string(VerdictName(verdict)); };
    const std::string words = now.cell + where_ + ": is " + name(before) +
                              " in the package; " + how_ + ", it is " + name(now.verdict);
    if (!IsOfBackend(now.verdict)) {
      if (!judged_.error) judged_.error = Error{words + ": " + now.reason};
    } else if ((IsPass(before) && !IsPass(now.verdict)) ||
               (!IsDeviation(before) && IsDeviation(now.verdict))) {
      judged_.findings.push_back(
          {"backend", words + (now.reason.empty() ? "" : ": " + now.reason)});
    } else if (IsDeviation(before) && IsPass(now.verdict)) {
      judged_.notes.push_back("backend: " + words);
    }
  }

 private:
  const std::string where_;
  const std::string how_;
  JudgedAnew& judged_;
};

}  // namespace

std::vector<size_t> ChosenCells(const std::vector<SelectedCell>& cells, double share,
                                uint64_t seed) {
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < cells.size(); ++i) {
    order.emplace_back(Fraction(std::to_string(seed) + " " + CellId(cells[i].cell)), i);
  }
  std::ranges::sort(order);
  std::vector<size_t> chosen;
  for (const auto& [fraction, i] : order) {
    if (share > 0 && (fraction < share || chosen.empty())) chosen.push_back(i);
  }
  std::ranges::sort(chosen);
  return chosen;
}

JudgedAnew JudgeAnew(const AskedBackend& backend, const std::vector<CellRecord>& rows,
                     const std::vector<SelectedCell>& cells, Level level, uint64_t seed,
                     int jobs) {
  JudgedAnew judged;
  ExplainBudget no_explanations(0);
  std::vector<AskedBackend::Setting> settings = backend.settings;
  if (settings.empty()) settings = {{"", backend.backend, backend.other_threads}};
  for (const AskedBackend::Setting& at : settings) {
    std::map<std::string, Verdict> before;
    RunRequest request{{}, level, seed, jobs, {}};
    request.other_threads = at.other_threads;
    request.explain = &no_explanations;
    for (size_t i = 0; i < rows.size(); ++i) {
      const Verdict verdict = VerdictAt(rows[i], at.name);
      if (!IsOfBackend(verdict)) continue;
      before[rows[i].cell] = verdict;
      request.cells.push_back(cells[i]);
    }
    AnewComparison comparison(at.name, seed, judged);
    std::map<std::string, CellRecord> now;  // the order in which they end is chance
    const std::atomic<bool> stop{false};
    RunCells(
        *at.backend, request,
        [&](CellRecord record) { now[record.cell] = std::move(record); }, stop);
    for (const auto& [cell, record] : now) comparison.Compare(before.at(cell), record);
  }
  return judged;
}

}  // namespace qconform
