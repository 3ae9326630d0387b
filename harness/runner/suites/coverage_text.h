// The tables of `qconform list coverage`.
#ifndef QCONFORM_HARNESS_RUNNER_SUITES_COVERAGE_TEXT_H_
#define QCONFORM_HARNESS_RUNNER_SUITES_COVERAGE_TEXT_H_

#include <span>
#include <string>

#include "harness/runner/suites/coverage.h"

namespace qconform {

// Text and Markdown join neighbouring numbers that as many cells are asked; JSON has each
// value.
std::string CoverageText(std::span<const OperatorCoverage> all, Level level);
std::string CoverageMarkdown(std::span<const OperatorCoverage> all, Level level);
std::string CoverageJson(std::span<const OperatorCoverage> all, Level level);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITES_COVERAGE_TEXT_H_
