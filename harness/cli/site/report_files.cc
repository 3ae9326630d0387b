#include "harness/cli/site/report_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "reports/report/journal.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

template <typename Iterator>
Result<std::vector<std::string>> JsonFilesOf(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  Iterator entry(folder, failed);
  for (; !failed && entry != Iterator(); entry.increment(failed)) {
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

}  // namespace

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

Result<CompactReport> ReadCompactOrReport(const std::string& path) {
  const auto text = ReadFile(path, kMostJournalBytes);
  if (!text) return text.error();
  if (IsCompactText(*text)) return ParseCompact(*text, path);
  const auto report = ParseReportOrJournal(*text, path);
  if (!report) return report.error();
  return Compacted(*report, path);
}

bool BeginsAsReport(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n{");
  if (first == text.npos || !text.starts_with("{")) return false;
  const std::string_view rest = text.substr(first);
  return rest.starts_with("\"report_version\"") ||
         rest.starts_with("\"packed_report_version\"") ||
         rest.starts_with("\"compact_report_version\"");
}

Result<std::vector<std::string>> JsonFilesIn(const std::string& folder, bool deep) {
  return deep ? JsonFilesOf<fs::recursive_directory_iterator>(folder)
              : JsonFilesOf<fs::directory_iterator>(folder);
}

}  // namespace qconform
