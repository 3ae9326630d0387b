// The digest of a library, which identifies its build in the details of a backend.
#ifndef QCONFORM_HARNESS_BACKENDS_FILE_SHA256_H_
#define QCONFORM_HARNESS_BACKENDS_FILE_SHA256_H_

#include <string>

namespace qconform {

// Returns 64 lower-case hexadecimal digits; "unknown" if the file cannot be read.
std::string FileSha256(const std::string& path);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_FILE_SHA256_H_
