// The identity of the questions: two reports can be compared cell by cell where
// it is the same.
#ifndef QCONFORM_HARNESS_RUNNER_SUITE_H_
#define QCONFORM_HARNESS_RUNNER_SUITE_H_

#include <string>

namespace qconform {

// Returns the SHA-256 (lower-case hex) over the generators' names and versions, the
// levels' lists, the clauses' ids, the lattice with its opset_versions, and the negative
// models.
std::string SuiteDigest();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITE_H_
