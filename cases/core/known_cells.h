// The names that a key may have: the lattice's cells, their opset_versions, variants,
// generators and indices. Used by ParseCaseId and MakeCase.
#ifndef QCONFORM_CASES_CORE_KNOWN_CELLS_H_
#define QCONFORM_CASES_CORE_KNOWN_CELLS_H_

#include <cstddef>
#include <string_view>

#include "cases/core/case.h"
#include "cases/core/operator_cases.h"

namespace qconform::generators {

// Every generator has questions at all indices from 0 to this; the levels name
// few of them.
inline constexpr int kMaxIndex = 999'999;

bool IsInLattice(const Cell& cell);

// Precondition: a cell of the lattice.
const std::vector<int>& OpsetVersionsOf(const Cell& cell);

// Returns the number of cells of the cell's definition.
// Precondition: a cell of the lattice.
size_t CellCountOf(const Cell& cell);

// IrVersionFor, kept.
int KnownIrVersion(int opset_version);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_KNOWN_CELLS_H_
