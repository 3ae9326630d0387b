// Makes a certificate package of a finished run.
#ifndef QCONFORM_HARNESS_CERTIFICATE_CERTIFY_H_
#define QCONFORM_HARNESS_CERTIFICATE_CERTIFY_H_

#include <set>
#include <string>

#include "cases/core/case.h"
#include "cases/profiles/profile.h"
#include "harness/certificate/package.h"
#include "harness/certificate/settings.h"
#include "harness/certificate/statement.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"
#include "reports/report/report.h"

namespace qconform {

// The seed of every certificate, so that nobody looks for one under which a product
// conforms.
inline constexpr uint64_t kCertificateSeed = 1;

struct CertifyRequest {
  Claim claim;
  Profile profile;
  std::string known_differences;  // text of the file; empty: none
  std::string private_key;        // PEM; empty: unsigned
  // MappedCode of this process before the backend was created.
  std::set<std::string> own_code{};
};

// Asks the backend the sampled cases again and returns the whole package of
// `report`, which must be a complete report of the profile's cells at the backend's
// settings. Errors: the report is another one, the known differences cannot be read, the
// key cannot sign, or a file of the backend was replaced since it was loaded.
Result<PackageFiles> MakePackage(const AskedBackend& backend, const Report& report,
                                 const CertifyRequest& request);

// Adds the manifest, statement and signature to a package that has all other files.
// For MakePackage, and for tests that tamper.
Status SealPackage(const Report& report, const Claim& claim, const Profile& profile,
                   const KnownOutcome* known, const std::vector<LoadedFile>& loaded,
                   const std::string& private_key, PackageFiles* files);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_CERTIFY_H_
