// The file of a journal: opened for one writer alone, and never over the records of a
// run that was cut off. Private to the sources of reports.
#ifndef QCONFORM_REPORTS_JOURNAL_FILE_H_
#define QCONFORM_REPORTS_JOURNAL_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "oracle/tensor/result.h"

namespace qconform {

// What the first line of all journals of one kind begins with, and the last line of
// those that came to their end.
struct JournalKind {
  std::string_view first;
  std::string_view last;
};

struct JournalFile {
  int descriptor = -1;  // appends; locked until it is closed
  // Where the journal of a run that was cut off went, which stood there; empty: none did.
  std::string kept;
};

// Gives an empty file. A journal that came to its end, or has no record, is overwritten;
// an unfinished one is renamed to PATH.old. An Error where the file is no journal of this
// kind, or another process writes to it now.
Result<JournalFile> BeginJournalFile(const std::filesystem::path& path,
                                     const JournalKind& kind);
// Gives the file that is there as it is. An Error where there is none, or another process
// writes to it now.
Result<JournalFile> ReopenJournalFile(const std::filesystem::path& path);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_JOURNAL_FILE_H_
