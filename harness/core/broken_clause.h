// Which clause a wrong model breaks: what a deviation that it explains is told by.
#ifndef QCONFORM_HARNESS_CORE_BROKEN_CLAUSE_H_
#define QCONFORM_HARNESS_CORE_BROKEN_CLAUSE_H_

#include <string_view>

#include "cases/lattice/cell.h"
#include "cases/model/model.h"
#include "harness/operators/q_linear_mat_mul/fault_switches.h"
#include "harness/operators/quantize_linear/fault_switches.h"

namespace qconform {

// Returns the clause of the first step of the computation that the switches change, such
// as "QL-31"; "" where no clause speaks of it (a last element that is not written).
// `cell` is one of the operator, `node` that of the case: some cases of a cell have
// `precision`.
std::string_view BrokenClause(const Cell& cell, const Node& node,
                              const QuantizeLinearSwitches& switches);
std::string_view BrokenClause(const Cell& cell, const QLinearMatMulSwitches& switches);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BROKEN_CLAUSE_H_
