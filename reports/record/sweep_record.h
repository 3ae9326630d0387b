// The result of each chunk of a sweep, and the journal that keeps it.
//
// The journal is JSON lines, written chunk by chunk, so that a sweep that is
// killed does none of its finished chunks again:
//   {"qconform_sweep":2,"identity":"line OP_TYPE-25 ..."}
//   {"chunk":7,"inputs":16777216,...,"check":"..."}
//   {"ended":true,"check":"..."}    all chunks that were asked for are above
// The lines are checked as those of a run's journal (LineChecks).
#ifndef QCONFORM_REPORTS_RECORD_SWEEP_RECORD_H_
#define QCONFORM_REPORTS_RECORD_SWEEP_RECORD_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

// One input for which the answer was another one, as codes; x is what the sweep goes
// through, such as an input or a sum.
struct SweepMismatch {
  uint64_t x = 0;  // codes
  uint64_t scale = 0;
  uint64_t zero_point = 0;
  uint64_t expected = 0;
  uint64_t actual = 0;

  friend bool operator==(const SweepMismatch&, const SweepMismatch&) = default;
};

struct ChunkRecord {
  int64_t chunk = 0;
  uint64_t inputs = 0;              // visited, each counted once
  uint64_t evaluations = 0;         // of the implementation
  uint64_t free = 0;                // inputs for which any code is right
  uint64_t oracle_evaluations = 0;  // asked of the oracle directly
  uint64_t mismatches = 0;
  std::vector<SweepMismatch> first{};  // at most kMismatchesKept

  friend bool operator==(const ChunkRecord&, const ChunkRecord&) = default;
};
inline constexpr size_t kMismatchesKept = 16;

// Adds the counts of a chunk, or of several, and appends its mismatches.
void AddChunk(const ChunkRecord& chunk, ChunkRecord& totals);

// Consecutive chunks, both ends included.
struct ChunkSpan {
  int64_t first = 0;
  int64_t last = 0;

  friend bool operator==(const ChunkSpan&, const ChunkSpan&) = default;
};

struct SweepJournal {
  std::string identity;
  std::vector<ChunkRecord> chunks;
  bool ended = false;          // its last line says so
  int64_t valid_bytes = 0;     // up to the end of the last whole line
  std::string check_digest{};  // with what the check of the next line begins
};

// A last line that was cut off is left out. An Error where the file is no journal
// of a sweep, has a chunk twice, or a line that the sweep did not write there.
Result<SweepJournal> ParseSweepJournal(std::string_view text, std::string_view name);

// Safe to use from several threads.
class SweepJournalWriter {
 public:
  // As of JournalWriter: one that ended is overwritten, an unfinished one kept in
  // PATH.old, any other file refused.
  static Result<SweepJournalWriter> Create(const std::filesystem::path& path,
                                           std::string_view identity);
  // Continues after the last whole line; `found` gets what is there. An Error where
  // there is no journal, or it belongs to another sweep.
  static Result<SweepJournalWriter> Resume(const std::filesystem::path& path,
                                           std::string_view identity,
                                           std::vector<ChunkRecord>* found);

  SweepJournalWriter(SweepJournalWriter&&) noexcept;
  SweepJournalWriter& operator=(SweepJournalWriter&&) noexcept;
  ~SweepJournalWriter();

  // The line is with the system when this returns.
  Status Append(const ChunkRecord& chunk);
  // All chunks that were asked for are done.
  Status End();
  // Where Create kept the unfinished journal that stood there; empty: none did.
  const std::string& kept() const;

 private:
  struct State;
  explicit SweepJournalWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_SWEEP_RECORD_H_
