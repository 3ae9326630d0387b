#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "oracle/base/codec.h"
#include "oracle/base/file.h"
#include "oracle/base/format_version.h"
#include "reports/base/date.h"
#include "reports/diff/known_differences.h"

// The file of known differences: its reader, its writer.
namespace qconform {
namespace {

constexpr std::string_view kVersion = "1.3.0";

// A verdict that an entry may expect.
struct EntryVerdict {
  Verdict verdict = Verdict::kNonconformant;
};

void Convert(const JsonPlace& place, EntryVerdict& entry) {
  std::vector<Verdict> verdicts;
  std::ranges::remove_copy_if(AllVerdicts(), std::back_inserter(verdicts), NeedsNoEntry);
  ConvertWord(place, entry.verdict, verdicts, VerdictName, [](std::string_view name) {
    const std::optional<Verdict> verdict = ParseVerdict(name);
    return verdict && NeedsNoEntry(*verdict) ? std::nullopt : verdict;
  });
}

bool IsBlank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

// Where the cells may deviate. A list that is there names something: without any, it
// would be no cell.
void DescribeParts(Fields& fields, CellParts& parts) {
  std::map<std::string, EntryVerdict> tiers;
  for (const auto& [tier, verdict] : parts.tiers) tiers[tier] = {verdict};
  fields.Optional("tiers", tiers, "operand_forms", parts.operand_forms, "opset_versions",
                  parts.opset_versions);
  for (const auto& [tier, entry] : tiers) parts.tiers[tier] = entry.verdict;
  const auto check = [&](const char* key, bool is_empty) {
    fields.Check(!fields.Has(key) || !is_empty, key,
                 "expected what may deviate, or no such field, got an empty list");
  };
  check("tiers", parts.tiers.empty());
  check("operand_forms", parts.operand_forms.empty());
  check("opset_versions", parts.opset_versions.empty());
}

struct KnownDocument {
  std::string version{kVersion};
  KnownDifferences entries{};
};

void Describe(Fields& fields, KnownDocument& document) {
  fields.RefuseOthers();  // a misspelt field would be ignored
  fields.Required("known_differences_version", document.version);
  fields.Check(IsFormatVersion1(document.version), "known_differences_version",
               "expected a version 1.x.y, got \"" + document.version + "\"");
  fields.Required("entries", document.entries);
}

}  // namespace

void Describe(Fields& fields, KnownDifference& entry) {
  const auto check_text = [&](const char* key, const std::string& text,
                              const char* expected) {
    fields.Check(!fields.Has(key) || !IsBlank(text), key,
                 "expected " + std::string(expected) + ", got a blank text");
  };
  fields.RefuseOthers();  // a misspelt "expires" would waive for ever
  fields.Required("cells", entry.cells);
  fields.Check(!entry.cells.empty() && std::ranges::none_of(entry.cells, IsBlank),
               "cells",
               std::string("expected ids of cells or patterns of them, got ") +
                   (entry.cells.empty() ? "an empty list" : "a blank pattern"));
  fields.Defaulted("backend", entry.backend, "*");
  check_text("backend", entry.backend, "a pattern of names of backends");
  EntryVerdict verdict{entry.verdict};
  fields.Required("verdict", verdict);
  entry.verdict = verdict.verdict;
  fields.Optional("diagnosis", entry.diagnosis, "undiagnosed", entry.undiagnosed,
                  "finding", entry.finding);
  check_text("diagnosis", entry.diagnosis, "the name of one");
  fields.Check(!entry.undiagnosed || entry.diagnosis.empty(), "undiagnosed",
               "expected either this or a diagnosis, got both");
  check_text("finding", entry.finding, "a pattern of findings");
  DescribeParts(fields, entry.parts);
  fields.Required("reason", entry.reason);
  check_text("reason", entry.reason, "why it is so");
  fields.Optional("url", entry.url, "owner", entry.owner, "expires", entry.expires);
  check_text("url", entry.url, "where it is discussed");
  check_text("owner", entry.owner, "who answers for it");
  fields.Check(!fields.Has("expires") || ParseDate(entry.expires), "expires",
               "expected a day such as 2026-12-31, got \"" + entry.expires + "\"");
}

bool NeedsNoEntry(Verdict verdict) { return IsPass(verdict) || !IsOfBackend(verdict); }

Result<KnownDifferences> ParseKnownDifferences(std::string_view text,
                                               std::string_view name) {
  auto document = ParseRecord<KnownDocument>(text, name);
  if (!document) return document.error();
  return std::move(document->entries);
}

Result<KnownDifferences> ReadKnownDifferences(const std::filesystem::path& path) {
  const Result<std::string> text = ReadFile(path);
  if (!text) return text.error();
  return ParseKnownDifferences(*text, path.string());
}

std::string KnownDifferencesText(const KnownDifferences& known) {
  return Dump(ToJson(KnownDocument{.entries = known}), 2) + "\n";
}

}  // namespace qconform
