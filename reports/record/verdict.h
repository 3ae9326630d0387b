// Verdict: what became of a cell, in a closed list ordered worst first; and the
// exit codes that follow from the counts of verdicts.
#ifndef QCONFORM_REPORTS_RECORD_VERDICT_H_
#define QCONFORM_REPORTS_RECORD_VERDICT_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace qconform {

// Worst first: a smaller number is a worse verdict. Only the last two are
// passes. The numbers between error and partial are those of verdicts that a later
// version of the program gave (VerdictOfLaterVersion).
enum class Verdict : uint8_t {
  kCrashed,
  kTimedOut,
  kFailed,         // it raised or reported an error on a legal model: there is no output
  kInvalidOutput,  // wrong shape, type or count, or unwritten or over-written bytes
  kNonconformant,
  kRefusedLegal,   // it took legal models as its own and refused them as invalid
  kMistrusted,     // the cases that ran could not have failed
  kError,          // the harness failed, which accuses nobody
  kPartial = 128,  // all answered cases right, some declined
  kUnsupported,
  kUntested,
  kAdmissible,  // one named combination of readings, or a bound, explains every bit
  kConformant,
};
// Of those that this program gives.
inline constexpr int kVerdictCount = 13;

// All verdicts that this program gives, worst first.
std::span<const Verdict> AllVerdicts();

// Returns "crashed", "timed_out", "failed", "invalid_output", ...
std::string_view VerdictName(Verdict verdict);

// Returns the verdict of that exact name, or nothing.
std::optional<Verdict> ParseVerdict(std::string_view name);

// Returns the verdict of that name in a report of a later version: one of the known ones,
// or one that only keeps its name. Such a verdict counts neither as a pass nor as a
// deviation, because its meaning is not known here. Returns nothing if the name is not a
// word of lower- case letters and `_`, or if too many such words were read. Safe to use
// from several threads.
std::optional<Verdict> VerdictOfLaterVersion(std::string_view name);

// Whether the verdict is one that this program gives.
bool IsKnown(Verdict verdict);

// Admissible or conformant.
bool IsPass(Verdict verdict);

// Crashed, timed out, failed, invalid output or nonconformant.
bool IsDeviation(Verdict verdict);

// Whether the verdict says anything about the backend: neither error nor untested.
bool IsOfBackend(Verdict verdict);

// Returns the worse of the two.
Verdict Worst(Verdict a, Verdict b);

// What became of one of ONNX's own node tests, worst first. Its models are legal, so that
// a backend that refuses one as invalid has refused a legal model. A test is disputed
// where its expected values differ from the oracle's; it then judges nobody, nor does
// one that could not be read or judged (error).
enum class NodeVerdict : uint8_t {
  kError,
  kDeviates,
  kRefusedLegal,
  kUnsupported,
  kDisputed,
  kPass
};

// A deviation of the backend's.
bool IsDeviation(NodeVerdict verdict);
inline constexpr int kNodeVerdictCount = 6;

std::span<const NodeVerdict> AllNodeVerdicts();

// Returns "error", "deviates", "refused_legal", "unsupported", "disputed", "pass".
std::string_view NodeVerdictName(NodeVerdict verdict);
std::optional<NodeVerdict> ParseNodeVerdict(std::string_view name);

// How many of each.
class VerdictCounts {
 public:
  void Add(Verdict verdict, int64_t count = 1);
  void Add(const VerdictCounts& counts);
  int64_t operator[](Verdict verdict) const;
  int64_t total() const;
  int64_t passes() const;
  int64_t deviations() const;
  int64_t unknown() const;  // verdicts of a later version
  // The verdicts that occur, worst first.
  std::vector<Verdict> occurring() const;
  // The worst verdict that occurs, or nothing when the counts are all zero.
  std::optional<Verdict> worst() const;

  friend bool operator==(const VerdictCounts&, const VerdictCounts&) = default;

 private:
  std::map<Verdict, int64_t> counts_;  // without zeros
};

class NodeVerdictCounts {
 public:
  void Add(NodeVerdict verdict, int64_t count = 1) { counts_[Index(verdict)] += count; }
  int64_t operator[](NodeVerdict verdict) const { return counts_[Index(verdict)]; }
  int64_t total() const;
  int64_t deviations() const;

  friend bool operator==(const NodeVerdictCounts&, const NodeVerdictCounts&) = default;

 private:
  static size_t Index(NodeVerdict verdict) { return static_cast<size_t>(verdict); }
  std::array<int64_t, kNodeVerdictCount> counts_{};
};

// What all subcommands exit with.
enum class ExitCode : int {
  kPass = 0,              // everything selected is conformant or admissible
  kDeviation = 1,         // a deviation, a regression or an unexpected known difference
  kBadInput = 2,          // bad usage or input
  kIncomplete = 3,        // no deviation, but something is no pass either
  kNothingSupported = 4,  // CTest's SKIP_RETURN_CODE
  kInterrupted = 130,
};

struct ExitOptions {
  bool allow_unsupported = false;  // unsupported and partial count as passes;
                                   // refused_legal does not
  bool complete = true;            // every selected cell has its row
  bool refused_legal = false;      // a negative model that is legal was refused
  bool shard = false;              // one of several: nothing may have fallen to it
};

// Returns the exit code for the counts. If nothing is supported (or, except in a
// shard, nothing was run), it is kNothingSupported whatever the options are. An
// incomplete run is never kPass. Disputed node tests do not count.
ExitCode ExitCodeFor(const VerdictCounts& cells, const NodeVerdictCounts& node_tests,
                     const ExitOptions& options);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_VERDICT_H_
