// The journal: JSON lines, written and flushed record by record as a run goes,
// so that a run that is killed loses the cells in flight and nothing else.
//
//   {"journal_version":"1.1.0","run":{...}}           header
//   {"cell":{...}}  {"node_test":{...}}  {"negative":{...}}  records
//   {"footer":{"cells":..,"node_tests":..,"negative":..,"duration_s":..,"digest":..}}
//
// Each record ends with "check" (LineChecks), so that a line that was edited or moved, or
// that another run wrote, is found. Journals of version 1.0 have none. The digest is the
// SHA-256 of all bytes before the footer's line. A journal without its footer is never
// complete.
#ifndef QCONFORM_REPORTS_REPORT_JOURNAL_H_
#define QCONFORM_REPORTS_REPORT_JOURNAL_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"
#include "reports/record/negative_record.h"
#include "reports/record/record.h"

namespace qconform {

struct Journal {
  RunInfo run;
  std::vector<CellRecord> cells;  // as they were written
  std::vector<NodeTestRecord> node_tests;
  std::vector<NegativeRecord> negative;
  // With what the check of the next line begins; empty: its version has no checks.
  std::string check_digest{};
  bool complete = false;    // the footer is there, and agrees
  int64_t valid_bytes = 0;  // up to the end of the last whole line
};

// Whether a reader rejects rows that contradict themselves (reports/report/row_rules.h):
// all readers do, except one that reports each of them itself.
enum class RowReading { kChecked, kAsTheyStand };

// Returns the journal, without a last line that was cut off. Returns an Error for
// files that are not a journal, other major versions, cells or node tests that come
// twice, broken lines, lines of another run, rows that contradict themselves, and footers
// that do not agree with the lines above.
Result<Journal> ReadJournal(const std::filesystem::path& path);
Result<Journal> ParseJournal(std::string_view text, std::string_view name,
                             RowReading rows = RowReading::kChecked);

// Returns the text that JournalWriter writes for a run that has these cells, in their
// order, and that ended after run.duration_s.
std::string JournalText(const RunInfo& run, const std::vector<CellRecord>& cells);

// Safe to use from several threads.
class JournalWriter {
 public:
  // Writes the header to a new file, or over the journal of a run that ended. An
  // unfinished journal is renamed to PATH.old. Returns an Error if the file is not a
  // journal, or if another process writes to it now.
  static Result<JournalWriter> Create(const std::filesystem::path& path,
                                      const RunInfo& run);
  // Continues after the last whole record of an incomplete journal, which must have
  // the same suite, selection and backend, and which nobody else may write to now. Also
  // returns the records that it already has.
  static Result<JournalWriter> Resume(const std::filesystem::path& path,
                                      const RunInfo& run, Journal* found);

  JournalWriter(JournalWriter&&) noexcept;
  JournalWriter& operator=(JournalWriter&&) noexcept;
  ~JournalWriter();  // leaves the journal without footer unless finished

  // Where Create kept the unfinished journal that stood there; empty: none did.
  const std::string& kept() const;

  Status Append(const CellRecord& cell);
  Status Append(const NodeTestRecord& node_test);
  Status Append(const NegativeRecord& negative);
  // Writes the footer and closes the file.
  Status Finish(double duration_s);

 private:
  struct State;
  explicit JournalWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Returns an Error that names the first difference if the two runs did not ask the
// same backend the same questions, such as "suite.seed is 1 there, 2 here". Shards may
// differ if that is allowed.
enum class ShardRule { kSameShard, kAnyShard };
Status CheckSameRun(const RunInfo& there, const RunInfo& here, ShardRule rule);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_JOURNAL_H_
