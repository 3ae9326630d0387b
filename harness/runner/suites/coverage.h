// What the cases of a level ask: sizes, axes, attributes, operand forms, opset_versions
// and zero points, counted in the cases themselves.
#ifndef QCONFORM_HARNESS_RUNNER_SUITES_COVERAGE_H_
#define QCONFORM_HARNESS_RUNNER_SUITES_COVERAGE_H_

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/case.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"

namespace qconform {

// A value of a fact: a number, or else words.
struct FactValue {
  int64_t number = 0;
  std::string words;

  friend auto operator<=>(const FactValue&, const FactValue&) = default;
};
std::string FactText(const FactValue& value);

using CaseFact = std::pair<std::string, FactValue>;  // "rank of x" is 3

// Returns what is to be said of a case. An Error if its model is not judged.
Result<std::vector<CaseFact>> FactsOfCase(const OpCase& op_case);

struct FactCount {
  std::string fact;
  FactValue value;
  int64_t cells = 0;     // that are asked it in some case
  int64_t of_cells = 0;  // of the operator; by opset_version: those that have it
  int64_t cases = 0;
};

struct OperatorCoverage {
  std::string op_type;
  int64_t cells = 0;
  int64_t cases = 0;
  std::vector<FactCount> facts;  // sorted by fact, then by value
};

// Counts the facts of the cases of some cells of one operator at a level. Makes the cases
// on `jobs` threads.
Result<OperatorCoverage> CountCoverage(const std::string& op_type,
                                       std::span<const SelectedCell> cells, Level level,
                                       int jobs);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITES_COVERAGE_H_
