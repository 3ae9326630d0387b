#include "reports/diff/known_differences.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "oracle/base/expected.h"
#include "oracle/base/glob.h"
#include "oracle/base/glob_index.h"
#include "reports/record/evidence.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

constexpr std::string_view kUnexplained =
    "not explained yet: say why, where it is discussed and until when it counts";

using Ids = std::set<std::string_view>;

// Which entry decides about a cell: the first that names it and speaks of the backend.
class Chooser {
 public:
  // `ids` are all cells that are asked about.
  Chooser(const KnownDifferences& known, const Report& report, const Ids& ids)
      : known_(known),
        index_(ids),
        all_(index_.size(), true),
        deciding_(index_.size()),
        decides_(known.size()),
        missing_(known.size()) {
    const std::string& backend = report.run.backend.name;
    CellSet undecided = all_;
    for (size_t i = 0; i < known.size(); ++i) {
      // Early entries and reports name a plugin by its path.
      const std::string& pattern = known[i].backend;
      speaks_.push_back(GlobMatches(pattern, backend) ||
                        GlobMatches(WithoutFolder(pattern), WithoutFolder(backend)));
      if (!speaks_[i]) continue;
      for (const std::string& cells : known[i].cells) Decide(i, cells, undecided);
    }
  }

  std::optional<size_t> EntryFor(std::string_view cell) const {
    const size_t place = index_.PlaceOf(cell);
    return place < index_.size() ? deciding_[place] : std::nullopt;
  }
  bool Speaks(size_t entry) const { return speaks_[entry]; }
  // Whether it decides about a cell.
  bool Decides(size_t entry) const { return decides_[entry]; }
  // The patterns of an entry that match no cell: "'a', 'b'".
  const std::string& PatternsWithoutCells(size_t entry) const { return missing_[entry]; }

  // Returns for each entry whether it names one of `gone`, cells that it or an entry
  // before it decides about.
  std::vector<bool> NameOneOf(const std::vector<std::string_view>& gone) {
    std::map<size_t, std::vector<size_t>> by_entry;
    for (const std::string_view cell : gone) {
      const size_t place = index_.PlaceOf(cell);
      if (const auto& entry = deciding_[place]) by_entry[*entry].push_back(place);
    }
    CellSet before(index_.size(), false);
    std::vector<bool> named(known_.size(), false);
    for (size_t i = 0; i < known_.size(); ++i) {
      for (const size_t place : by_entry[i]) before.Add(place);
      for (size_t k = 0; k < known_[i].cells.size() && speaks_[i] && !named[i]; ++k) {
        index_.ForEachMatch(known_[i].cells[k], before, [&](size_t) {
          named[i] = true;
          return false;
        });
      }
    }
    return named;
  }

 private:
  void Decide(size_t entry, const std::string& pattern, CellSet& undecided) {
    bool matches = false;
    index_.ForEachMatch(pattern, undecided, [&](size_t place) {
      matches = decides_[entry] = true;
      deciding_[place] = entry;
      undecided.Remove(place);
      return true;
    });
    if (matches) return;
    index_.ForEachMatch(pattern, all_, [&](size_t) {
      matches = true;
      return false;
    });
    std::string& missing = missing_[entry];
    if (!matches) missing += (missing.empty() ? "'" : ", '") + pattern + "'";
  }

  const KnownDifferences& known_;
  GlobIndex index_;
  CellSet all_;
  std::vector<std::optional<size_t>> deciding_;  // by the places of cells
  std::vector<bool> speaks_;
  std::vector<bool> decides_;
  std::vector<std::string> missing_;
};

// "entry 2 (its reason) "
std::string EntryText(const KnownDifferences& known, size_t entry) {
  return "entry " + std::to_string(entry) + " (" + known[entry].reason + ") ";
}

// The parts in which a cell deviates; if it does not deviate and does not pass either,
// the parts that do not pass.
CellParts PartsOf(const CellRecord& cell) {
  const auto counts = [&](Verdict part) {
    return IsDeviation(cell.verdict) ? IsDeviation(part) : !NeedsNoEntry(part);
  };
  CellParts parts;
  for (const FormRecord& form : cell.forms) {
    for (const TierRecord& tier : form.tiers) {
      if (!counts(tier.verdict)) continue;
      parts.operand_forms.insert(form.form);
      const auto [found, added] = parts.tiers.emplace(tier.tier, tier.verdict);
      if (!added) found->second = Worst(found->second, tier.verdict);
    }
  }
  for (const OpsetRecord& opset : cell.opset_versions) {
    if (counts(opset.verdict)) parts.opset_versions.insert(opset.opset_version);
  }
  return parts;
}

// Of what a cell deviates in, what the entry does not name.
CellParts Unnamed(const CellParts& named, CellParts parts) {
  std::erase_if(parts.tiers, [&](const auto& tier) {
    const auto found = named.tiers.find(tier.first);
    return named.tiers.empty() ||
           (found != named.tiers.end() && found->second == tier.second);
  });
  std::erase_if(parts.operand_forms, [&](const std::string& form) {
    return named.operand_forms.empty() || named.operand_forms.contains(form);
  });
  std::erase_if(parts.opset_versions, [&](int64_t version) {
    return named.opset_versions.empty() || named.opset_versions.contains(version);
  });
  return parts;
}

// What an entry that is made for the cell names: nothing where a diagnosis says more, or
// nothing deviates; operand forms and opset_versions where others do not.
CellParts PartsToName(const CellRecord& cell) {
  if (!IsDeviation(cell.verdict) || !cell.diagnosis.empty()) return {};
  CellParts parts = PartsOf(cell);
  if (parts.operand_forms.size() == cell.forms.size()) parts.operand_forms.clear();
  if (parts.opset_versions.size() == cell.opset_versions.size()) {
    parts.opset_versions.clear();
  }
  return parts;
}

bool HasOnlyFinding(const KnownDifference& entry, const CellRecord& cell) {
  const std::vector<FindingId> ids = FindingsIn(cell);
  return entry.finding.empty() ||
         std::all_of(ids.begin(), ids.end(), [&](const FindingId& id) {
           return GlobMatches(entry.finding, id.Text());
         });
}

// The finding that an entry made for the cell names; of several none.
std::string FindingToName(const CellRecord& cell) {
  const std::vector<FindingId> ids = FindingsIn(cell);
  return ids.size() == 1 ? ids.front().Text() : "";
}

bool IsAsSaid(const KnownDifference& entry, const CellRecord& cell) {
  return cell.verdict == entry.verdict &&
         (entry.diagnosis.empty() ||
          SortedNames(entry.diagnosis) == SortedNames(cell.diagnosis)) &&
         (!entry.undiagnosed || cell.diagnosis.empty()) && HasOnlyFinding(entry, cell) &&
         Unnamed(entry.parts, PartsOf(cell)) == CellParts();
}

// " in tier regular (nonconformant), operand form inputs, opset_version 21"; empty where
// there are none.
std::string PartsText(const CellParts& parts) {
  std::string text;
  const auto add = [&](const std::string& part) {
    text += (text.empty() ? " in " : ", ") + part;
  };
  for (const auto& [tier, verdict] : parts.tiers) {
    add("tier " + tier + " (" + std::string(VerdictName(verdict)) + ")");
  }
  for (const std::string& form : parts.operand_forms) add("operand form " + form);
  for (const int64_t version : parts.opset_versions) {
    add("opset_version " + std::to_string(version));
  }
  return text;
}

std::string Found(const KnownDifference& entry, const CellRecord& cell) {
  std::string text(VerdictName(cell.verdict));
  if (!cell.diagnosis.empty()) text += " (" + cell.diagnosis + ")";
  if (cell.verdict != entry.verdict) return text;
  if (!HasOnlyFinding(entry, cell)) {
    for (const FindingId& id : FindingsIn(cell)) text += ", finding " + id.Text();
  }
  const std::string more = PartsText(Unnamed(entry.parts, PartsOf(cell)));
  return text + (more.empty() ? "" : ", also" + more);
}

std::string Said(const KnownDifference& entry) {
  std::string text(VerdictName(entry.verdict));
  if (!entry.diagnosis.empty()) text += " (" + entry.diagnosis + ")";
  if (entry.undiagnosed) text += " (without a diagnosis)";
  if (!entry.finding.empty()) text += ", finding " + entry.finding;
  return text + PartsText(entry.parts);
}

bool IsOfEverything(const Report& report) {
  const SelectionRecord& selection = report.run.selection;
  return selection.cell_patterns.empty() && selection.profile.empty() &&
         !selection.shard && report.complete;
}

// What entries are to match: the lattice, with cells of the report that it does not have
// (of another release); where it is not known the report.
Ids IdsToMatch(const Report& report, std::span<const std::string> lattice) {
  Ids ids(lattice.begin(), lattice.end());
  for (const CellRecord& cell : report.cells) ids.insert(cell.cell);
  return ids;
}

// Entries that match nothing, and those that others leave nothing to.
void FindIdleEntries(const KnownDifferences& known, const Chooser& chooser,
                     std::vector<KnownProblem>* problems) {
  for (size_t i = 0; i < known.size(); ++i) {
    if (!chooser.Speaks(i)) continue;
    const std::string& missing = chooser.PatternsWithoutCells(i);
    if (missing.empty() && chooser.Decides(i)) continue;
    problems->push_back(
        {KnownProblem::Kind::kNothingMatched, i, "",
         EntryText(known, i) + (missing.empty()
                                    ? "decides about no cell: entries before it decide"
                                    : "has patterns that match no cell: " + missing)});
  }
}

}  // namespace

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
                                   std::string_view today,
                                   std::span<const std::string> lattice) {
  using Kind = KnownProblem::Kind;
  KnownOutcome outcome;
  outcome.entries = known;
  const Ids ids = IdsToMatch(report, lattice);
  const Chooser chooser(known, report, ids);
  for (const CellRecord& cell : report.cells) {
    if (!IsOfBackend(cell.verdict)) continue;
    const std::optional<size_t> index = chooser.EntryFor(cell.cell);
    if (!index) continue;
    const KnownDifference& entry = known[*index];
    const std::string sentence = cell.cell + " is " + Found(entry, cell) + "; entry " +
                                 std::to_string(*index) + " expects " + Said(entry);
    if (IsPass(cell.verdict)) {
      outcome.problems.push_back({Kind::kUnexpectedPass, *index, cell.cell,
                                  sentence + ": take the cell out of it"});
    } else if (!IsAsSaid(entry, cell)) {
      outcome.problems.push_back({Kind::kDifferentFailure, *index, cell.cell, sentence});
    } else {
      outcome.known_cells[cell.cell] = *index;
    }
  }
  for (size_t i = 0; i < known.size(); ++i) {
    if (!chooser.Speaks(i) || known[i].expires.empty() || today <= known[i].expires) {
      continue;
    }
    outcome.problems.push_back({Kind::kExpired, i, "",
                                EntryText(known, i) + "expired on " + known[i].expires +
                                    ": mend its cause, or give it a later day"});
  }
  if (!lattice.empty() || IsOfEverything(report)) {
    FindIdleEntries(known, chooser, &outcome.problems);
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
  constexpr size_t kMostListed = 100;
  for (size_t i = 0; i < outcome.problems.size(); ++i) {
    if (i == kMostListed) {
      text += "  and " + std::to_string(outcome.problems.size() - i) + " more\n";
      break;
    }
    const KnownProblem& problem = outcome.problems[i];
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
  if (cells > 0) text += deviate(cells, "cell") + " without a valid entry\n";
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
    return Expected("known differences",
                    "a complete report without cell patterns, profile or shard to update "
                    "them from",
                    "one of some cells");
  }
  const Ids ids = IdsToMatch(report, {});
  Chooser chooser(known, report, ids);
  std::vector<std::vector<std::string>> kept(known.size());
  // No pattern may name these any more, nor those of later entries.
  std::vector<std::string_view> gone;
  using What = std::tuple<Verdict, std::string, CellParts, std::string>;
  std::map<What, std::vector<std::string>> fresh;
  for (const CellRecord& cell : report.cells) {
    const std::optional<size_t> index = chooser.EntryFor(cell.cell);
    const bool alive =
        index && (known[*index].expires.empty() || today <= known[*index].expires);
    if (alive && (!IsOfBackend(cell.verdict) || IsAsSaid(known[*index], cell))) {
      kept[*index].push_back(cell.cell);
      continue;
    }
    if (index) gone.push_back(cell.cell);
    if (!NeedsNoEntry(cell.verdict)) {
      fresh[{cell.verdict, cell.diagnosis, PartsToName(cell), FindingToName(cell)}]
          .push_back(cell.cell);
    }
  }
  const std::vector<bool> changed = chooser.NameOneOf(gone);
  KnownDifferences updated;
  for (size_t i = 0; i < known.size(); ++i) {
    if (!chooser.Speaks(i)) {
      updated.push_back(known[i]);  // nothing is known about it here
    } else if (!kept[i].empty()) {
      updated.push_back(known[i]);
      // Patterns stay as somebody wrote them, unless they say too much now.
      if (changed[i] || !chooser.PatternsWithoutCells(i).empty()) {
        updated.back().cells = kept[i];
      }
    }
  }
  for (auto& [what, cells] : fresh) {
    KnownDifference entry;
    entry.cells = std::move(cells);
    entry.backend = WithoutFolder(report.run.backend.name);
    std::tie(entry.verdict, entry.diagnosis, entry.parts, entry.finding) = what;
    entry.undiagnosed =
        entry.diagnosis.empty() && entry.verdict == Verdict::kNonconformant;
    entry.reason = kUnexplained;
    updated.push_back(std::move(entry));
  }
  return updated;
}

}  // namespace qconform
