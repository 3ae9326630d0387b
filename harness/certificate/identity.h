// Checks whether a backend is the one that was certified.
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
  std::vector<std::string> others;  // it is another backend, of another kind or name
  // it is the same backend in another version, build, or setting
  std::vector<std::string> notes;
};

// Compares the certified backend and its files with the backend that is asked. Paths are
// not compared, because the same library may be in another place.
Identity CompareIdentity(const BackendRecord& certified,
                         const std::vector<LoadedFile>& certified_files,
                         const BackendInfo& asked,
                         const std::vector<LoadedFile>& asked_files);

// Returns a sentence if the CPU of the certificate and this one have different features,
// by which a backend may choose other kernels. Returns "" if the features are equal, or
// if those of either CPU are not known.
std::string CompareCpus(const std::vector<std::string>& certified,
                        const std::vector<std::string>& here);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_IDENTITY_H_
