#include "harness/sweep/sweep.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "oracle/base/shortage.h"
#include "oracle/base/stopwatch.h"

namespace qconform {
namespace {

// Precondition: ascending.
std::vector<ChunkSpan> SpansOf(const std::vector<ChunkRecord>& records) {
  std::vector<ChunkSpan> spans;
  for (const ChunkRecord& record : records) {
    if (spans.empty() || spans.back().last + 1 != record.chunk) {
      spans.push_back({record.chunk, record.chunk});
    }
    spans.back().last = record.chunk;
  }
  return spans;
}

// What the threads of one sweep share.
struct Shared {
  std::mutex mutex;
  std::vector<int64_t> left;  // chunks, last one first
  std::vector<ChunkRecord> records;
  std::optional<Error> fault;
  std::exception_ptr thrown;  // by a mistake of the program
  uint64_t mismatches = 0;
};

}  // namespace

Result<SweepOutcome> RunSweep(const SweepPlan& plan, const SweepOptions& options,
                              const std::atomic<bool>& stop) {
  const Stopwatch watch;
  const int64_t last = options.last < 0 ? plan.chunks : options.last;
  if (options.first < 0 || options.first > last || last > plan.chunks) {
    return Error{"chunks " + std::to_string(options.first) + " to " +
                 std::to_string(last - 1) + ": this sweep has chunks 0 to " +
                 std::to_string(plan.chunks - 1)};
  }
  SweepOutcome outcome;
  outcome.selected = last - options.first;
  Shared shared;
  std::optional<SweepJournalWriter> journal;
  if (!options.journal.empty()) {
    std::vector<ChunkRecord> found;
    auto opened = options.resume
                      ? SweepJournalWriter::Resume(options.journal, plan.identity, &found)
                      : SweepJournalWriter::Create(options.journal, plan.identity);
    if (!opened) return opened.error();
    journal = *std::move(opened);
    outcome.journal_kept = journal->kept();
    for (ChunkRecord& record : found) {
      if (record.chunk < options.first || record.chunk >= last) continue;
      shared.mismatches += record.mismatches;
      shared.records.push_back(std::move(record));
    }
  }
  outcome.from_journal = static_cast<int64_t>(shared.records.size());
  std::vector<bool> done(static_cast<size_t>(outcome.selected));
  for (const ChunkRecord& record : shared.records) {
    done[static_cast<size_t>(record.chunk - options.first)] = true;
  }
  for (int64_t chunk = last; chunk-- > options.first;) {
    if (!done[static_cast<size_t>(chunk - options.first)]) shared.left.push_back(chunk);
  }

  const auto work = [&] {
    const auto fail = [&](const Error& error) {
      const std::lock_guard lock(shared.mutex);
      if (!shared.fault) shared.fault = error;
    };
    const auto worker = plan.make_worker();
    if (!worker) return fail(worker.error());
    while (!stop) {
      ChunkRecord record;
      {
        const std::lock_guard lock(shared.mutex);
        if (shared.fault || shared.left.empty()) return;
        if (options.until_mismatch && shared.mismatches > 0) return;
        record.chunk = shared.left.back();
        shared.left.pop_back();
      }
      const Status ran = (*worker)->Run(record.chunk, record);
      // A backend that was interrupted has not failed: this chunk is not done.
      if (!ran && stop) return;
      if (!ran) return fail(ran.error());
      if (journal) {
        const Status written = journal->Append(record);
        if (!written) return fail(written.error());
      }
      const std::lock_guard lock(shared.mutex);
      shared.mismatches += record.mismatches;
      shared.records.push_back(std::move(record));
      if (options.progress) {
        options.progress(static_cast<int64_t>(shared.records.size()), outcome.selected,
                         shared.mismatches);
      }
    }
  };
  const auto jobs = std::min<size_t>(static_cast<size_t>(std::max(options.jobs, 1)),
                                     std::max<size_t>(shared.left.size(), 1));
  // What is thrown ends the sweep; its journal keeps the chunks that are done.
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const auto shortage = CaughtShortage();
      const std::lock_guard lock(shared.mutex);
      if (!shortage && !shared.thrown) shared.thrown = std::current_exception();
      if (!shared.fault) shared.fault = Error{shortage.value_or("an exception")};
    }
  };
  std::vector<std::thread> others;
  try {
    for (size_t i = 1; i < jobs; ++i) others.emplace_back(guarded);
  } catch (const std::system_error&) {
    // The system starts no more threads, so the existing ones do the work.
  }
  if (!shared.left.empty()) guarded();
  for (std::thread& thread : others) thread.join();
  if (shared.thrown) std::rethrow_exception(shared.thrown);
  if (shared.fault) return *shared.fault;

  std::sort(shared.records.begin(), shared.records.end(),
            [](const ChunkRecord& a, const ChunkRecord& b) { return a.chunk < b.chunk; });
  outcome.done = static_cast<int64_t>(shared.records.size());
  const bool went_on = outcome.done > outcome.from_journal || outcome.selected == 0;
  if (journal && outcome.complete() && went_on) {
    if (const Status ended = journal->End(); !ended) return ended.error();
  }
  outcome.done_chunks = SpansOf(shared.records);
  for (const ChunkRecord& record : shared.records) AddChunk(record, outcome.totals);
  outcome.seconds = watch.seconds();
  return outcome;
}

}  // namespace qconform
