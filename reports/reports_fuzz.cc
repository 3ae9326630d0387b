// Readers of reports, journals and known differences take any bytes: each gives a
// document or one error, and a document that it gives is written and read again
// as the same text.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "oracle/base/testing/fuzz_seeds.h"
#include "reports/diff/known_differences.h"
#include "reports/record/sweep_record.h"
#include "reports/report/journal.h"
#include "reports/report/report.h"
#include "reports/testing/example_records.h"

namespace {

using namespace qconform;

void ReadAsReport(std::string_view text) {
  const Result<Report> report = ParseReport(text, "input");
  if (!report.ok()) {
    Require(!report.error().message.empty(), "a refused report has its reason");
    return;
  }
  const std::string written = ReportText(*report);
  const Result<Report> again = ParseReport(written, "written");
  Require(again.ok(), "a written report can be read");
  Require(ReportText(*again) == written, "a report is written as it was read");
}

void ReadAsJournal(std::string_view text) {
  Result<Journal> journal = ParseJournal(text, "input");
  if (!journal.ok()) {
    Require(!journal.error().message.empty(), "a refused journal has its reason");
    return;
  }
  Require(journal->valid_bytes <= static_cast<int64_t>(text.size()),
          "a journal ends within its file");
  const Result<Report> report = BuildReport(*std::move(journal));
  if (!report.ok()) return;
  Require(ParseReport(ReportText(*report), "written").ok(),
          "a journal's report can be read");
}

void ReadAsKnownDifferences(std::string_view text) {
  const Result<KnownDifferences> known = ParseKnownDifferences(text, "input");
  if (!known.ok()) {
    Require(!known.error().message.empty(), "refused known differences have a reason");
    return;
  }
  const std::string written = KnownDifferencesText(*known);
  const Result<KnownDifferences> again = ParseKnownDifferences(written, "written");
  Require(again.ok() && *again == *known, "known differences are read as written");
}

void ReadAsSweepJournal(std::string_view text) {
  const Result<SweepJournal> journal = ParseSweepJournal(text, "input");
  Require(journal.ok() || !journal.error().message.empty(),
          "a refused sweep journal has its reason");
}

// A journal as a run of these records leaves it.
std::string ExampleJournal() {
  const TemporaryDirectory folder;
  const std::filesystem::path path = folder / "journal";
  Result<JournalWriter> writer = JournalWriter::Create(path, ExampleRun());
  Require(writer.ok(), "a journal can be made");
  for (const CellRecord& cell : ExampleCells()) {
    Require(writer->Append(cell).ok(), "a cell is appended");
  }
  Require(writer->Append(ExampleNodeTest("test_quantizelinear", NodeVerdict::kPass)).ok(),
          "a node test is appended");
  Require(writer->Finish(1.5).ok(), "a journal is finished");
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  KnownDifference known;
  known.cells = {"QuantizeLinear/25/*"};
  known.reason = "truncates";
  known.url = "https://example.com/1";
  known.owner = "somebody";
  known.expires = "2026-12-31";
  WriteSeedsIfAsked({
      std::string(1, '\0') + ReportText(ExampleReport()),
      std::string(1, '\1') + ExampleJournal(),
      std::string(1, '\2') + KnownDifferencesText({known}),
      std::string(1, '\3') + "{\"qconform_sweep\":1,\"identity\":\"line\"}\n",
  });
  return 0;
}

// The first byte chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      ReadAsReport(text);
      break;
    case 1:
      ReadAsJournal(text);
      break;
    case 2:
      ReadAsKnownDifferences(text);
      break;
    default:
      ReadAsSweepJournal(text);
      break;
  }
  return 0;
}
