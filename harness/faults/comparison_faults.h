// Faults of the comparison itself: variants of harness/compare that accept something
// wrong. One is found if it accepts a planted fault of a backend that the real comparison
// catches.
#ifndef QCONFORM_HARNESS_FAULTS_COMPARISON_FAULTS_H_
#define QCONFORM_HARNESS_FAULTS_COMPARISON_FAULTS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "cases/lattice/cell.h"
#include "harness/core/case_answer.h"
#include "harness/core/fault.h"

namespace qconform {

struct ComparisonFault {
  std::string_view name;
  std::string_view sentence;
  std::string_view seen_in{};
  // Returns whether it accepts a wrong element.
  bool (*passes)(const CaseAnswer& expected, size_t index, uint64_t actual) = nullptr;
  // A fault of a backend all of whose deviations it accepts, and the cells in which it
  // does.
  std::string_view witness;
  bool (*hides_in)(const Cell& cell) = nullptr;
};

std::span<const ComparisonFault> ComparisonFaults();

// Deviates in cells in which the witness deviates and is hidden. In others it is
// equivalent: no planted fault shows only there.
Declaration Declare(const ComparisonFault& fault, const Cell& cell);

// Returns whether |actual - expected| <= 1e-7 + 1e-3 |actual| as values, as ONNX's
// backend test runner requires of node tests. NaN equals NaN.
bool IsWithinOnnxTolerance(DataType type, uint64_t expected, uint64_t actual);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_FAULTS_COMPARISON_FAULTS_H_
