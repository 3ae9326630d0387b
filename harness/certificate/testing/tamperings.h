// Ways to tamper with a package, each done by somebody who has this program:
// everything that follows from the change is made again, so that digests agree and only
// the change itself can be found.
#ifndef QCONFORM_HARNESS_CERTIFICATE_TESTING_TAMPERINGS_H_
#define QCONFORM_HARNESS_CERTIFICATE_TESTING_TAMPERINGS_H_

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "harness/certificate/testing/packages.h"

namespace qconform {

// Private keys of tests; empty where the build has no signatures.
std::string Key();
std::string OtherKey();

// Packages of a correct backend (signed), of MakeFlawedBackend, and of the latter with
// waivers. They are made once.
const MadePackage& Right();
const MadePackage& Wrong();
const MadePackage& Waived();
// Of the backend of Varied at the settings answer=flawed and answer=right, which are
// MakeFlawedBackend and a correct one.
const MadePackage& Varied();
AskedBackend VariedBackends();

std::string& File(MadePackage& made, std::string_view name);

// Answers exactly the samples that the changed report asks for.
void TakeSamplesAgain(MadePackage& made, const AskedBackend& backend);

struct Tampering {
  const char* name;
  const MadePackage& (*of)();
  std::function<void(MadePackage&)> change;
  const char* kind;    // kind of a finding that there must be
  const char* words;   // text that its sentence must contain
  bool reseal = true;  // otherwise only the manifest is made again
};

std::span<const Tampering> Tamperings();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_TESTING_TAMPERINGS_H_
