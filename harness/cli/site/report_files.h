// The reports of a folder.
#ifndef QCONFORM_HARNESS_CLI_SITE_REPORT_FILES_H_
#define QCONFORM_HARNESS_CLI_SITE_REPORT_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"
#include "reports/history/compact.h"
#include "reports/report/report.h"

namespace qconform {

// Reads a report, or makes one from a journal; that of a killed run is marked incomplete.
// `path` names the text in errors.
Result<Report> ReadReportOrJournal(const std::string& path);
Result<Report> ParseReportOrJournal(const std::string& text, const std::string& path);

// Reads the text of a compact report, or compacts a report or journal.
Result<CompactReport> ParseCompactOrReport(const std::string& text,
                                           const std::string& path);

// Whether the text begins as a report does, a packed or a compact one, or a journal: any
// other document is something else, however broken.
bool BeginsAsReport(std::string_view text);

// Returns the paths of the .json files of a folder and of its folders, sorted. An Error
// if it is no folder that can be read.
Result<std::vector<std::string>> JsonFilesIn(const std::string& folder);

// Says how many of them are something else, if any are.
void PrintOthers(size_t others);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_SITE_REPORT_FILES_H_
