// A vendor's statement about a product: STATEMENT.json, and the same as an in-toto
// Statement v1. Both follow from the report, the profile and the claim, so that
// a verifier can make them again and compare bytes.
#ifndef QCONFORM_HARNESS_CERTIFICATE_STATEMENT_H_
#define QCONFORM_HARNESS_CERTIFICATE_STATEMENT_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/profiles/profile.h"
#include "harness/certificate/libraries.h"
#include "harness/certificate/package.h"
#include "oracle/base/result.h"
#include "reports/diff/known_differences.h"
#include "reports/report/report.h"

namespace qconform {

// The words of the maker of the package, which nobody can check.
struct Claim {
  std::string vendor;
  std::string product;

  friend bool operator==(const Claim&, const Claim&) = default;
};

// Returns an Error that begins with `name` if `text` cannot be a vendor or product: if it
// is empty, or if it is not one line of text, because other text could forge the output
// of a verifier.
Status CheckClaimed(const std::string& name, const std::string& text);

// Returns an Error if an entry cannot be a waiver of a certificate, because it has no
// owner or no last day. The Error names the entry and what is missing.
Status CheckWaivers(const KnownDifferences& known);

// The result of a report under a profile and known differences.
struct Judgement {
  enum class Result : uint8_t {
    kConforms,
    kConformsWithWaivers,
    kDoesNotConform,
    kIncomplete
  };
  Result result = Result::kIncomplete;
  // Cells by id; each is in exactly one of these.
  std::vector<std::string> passed;
  std::vector<std::string> declined;  // which the profile allows
  std::vector<std::string> waived;
  std::vector<std::string> failed;
  std::vector<std::string> problems;  // of the known differences
};
// "conforms", "conforms_with_waivers", "does_not_conform", "incomplete".
std::string_view JudgementName(Judgement::Result result);

Judgement Judge(const Report& report, const Profile& profile, const KnownOutcome* known);

// Names the profile in one sentence part. That of a built-in one is "profile NAME". That
// of any other one says that it is none of qconform's, how many cells of the whole
// lattice it covers and lets be declined, and gives its title and digest, so that nobody
// takes it for more.
std::string ProfileWords(const Report& report, const Profile& profile);

// The day on which the run started, "2026-08-01": waivers count on that day.
std::string DateOf(const Report& report);

// Returns environment.json.
std::string EnvironmentText(const Report& report, LoadedCode loaded);
Result<LoadedCode> ParseEnvironment(std::string_view text);

// Returns STATEMENT.json.
std::string StatementText(const Claim& claim, const Report& report,
                          const Profile& profile, const KnownOutcome* known,
                          const std::vector<LoadedFile>& loaded);
// Returns an Error if vendor or product is missing or rejected by CheckClaimed.
Result<Claim> ParseClaim(std::string_view statement);

// Returns the JSON Schema (draft 7) of STATEMENT.json.
std::string_view StatementSchema();

// Returns statement.intoto.json. `files` holds all files that MANIFEST.json lists, and
// MANIFEST.json.
std::string AttestationText(const Claim& claim, const Report& report,
                            const Profile& profile, const KnownOutcome* known,
                            const std::vector<LoadedFile>& loaded,
                            const PackageFiles& files);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_STATEMENT_H_
