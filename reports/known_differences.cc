#include "reports/known_differences.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <vector>

#include "oracle/tensor/format_version.h"
#include "oracle/tensor/glob.h"
#include "reports/evidence.h"
#include "reports/file.h"
#include "reports/json.h"
#include "reports/terminal_text.h"

namespace qconform {
namespace {

constexpr std::string_view kVersion = "1.0.0";
constexpr std::string_view kUnexplained =
    "not explained yet: say why, where it is discussed and until when it counts";

bool IsDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [&](size_t begin, size_t size) {
    int value = 0;
    for (const char c : text.substr(begin, size)) {
      if (c < '0' || c > '9') return -1;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  const int year = number(0, 4);
  const int month = number(5, 2);
  const int day = number(8, 2);
  return year >= 0 && month >= 0 && day >= 0 &&
         std::chrono::year_month_day(std::chrono::year(year),
                                     std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
             .ok();
}

bool NeedsNoEntry(Verdict verdict) {
  return IsPass(verdict) || verdict == Verdict::kUntested;
}

std::vector<Verdict> VerdictsOfEntries() {
  std::vector<Verdict> verdicts;
  std::ranges::remove_copy_if(AllVerdicts(), std::back_inserter(verdicts), NeedsNoEntry);
  return verdicts;
}

bool IsBlank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

// A member that may be left out: where it is there it says something.
std::string TextOf(const Fields& fields, const char* key, std::string absent,
                   const std::string& right) {
  std::string text = fields.String(key, std::move(absent));
  if (fields.Has(key) && IsBlank(text)) {
    fields.Fail(key, "is blank; " + right + " is right, or no such member");
  }
  return text;
}

KnownDifference EntryFromJson(const Fields& fields) {
  KnownDifference entry;
  entry.cells = fields.Strings("cells");
  if (entry.cells.empty())
    fields.Fail("cells", "is empty; patterns of cell ids are right");
  if (std::any_of(entry.cells.begin(), entry.cells.end(), IsBlank)) {
    fields.Fail("cells",
                "has a blank pattern, which matches no cell; ids of cells, or "
                "patterns of them, are right");
  }
  entry.backend = TextOf(fields, "backend", "*", "a pattern of names of backends");
  entry.verdict = fields.Word("verdict", ParseVerdict, VerdictsOfEntries, VerdictName);
  if (NeedsNoEntry(entry.verdict)) {
    fields.Fail("verdict",
                "is \"" + std::string(VerdictName(entry.verdict)) +
                    "\", which needs no entry; a verdict that is no pass is right");
  }
  entry.diagnosis = TextOf(fields, "diagnosis", "", "the name of one");
  entry.reason = fields.String("reason");
  if (IsBlank(entry.reason)) fields.Fail("reason", "is blank; why it is so is right");
  entry.url = TextOf(fields, "url", "", "where it is discussed");
  entry.owner = TextOf(fields, "owner", "", "who answers for it");
  entry.expires = TextOf(fields, "expires", "", "a day such as 2026-12-31");
  if (!entry.expires.empty() && !IsDate(entry.expires)) {
    fields.Fail("expires",
                "is \"" + entry.expires + "\"; a day such as 2026-12-31 is right");
  }
  for (const auto& [key, member] : fields.Members()) {
    static const std::set<std::string> kKeys = {
        "cells", "backend", "verdict", "diagnosis", "reason", "url", "owner", "expires"};
    // A misspelt "expires" would waive for ever.
    if (!kKeys.contains(key)) fields.Fail(key, "is no field of an entry");
  }
  return entry;
}

Json EntryToJson(const KnownDifference& entry) {
  Json json = Json::object();
  json["cells"] = entry.cells;
  if (entry.backend != "*") json["backend"] = entry.backend;
  json["verdict"] = VerdictName(entry.verdict);
  const auto set = [&](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  set("diagnosis", entry.diagnosis);
  json["reason"] = entry.reason;
  set("url", entry.url);
  set("owner", entry.owner);
  set("expires", entry.expires);
  return json;
}

// Which entry decides about a cell.
class Chooser {
 public:
  Chooser(const KnownDifferences& known, const Report& report)
      : known_(known), backend_(report.run.backend.name) {}

  std::optional<size_t> EntryFor(std::string_view cell) const {
    for (size_t i = 0; i < known_.size(); ++i) {
      if (Speaks(i) && AnyGlobMatches(known_[i].cells, cell)) return i;
    }
    return std::nullopt;
  }

  bool Speaks(size_t entry) const { return GlobMatches(known_[entry].backend, backend_); }

 private:
  const KnownDifferences& known_;
  const std::string& backend_;
};

bool IsAsSaid(const KnownDifference& entry, const CellRecord& cell) {
  return cell.verdict == entry.verdict &&
         (entry.diagnosis.empty() || entry.diagnosis == cell.diagnosis);
}

std::string Found(const CellRecord& cell) {
  std::string text(VerdictName(cell.verdict));
  if (!cell.diagnosis.empty()) text += " (" + cell.diagnosis + ")";
  return text;
}

std::string Said(const KnownDifference& entry) {
  std::string text(VerdictName(entry.verdict));
  if (!entry.diagnosis.empty()) text += " (" + entry.diagnosis + ")";
  return text;
}

bool IsOfEverything(const Report& report) {
  const SelectionRecord& selection = report.run.selection;
  return selection.cell_patterns.empty() && selection.profile.empty() &&
         !selection.shard && report.complete;
}

// The patterns of an entry that match no cell of the report.
std::string PatternsWithoutCells(const KnownDifference& entry, const Report& report) {
  std::string missing;
  for (const std::string& pattern : entry.cells) {
    const bool found = std::any_of(
        report.cells.begin(), report.cells.end(),
        [&](const CellRecord& cell) { return GlobMatches(pattern, cell.cell); });
    if (!found) missing += (missing.empty() ? "'" : ", '") + pattern + "'";
  }
  return missing;
}

}  // namespace

Result<KnownDifferences> ParseKnownDifferences(std::string_view text,
                                               std::string_view name) {
  const Result<Json> parsed = ParseJson(text, name);
  if (!parsed) return parsed.error();
  ReadState state{std::string(name), std::nullopt};
  const Fields document(*parsed, state);
  const std::string version = document.String("known_differences_version");
  if (!state.error && !IsFormatVersion1(version)) {
    return Error{std::string(name) + ": has known differences of version \"" + version +
                 "\"; this program reads the versions 1.x.y"};
  }
  KnownDifferences known;
  for (const Fields& entry : document.Objects("entries"))
    known.push_back(EntryFromJson(entry));
  for (const auto& [key, member] : document.Members()) {
    // As in an entry: what is misspelt would count for nothing.
    if (key != "known_differences_version" && key != "entries") {
      document.Fail(key, "is no field of known differences");
    }
  }
  if (state.error) return *state.error;
  return known;
}

Result<KnownDifferences> ReadKnownDifferences(const std::filesystem::path& path) {
  const Result<std::string> text = ReadFile(path);
  if (!text) return text.error();
  return ParseKnownDifferences(*text, path.string());
}

std::string KnownDifferencesText(const KnownDifferences& known) {
  Json document = Json::object();
  document["known_differences_version"] = kVersion;
  Json& entries = document["entries"] = Json::array();
  for (const KnownDifference& entry : known) entries.push_back(EntryToJson(entry));
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string_view KnownProblemName(KnownProblem::Kind kind) {
  switch (kind) {
    case KnownProblem::Kind::kUnexpectedPass:
      return "unexpected_pass";
    case KnownProblem::Kind::kDifferentFailure:
      return "different_failure";
    case KnownProblem::Kind::kNothingMatched:
      return "nothing_matched";
    case KnownProblem::Kind::kExpired:
      return "expired";
  }
  return "";
}

const KnownDifference* KnownOutcome::Find(std::string_view cell) const {
  const auto found = known_cells.find(cell);
  return found == known_cells.end() ? nullptr : &entries[found->second];
}

KnownOutcome ApplyKnownDifferences(const KnownDifferences& known, const Report& report,
                                   std::string_view today) {
  using Kind = KnownProblem::Kind;
  KnownOutcome outcome;
  outcome.entries = known;
  const Chooser chooser(known, report);
  std::vector<bool> decided(known.size(), false);
  for (const CellRecord& cell : report.cells) {
    const std::optional<size_t> index = chooser.EntryFor(cell.cell);
    if (!index) continue;
    const KnownDifference& entry = known[*index];
    decided[*index] = true;
    if (cell.verdict == Verdict::kUntested) continue;
    const std::string expected =
        "; entry " + std::to_string(*index) + " expects " + Said(entry);
    if (IsPass(cell.verdict)) {
      outcome.problems.push_back(
          {Kind::kUnexpectedPass, *index, cell.cell,
           cell.cell + " is " + Found(cell) + expected + ": take the cell out of it"});
    } else if (!IsAsSaid(entry, cell)) {
      outcome.problems.push_back({Kind::kDifferentFailure, *index, cell.cell,
                                  cell.cell + " is " + Found(cell) + expected});
    } else {
      outcome.known_cells[cell.cell] = *index;
    }
  }
  for (size_t i = 0; i < known.size(); ++i) {
    if (!chooser.Speaks(i)) continue;
    const std::string entry =
        "entry " + std::to_string(i) + " (" + known[i].reason + ") ";
    if (!known[i].expires.empty() && today > known[i].expires) {
      outcome.problems.push_back({Kind::kExpired, i, "",
                                  entry + "expired on " + known[i].expires +
                                      ": mend its cause, or give it a later day"});
    }
    if (!IsOfEverything(report)) continue;
    const std::string missing = PatternsWithoutCells(known[i], report);
    if (!missing.empty()) {
      outcome.problems.push_back({Kind::kNothingMatched, i, "",
                                  entry + "has patterns that match no cell: " + missing});
    } else if (!decided[i]) {
      outcome.problems.push_back({Kind::kNothingMatched, i, "",
                                  entry + "decides about no cell of the report: entries "
                                          "before it decide"});
    }
  }
  // A cell of an expired entry is no longer known.
  std::erase_if(outcome.known_cells, [&](const auto& item) {
    const std::string& expires = known[item.second].expires;
    return !expires.empty() && today > expires;
  });
  return outcome;
}

std::string KnownText(const KnownOutcome& outcome, const Report& report,
                      std::string_view file) {
  std::string text = "known           " +
                     GroupedDigits(static_cast<int64_t>(outcome.known_cells.size())) +
                     " of the cells " + "are as " + OneLine(file) + " says, " +
                     Plural(static_cast<int64_t>(outcome.problems.size()), "problem") +
                     "\n";
  for (const KnownProblem& problem : outcome.problems) {
    text += "  " + std::string(KnownProblemName(problem.kind)) + ": " +
            OneLine(problem.sentence) + "\n";
  }
  const auto deviate = [](int64_t count, const char* noun) {
    return "  " + Plural(count, noun) + (count == 1 ? " deviates" : " deviate");
  };
  const int64_t cells = std::count_if(
      report.cells.begin(), report.cells.end(), [&](const CellRecord& cell) {
        return IsDeviation(cell.verdict) && outcome.Find(cell.cell) == nullptr;
      });
  if (cells > 0) text += deviate(cells, "cell") + " as no valid entry says\n";
  const int64_t tests = report.totals.node_tests.deviations();
  if (tests > 0) {
    text += deviate(tests, "node test") +
            "; no entry can name them: a run without --node-tests leaves them out\n";
  }
  const int64_t models = std::count_if(
      report.negative.begin(), report.negative.end(),
      [](const NegativeRecord& record) { return IsDeviation(record.result); });
  if (models > 0) {
    text += deviate(models, "negative model") +
            "; no entry can name them: --no-negative leaves them out\n";
  }
  return text;
}

ExitCode ExitCodeFor(const Report& report, const KnownOutcome& outcome,
                     bool allow_unsupported) {
  if (!outcome.problems.empty()) return ExitCode::kDeviation;
  if (AnyDeviates(report.negative)) return ExitCode::kDeviation;
  VerdictCounts counts;
  for (const CellRecord& cell : report.cells) {
    counts.Add(outcome.Find(cell.cell) ? Verdict::kConformant : cell.verdict);
  }
  return ExitCodeFor(counts, report.totals.node_tests,
                     ExitOptionsOf(report, allow_unsupported));
}

Result<KnownDifferences> UpdateKnownDifferences(const KnownDifferences& known,
                                                const Report& report,
                                                std::string_view today) {
  if (!IsOfEverything(report)) {
    return Error{
        "the known differences cannot be updated from a report of some cells; a complete "
        "one without patterns, profile or shard is right"};
  }
  const Chooser chooser(known, report);
  std::vector<std::vector<std::string>> kept(known.size());
  std::vector<bool> changed(known.size(), false);
  std::map<std::pair<Verdict, std::string>, std::vector<std::string>> fresh;
  for (const CellRecord& cell : report.cells) {
    const std::optional<size_t> index = chooser.EntryFor(cell.cell);
    const bool alive =
        index && (known[*index].expires.empty() || today <= known[*index].expires);
    if (alive && (cell.verdict == Verdict::kUntested || IsAsSaid(known[*index], cell))) {
      kept[*index].push_back(cell.cell);
      continue;
    }
    if (index) changed[*index] = true;
    if (!IsPass(cell.verdict) && cell.verdict != Verdict::kUntested) {
      fresh[{cell.verdict, cell.diagnosis}].push_back(cell.cell);
    }
  }
  KnownDifferences updated;
  for (size_t i = 0; i < known.size(); ++i) {
    if (!chooser.Speaks(i)) {
      updated.push_back(known[i]);  // nothing is known about it here
    } else if (!kept[i].empty()) {
      updated.push_back(known[i]);
      // Patterns stay as somebody wrote them, unless they say too much now.
      if (changed[i] || !PatternsWithoutCells(known[i], report).empty()) {
        updated.back().cells = kept[i];
      }
    }
  }
  for (auto& [what, cells] : fresh) {
    KnownDifference entry;
    entry.cells = std::move(cells);
    entry.backend = report.run.backend.name;
    entry.verdict = what.first;
    entry.diagnosis = what.second;
    entry.reason = kUnexplained;
    updated.push_back(std::move(entry));
  }
  return updated;
}

}  // namespace qconform
