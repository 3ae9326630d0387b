// The oracle as a backend: what the harness says of itself. It answers with the
// canonical codes, and refuses what QL-34 calls invalid.
#ifndef QCONFORM_HARNESS_BACKENDS_ORACLE_ORACLE_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_ORACLE_ORACLE_BACKEND_H_

#include <memory>

#include "harness/backends/backend.h"

namespace qconform {

std::unique_ptr<Backend> MakeOracleBackend();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_ORACLE_ORACLE_BACKEND_H_
