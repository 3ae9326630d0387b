// Runs the numbered chunks of a sweep: in parallel, with a journal, and without the
// chunks that the journal already has.
#ifndef QCONFORM_HARNESS_SWEEP_SWEEP_H_
#define QCONFORM_HARNESS_SWEEP_SWEEP_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/core/proofs/proof.h"
#include "oracle/base/result.h"
#include "reports/record/sweep_record.h"

namespace qconform {

struct SweepOptions {
  // Chunks [first, last), which may be none; last -1: to the end.
  int64_t first = 0;
  int64_t last = -1;
  std::string journal{};  // file; empty: none
  bool resume = false;
  int jobs = 1;
  // Ends soon after the first mismatch, as if it were stopped.
  bool until_mismatch = false;
  // Called after each chunk, not from two threads at once.
  std::function<void(int64_t done, int64_t selected, uint64_t mismatches)> progress{};
};

struct SweepOutcome {
  ChunkRecord totals;  // of all chunks done; `first` in the order of chunks
  int64_t selected = 0;
  int64_t done = 0;
  std::vector<ChunkSpan> done_chunks;  // ascending, as few as possible
  int64_t from_journal = 0;
  double seconds = 0;  // of this call
  // The new path of an unfinished journal of another sweep; empty: there was none.
  std::string journal_kept;

  bool complete() const { return done == selected; }
};

// Stops after the chunks in flight when `stop` becomes true.
Result<SweepOutcome> RunSweep(const SweepPlan& plan, const SweepOptions& options,
                              const std::atomic<bool>& stop);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_SWEEP_SWEEP_H_
