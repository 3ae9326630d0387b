#include "harness/certificate/certify.h"

#include <utility>

#include "harness/certificate/envelope.h"
#include "harness/certificate/samples.h"
#include "harness/runner/ask/further_cases.h"
#include "oracle/base/expected.h"
#include "reports/report/journal.h"

namespace qconform {

Status SealPackage(const Report& report, const Claim& claim, const Profile& profile,
                   const KnownOutcome* known, const std::vector<LoadedFile>& loaded,
                   const std::string& private_key, PackageFiles* files) {
  (*files)[std::string(kStatementFile)] =
      StatementText(claim, report, profile, known, loaded);
  (*files)[std::string(kManifestFile)] = ManifestText(*files);
  const std::string attestation =
      AttestationText(claim, report, profile, known, loaded, *files);
  (*files)[std::string(kAttestationFile)] = attestation;
  if (private_key.empty()) return Ok();
  auto public_key = PublicKeyOf(private_key);
  if (!public_key) return public_key.error();
  auto envelope = SignEnvelope(attestation, private_key);
  if (!envelope) return envelope.error();
  (*files)[std::string(kPublicKeyFile)] = *std::move(public_key);
  (*files)[std::string(kEnvelopeFile)] = *std::move(envelope);
  return Ok();
}

Result<PackageFiles> MakePackage(const AskedBackend& backend, const Report& report,
                                 const CertifyRequest& request) {
  const auto level = ParseLevel(report.run.suite.level);
  const auto cells = SelectCells(request.profile.cells);
  if (!cells) return cells.error();
  if (!level || !report.complete || report.cells.size() != cells->size() ||
      report.run.selection.profile != SelectionName(request.profile)) {
    return Error{"report: expected a complete one of the profile " +
                 request.profile.name};
  }
  if (const Findings wrong = CheckSettings(report); !wrong.empty()) {
    return Error{"report: " + wrong.front().sentence};
  }
  PackageFiles files;
  std::optional<KnownOutcome> known;
  if (!request.known_differences.empty()) {
    const auto entries = ParseKnownDifferences(request.known_differences, kKnownFile);
    if (!entries) return entries.error();
    known = ApplyKnownDifferences(*entries, report, DateOf(report), LatticeIds());
    files[std::string(kKnownFile)] = request.known_differences;
  }
  const auto plan = PlanSamples(report, *cells, *level);
  if (!plan) return plan.error();
  std::vector<Sample> samples;
  for (const PlannedSample& planned : *plan) {
    const auto op_case = MakeCase(planned.key, report.run.suite.seed);
    if (!op_case) return op_case.error();
    const auto expected = AnswerCase(*op_case);
    if (!expected) return expected.error();
    Backend* at = backend.At(planned.setting);
    if (at == nullptr) {
      return Expected("report", "the settings of the backend", planned.setting);
    }
    auto sample = TakeSample(*at, *op_case, **expected);
    if (!sample) return sample.error();
    sample->setting = planned.setting;
    samples.push_back(*std::move(sample));
  }
  const auto loaded = FindLoadedCode(*backend.backend, request.own_code);
  if (!loaded) return loaded.error();
  files[std::string(kReportFile)] = ReportText(report);
  files[std::string(kJournalFile)] = JournalText(report.run, report.cells);
  files[std::string(kSamplesFile)] = SamplesText(samples);
  files[std::string(kEnvironmentFile)] = EnvironmentText(report, *loaded);
  files[std::string(kProfileFile)] = request.profile.text;
  const Status sealed =
      SealPackage(report, request.claim, request.profile, known ? &*known : nullptr,
                  loaded->backend, request.private_key, &files);
  if (!sealed) return sealed.error();
  return files;
}

}  // namespace qconform
