// The readers of certificate packages: their parts, and a whole package of which one file
// is any bytes.
#include <string>
#include <string_view>
#include <vector>

#include "cases/profiles/profile.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/certificate/envelope.h"
#include "harness/certificate/package.h"
#include "harness/certificate/samples.h"
#include "harness/certificate/statement.h"
#include "harness/certificate/testing/tamperings.h"
#include "harness/certificate/verify.h"
#include "oracle/base/testing/tested_reader.h"

namespace qconform {
namespace {

// Of one cell, as verifying takes longer the more there are.
const MadePackage& Example() {
  static const MadePackage made =
      MakePackageOf(*MakeOracleBackend(), "", Key(),
                    {"QuantizeLinear/24/FLOAT-FLOAT8E8M0-INT8/blocked"});
  return made;
}

std::vector<std::string> Part(std::string_view file) {
  const auto found = Example().files.find(file);
  if (found == Example().files.end()) return {};  // unsigned, without OpenSSL
  return {found->second};
}

ReadAs ReadManifest(std::string_view text) {
  PackageFiles files = Example().files;
  files[std::string(kManifestFile)] = text;
  const std::vector<std::string> findings = CheckManifest(files);
  Require(findings.size() < 10'000, "findings are bounded");
  return findings.empty() ? ReadAs::kWhole : ReadAs::kError;
}

// All that Key() ever signed, so that a corpus fits other builds, too.
constexpr std::string_view kSigned = R"({"what":"was signed"})";

ReadAs ReadEnvelope(std::string_view text) {
  static const std::string key = HasSignatures() ? PublicKeyOf(Key()).value() : "";
  const auto payload = OpenEnvelope(text, key);
  if (payload) {
    Require(*payload == kSigned, "only what was signed is opened");
  }
  return Outcome(payload);
}

ReadAs ReadPublicKey(std::string_view text) {
  const auto canonical = CanonicalPublicKey(text);
  if (!canonical) return Outcome(canonical);
  const auto again = CanonicalPublicKey(*canonical);
  Require(again.ok() && *again == *canonical, "a key has one form");
  Require(KeyId(text).ok() == KeyId(*canonical).ok(), "a key has one id");
  return Outcome(KeyId(text));
}

ReadAs ReadPrivateKey(std::string_view text) {
  const auto envelope = SignEnvelope("{}", text);
  if (!envelope) return Outcome(envelope);
  Require(OpenEnvelope(*envelope, PublicKeyOf(text).value()).ok(),
          "what a key signs can be opened");
  return ReadAs::kWhole;
}

ReadAs ReadSamples(std::string_view text) {
  const auto samples = ParseSamples(text, "input");
  if (!samples) return Outcome(samples);
  const auto again = ParseSamples(SamplesText(*samples), "written");
  Require(again.ok() && *again == *samples, "samples are read as written");
  // Lines may be missing: how many there must be follows from the report.
  return ReadAs::kWhole;
}

ReadAs ReadEnvironment(std::string_view text) { return Outcome(ParseEnvironment(text)); }

ReadAs ReadClaim(std::string_view text) { return Outcome(ParseClaim(text)); }

ReadAs ReadProfile(std::string_view text) {
  const auto profile = ParseOwnProfile(text, "input");
  if (profile) SelectionName(*profile);
  return Outcome(profile);
}

// The first byte chooses the file. The digests are made again, so that it is read; how
// well changes are found is tested by testing/tamperings.h.
ReadAs ReadPackageWith(std::string_view bytes) {
  if (bytes.empty()) return ReadAs::kError;
  PackageFiles files = Example().files;
  const auto chosen =
      std::next(files.begin(), static_cast<unsigned char>(bytes[0]) % files.size());
  chosen->second = bytes.substr(1);
  if (chosen->first != kManifestFile) {
    files[std::string(kManifestFile)] = ManifestText(files);
  }
  VerifyOptions options;
  options.recount = false;
  const Verification verification = VerifyPackage(files, options);
  return verification.findings.empty() ? ReadAs::kWhole : ReadAs::kError;
}

std::vector<std::string> FilesOfThePackage() {
  std::vector<std::string> inputs;
  for (const auto& [name, text] : Example().files) {
    inputs.push_back(static_cast<char>(inputs.size()) + text);
  }
  return inputs;
}

}  // namespace

std::vector<TestedReader> TestedReaders() {
  std::vector<TestedReader> readers = {
      {"manifest", ReadManifest, [] { return Part(kManifestFile); }},
      {"samples", ReadSamples, [] { return Part(kSamplesFile); }, true},
      {"environment", ReadEnvironment, [] { return Part(kEnvironmentFile); }},
      {"claim", ReadClaim, [] { return Part(kStatementFile); }},
      {"profile", ReadProfile, [] { return std::vector{Profiles().front().text}; }},
      {"package", ReadPackageWith, FilesOfThePackage, false, 6},
  };
  if (HasSignatures()) {
    readers.push_back({"envelope", ReadEnvelope,
                       [] { return std::vector{SignEnvelope(kSigned, Key()).value()}; }});
    readers.push_back({"public_key", ReadPublicKey, [] { return Part(kPublicKeyFile); }});
    readers.push_back({"private_key", ReadPrivateKey, [] { return std::vector{Key()}; }});
  }
  return readers;
}

}  // namespace qconform
