#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cases/profiles/profile.h"
#include "harness/backends/mapped_code.h"
#include "harness/certificate/certify.h"
#include "harness/certificate/envelope.h"
#include "harness/certificate/settings.h"
#include "harness/certificate/statement.h"
#include "harness/certificate/verify.h"
#include "harness/cli/commands/cell_flags.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/describe_run.h"
#include "harness/cli/commands/judge_cells.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/machine.h"
#include "harness/cli/print/print.h"
#include "harness/cli/vary/vary.h"
#include "harness/cli/version.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/node.h"
#include "oracle/base/stopwatch.h"
#include "oracle/base/text.h"
#include "reports/record/evidence.h"
#include "reports/report/journal.h"
#include "reports/report/report.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

struct CertifyFlags {
  BackendFlags backend;
  std::vector<std::string> vary;  // KEY=VALUE,VALUE,...
  CellFlags cells;
  Level level = Level::kStandard;
  int jobs = 1;
  std::string output;
  std::string vendor;
  std::string product;
  std::string known;
  std::string sign;
  bool resume = false;
  bool no_progress = false;
};

// Reads a file; an empty path gives an empty text.
Result<std::string> ReadIfNamed(const std::string& path, size_t most) {
  if (path.empty()) return std::string();
  auto text = ReadFile(path, most);
  if (text && text->empty()) return Error{path + ": is empty"};
  return text;
}

// Returns a failed write with advice on how to go on.
Error Kept(const Error& fault, const std::string& journal_path) {
  return Error{fault.message + "; the finished work is kept in " + journal_path +
               ": make room and run again with the same arguments and --resume"};
}

// Judges the cells that the journal does not have yet. Returns nothing if interrupted.
Result<std::optional<Report>> RunOrResume(const CertifyFlags& flags,
                                          const VariedBackend& backend,
                                          const std::vector<SelectedCell>& cells,
                                          RunInfo info, const std::string& journal_path) {
  const Stopwatch watch;
  Journal found;
  auto journal = flags.resume ? JournalWriter::Resume(journal_path, info, &found)
                              : JournalWriter::Create(journal_path, info);
  if (!journal) return journal.error();
  PrintKept(journal->kept());
  if (flags.resume) info = found.run;  // keeps the day on which the run began
  RunRequest request{cells, flags.level, kCertificateSeed, flags.jobs,
                     backend.variations.back().replay};
  ExplainBudget budget;
  AddCosts(found.cells, budget);
  request.explain = &budget;
  if (!flags.vary.empty()) request.variations = backend.variations;
  JudgedCells judged = JudgeCells(backend.backends.back(), std::move(request),
                                  std::move(found.cells), *journal, flags.no_progress);
  if (judged.fault) return Kept(*judged.fault, journal_path);
  if (!judged.finished) return std::optional<Report>();
  info.duration_s = watch.seconds();
  const std::string text = ReportText(*BuildReport(info, judged.records, {}, true));
  // Parsed again, so that times are rounded as in the document.
  auto report = ParseReport(text, "the report");
  if (!report) return report.error();
  return std::optional<Report>(*std::move(report));
}

// The backend at its settings, if options are varied.
AskedBackend Asked(const VariedBackend& varied) {
  AskedBackend asked(*varied.backends.back().backend);
  asked.other_threads = varied.backends.back().other_threads.get();
  if (varied.variations.front().setting.empty()) return asked;
  for (const Variation& at : varied.variations) {
    asked.settings.push_back({at.setting, at.backend, at.other_threads});
  }
  return asked;
}

void PrintFindings(const Findings& findings) {
  constexpr size_t kMost = 50;
  for (size_t i = 0; i < findings.size() && i < kMost; ++i) {
    Print("WRONG %s: %s\n", findings[i].kind.c_str(), findings[i].sentence.c_str());
  }
  if (findings.size() > kMost) {
    Print("... and %zu more\n", findings.size() - kMost);
  }
}

// Prints how many cells pass, how many have each other verdict, and how to see them.
void PrintWhyNot(const VerdictCounts& cells, const std::string& package) {
  Print("cells         %lld of %lld pass", static_cast<long long>(cells.passes()),
        static_cast<long long>(cells.total()));
  for (const Verdict verdict : AllVerdicts()) {
    if (IsPass(verdict) || cells[verdict] == 0) continue;
    Print(", %lld %s", static_cast<long long>(cells[verdict]),
          std::string(VerdictName(verdict)).c_str());
  }
  Print("; 'qconform report %s/report.json' shows them\n", package.c_str());
}

// "conforms_with_waivers, 97 of 98 cells waived"
std::string ResultText(const Verification& verification) {
  if (verification.waived == 0) return verification.result;
  return verification.result + ", " + std::to_string(verification.waived) + " of " +
         std::to_string(verification.cells) + " cells waived";
}

ExitCode CodeOf(const std::string& result) {
  if (result == "conforms" || result == "conforms_with_waivers") return ExitCode::kPass;
  return result == "incomplete" ? ExitCode::kIncomplete : ExitCode::kDeviation;
}

ExitCode Interrupted(const std::string& journal) {
  Print(
      "Interrupted: to continue from %s, run again with the same arguments and "
      "--resume.\n",
      journal.c_str());
  return ExitCode::kInterrupted;
}

ExitCode Certify(CertifyFlags flags, const std::vector<std::string>& command_line) {
  const auto chosen = ChooseCells(flags.cells);
  if (!chosen) return Fail(chosen.error());
  if (flags.vary.empty()) {
    flags.vary = DefaultAxes(flags.backend, HasGraphs(chosen->cells));
  }
  const Profile& profile = *chosen->profile;
  for (const auto& [flag, text] :
       {std::pair("--vendor", flags.vendor), {"--product", flags.product}}) {
    if (const Status named = CheckClaimed(flag, text); !named) return Fail(named.error());
  }
  CertifyRequest request{{flags.vendor, flags.product}, profile, "", ""};
  const auto known = ReadIfNamed(flags.known, kMostDocumentBytes);
  if (!known) return Fail(known.error());
  request.known_differences = *known;
  if (const auto parsed = known->empty() ? Result<KnownDifferences>(KnownDifferences())
                                         : ParseKnownDifferences(*known, flags.known);
      !parsed) {
    return Fail(parsed.error());
  } else if (const Status waivers = CheckWaivers(*parsed); !waivers) {
    return Fail({flags.known + ": " + waivers.error().message});
  }
  const auto key = ReadIfNamed(flags.sign, kMostKeyBytes);
  if (!key) return Fail(key.error());
  request.private_key = *key;
  if (!key->empty()) {
    const auto usable = PublicKeyOf(*key);
    if (!usable) return Fail({flags.sign + ": " + usable.error().message});
  }
  std::string output = flags.output;
  while (output.size() > 1 && output.ends_with('/')) output.pop_back();
  const std::string journal = output + ".journal";
  if (const Status named = CheckFileName(output); !named) return Fail(named.error());
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(output, ignored))) {
    return Fail(Expected(output, "a path that does not exist yet",
                         "an existing file or directory"));
  }
  if (const Status writable = CheckWritable(journal); !writable) {
    return Fail(writable.error());
  }
  request.own_code = MappedCode(getpid());
  const auto varied =
      MakeVariedBackend(flags.backend, flags.vary, kCertificateSeed, &g_interrupted);
  if (!varied) return Fail(varied.error());
  const AskedBackend asked = Asked(*varied);

  RunInfo info = DescribeRun(asked.backend->info(), chosen->patterns, flags.level,
                             kCertificateSeed, flags.jobs, command_line);
  if (const Status told = AddCodeDigest(*asked.backend, &info); !told) {
    return Fail(told.error());
  }
  chosen->Describe(info.selection);
  DescribeVaried(flags.vary, info.backend);
  Print("%s\nbackend %s, profile %s, %zu cells, level %s, seed %llu\n",
        VersionText().c_str(),
        NameAndDevice(info.backend.name, info.backend.device).c_str(),
        info.selection.profile.c_str(), chosen->cells.size(), info.suite.level.c_str(),
        static_cast<unsigned long long>(kCertificateSeed));
  if (!flags.vary.empty()) {
    Print("at %s\n", Joined(flags.vary, " ").c_str());
  }
  std::fflush(stdout);
  CatchInterrupts();

  const auto report =
      RunOrResume(flags, *varied, chosen->cells, std::move(info), journal);
  if (!report) return Fail(report.error());
  if (!*report) return Interrupted(journal);
  const auto files = MakePackage(asked, **report, request);
  // A child that was stopped with the run gave no answers to the samples.
  if (g_interrupted) return Interrupted(journal);
  if (!files) return Fail(files.error());
  // A package that fails its own verification is not written: the backend gave different
  // answers to the same question.
  VerifyOptions options;
  options.jobs = flags.jobs;
  options.recount = false;
  const Verification verification = VerifyPackage(*files, options);
  if (!verification.findings.empty()) {
    PrintFindings(verification.findings);
    Print(
        "No package was written: the backend gave different answers to the same "
        "question, or qconform has a bug.\n");
    return ExitCode::kDeviation;
  }
  if (verification.error) {
    return Fail({"no package was written: " + verification.error->message},
                ExitCode::kIncomplete);
  }
  const Status written = WritePackage(output, *files);
  if (!written) return Fail(Kept(written.error(), journal));
  std::filesystem::remove(journal, ignored);
  Print("%s\nresult        %s%s\nsignature     %s\npackage       %s\n",
        verification.statement.c_str(), ResultText(verification).c_str(),
        verification.own_profile ? " (the vendor's own profile)" : "",
        request.private_key.empty() ? "none: UNSIGNED" : "signed", output.c_str());
  if (verification.result != "conforms") PrintWhyNot((*report)->totals.cells, output);
  return CodeOf(verification.result);
}

struct VerifyFlags {
  std::string directory;
  BackendFlags backend;
  std::vector<std::string> vary;  // KEY=VALUE,VALUE,...
  CellFlags cells;                // only the profile
  std::string key;
  std::string sample = "5%";
  std::optional<uint64_t> sample_seed;
  bool no_recount = false;
  int jobs = 1;
};

// "5%" or "0.05" -> 0.05.
Result<double> ParseShare(const std::string& text) {
  const bool percent = text.ends_with('%');
  size_t end = 0;
  double share = -1;
  try {
    share = std::stod(text, &end);
  } catch (const std::exception&) {
  }
  if (percent) share /= 100;
  if (end + (percent ? 1 : 0) != text.size() || !(share >= 0 && share <= 1)) {
    return Expected("--sample", "a percentage from 0% to 100%", "'" + text + "'");
  }
  return share;
}

// Makes the backend that a package is compared with. Returns an Error if the package was
// made at other settings of it: its text must not choose options.
Result<VariedBackend> MakeAskedBackend(VerifyFlags flags, const PackageFiles& files) {
  std::vector<std::string> settings;
  const auto text = files.find(kReportFile);
  if (text != files.end()) {
    // VerifyPackage says what is wrong with a report that cannot be read.
    const auto report = ParseReport(text->second, kReportFile, RowReading::kAsTheyStand);
    if (report) settings = SettingsOf(*report);
    if (report && flags.vary.empty()) {
      const bool graphs = std::ranges::any_of(report->cells, [](const CellRecord& row) {
        return IsGraphFamily(row.op_type);
      });
      flags.vary = DefaultAxes(flags.backend, graphs);
    }
  }
  auto made = MakeVariedBackend(flags.backend, flags.vary, 1, nullptr);
  if (!made) return made;
  std::vector<std::string> given;
  for (const Variation& at : made->variations) {
    if (!flags.vary.empty()) given.push_back(at.setting);
  }
  if (given != settings) {
    return Expected("--vary",
                    settings.empty() ? "none, as in the package"
                                     : "the settings of the package, " +
                                           OneLine(Joined(settings, " ")),
                    given.empty() ? "none" : Joined(given, " "));
  }
  return made;
}

ExitCode Verify(const VerifyFlags& flags, const Command& verify) {
  const bool with_backend = verify.Given("--backend");
  VerifyOptions options;
  options.jobs = flags.jobs;
  options.recount = !flags.no_recount;
  options.today = TimeNow().substr(0, 10);
  const auto share = ParseShare(flags.sample);
  if (!share) return Fail(share.error());
  options.share = *share;
  const Status named = CheckBackendIsNamed(verify, {"--sample", "--sample-seed"});
  if (!named) return Fail(named.error());
  // A different share each time, unless a seed is given.
  options.share_seed = flags.sample_seed ? *flags.sample_seed : std::random_device()();
  const auto key = ReadIfNamed(flags.key, kMostKeyBytes);
  if (!key) return Fail(key.error());
  options.public_key = *key;
  if (!key->empty()) {
    const auto usable = KeyId(*key);
    if (!usable) return Fail({flags.key + ": " + usable.error().message});
  }
  if (!flags.cells.profile.empty()) {
    auto profile = FindOrReadProfile(flags.cells.profile, "--profile");
    if (!profile) return Fail(profile.error());
    options.profile = *std::move(profile);
  }
  const auto files = ReadPackage(flags.directory);
  if (!files) return Fail(files.error());
  std::optional<VariedBackend> varied;
  if (with_backend) {
    options.own_code = MappedCode(getpid());
    options.cpu_features = DescribeMachine().cpu_features;
    auto made = MakeAskedBackend(flags, *files);
    if (!made) return Fail(made.error());
    varied = *std::move(made);
    options.backend = Asked(*varied);
  }
  const Verification verification = VerifyPackage(*files, options);
  for (const std::string& line : verification.checked) Print("ok    %s\n", line.c_str());
  if (with_backend) {
    Print("      share %s of the cells, --sample-seed %llu\n", flags.sample.c_str(),
          static_cast<unsigned long long>(options.share_seed));
  }
  for (const std::string& line : verification.notes) {
    Print("note  %s\n", line.c_str());
  }
  PrintFindings(verification.findings);
  if (!verification.findings.empty()) {
    const auto findings = static_cast<int64_t>(verification.findings.size());
    Print("NOT VERIFIED: %s\n", Plural(findings, "finding").c_str());
    return ExitCode::kDeviation;
  }
  if (verification.error) {
    return Fail({"not verified: " + verification.error->message}, ExitCode::kIncomplete);
  }
  Print(
      "      unchecked, as only its maker knows: who that is, time of day, version and "
      "commit of the "
      "program, machine, names and versions of the backend, what rows say of named "
      "dimensions\n");
  Print("VERIFIED: %s: %s%s\n", verification.statement.c_str(),
        ResultText(verification).c_str(),
        verification.own_profile ? " (the vendor's own profile)" : "");
  return CodeOf(verification.result);
}

}  // namespace

void AddCertifyCommands(Command& program, const std::vector<std::string>& command_line) {
  Command certify = program.AddCommand(
      "certify",
      "Judge a backend in the cells of a profile and write an evidence package that\n"
      "others can verify (docs/certification.md)");
  certify.Footer(
      "Exit codes: 0 the product conforms; 1 something deviates, or the backend gives a\n"
      "different answer when asked again; 2 bad usage or input; 3 nothing deviates, but\n"
      "something was declined, refused as invalid or not tested, or the harness failed;\n"
      "130 interrupted.");
  certify.Example(
      "qconform certify --backend plugin:./mykernel.so --profile microscaling "
      "--vendor Me --product 'My kernels 1.0' -o mine.qcert",
      "Certify a shared library for one profile");
  const auto flags = std::make_shared<CertifyFlags>();
  AddBackendFlags(certify, flags->backend);
  certify.Group("Backend");
  AddVaryFlag(certify, flags->vary,
              "Judge each cell at each of these values of a backend option; the worst "
              "verdict counts, and the package names the values");
  certify.Group("Options");
  AddProfileFlag(certify, flags->cells,
                 "Profile to certify against: one of 'qconform list profiles', or a FILE "
                 "of one's own, which the package then says")
      .Required();
  AddCellFlags(certify, flags->cells);
  certify.Add("-o,--output", flags->output, "Directory to create for the package")
      .Required()
      .Directory("DIR.qcert");
  certify.Add("--vendor", flags->vendor, "Name of the vendor").Required();
  certify.Add("--product", flags->product, "Name and version of the product").Required();
  AddLevelFlag(certify, flags->level);
  AddJobsFlag(certify, flags->jobs, "Cells judged at the same time");
  certify
      .Add("--known", flags->known,
           "Known differences, as waivers that the package shows")
      .Reads();
  certify.Add("--sign", flags->sign, "Private key, Ed25519 or ECDSA P-256").Reads("PEM");
  certify.AddSwitch("--resume", flags->resume,
                    "Continue an interrupted run from its journal");
  certify.AddSwitch("--no-progress", flags->no_progress, "Show no progress on stderr");
  certify.Does([flags, command_line] { return Certify(*flags, command_line); });

  Command verify = program.AddCommand(
      "verify", "Check a package of 'certify' without trusting anything in it");
  verify.Footer(
      "Exit codes: 0 the package is genuine and the product conforms; 1 the package is\n"
      "wrong, or genuine and the product does not conform; 2 bad usage or input; 3 the\n"
      "package is genuine, but incomplete, or the harness failed.");
  verify.Example("qconform verify mine.qcert --key vendor.pem",
                 "Check signature, digests, coverage and every claim");
  const auto verify_flags = std::make_shared<VerifyFlags>();
  verify_flags->backend.spec = "";  // none is asked by default
  verify.Add("package", verify_flags->directory, "The package")
      .Required()
      .Directory("DIR.qcert");
  AddBackendFlags(verify, verify_flags->backend);
  verify.Group("Backend");
  AddVaryFlag(verify, verify_flags->vary,
              "With --backend: the values of its options at which the package was made");
  verify.Group("Options");
  verify.Add("--key", verify_flags->key, "Public key that must have signed it")
      .Reads("PEM");
  AddProfileFlag(verify, verify_flags->cells,
                 "Profile that the package has to be of: a name, or a FILE");
  verify
      .Add("--sample", verify_flags->sample,
           "With --backend: share of all cases to ask that backend again")
      .Type("SHARE")
      .ShowDefault();
  verify.Add("--sample-seed", verify_flags->sample_seed,
             "Seed that chooses this share; default: a different one each time");
  verify.AddSwitch("--no-recount", verify_flags->no_recount,
                   "Do not evaluate every case of every cell, only the samples");
  AddJobsFlag(verify, verify_flags->jobs, "Threads");
  verify.Does([verify, verify_flags] { return Verify(*verify_flags, verify); });
}

}  // namespace qconform
