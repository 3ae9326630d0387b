// The file of a journal: opened for one writer only, and never over the records of a
// run that was cut off; and the check values of its lines. Private to the sources of
// reports.
#ifndef QCONFORM_REPORTS_REPORT_JOURNAL_FILE_H_
#define QCONFORM_REPORTS_REPORT_JOURNAL_FILE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "oracle/base/result.h"

namespace qconform {

// What the first line of all journals of one kind begins with, and the last line of
// those that came to their end.
struct JournalKind {
  std::string_view first;
  std::string_view last;
};

// Ends each line with "check": the first 16 digits of the SHA-256 of the digest of the
// line before (that of the first line is its SHA-256) and of this line before "check". So
// a line that was edited, moved, repeated, or that another run wrote is found, and the
// line after one that is gone. It is no signature: who edits on purpose makes them again.
class LineChecks {
 public:
  // `digest`: the SHA-256 of the first line without its end, or digest() of the last.
  explicit LineChecks(std::string digest) : digest_(std::move(digest)) {}

  const std::string& digest() const { return digest_; }

  // Returns the next line, a JSON object, with its check. Both end with "}\n".
  std::string WithCheck(std::string_view line);
  // Whether this is the next line; it comes without its end. An Error at `place` if not.
  Status Check(std::string_view line, const std::string& place);

 private:
  std::string Next(std::string_view body);

  std::string digest_;
};

// An open journal, locked until it is closed. One thread at a time.
class JournalFile {
 public:
  // `descriptor` appends, and is closed with the object. `kept`: where the journal of a
  // run that was cut off went, which stood there; empty: none did.
  JournalFile(std::filesystem::path path, int descriptor, std::string kept);
  JournalFile(JournalFile&& other) noexcept;
  JournalFile& operator=(JournalFile&&) = delete;
  ~JournalFile();

  const std::string& kept() const { return kept_; }

  // Appends a line, its end included. After one that could not be written whole nothing
  // more is: a part of a line is what a killed run leaves, but only at the end.
  Status Append(std::string_view line);
  // Leaves the first `bytes`.
  Status Truncate(int64_t bytes);
  // Syncs and closes the file.
  Status Close();

 private:
  Error SystemError() const;

  std::filesystem::path path_;
  int descriptor_;
  std::string kept_;
  std::optional<Error> failed_;
};

// Gives an empty file. A journal that came to its end, or has no record, is overwritten;
// an unfinished one is renamed to PATH.old. An Error if the file is not a journal of this
// kind, or another process writes to it now.
Result<JournalFile> BeginJournalFile(const std::filesystem::path& path,
                                     const JournalKind& kind);
// Gives the file that is there as it is. An Error where there is none, or another process
// writes to it now.
Result<JournalFile> ReopenJournalFile(const std::filesystem::path& path);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_JOURNAL_FILE_H_
