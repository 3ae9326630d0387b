#include "harness/certificate/verify.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "cases/model/serialize.h"
#include "cases/profiles/profile.h"
#include "harness/certificate/asked_again.h"
#include "harness/certificate/certify.h"
#include "harness/certificate/envelope.h"
#include "harness/certificate/identity.h"
#include "harness/certificate/judged_anew.h"
#include "harness/certificate/samples.h"
#include "harness/certificate/statement.h"
#include "harness/runner/ask/further_cases.h"
#include "harness/runner/ask/parallel.h"
#include "harness/runner/suite.h"
#include "oracle/base/expected.h"
#include "oracle/base/first_error.h"
#include "oracle/base/text.h"
#include "reports/base/date.h"
#include "reports/diff/known_differences.h"
#include "reports/report/journal.h"
#include "reports/report/report.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

constexpr std::string_view kRequired[] = {
    kReportFile,  kJournalFile,   kSamplesFile,  kEnvironmentFile,
    kProfileFile, kStatementFile, kManifestFile, kAttestationFile};
constexpr std::string_view kOptional[] = {kKnownFile, kEnvelopeFile, kPublicKeyFile};

class Verifier {
 public:
  Verifier(const PackageFiles& files, const VerifyOptions& options)
      : files_(files), options_(options) {}

  Verification Run() {
    if (CheckFiles() && ReadReportFile() && FindSuite()) {
      CheckRows();
      CheckJournal();
      if (CheckClaims()) {
        CheckSignature();
        CheckSamples();
        if (options_.recount) Recount();
        if (options_.backend) AskAgain();
      }
    }
    verification_.error = errors_.error();
    return std::move(verification_);
  }

 private:
  const std::string& File(std::string_view name) const {
    return files_.find(name)->second;
  }
  bool Has(std::string_view name) const { return files_.contains(name); }
  void Find(std::string_view kind, const std::string& sentence) {
    verification_.findings.push_back({std::string(kind), sentence});
  }
  void Find(Findings findings) {
    for (Finding& finding : findings)
      verification_.findings.push_back(std::move(finding));
  }
  void Checked(const std::string& line) { verification_.checked.push_back(line); }

  void Note(const std::string& line) { verification_.notes.push_back(line); }

  bool CheckFiles() {
    bool whole = true;
    for (const std::string_view name : kRequired) {
      if (Has(name)) continue;
      Find("files", std::string(name) + " is missing");
      whole = false;
    }
    for (const auto& [name, bytes] : files_) {
      const bool known =
          std::count(std::begin(kRequired), std::end(kRequired), name) +
              std::count(std::begin(kOptional), std::end(kOptional), name) >
          0;
      if (!known)
        Find("files", name + ": expected only the files of a package, got another");
    }
    if (!whole) return false;
    const std::vector<std::string> wrong = CheckManifest(files_);
    for (const std::string& sentence : wrong) Find("manifest", sentence);
    if (wrong.empty()) {
      Checked("manifest      " + std::to_string(files_.size()) + " files, digests agree");
    }
    return true;
  }

  bool ReadReportFile() {
    // CheckRows reports everything that is wrong with the rows.
    auto report = ParseReport(File(kReportFile), kReportFile, RowReading::kAsTheyStand);
    if (!report) {
      Find("report", report.error().message);
      return false;
    }
    report_ = *std::move(report);
    if (!report_.complete) Find("report", "the report is of a run that did not end");
    if (!report_.node_tests.empty() || !report_.negative.empty()) {
      Find("report", "has node tests or negative models, which no package has");
    }
    if (ReportText(report_) != File(kReportFile)) {
      Find("report", "report.json is not in the form in which qconform writes it");
    }
    return true;
  }

  // Whether this program can judge the package at all.
  bool FindSuite() {
    const SuiteRecord& suite = report_.run.suite;
    const ToolRecord& tool = report_.run.tool;
    const std::string own = SuiteDigest(SubjectsOf(report_.run.selection.cell_patterns));
    if (suite.digest != own || suite.onnx_version != OnnxVersion()) {
      Find("suite", "the package is of the suite " + suite.digest + " (ONNX " +
                        suite.onnx_version + "), this program has " + own + " (ONNX " +
                        std::string(OnnxVersion()) +
                        "): verify it with the program that made it, " + tool.name + " " +
                        tool.version + ", commit " + tool.commit);
      return false;
    }
    const auto level = ParseLevel(suite.level);
    if (!level) {
      Find("suite",
           Expected("level", "smoke, standard or exhaustive", "'" + suite.level + "'")
               .message);
      return false;
    }
    level_ = *level;
    if (suite.seed != kCertificateSeed) {
      Find("suite",
           Expected("seed",
                    std::to_string(kCertificateSeed) + ", which every certificate has",
                    std::to_string(suite.seed))
               .message);
    }
    return ReadProfile() && CheckSelection();
  }

  // The profile is one of this program or, where the report says so, the vendor's own,
  // which lies in the package.
  bool ReadProfile() {
    const std::string& named = report_.run.selection.profile;
    const bool own = named.starts_with("own:");
    auto profile =
        own ? ParseOwnProfile(File(kProfileFile), kProfileFile) : FindProfile(named);
    if (!profile) {
      Find("profile", profile.error().message);
      return false;
    }
    profile_ = *std::move(profile);
    if (SelectionName(profile_) != named) {
      Find("profile", "the report is of the profile " + OneLine(named) +
                          ", and profile.json is " + SelectionName(profile_));
      return false;
    }
    if (File(kProfileFile) != profile_.text) {
      Find("profile", "profile.json is not the profile " + profile_.name +
                          " of this program: its selection or its rules were changed");
    }
    if (options_.profile && options_.profile->text != profile_.text) {
      Find("profile", "the package is of the profile " + SelectionName(profile_) +
                          " (sha256:" + profile_.digest + "), not of the given one, " +
                          SelectionName(*options_.profile) +
                          " (sha256:" + options_.profile->digest + ")");
    }
    verification_.own_profile = own;
    auto cells = SelectCells(profile_.cells);
    if (!cells && own) {
      Find("profile", "profile.json: " + cells.error().message);
      return false;
    }
    // A built-in profile that selects nothing is not the package's fault.
    auto kept = errors_.Keep(std::move(cells));
    if (!kept) return false;
    cells_ = *std::move(kept);
    return true;
  }

  bool CheckSelection() {
    const SelectionRecord& selection = report_.run.selection;
    if (selection.cell_patterns != profile_.cells ||
        selection.operators != SubjectsOf(profile_.cells) || selection.shard ||
        selection.cells != static_cast<int64_t>(cells_.size())) {
      Find("profile", "the report's selection is not that of the profile " +
                          profile_.name + ": its " + std::to_string(cells_.size()) +
                          " cells");
    }
    return MatchCells();
  }

  // Every cell of the profile has a row, and no other cell has one.
  bool MatchCells() {
    std::set<std::string> rows;
    for (const CellRecord& row : report_.cells) rows.insert(row.cell);
    bool same = report_.cells.size() == cells_.size();
    for (const SelectedCell& cell : cells_) {
      const std::string id = CellId(cell.cell);
      if (rows.erase(id) == 0) Find("lattice", "the cell " + id + " has no row");
    }
    for (const std::string& row : rows) {
      Find("lattice", "the row " + row + " does not belong to a cell of the profile");
    }
    same = same && rows.empty();
    if (!same) return false;
    // The report's order is not the lattice's: bring the cells into the order of the
    // rows.
    std::map<std::string, SelectedCell> by_id;
    for (SelectedCell& cell : cells_) by_id.emplace(CellId(cell.cell), std::move(cell));
    cells_.clear();
    for (const CellRecord& row : report_.cells) cells_.push_back(by_id.at(row.cell));
    Checked("lattice       " + std::to_string(cells_.size()) + " cells of the profile " +
            profile_.name + ", each with its row");
    return true;
  }

  void CheckRows() {
    const size_t before = verification_.findings.size();
    for (size_t i = 0; i < cells_.size(); ++i) {
      Find(CheckRow(report_.cells[i], cells_[i], level_));
    }
    Find(CheckSettings(report_));
    if (verification_.findings.size() == before) {
      Checked("verdicts      counted again from their parts; totals from the rows");
    }
  }

  void CheckJournal() {
    auto journal =
        ParseJournal(File(kJournalFile), kJournalFile, RowReading::kAsTheyStand);
    if (!journal) return Find("journal", journal.error().message);
    if (!journal->complete) return Find("journal", "the journal has no footer");
    const auto report = BuildReport(*std::move(journal), report_.report_version);
    if (!report) return Find("journal", report.error().message);
    if (ReportText(*report) != File(kReportFile) ||
        JournalText(report_.run, report_.cells) != File(kJournalFile)) {
      return Find("journal", "the journal is of another run than the report");
    }
    Checked("journal       whole, and gives the report");
  }

  // Statement, environment and attestation are made again.
  bool CheckClaims() {
    const auto claim = ParseClaim(File(kStatementFile));
    auto loaded = ParseEnvironment(File(kEnvironmentFile));
    if (!claim) Find("statement", claim.error().message);
    if (!loaded) Find("environment", loaded.error().message);
    if (Has(kKnownFile)) {
      const auto entries = ParseKnownDifferences(File(kKnownFile), kKnownFile);
      if (!entries) {
        Find("known_differences", entries.error().message);
        return false;
      }
      if (const Status answered = CheckWaivers(*entries); !answered) {
        Find("known_differences", "known-differences.json: " + answered.error().message);
      }
      known_ = ApplyKnownDifferences(*entries, report_, DateOf(report_), LatticeIds());
    }
    if (!claim || !loaded) return false;
    const KnownOutcome* known = known_ ? &*known_ : nullptr;
    if (EnvironmentText(report_, *loaded) != File(kEnvironmentFile)) {
      Find("environment", "environment.json does not agree with the report's run");
    }
    if (StatementText(*claim, report_, profile_, known, loaded->backend) !=
        File(kStatementFile)) {
      Find("statement",
           "STATEMENT.json is not what the report, the profile and the waivers imply");
    }
    if (AttestationText(*claim, report_, profile_, known, loaded->backend, files_) !=
        File(kAttestationFile)) {
      Find("attestation", "statement.intoto.json is not what the package implies");
    }
    loaded_ = std::move(loaded->backend);
    CheckDays();
    const Judgement judgement = Judge(report_, profile_, known);
    verification_.result = JudgementName(judgement.result);
    verification_.statement =
        claim->vendor + ", " + claim->product + ": " + ProfileWords(report_, profile_) +
        ", level " + report_.run.suite.level + AtSettings() + ", seed " +
        std::to_string(report_.run.suite.seed) + " as every certificate, suite " +
        report_.run.suite.version + ", " + DateOf(report_);
    verification_.waived = static_cast<int64_t>(judgement.waived.size());
    verification_.cells = static_cast<int64_t>(report_.cells.size());
    if (verification_.own_profile && !options_.profile) {
      Note(
          "the profile is the vendor's own, none of qconform's: profile.json in the "
          "package says what it covers and lets pass; --profile FILE asks for a given "
          "one");
    }
    Checked("statement     made again: " + verification_.result + ", " +
            std::to_string(judgement.waived.size()) + " cells waived");
    return true;
  }

  // ", at opt_level=disable,all", or "" if no option was varied.
  std::string AtSettings() const {
    const std::string settings = SettingsText(report_);
    return settings.empty() ? "" : ", at " + settings;
  }

  // The day of a package must not be in the future. Waivers that have lapsed since are
  // noted.
  void CheckDays() {
    const auto made = ParseDate(DateOf(report_));
    if (!made) return Find("report", "start_time does not begin with a day");
    const auto today = ParseDate(options_.today);
    if (!today) return;
    // Clocks and time zones may be a day apart.
    if (*made > *today + std::chrono::days(1)) {
      Find("date", "the package was made on " + DateOf(report_) + ", but today is " +
                       options_.today);
    }
    if (!known_) return;
    std::map<size_t, int64_t> cells;
    for (const auto& [cell, entry] : known_->known_cells) ++cells[entry];
    for (const auto& [index, count] : cells) {
      const KnownDifference& entry = known_->entries[index];
      const auto last = ParseDate(entry.expires);
      if (!last || *last >= *today) continue;
      Note("a waiver has lapsed since: " + entry.owner + " waived " +
           std::to_string(count) + " cells (" + entry.reason + ") until " +
           entry.expires);
    }
  }

  void CheckSignature() {
    const bool envelope = Has(kEnvelopeFile);
    if (envelope != Has(kPublicKeyFile)) {
      return Find("signature", envelope ? "public_key.pem is missing"
                                        : "statement.dsse.json is missing");
    }
    if (!envelope) {
      if (options_.public_key.empty()) return Checked("signature     none: UNSIGNED");
      return Find("signature", "the package is unsigned, but a key was given");
    }
    const bool named = !options_.public_key.empty();
    const auto own = KeyId(File(kPublicKeyFile));
    if (!own) return Find("signature", "public_key.pem: " + own.error().message);
    if (const auto plain = CanonicalPublicKey(File(kPublicKeyFile));
        !plain || *plain != File(kPublicKeyFile)) {
      return Find("signature",
                  "public_key.pem holds more than the key, or the key in another form "
                  "than qconform writes it");
    }
    const auto payload = OpenEnvelope(File(kEnvelopeFile),
                                      named ? options_.public_key : File(kPublicKeyFile));
    if (!payload)
      return Find("signature", "statement.dsse.json: " + payload.error().message);
    if (*payload != File(kAttestationFile)) {
      return Find("signature",
                  "another text was signed instead of statement.intoto.json");
    }
    if (named && KeyId(options_.public_key).value() != *own) {
      return Find("signature", "public_key.pem is not the key that was given");
    }
    Checked("signature     good, key " + *own +
            (named ? " as given" : "; its owner was NOT checked (--key)"));
  }

  void Find(Result<Findings> findings) {
    if (auto found = errors_.Keep(std::move(findings))) Find(*std::move(found));
  }

  // Calls `work` for every cell, on several threads. Returns whether nothing is wrong.
  bool ForEachCell(const std::function<Result<Findings>(size_t)>& work) {
    const size_t before = verification_.findings.size();
    std::vector<Findings> found(cells_.size());
    const std::atomic<bool> stop{false};
    const auto done = errors_.Keep(ForEachInParallel(cells_.size(), options_.jobs, stop,
                                                     [&](size_t i) -> Result<bool> {
                                                       auto findings = work(i);
                                                       if (!findings)
                                                         return findings.error();
                                                       found[i] = *std::move(findings);
                                                       return true;
                                                     }));
    for (Findings& findings : found) Find(std::move(findings));
    return done && verification_.findings.size() == before;
  }

  // Whether all counterexamples name cases that exist.
  bool CheckCaseIds() {
    bool exist = true;
    const auto check = [&](const Counterexample& example) {
      const auto key = ParseCaseId(example.case_id);
      if (key) return;
      Find("sample", key.error().message);
      exist = false;
    };
    for (const CellRecord& row : report_.cells) {
      for (const Counterexample& example : row.counterexamples) check(example);
      for (const VariedRecord& at : row.varied) {
        if (at.example) check(*at.example);
      }
    }
    return exist;
  }

  // What a sample is of; two samples of a package differ in it.
  static std::string NameOf(const std::string& case_id, const std::string& setting) {
    return case_id + (setting.empty() ? "" : " at " + setting);
  }

  void CheckSamples() {
    auto samples = ParseSamples(File(kSamplesFile), kSamplesFile);
    if (!samples) return Find("sample", samples.error().message);
    if (!CheckCaseIds()) return;
    const auto plan = errors_.Keep(PlanSamples(report_, cells_, level_));
    if (!plan) return;
    std::set<std::string> wanted;
    for (const PlannedSample& planned : *plan) {
      wanted.insert(NameOf(CaseId(planned.key), planned.setting));
    }
    std::set<std::string> stored;
    for (const Sample& sample : *samples) {
      const std::string name = NameOf(sample.case_id, sample.setting);
      if (!stored.insert(name).second) {
        Find("sample", name + " is stored twice");
      } else if (!wanted.contains(name)) {
        Find("sample", name +
                           " is stored, but is none of the cases that the "
                           "suite's digest selects");
      }
    }
    for (const std::string& id : wanted) {
      if (!stored.contains(id)) Find("sample", "the answer to " + id + " is missing");
    }
    if (stored != wanted) return;
    // Their order could carry a message.
    for (size_t i = 0; i < plan->size(); ++i) {
      const PlannedSample& planned = (*plan)[i];
      if (NameOf((*samples)[i].case_id, (*samples)[i].setting) !=
          NameOf(CaseId(planned.key), planned.setting)) {
        return Find("sample", "samples.jsonl is not in the order of the plan");
      }
    }
    if (SamplesText(*samples) != File(kSamplesFile)) {
      Find("sample", "samples.jsonl is not in the form in which qconform writes it");
    }
    samples_ = *std::move(samples);
    std::map<std::string, const Sample*> by_case;
    for (const Sample& sample : samples_) {
      by_case[NameOf(sample.case_id, sample.setting)] = &sample;
    }
    samples_of_.assign(cells_.size(), {});
    for (const PlannedSample& planned : *plan) {
      const std::string name = NameOf(CaseId(planned.key), planned.setting);
      samples_of_[planned.row].push_back({planned.key, by_case.at(name)});
    }
    if (ForEachCell([&](size_t row) { return CheckSamplesOf(row); })) {
      Checked("samples       " + std::to_string(samples_.size()) +
              " answers compared with the oracle");
    }
  }

  Result<Findings> CheckSamplesOf(size_t row) const {
    Findings findings;
    std::map<std::string, std::vector<JudgedSample>> judged;  // by setting
    for (const auto& [key, sample] : samples_of_[row]) {
      auto made = MakeCase(key, report_.run.suite.seed);
      if (!made) return made.error();
      auto op_case = std::make_shared<const OpCase>(*std::move(made));
      auto answer = AnswerCase(*op_case);
      if (!answer) return answer.error();
      if (sample->inputs != InputsDigest(*op_case)) {
        findings.push_back({"sample", sample->case_id +
                                          " is stored with inputs that are not "
                                          "those of the case"});
      }
      judged[sample->setting].push_back({std::move(op_case), *std::move(answer), sample});
    }
    const CellRecord& record = report_.cells[row];
    auto found = CheckAnswers(record, judged[SettingOf(record)]);
    if (!found) return found;
    for (const VariedRecord& at : record.varied) {
      if (at.setting == SettingOf(record)) continue;
      auto there = CheckAnswersAt(record, at, judged[at.setting]);
      if (!there) return there;
      found->insert(found->end(), there->begin(), there->end());
    }
    for (Finding& finding : *found) {
      if (finding.kind == "counterexample" &&
          !TellsSecondAnswers(report_.report_version)) {
        finding.sentence +=
            " (reports before 2.1.0 do not contain second answers: if qconform 0.2.0 "
            "made the package, verify it with that release)";
      }
      findings.push_back(std::move(finding));
    }
    return findings;
  }

  void Recount() {
    std::atomic<int64_t> counted{0};
    const bool names_all = NamesEachReadingThatStands(report_.report_version);
    const bool right = ForEachCell([&](size_t row) -> Result<Findings> {
      // Cases that a backend declined or failed at were not compared, so there is nothing
      // to count.
      const CellRecord& record = report_.cells[row];
      if (record.declined > 0 || !CountsEveryElement(record)) return Findings();
      // Nor is there in cells that were not asked.
      if (!IsOfBackend(record.verdict) && record.elements() == 0) return Findings();
      ++counted;
      return RecountCell(record, cells_[row], level_, report_.run.suite.seed,
                         names_all && TellsReadingsByItsCases(record));
    });
    if (right) {
      Checked("recount       elements, tiers and coverage of " +
              std::to_string(counted.load()) + " cells, from the cases themselves");
    }
  }

  // Compares the certified backend with the one that is asked.
  void CheckIdentity() {
    // By now the backend has loaded all its libraries.
    Backend& backend = *options_.backend->backend;
    const auto code = errors_.Keep(FindLoadedCode(backend, options_.own_code));
    BackendInfo info = backend.info();
    // It was asked at the same values of the varied options.
    for (const std::string& key : VariedKeys(report_)) {
      info.details[key] = report_.run.backend.details.at(key);
    }
    const Identity identity = CompareIdentity(report_.run.backend, loaded_, info,
                                              code ? code->backend : loaded_);
    for (const std::string& sentence : identity.others) Find("backend", sentence);
    for (const std::string& sentence : identity.notes) Note(sentence);
    const std::string cpus =
        CompareCpus(report_.run.machine.cpu_features, options_.cpu_features);
    if (!cpus.empty()) Note(cpus);
  }

  // Returns how many cells were judged anew.
  size_t JudgeChosenCells() {
    std::vector<CellRecord> rows;
    std::vector<SelectedCell> cells;
    for (const size_t i : ChosenCells(cells_, options_.share, options_.share_seed)) {
      rows.push_back(report_.cells[i]);
      cells.push_back(cells_[i]);
    }
    JudgedAnew judged = JudgeAnew(*options_.backend, rows, cells, level_,
                                  options_.share_seed, options_.jobs);
    Find(std::move(judged.findings));
    for (const std::string& note : judged.notes) Note(note);
    if (judged.error) errors_.Keep(Result<bool>(*judged.error));
    return cells.size();
  }

  void AskAgain() {
    const size_t before = verification_.findings.size();
    if (!CheckSettings(report_).empty()) return;  // nobody knows what to ask
    const std::vector<std::string> settings = SettingsOf(report_);
    const auto& given = options_.backend->settings;
    if (!std::ranges::equal(settings, given, {}, {}, &AskedBackend::Setting::name)) {
      return Find(
          "backend",
          Expected("the settings of the backend", "'" + Joined(settings, " ") + "'",
                   "'" + Joined(given, " ", &AskedBackend::Setting::name) + "'")
              .message);
    }
    AskedAgain asked(*options_.backend, report_.run.suite.seed);
    for (size_t row = 0; row < cells_.size(); ++row) {
      if (samples_of_.size() == cells_.size()) {
        for (const auto& [key, sample] : samples_of_[row]) Find(asked.Same(key, *sample));
      }
    }
    const size_t cells = JudgeChosenCells();
    CheckIdentity();
    const BackendInfo& info = options_.backend->backend->info();
    const std::string line = std::to_string(asked.asked()) + " samples and " +
                             std::to_string(cells) +
                             " whole cells were asked again, of " + info.name +
                             (info.device.empty() ? "" : " (" + info.device + ")");
    if (verification_.findings.size() == before && !errors_.error()) {
      Checked("backend       " + line);
    }
  }

  const PackageFiles& files_;
  const VerifyOptions& options_;
  Verification verification_;
  FirstError errors_;
  Report report_;
  Level level_ = Level::kStandard;
  Profile profile_;
  std::vector<SelectedCell> cells_;  // in the order of the rows
  std::optional<KnownOutcome> known_;
  std::vector<LoadedFile> loaded_;  // of the backend
  std::vector<Sample> samples_;
  std::vector<std::vector<std::pair<CaseKey, const Sample*>>> samples_of_;  // per row
};

}  // namespace

Verification VerifyPackage(const PackageFiles& files, const VerifyOptions& options) {
  return Verifier(files, options).Run();
}

}  // namespace qconform
