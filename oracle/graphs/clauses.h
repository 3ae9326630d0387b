// The clauses of small graphs, for the ledger.
#ifndef QCONFORM_ORACLE_GRAPHS_CLAUSES_H_
#define QCONFORM_ORACLE_GRAPHS_CLAUSES_H_

#include <string_view>
#include <vector>

#include "oracle/core/clauses.h"

namespace qconform {

// What stands in place of an operator's name in the ledger.
inline constexpr std::string_view kGraphs = "graphs";

// GR-01 to GR-20.
std::vector<Clause> GraphClauses();

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_CLAUSES_H_
