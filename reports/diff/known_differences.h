// Known differences: deviations that somebody is responsible for. A file of entries,
// each with cells, their verdict (and diagnosis), and the reason.
//
// The rules are strict, so that the file stays true. These are problems, and any problem
// fails the run: a cell that passes, or fails in another way or part than its entry says;
// an entry that matches no cell; an entry whose last day has passed. Known cells stay
// visible.
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

// Parts of a cell that deviate. In an entry: the parts that may deviate; if it names none
// of a kind, all may.
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

// True for passes and for `untested`, which no entry may expect.
bool NeedsNoEntry(Verdict verdict);

// An Error names the entry and its fault.
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
  std::string cell;      // its id; empty if the entry as a whole is the problem
  std::string sentence;  // the fault, and the expected value
};

// "unexpected_pass", "different_failure", "nothing_matched", "expired".
std::string_view KnownProblemName(KnownProblem::Kind kind);

// The outcome of a report under its known differences.
struct KnownOutcome {
  KnownDifferences entries;
  // Cells that deviate exactly as an entry says -> the entry.
  std::map<std::string, size_t, std::less<>> known_cells;
  std::vector<KnownProblem> problems;

  // Returns the entry that covers the cell, or null.
  const KnownDifference* Find(std::string_view cell) const;
};

// Judges every cell by the first entry that names it and the report's backend.
// `today` is "2026-08-01". `lattice` has the ids of all existing cells. An entry that
// matches none of them, or has a pattern that matches none, is a problem, whichever cells
// the report has. If `lattice` is empty (not known), this is checked only for reports of
// all cells, because the cells of an entry may be in another report. Untested cells are
// neither known nor problems.
KnownOutcome ApplyKnownDifferences(const KnownDifferences& known, const Report& report,
                                   std::string_view today,
                                   std::span<const std::string> lattice = {});

// Returns a line for the number of cells that deviate as `file` says, for each problem,
// and for each other deviation that fails the run.
std::string KnownText(const KnownOutcome& outcome, const Report& report,
                      std::string_view file);

// Like ExitCodeFor(report), but known cells count as passes and problems as deviations.
ExitCode ExitCodeFor(const Report& report, const KnownOutcome& outcome,
                     bool allow_unsupported);

// Returns the right file for this report. Cells that pass now or fail in another way are
// removed from their entries, and entries that match nothing or are expired are dropped.
// Deviations without an entry get one per verdict and finding (without a diagnosis also
// per set of deviating parts, which it names). Such an entry has a placeholder for the
// reason and no last day, because nobody is responsible for it yet. Other entries keep
// theirs. Returns an Error if the report does not have all cells, because it knows
// nothing about the others.
Result<KnownDifferences> UpdateKnownDifferences(const KnownDifferences& known,
                                                const Report& report,
                                                std::string_view today);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_DIFF_KNOWN_DIFFERENCES_H_
