// Whether a backend that is at hand is the one that a package is of.
#ifndef QCONFORM_HARNESS_CERTIFICATE_IDENTITY_H_
#define QCONFORM_HARNESS_CERTIFICATE_IDENTITY_H_

#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/certificate/libraries.h"
#include "reports/record/record.h"

namespace qconform {

// One sentence each.
struct Identity {
  std::vector<std::string> others;  // it is another backend: of other kind or name
  std::vector<std::string> notes;   // the same in another version, build, or setting
};

// Compares who was certified, with its files, with who is asked. Paths are not compared:
// the same library may lie elsewhere.
Identity CompareIdentity(const BackendRecord& certified,
                         const std::vector<LoadedFile>& certified_files,
                         const BackendInfo& asked,
                         const std::vector<LoadedFile>& asked_files);

// Returns a sentence where the CPU that was certified on and this one have different
// features, by which a backend may choose other kernels; nothing else, and nothing where
// either's are not known.
std::string CompareCpus(const std::vector<std::string>& certified,
                        const std::vector<std::string>& here);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_IDENTITY_H_
