// Who says what of which product: STATEMENT.json, and the same as an in-toto
// Statement v1. Both follow from the report, the profile and the claim, so that
// a verifier makes them again and compares bytes.
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

// What nobody can check: words of whoever makes the package.
struct Claim {
  std::string vendor;
  std::string product;

  friend bool operator==(const Claim&, const Claim&) = default;
};

// Returns an Error that begins with `name` where `text` is no vendor or product: empty,
// or not one line of text, with which a package could forge what a verifier prints.
Status CheckClaimed(const std::string& name, const std::string& text);

// Returns an Error that names the entry and what is missing where one is no waiver of a
// certificate: somebody must answer for it, and until a day.
Status CheckWaivers(const KnownDifferences& known);

// What the report comes to under a profile and known differences.
struct Judgement {
  enum class Result : uint8_t {
    kConforms,
    kConformsWithWaivers,
    kDoesNotConform,
    kIncomplete
  };
  Result result = Result::kIncomplete;
  // Cells by id; each is in just one of these.
  std::vector<std::string> passed;
  std::vector<std::string> declined;  // which the profile allows
  std::vector<std::string> waived;
  std::vector<std::string> failed;
  std::vector<std::string> problems;  // of the known differences
};
// "conforms", "conforms_with_waivers", "does_not_conform", "incomplete".
std::string_view JudgementName(Judgement::Result result);

Judgement Judge(const Report& report, const Profile& profile, const KnownOutcome* known);

// The day on which the run started, "2026-08-01": waivers count on that day.
std::string DateOf(const Report& report);

// Returns environment.json.
std::string EnvironmentText(const Report& report, LoadedCode loaded);
Result<LoadedCode> ParseEnvironment(std::string_view text);

// Returns STATEMENT.json.
std::string StatementText(const Claim& claim, const Report& report,
                          const Profile& profile, const KnownOutcome* known,
                          const std::vector<LoadedFile>& loaded);
// An Error where vendor or product is missing or not as CheckClaimed asks.
Result<Claim> ParseClaim(std::string_view statement);

// Returns the JSON Schema (draft 7) of STATEMENT.json.
std::string_view StatementSchema();

// Returns statement.intoto.json. `files` holds all that MANIFEST.json lists, and
// MANIFEST.json.
std::string AttestationText(const Claim& claim, const Report& report,
                            const Profile& profile, const KnownOutcome* known,
                            const std::vector<LoadedFile>& loaded,
                            const PackageFiles& files);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_STATEMENT_H_
