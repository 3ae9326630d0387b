// The identity of the questions. Two reports can be compared cell by cell only if they
// have the same suite.
#ifndef QCONFORM_HARNESS_RUNNER_SUITE_H_
#define QCONFORM_HARNESS_RUNNER_SUITE_H_

#include <span>
#include <string>

namespace qconform {

// Returns, of these operators and families of graphs, the generators' names and versions,
// the clauses' ids and readings, the lattice with its opset_versions, the digests of the
// levels' lists, and the negative models with their inputs. A change of any of these
// makes another suite.
std::string SuiteText(std::span<const std::string> subjects);

// Returns the SHA-256 (lower-case hex) of SuiteText().
std::string SuiteDigest(std::span<const std::string> subjects);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITE_H_
