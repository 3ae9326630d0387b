// Faults of the comparison itself: variants of harness/compare that let something
// pass. One is found where it lets a planted fault of a backend through that the
// real comparison catches.
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
  // Whether it lets a wrong element through.
  bool (*passes)(const CaseAnswer& expected, size_t index, uint64_t actual) = nullptr;
  // The fault of a backend that it lets through wholly, and the cells where.
  std::string_view witness;
  bool (*hides_in)(const Cell& cell) = nullptr;
};

std::span<const ComparisonFault> ComparisonFaults();

// Deviates where the witness does and is hidden; else equivalent, as no planted
// fault differs there alone.
Declaration Declare(const ComparisonFault& fault, const Cell& cell);

// Returns whether |actual - expected| <= 1e-7 + 1e-3 |actual| as values: what
// ONNX's backend test runner asks of node tests. NaN equals NaN.
bool IsWithinOnnxTolerance(DataType type, uint64_t expected, uint64_t actual);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_FAULTS_COMPARISON_FAULTS_H_
