// Known differences: deviations that somebody answers for. A file of entries,
// each naming cells, the verdict (and diagnosis) that they have, and why.
//
// Strict, so that the file cannot rot: a cell that passes, fails otherwise than
// its entry says (also: in a part that it does not name), an entry that decides about
// no cell, and one whose day has passed are problems, and any problem fails the run.
// Known cells stay visible.
#ifndef QCONFORM_REPORTS_DIFF_KNOWN_DIFFERENCES_H_
#define QCONFORM_REPORTS_DIFF_KNOWN_DIFFERENCES_H_

#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"
#include "reports/report/report.h"

namespace qconform {

// Parts of a cell that deviate. Of an entry: those that may; where it names none of a
// kind, all may.
struct CellParts {
  std::map<std::string, Verdict> tiers;  // and what each comes to
  std::set<std::string> operand_forms;   // "inputs", "initializers", "parameters"
  std::set<int64_t> opset_versions;

  friend bool operator==(const CellParts&, const CellParts&) = default;
  friend auto operator<=>(const CellParts&, const CellParts&) = default;
};

struct KnownDifference {
  std::vector<std::string>
      cells;                  // patterns of cell ids: `*` any text, `?` one character
  std::string backend = "*";  // pattern of backend names that it speaks of
  Verdict verdict = Verdict::kNonconformant;  // no pass
  std::string diagnosis;                      // empty: any
  bool undiagnosed = false;                   // none
  std::string
      finding;  // pattern of FindingId::Text that each finding matches; empty: any
  CellParts parts;
  std::string reason;
  std::string url;
  std::string owner;
  std::string expires;  // "2026-12-31", its last day; empty: never

  friend bool operator==(const KnownDifference&, const KnownDifference&) = default;
};

using KnownDifferences = std::vector<KnownDifference>;

// True for passes and for `untested`: no entry may expect such a verdict.
bool NeedsNoEntry(Verdict verdict);

// An error names the entry and what is wrong with it.
Result<KnownDifferences> ReadKnownDifferences(const std::filesystem::path& path);
Result<KnownDifferences> ParseKnownDifferences(std::string_view text,
                                               std::string_view name);

// Returns the JSON document.
std::string KnownDifferencesText(const KnownDifferences& known);

// Returns the JSON Schema (draft 7) of such a document.
std::string_view KnownDifferencesSchema();

struct KnownProblem {
  enum class Kind {
    kUnexpectedPass,
    kDifferentFailure,
    kNothingMatched,
    kExpired,
  };
  Kind kind = Kind::kUnexpectedPass;
  size_t entry = 0;      // into the KnownDifferences
  std::string cell;      // its id; empty where the entry as a whole is the problem
  std::string sentence;  // what is wrong and what would be right
};

// "unexpected_pass", "different_failure", "nothing_matched", "expired".
std::string_view KnownProblemName(KnownProblem::Kind kind);

// What becomes of a report under its known differences.
struct KnownOutcome {
  KnownDifferences entries;
  // Cells that deviate just as an entry says -> the entry.
  std::map<std::string, size_t, std::less<>> known_cells;
  std::vector<KnownProblem> problems;

  // Returns the entry that answers for the cell, or null.
  const KnownDifference* Find(std::string_view cell) const;
};

// Judges every cell by the first entry that names it and the report's backend.
// `today` is "2026-08-01". `lattice` has the ids of all cells that there are: an entry
// that decides about none of them, or has a pattern that matches none, is a problem,
// whichever cells the report has. Where it is empty (not known), that is only asked of
// reports of everything: the cells of an entry may be elsewhere. Untested cells are
// neither.
KnownOutcome ApplyKnownDifferences(const KnownDifferences& known, const Report& report,
                                   std::string_view today,
                                   std::span<const std::string> lattice = {});

// Returns how many cells of the report deviate as `file` says, the problems, and what else
// deviates and fails the run: a line for each.
std::string KnownText(const KnownOutcome& outcome, const Report& report,
                      std::string_view file);

// As ExitCodeFor(report), with known cells as passes and problems as deviations.
ExitCode ExitCodeFor(const Report& report, const KnownOutcome& outcome,
                     bool allow_unsupported);

// Returns what the file should say for this report: cells that pass now or fail
// otherwise are taken out of their entries, entries that decide about nothing
// or are expired are dropped, and what deviates without an entry is added, one
// entry per verdict and finding (where there is no diagnosis: and per deviating parts,
// which it names), with a reason that asks to be written, and no last day: nobody answers
// for it yet. Entries that stay keep theirs. An error where the report is not of
// everything: it cannot speak for other cells.
Result<KnownDifferences> UpdateKnownDifferences(const KnownDifferences& known,
                                                const Report& report,
                                                std::string_view today);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_DIFF_KNOWN_DIFFERENCES_H_
