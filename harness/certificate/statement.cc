#include "harness/certificate/statement.h"

#include <algorithm>
#include <map>

#include "harness/certificate/settings.h"
#include "harness/runner/selection.h"
#include "oracle/base/codec.h"
#include "oracle/base/expected.h"
#include "oracle/base/glob_index.h"
#include "oracle/base/sha256.h"
#include "oracle/base/text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// Characters that a reader does not see: with them two names look like one.
bool IsInvisible(uint32_t point) {
  constexpr std::pair<uint32_t, uint32_t> kRanges[] = {
      {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x115F, 0x1160}, {0x17B4, 0x17B5},
      {0x180B, 0x180F},   {0x2000, 0x200F},   {0x202A, 0x202F}, {0x205F, 0x206F},
      {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164}, {0xFE00, 0xFE0F},
      {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB}, {0xE000, 0xF8FF},
      {0x1D173, 0x1D17A}, {0xE0000, 0x10FFFF}};
  return std::ranges::any_of(kRanges, [&](const auto& range) {
    return point >= range.first && point <= range.second;
  });
}

std::string Indented(const Json& json) { return Dump(json, 2) + "\n"; }

Json BackendJson(const BackendRecord& backend) {
  return {{"kind", backend.kind},
          {"name", backend.name},
          {"version", backend.version},
          {"vendor", backend.vendor},
          {"device", backend.device}};
}

// An in-toto ResourceDescriptor.
Json Resource(std::string_view name, const std::string& sha256) {
  return {{"name", name}, {"digest", {{"sha256", sha256}}}};
}

Json WaiversJson(const KnownOutcome* known) {
  Json waivers = Json::array();
  if (known == nullptr) return waivers;
  std::map<size_t, int64_t> cells;
  for (const auto& [cell, entry] : known->known_cells) ++cells[entry];
  for (const auto& [index, count] : cells) {
    const KnownDifference& entry = known->entries[index];
    Json waiver = {{"reason", entry.reason}, {"cells", count}};
    if (!entry.owner.empty()) waiver["owner"] = entry.owner;
    if (!entry.url.empty()) waiver["url"] = entry.url;
    if (!entry.expires.empty()) waiver["expires"] = entry.expires;
    waivers.push_back(std::move(waiver));
  }
  return waivers;
}

// How much of the whole lattice a profile covers.
struct Covered {
  int64_t cells = 0;
  int64_t lattice = 0;
  int64_t declinable = 0;
};

// Returns for each cell of the report whether the profile lets it be declined.
std::vector<bool> DeclinableCells(const Report& report, const Profile& profile) {
  std::vector<std::string> ids;
  for (const CellRecord& cell : report.cells) ids.push_back(cell.cell);
  return MatchGlobs(profile.declinable, ids).cells;
}

Covered CoveredBy(const Report& report, const Profile& profile) {
  Covered covered;
  covered.cells = report.run.selection.cells;
  covered.lattice = static_cast<int64_t>(LatticeIds(SubjectsOf(profile.cells)).size());
  covered.declinable = std::ranges::count(DeclinableCells(report, profile), true);
  return covered;
}

// "covers 12 of the 5672 cells of the lattice", and how many may be declined.
std::string CoveredText(const Covered& covered) {
  std::string text = "covers " + std::to_string(covered.cells) + " of the " +
                     std::to_string(covered.lattice) + " cells of the lattice";
  if (covered.declinable > 0) {
    text += " and lets " + std::to_string(covered.declinable) + " of them be declined";
  }
  return text;
}

Json ProfileJson(const Report& report, const Profile& profile) {
  Json json = {{"name", profile.name}, {"sha256", profile.digest}};
  if (IsBuiltIn(profile)) return json;
  const Covered covered = CoveredBy(report, profile);
  json["title"] = profile.title;
  json["own"] = true;
  json["cells"] = covered.cells;
  json["declinable_cells"] = covered.declinable;
  json["lattice_cells"] = covered.lattice;
  json["note"] =
      "This profile is the vendor's own and none of qconform's. It " +
      CoveredText(covered) +
      ". This statement is about no other cells, and must not be quoted without that.";
  return json;
}

// Whether a row has something that the profile does not allow.
bool IsRefused(const Profile& profile, const CellRecord& cell) {
  return std::ranges::any_of(profile.refuse, [&](const std::string& what) {
    if (what == "bound_only") return !cell.bound_only.empty();
    return std::ranges::any_of(cell.mixed, [&](const MixedTier& mixed) {
      return what == "mixed_by_" + mixed.by;
    });
  });
}

}  // namespace

static void Describe(Fields& fields, LoadedFile& file) {
  fields.Required("name", file.name, "sha256", file.sha256);
}

static void Describe(Fields& fields, LoadedCode& loaded) {
  fields.Required("libraries", loaded.backend);
  fields.Optional("harness", loaded.harness);  // since 1.1
}

static void Describe(Fields& fields, Claim& claim) {
  fields.Required("vendor", claim.vendor, "product", claim.product);
}

std::string_view JudgementName(Judgement::Result result) {
  switch (result) {
    case Judgement::Result::kConforms:
      return "conforms";
    case Judgement::Result::kConformsWithWaivers:
      return "conforms_with_waivers";
    case Judgement::Result::kDoesNotConform:
      return "does_not_conform";
    case Judgement::Result::kIncomplete:
      break;
  }
  return "incomplete";
}

Status CheckWaivers(const KnownDifferences& known) {
  for (size_t i = 0; i < known.size(); ++i) {
    std::string missing;
    if (known[i].owner.empty()) missing = "\"owner\"";
    if (known[i].expires.empty()) {
      missing += std::string(missing.empty() ? "" : " and ") + "\"expires\"";
    }
    if (missing.empty()) continue;
    return Error{"entries[" + std::to_string(i) + "] (" + known[i].reason + ") has no " +
                 missing + "; a waiver of a certificate has an owner and a last day"};
  }
  return Ok();
}

Judgement Judge(const Report& report, const Profile& profile, const KnownOutcome* known) {
  Judgement judgement;
  bool deviates = false;
  bool untested = !report.complete;
  const std::vector<bool> declinable = DeclinableCells(report, profile);
  for (size_t i = 0; i < report.cells.size(); ++i) {
    const CellRecord& cell = report.cells[i];
    const std::string verdict(VerdictName(cell.verdict));
    const bool passes = std::find(profile.passes.begin(), profile.passes.end(),
                                  verdict) != profile.passes.end() &&
                        !IsRefused(profile, cell);
    const bool declined =
        cell.verdict == Verdict::kUnsupported || cell.verdict == Verdict::kPartial;
    if (passes) {
      judgement.passed.push_back(cell.cell);
    } else if (known != nullptr && known->Find(cell.cell) != nullptr) {
      judgement.waived.push_back(cell.cell);
    } else if (declined && declinable[i]) {
      judgement.declined.push_back(cell.cell);
    } else {
      judgement.failed.push_back(cell.cell);
      deviates = deviates || IsDeviation(cell.verdict) || IsPass(cell.verdict);
      untested = untested || !IsDeviation(cell.verdict);
    }
  }
  if (known != nullptr) {
    for (const KnownProblem& problem : known->problems) {
      judgement.problems.push_back(problem.sentence);
    }
  }
  if (deviates || !judgement.problems.empty()) {
    judgement.result = Judgement::Result::kDoesNotConform;
  } else if (untested || judgement.passed.empty()) {
    judgement.result = Judgement::Result::kIncomplete;
  } else if (!judgement.waived.empty()) {
    judgement.result = Judgement::Result::kConformsWithWaivers;
  } else {
    judgement.result = Judgement::Result::kConforms;
  }
  return judgement;
}

std::string ProfileWords(const Report& report, const Profile& profile) {
  if (IsBuiltIn(profile)) return "profile " + profile.name;
  return "the vendor's own profile " + profile.name + ", which is none of qconform's, " +
         CoveredText(CoveredBy(report, profile)) + " (\"" + profile.title +
         "\", sha256:" + profile.digest + ")";
}

std::string DateOf(const Report& report) { return report.run.start_time.substr(0, 10); }

std::string EnvironmentText(const Report& report, LoadedCode loaded) {
  const RunInfo& run = report.run;
  const std::vector<std::string>& cpu_features = run.machine.cpu_features;
  Json machine = {{"cpu_model", run.machine.cpu_model},
                  {"cores", run.machine.cores},
                  {"os", run.machine.os},
                  {"simd_targets_compiled", run.machine.simd_targets_compiled},
                  {"simd_targets_supported", run.machine.simd_targets_supported}};
  if (!cpu_features.empty()) machine["cpu_features"] = cpu_features;  // since 1.2
  Json backend = BackendJson(run.backend);
  backend["details"] = run.backend.details;
  const Json tool = {{"version", run.tool.version}, {"commit", run.tool.commit}};
  Json json;
  Fields fields{JsonPlace(json)};
  fields.Written("environment_version",
                 !cpu_features.empty()     ? "1.2.0"
                 : !loaded.harness.empty() ? "1.1.0"
                                           : "1.0.0",
                 "machine", machine, "backend", backend, "tool", tool);
  Describe(fields, loaded);
  return Indented(json);
}

Result<LoadedCode> ParseEnvironment(std::string_view text) {
  return ParseRecord<LoadedCode>(text, kEnvironmentFile);
}

std::string StatementText(const Claim& claim, const Report& report,
                          const Profile& profile, const KnownOutcome* known,
                          const std::vector<LoadedFile>& loaded) {
  const Judgement judgement = Judge(report, profile, known);
  const SuiteRecord& suite = report.run.suite;
  Json json = Json::object();
  const std::vector<std::string> settings = SettingsOf(report);
  json["statement_version"] = !settings.empty()    ? "1.2.0"
                              : IsBuiltIn(profile) ? "1.0.0"
                                                   : "1.1.0";
  json["vendor"] = claim.vendor;
  json["product"] = claim.product;
  json["profile"] = ProfileJson(report, profile);
  json["level"] = suite.level;
  if (!settings.empty()) json["settings"] = settings;  // since 1.2
  json["date"] = DateOf(report);
  json["result"] = JudgementName(judgement.result);
  json["cells"] = {{"selected", report.totals.selected},
                   {"passed", judgement.passed.size()},
                   {"declined", judgement.declined.size()},
                   {"waived", judgement.waived.size()},
                   {"failed", judgement.failed.size()}};
  json["cases"] = report.totals.cases;
  json["elements"] = report.totals.elements;
  json["waivers"] = WaiversJson(known);
  json["waiver_problems"] = judgement.problems;
  json["backend"] = BackendJson(report.run.backend);
  json["libraries"] = ToJson(loaded);
  json["suite"] = {{"version", suite.version},
                   {"sha256", suite.digest},
                   {"onnx_version", suite.onnx_version},
                   {"seed", suite.seed}};
  json["results_sha256"] = report.results_digest;
  return Indented(json);
}

Status CheckClaimed(const std::string& name, const std::string& text) {
  if (text.find_first_not_of(' ') == std::string::npos) {
    return Expected(name, "a name", "an empty text");
  }
  for (std::string_view rest = text; !rest.empty();) {
    const auto character = FirstCharacter(rest);
    if (!character) break;  // OneLine finds it
    if (IsInvisible(character->point)) {
      return Expected(name, "characters that are seen", HexText(character->point));
    }
    rest.remove_prefix(character->size);
  }
  if (const std::string shown = OneLine(text); shown != text) {
    return Expected(name, "one line of UTF-8 text without control characters",
                    "'" + shown + "'");
  }
  constexpr size_t kMostBytes = 200;
  if (text.size() > kMostBytes) {
    return Expected(name, "at most 200 bytes", std::to_string(text.size()));
  }
  return Ok();
}

Result<Claim> ParseClaim(std::string_view statement) {
  auto parsed = ParseRecord<Claim>(statement, kStatementFile);
  if (!parsed) return parsed;
  const Claim& claim = *parsed;
  const Status vendor = CheckClaimed("STATEMENT.json: \"vendor\"", claim.vendor);
  if (!vendor) return vendor.error();
  const Status product = CheckClaimed("STATEMENT.json: \"product\"", claim.product);
  if (!product) return product.error();
  return parsed;
}

std::string AttestationText(const Claim& claim, const Report& report,
                            const Profile& profile, const KnownOutcome* known,
                            const std::vector<LoadedFile>& loaded,
                            const PackageFiles& files) {
  const Judgement judgement = Judge(report, profile, known);
  const auto digest = [&](std::string_view name) {
    const auto found = files.find(name);
    return Sha256Hex(found == files.end() ? std::string_view() : found->second);
  };
  Json json = Json::object();
  json["_type"] = "https://in-toto.io/Statement/v1";
  Json& subject = json["subject"] = Json::array();
  for (const LoadedFile& file : loaded)
    subject.push_back(Resource(file.name, file.sha256));
  subject.push_back(Resource("qconform suite", report.run.suite.digest));
  subject.push_back(Resource("qconform results", report.results_digest));
  subject.push_back(Resource(kReportFile, digest(kReportFile)));
  subject.push_back(Resource(kManifestFile, digest(kManifestFile)));
  json["predicateType"] = "https://in-toto.io/attestation/test-result/v0.1";
  Json& predicate = json["predicate"] = Json::object();
  const bool passed = judgement.result == Judgement::Result::kConforms;
  const bool waived = judgement.result == Judgement::Result::kConformsWithWaivers;
  predicate["result"] = passed ? "PASSED" : waived ? "WARNED" : "FAILED";
  Json& configuration = predicate["configuration"] = Json::array();
  Json statement = Resource(kStatementFile, digest(kStatementFile));
  statement["annotations"] = {
      {"vendor", claim.vendor},
      {"product", claim.product},
      {"profile", IsBuiltIn(profile) ? profile.name : ProfileWords(report, profile)},
      {"level", report.run.suite.level},
      {"date", DateOf(report)},
      {"result", JudgementName(judgement.result)}};
  if (const std::string settings = SettingsText(report); !settings.empty()) {
    statement["annotations"]["settings"] = settings;
  }
  configuration.push_back(std::move(statement));
  configuration.push_back(Resource(kProfileFile, profile.digest));
  if (known != nullptr) configuration.push_back(Resource(kKnownFile, digest(kKnownFile)));
  predicate["passedTests"] = judgement.passed;
  std::vector<std::string> warned = judgement.waived;
  warned.insert(warned.end(), judgement.declined.begin(), judgement.declined.end());
  predicate["warnedTests"] = warned;
  predicate["failedTests"] = judgement.failed;
  return Indented(json);
}

}  // namespace qconform
