// Packages that tests tamper with, and the steps that hide a change.
#ifndef QCONFORM_HARNESS_CERTIFICATE_TESTING_PACKAGES_H_
#define QCONFORM_HARNESS_CERTIFICATE_TESTING_PACKAGES_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/certificate/certify.h"
#include "harness/certificate/package.h"
#include "harness/certificate/samples.h"
#include "reports/report/report.h"

namespace qconform {

// Answers like the oracle, with two exceptions: FLOAT4E2M1 outputs have the lowest bit of
// their first element flipped, and INT8 outputs are declined.
std::unique_ptr<Backend> MakeFlawedBackend();

// A package with the parts that it is made from.
struct MadePackage {
  Claim claim;
  Profile profile;
  Report report;
  std::vector<Sample> samples;
  LoadedCode loaded;
  std::string known;        // text of the known differences; empty: none
  std::string private_key;  // empty: unsigned
  PackageFiles files;

  // Makes every file again from the parts above, like somebody who has the program and
  // wants to cheat.
  void Reseal();
  // The sample of the first case that `wanted` takes.
  Sample* FindSample(const std::function<bool(const Sample&)>& wanted);
  CellRecord* FindRow(const std::function<bool(const CellRecord&)>& wanted);
};

// Runs the profile microscaling (32 cells), or those of its cells that match a pattern,
// at level smoke, at each setting of the backend; these are values of one option.
MadePackage MakePackageOf(const AskedBackend& backend, const std::string& known,
                          const std::string& private_key,
                          const std::vector<std::string>& cells = {});

// Known differences that waive the deviations of MakeFlawedBackend.
std::string WaiversOfFlawed();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_TESTING_PACKAGES_H_
