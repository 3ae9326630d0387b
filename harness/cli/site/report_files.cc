#include "harness/cli/site/report_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "harness/cli/print/print.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "reports/report/journal.h"

namespace qconform {

Result<Report> ParseReportOrJournal(const std::string& text, const std::string& path) {
  if (!text.starts_with("{\"journal_version\"")) {
    if (text.size() > kMostDocumentBytes) return TooLong(path, kMostDocumentBytes);
    return ParseReport(text, path);
  }
  auto journal = ParseJournal(text, path);
  if (!journal) return journal.error();
  return BuildReport(*std::move(journal));
}

Result<Report> ReadReportOrJournal(const std::string& path) {
  const auto text = ReadFile(path, kMostJournalBytes);
  if (!text) return text.error();
  return ParseReportOrJournal(*text, path);
}

Result<CompactReport> ParseCompactOrReport(const std::string& text,
                                           const std::string& path) {
  if (IsCompactText(text)) return ParseCompact(text, path);
  const auto report = ParseReportOrJournal(text, path);
  if (!report) return report.error();
  return Compacted(*report, path);
}

bool BeginsAsReport(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n{");
  if (first == text.npos || !text.starts_with("{")) return false;
  const std::string_view rest = text.substr(first);
  return rest.starts_with("\"report_version\"") ||
         rest.starts_with("\"packed_report_version\"") ||
         rest.starts_with("\"journal_version\"") ||
         rest.starts_with("\"compact_report_version\"");
}

Result<std::vector<std::string>> JsonFilesIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  std::filesystem::recursive_directory_iterator entry(folder, failed);
  for (; !failed && entry != std::filesystem::recursive_directory_iterator();
       entry.increment(failed)) {
    std::error_code unknown;
    if (entry->path().extension() == ".json" && entry->is_regular_file(unknown)) {
      files.push_back(entry->path().string());
    }
  }
  if (failed) {
    return Expected(folder, "a folder that can be read", failed.message());
  }
  std::ranges::sort(files);
  return files;
}

void PrintOthers(size_t others) {
  if (others == 0) return;
  Print("%zu other .json files are no reports, and left out\n", others);
}

}  // namespace qconform
