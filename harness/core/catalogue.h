// The parts of the catalogue. Private to this folder.
#ifndef QCONFORM_HARNESS_CORE_CATALOGUE_H_
#define QCONFORM_HARNESS_CORE_CATALOGUE_H_

#include <string>
#include <utility>
#include <vector>

#include "harness/core/fault.h"

namespace qconform {

// Rounding, order, precision, overflow of integers.
void AddArithmeticFaults(std::vector<Fault>& faults);
// Float8 and float4 targets.
void AddFloatFaults(std::vector<Fault>& faults);
// Granularity, packing, tails, state.
void AddLayoutFaults(std::vector<Fault>& faults);
// QLinearMatMul alone.
void AddMatMulFaults(std::vector<Fault>& faults);

inline Declaration Deviates() { return {}; }
inline Declaration Admissible(std::string reading) {
  return {Declaration::Kind::kAdmissible, std::move(reading), ""};
}
inline Declaration Equivalent(std::string reason) {
  return {Declaration::Kind::kEquivalent, "", std::move(reason)};
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_CATALOGUE_H_
