// The readers of reports, journals, known differences and proofs. Each gives a document
// or one Error, and a document that it gives is written and read again as the same text.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "oracle/base/file.h"
#include "oracle/base/sha256.h"
#include "oracle/base/testing/tested_reader.h"
#include "reports/diff/diff.h"
#include "reports/diff/known_differences.h"
#include "reports/history/history.h"
#include "reports/record/proof_record.h"
#include "reports/record/sweep_record.h"
#include "reports/report/journal.h"
#include "reports/report/journal_file.h"
#include "reports/report/merge.h"
#include "reports/report/report.h"
#include "reports/show/badge.h"
#include "reports/show/csv.h"
#include "reports/show/html.h"
#include "reports/show/junit.h"
#include "reports/show/markdown.h"
#include "reports/show/summary/summary.h"
#include "reports/testing/example_records.h"

namespace qconform {
namespace {

ReadAs ReadReportBytes(std::string_view text) {
  const Result<Report> report = ParseReport(text, "input");
  if (!report) return Outcome(report);
  const std::string written = ReportText(*report);
  const Result<Report> again = ParseReport(written, "written");
  Require(again.ok(), "a written report can be read");
  Require(ReportText(*again) == written, "a report is written as it was read");
  Require(!DetailedSummaryText(*report, {}).empty(), "a report has a summary");
  Require(!ClosingText(*report, {}, ExitCodeFor(*report, false)).empty(),
          "a report has a last line");
  HtmlText(*report);
  MarkdownText(*report, nullptr);
  JUnitText(*report, nullptr);
  CsvText(*report, nullptr);
  return report->complete ? ReadAs::kWhole : ReadAs::kPart;
}

ReadAs ReadJournalBytes(std::string_view text) {
  Result<Journal> journal = ParseJournal(text, "input");
  if (!journal) return Outcome(journal);
  Require(journal->valid_bytes <= static_cast<int64_t>(text.size()),
          "a journal ends within its file");
  const bool complete = journal->complete;
  const Result<Report> report = BuildReport(*std::move(journal));
  if (!report) return Outcome(report);
  Require(complete || !report->complete, "a report is not complete without its journal");
  Require(ParseReport(ReportText(*report), "written").ok(),
          "a journal's report can be read");
  return complete ? ReadAs::kWhole : ReadAs::kPart;
}

// The second report of a difference; the first is the example.
ReadAs ReadAsNewReport(std::string_view text) {
  static const Report before = ExampleReport();
  const Result<Report> after = ParseReport(text, "input");
  if (!after) return Outcome(after);
  ReportDiff diff = DiffReports(before, *after);
  DiffText(diff);
  DiffMarkdown(diff);
  DiffJson(diff);
  Require(DiffReports(*after, *after).cells.empty(), "a report is like itself");
  return diff.after_complete ? ReadAs::kWhole : ReadAs::kPart;
}

// One of two shards of the example.
Report ExampleShard(int64_t index) {
  RunInfo run = ExampleRun();
  std::vector<CellRecord> cells;
  const std::vector<CellRecord> all = ExampleCells();
  for (size_t i = static_cast<size_t>(index); i < all.size(); i += 2) {
    cells.push_back(all[i]);
  }
  run.selection.cells = static_cast<int64_t>(all.size());
  run.selection.shard = ShardRecord{index, 2, static_cast<int64_t>(cells.size())};
  return *BuildReport(run, std::move(cells), {}, true);
}

// The second shard; the first is the example's.
ReadAs ReadAsShard(std::string_view text) {
  static const Report first = ExampleShard(0);
  Result<Report> second = ParseReport(text, "input");
  if (!second) return Outcome(second);
  const Result<Report> whole =
      MergeReports({{"first", first}, {"input", *std::move(second)}});
  if (!whole) return Outcome(whole);
  Require(ParseReport(ReportText(*whole), "written").ok(), "a merged report can be read");
  return whole->complete ? ReadAs::kWhole : ReadAs::kPart;
}

ReadAs ReadKnownBytes(std::string_view text) {
  static const Report report = ExampleReport();
  const Result<KnownDifferences> known = ParseKnownDifferences(text, "input");
  if (!known) return Outcome(known);
  const std::string written = KnownDifferencesText(*known);
  const Result<KnownDifferences> again = ParseKnownDifferences(written, "written");
  Require(again.ok() && *again == *known, "known differences are read as written");
  const KnownOutcome outcome = ApplyKnownDifferences(*known, report, "2026-08-01");
  KnownText(outcome, report, "input");
  return ReadAs::kWhole;
}

std::string ExampleKnown() {
  KnownDifference known;
  known.cells = {"QuantizeLinear/25/*"};
  known.reason = "truncates";
  known.url = "https://example.com/1";
  known.owner = "somebody";
  known.expires = "2026-12-31";
  return KnownDifferencesText({known});
}

// Gives each whole line after the first its check.
std::string WithChecks(std::string_view text) {
  const size_t first = std::min(text.find('\n'), text.size());
  LineChecks checks{Sha256Hex(text.substr(0, first))};
  std::string checked(text.substr(0, first + 1));
  for (size_t begin = first + 1, end = 0; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size() - 1;
    const std::string_view line = text.substr(begin, end + 1 - begin);
    checked += line.ends_with("}\n") ? checks.WithCheck(line) : std::string(line);
  }
  return checked;
}

// Read with checks that agree, too, so that what the lines say is read.
ReadAs ReadSweepJournalBytes(std::string_view bytes) {
  std::string text(bytes);
  Result<SweepJournal> journal = ParseSweepJournal(text, "input");
  if (!journal) {
    text = WithChecks(bytes);
    journal = ParseSweepJournal(text, "input");
  }
  if (!journal) return Outcome(journal);
  Require(journal->valid_bytes <= static_cast<int64_t>(text.size()),
          "a sweep's journal ends within its file");
  return journal->ended ? ReadAs::kWhole : ReadAs::kPart;
}

std::string ExampleSweepJournal() {
  const TemporaryDirectory folder;
  auto writer = SweepJournalWriter::Create(folder / "journal", "line");
  Require(writer && writer->Append(ChunkRecord{}).ok() && writer->End().ok(),
          "a sweep's journal can be written");
  return ReadFile(folder / "journal").value();
}

ReadAs ReadProofBytes(std::string_view text) {
  const Result<ProofRecord> proof = ParseProof(text, "input");
  if (!proof) return Outcome(proof);
  const std::string written = ProofText(*proof);
  const Result<ProofRecord> again = ParseProof(written, "written");
  Require(again.ok() && ProofText(*again) == written, "a proof is read as written");
  ProofStatement(*proof);
  return ReadAs::kWhole;
}

std::string ExampleProof() {
  ProofRecord proof;
  proof.kind = "line";
  proof.identity = "line scale 0.1 by simd";
  proof.backend = "simd";
  proof.question = {{"operator", "QuantizeLinear"}, {"scale", "0.1"}};
  proof.asked = "all 80 codes of x";
  proof.expected_inputs = 80;
  proof.chunks = 8;
  proof.chunks_selected = 2;
  proof.done = {{2, 3}};
  proof.totals.inputs = 20;
  proof.totals.evaluations = 20;
  return ProofText(proof);
}

ReadAs ReadCompactBytes(std::string_view text) {
  static const CompactReport example = *Compacted(ExampleReport(), "example");
  Result<CompactReport> compact = ParseCompact(text, "input");
  if (!compact) return Outcome(compact);
  const std::string written = CompactText(*compact);
  const Result<CompactReport> again = ParseCompact(written, "written");
  Require(again.ok() && CompactText(*again) == written,
          "a compact report is read as written");
  const bool complete = compact->complete;
  if (const auto history =
          MakeHistory({{"example", example}, {"input", *std::move(compact)}});
      history) {
    HistoryText(*history);
    HistoryMarkdown(*history);
    HistoryJson(*history);
  }
  return complete ? ReadAs::kWhole : ReadAs::kPart;
}

}  // namespace

std::vector<TestedReader> TestedReaders() {
  using Documents = std::vector<std::string>;
  return {
      {"report", ReadReportBytes,
       [] {
         return Documents{ReportText(ExampleReport()), PackedReportText(ExampleReport())};
       }},
      {"journal", ReadJournalBytes,
       [] {
         const Report report = ExampleReport();
         return Documents{JournalText(report.run, report.cells)};
       }},
      {"diff", ReadAsNewReport, [] { return Documents{ReportText(ExampleReport())}; }},
      {"merge", ReadAsShard, [] { return Documents{ReportText(ExampleShard(1))}; }},
      {"known_differences", ReadKnownBytes, [] { return Documents{ExampleKnown()}; }},
      {"sweep_journal", ReadSweepJournalBytes,
       [] { return Documents{ExampleSweepJournal()}; }},
      {"compact_report", ReadCompactBytes,
       [] { return Documents{CompactText(*Compacted(ExampleReport(), "example"))}; }},
      {"proof", ReadProofBytes, [] { return Documents{ExampleProof()}; }},
  };
}

}  // namespace qconform
