// Verifies a certificate package and trusts nothing in it: lattice, profile and
// cases are derived again, stored answers are compared with the oracle, totals
// and verdicts are counted again, and files that follow from others are made
// again and compared byte by byte.
//
// Answers that are not stored can only be checked by asking the backend: see
// VerifyOptions::backend.
#ifndef QCONFORM_HARNESS_CERTIFICATE_VERIFY_H_
#define QCONFORM_HARNESS_CERTIFICATE_VERIFY_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases/profiles/profile.h"
#include "harness/certificate/package.h"
#include "harness/certificate/row_check.h"
#include "harness/certificate/settings.h"
#include "oracle/base/result.h"

namespace qconform {

struct VerifyOptions {
  std::string public_key;  // PEM; empty: the signature is checked by the package's own
  // To be asked again, at the settings of the package; none: it is not asked.
  std::optional<AskedBackend> backend{};
  double share = 0.05;      // share of the cells that the backend is asked again
  uint64_t share_seed = 1;  // chooses which, and their random cases
  bool recount = true;      // evaluate every case of every cell
  int jobs = 1;
  // The day of the check, "2026-08-01"; empty: days in the package are not checked.
  std::string today{};
  // MachineRecord::cpu_features of this machine; empty: not compared.
  std::vector<std::string> cpu_features{};
  // The profile that the package has to be of; none: any.
  std::optional<Profile> profile{};
  // MappedCode of this process before the backend was created.
  std::set<std::string> own_code{};
};

struct Verification {
  Findings findings;  // empty and no error: the package is right
  // An error of the harness: not everything was checked, which is not the package's
  // fault.
  std::optional<Error> error{};
  std::vector<std::string> checked;  // what was checked, one line each
  // Facts that are not faults of the package, but that a reader should know; one line
  // each.
  std::vector<std::string> notes;
  std::string result;        // of the statement, as it was made again
  int64_t cells = 0;         // of the profile
  int64_t waived = 0;        // of these
  bool own_profile = false;  // the profile is the vendor's own, none of qconform's
  // Vendor, product, ProfileWords, level, settings and day in one line.
  std::string statement;
};

// A package that cannot be read has a finding that says so.
Verification VerifyPackage(const PackageFiles& files, const VerifyOptions& options);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_VERIFY_H_
