#include <algorithm>
#include <iterator>
#include <set>

#include "oracle/base/format_version.h"
#include "reports/diff/known_differences.h"
#include "reports/record/date.h"
#include "reports/record/json.h"
#include "reports/report/file.h"

// The file of known differences: its reader, its writer.
namespace qconform {
namespace {

constexpr std::string_view kVersion = "1.2.0";

std::vector<Verdict> VerdictsOfEntries() {
  std::vector<Verdict> verdicts;
  std::ranges::remove_copy_if(AllVerdicts(), std::back_inserter(verdicts), NeedsNoEntry);
  return verdicts;
}

bool IsBlank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

// A member that may be left out: where it is there it says something.
std::string TextOf(const Fields& fields, const char* key, std::string absent,
                   const std::string& right) {
  std::string text = fields.String(key, std::move(absent));
  if (fields.Has(key) && IsBlank(text)) {
    fields.Fail(key, "is blank; " + right + " is right, or no such member");
  }
  return text;
}

// Where the cells may deviate. What is named may not be nothing: that would be no cell.
void ReadParts(const Fields& fields, CellParts* parts) {
  constexpr const char* kEmpty =
      "is empty; what may deviate, or no such member, is right";
  if (fields.Has("tiers")) {
    const Fields tiers = fields.Object("tiers");
    for (const auto& [tier, member] : tiers.Members()) {
      parts->tiers[tier] = tiers.Word(tier, ParseVerdict, VerdictsOfEntries, VerdictName);
      if (NeedsNoEntry(parts->tiers[tier])) {
        tiers.Fail(tier,
                   "is a verdict that needs no entry; one that is no pass is right");
      }
    }
    if (parts->tiers.empty()) fields.Fail("tiers", kEmpty);
  }
  if (fields.Has("operand_forms")) {
    for (std::string& form : fields.Strings("operand_forms")) {
      parts->operand_forms.insert(std::move(form));
    }
    if (parts->operand_forms.empty()) fields.Fail("operand_forms", kEmpty);
  }
  if (fields.Has("opset_versions")) {
    for (const int64_t version : fields.Counts("opset_versions")) {
      parts->opset_versions.insert(version);
    }
    if (parts->opset_versions.empty()) fields.Fail("opset_versions", kEmpty);
  }
}

KnownDifference EntryFromJson(const Fields& fields) {
  KnownDifference entry;
  entry.cells = fields.Strings("cells");
  if (entry.cells.empty())
    fields.Fail("cells", "is empty; patterns of cell ids are right");
  if (std::any_of(entry.cells.begin(), entry.cells.end(), IsBlank)) {
    fields.Fail("cells",
                "has a blank pattern, which matches no cell; ids of cells, or "
                "patterns of them, are right");
  }
  entry.backend = TextOf(fields, "backend", "*", "a pattern of names of backends");
  entry.verdict = fields.Word("verdict", ParseVerdict, VerdictsOfEntries, VerdictName);
  if (NeedsNoEntry(entry.verdict)) {
    fields.Fail("verdict",
                "is \"" + std::string(VerdictName(entry.verdict)) +
                    "\", which needs no entry; a verdict that is no pass is right");
  }
  entry.diagnosis = TextOf(fields, "diagnosis", "", "the name of one");
  entry.undiagnosed = fields.Has("undiagnosed") && fields.Bool("undiagnosed");
  if (entry.undiagnosed && !entry.diagnosis.empty()) {
    fields.Fail("undiagnosed", "is true beside a diagnosis; one of both is right");
  }
  entry.finding = TextOf(fields, "finding", "", "a pattern of findings");
  ReadParts(fields, &entry.parts);
  entry.reason = fields.String("reason");
  if (IsBlank(entry.reason)) fields.Fail("reason", "is blank; why it is so is right");
  entry.url = TextOf(fields, "url", "", "where it is discussed");
  entry.owner = TextOf(fields, "owner", "", "who answers for it");
  entry.expires = TextOf(fields, "expires", "", "a day such as 2026-12-31");
  if (!entry.expires.empty() && !ParseDate(entry.expires)) {
    fields.Fail("expires",
                "is \"" + entry.expires + "\"; a day such as 2026-12-31 is right");
  }
  for (const auto& [key, member] : fields.Members()) {
    static const std::set<std::string> kKeys = {
        "cells",   "backend", "verdict",       "diagnosis",      "undiagnosed",
        "finding", "tiers",   "operand_forms", "opset_versions", "reason",
        "url",     "owner",   "expires"};
    // A misspelt "expires" would waive for ever.
    if (!kKeys.contains(key)) fields.Fail(key, "is no field of an entry");
  }
  return entry;
}

Json EntryToJson(const KnownDifference& entry) {
  Json json = Json::object();
  json["cells"] = entry.cells;
  if (entry.backend != "*") json["backend"] = entry.backend;
  json["verdict"] = VerdictName(entry.verdict);
  const auto set = [&](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  set("diagnosis", entry.diagnosis);
  if (entry.undiagnosed) json["undiagnosed"] = true;
  set("finding", entry.finding);
  for (const auto& [tier, verdict] : entry.parts.tiers) {
    json["tiers"][tier] = VerdictName(verdict);
  }
  if (!entry.parts.operand_forms.empty()) {
    json["operand_forms"] = entry.parts.operand_forms;
  }
  if (!entry.parts.opset_versions.empty()) {
    json["opset_versions"] = entry.parts.opset_versions;
  }
  json["reason"] = entry.reason;
  set("url", entry.url);
  set("owner", entry.owner);
  set("expires", entry.expires);
  return json;
}

}  // namespace

bool NeedsNoEntry(Verdict verdict) {
  return IsPass(verdict) || verdict == Verdict::kUntested;
}

Result<KnownDifferences> ParseKnownDifferences(std::string_view text,
                                               std::string_view name) {
  const Result<Json> parsed = ParseJson(text, name);
  if (!parsed) return parsed.error();
  ReadState state{std::string(name), std::nullopt};
  const Fields document(*parsed, state);
  const std::string version = document.String("known_differences_version");
  if (!state.error && !IsFormatVersion1(version)) {
    return Error{std::string(name) + ": has known differences of version \"" + version +
                 "\"; this program reads the versions 1.x.y"};
  }
  KnownDifferences known;
  for (const Fields& entry : document.Objects("entries"))
    known.push_back(EntryFromJson(entry));
  for (const auto& [key, member] : document.Members()) {
    // As in an entry: what is misspelt would count for nothing.
    if (key != "known_differences_version" && key != "entries") {
      document.Fail(key, "is no field of known differences");
    }
  }
  if (state.error) return *state.error;
  return known;
}

Result<KnownDifferences> ReadKnownDifferences(const std::filesystem::path& path) {
  const Result<std::string> text = ReadFile(path);
  if (!text) return text.error();
  return ParseKnownDifferences(*text, path.string());
}

std::string KnownDifferencesText(const KnownDifferences& known) {
  Json document = Json::object();
  document["known_differences_version"] = kVersion;
  Json& entries = document["entries"] = Json::array();
  for (const KnownDifference& entry : known) entries.push_back(EntryToJson(entry));
  return Dump(document, 2) + "\n";
}

}  // namespace qconform
