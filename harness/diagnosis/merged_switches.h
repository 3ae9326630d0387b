// Two models in one. Private to this folder.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_MERGED_SWITCHES_H_
#define QCONFORM_HARNESS_DIAGNOSIS_MERGED_SWITCHES_H_

#include <optional>

#include "harness/operators/q_linear_mat_mul/fault_switches.h"
#include "harness/operators/quantize_linear/fault_switches.h"

namespace qconform {

// Returns the switches of both: b's, where both have one of a kind. Nothing where one
// acts on a part of the elements alone.
std::optional<QuantizeLinearSwitches> Merge(const QuantizeLinearSwitches& a,
                                            const QuantizeLinearSwitches& b);
std::optional<QLinearMatMulSwitches> Merge(const QLinearMatMulSwitches& a,
                                           const QLinearMatMulSwitches& b);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_MERGED_SWITCHES_H_
