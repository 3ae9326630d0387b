// A certificate package: a plain directory with a few files, which is read and written as
// a whole.
//
//   report.json             the report; every cell of the profile has a row
//   journal.jsonl           the journal, its cells in the report's order
//   samples.jsonl           cases by id, and the backend's answers
//   environment.json        machine, backend, digests of the libraries
//   profile.json            the profile, as the program has it
//   known-differences.json  only if waivers were used
//   STATEMENT.json          the vendor's statement about the product
//   MANIFEST.json           size and SHA-256 of each of the files above
//   statement.intoto.json   the statement as an in-toto Statement v1
//   statement.dsse.json     the same, signed; only in signed packages
//   public_key.pem          of the key that signed; the package does not prove its owner
#ifndef QCONFORM_HARNESS_CERTIFICATE_PACKAGE_H_
#define QCONFORM_HARNESS_CERTIFICATE_PACKAGE_H_

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

inline constexpr std::string_view kReportFile = "report.json";
inline constexpr std::string_view kJournalFile = "journal.jsonl";
inline constexpr std::string_view kSamplesFile = "samples.jsonl";
inline constexpr std::string_view kEnvironmentFile = "environment.json";
inline constexpr std::string_view kProfileFile = "profile.json";
inline constexpr std::string_view kKnownFile = "known-differences.json";
inline constexpr std::string_view kStatementFile = "STATEMENT.json";
inline constexpr std::string_view kManifestFile = "MANIFEST.json";
inline constexpr std::string_view kAttestationFile = "statement.intoto.json";
inline constexpr std::string_view kEnvelopeFile = "statement.dsse.json";
inline constexpr std::string_view kPublicKeyFile = "public_key.pem";

// Name -> bytes.
using PackageFiles = std::map<std::string, std::string, std::less<>>;

// Returns the files of the directory. Rejects entries that are not plain files, and files
// of more than 256 MB, which no package has.
Result<PackageFiles> ReadPackage(const std::filesystem::path& directory);

// Writes a new directory, completely or not at all. Returns an Error if it exists.
Status WritePackage(const std::filesystem::path& directory, const PackageFiles& files);

// Returns MANIFEST.json of the files, without those that name or sign it.
std::string ManifestText(const PackageFiles& files);

// Returns the differences between a manifest and the files, one sentence each; empty
// if there are none.
std::vector<std::string> CheckManifest(const PackageFiles& files);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_PACKAGE_H_
