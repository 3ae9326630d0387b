// The one order of rows and tables in all outputs: operators as the
// selection names them, then since_version, types by number, granularity. It
// is found from the rows only, so that merged shards come out as a whole run.
// Parts of a model come in the order of its file.
#ifndef QCONFORM_REPORTS_RECORD_ORDER_H_
#define QCONFORM_REPORTS_RECORD_ORDER_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/record.h"

namespace qconform {

// Returns the place of the operator in the selection; its size for others.
size_t OperatorRank(const SelectionRecord& selection, std::string_view op_type);

// Returns the names of the tiers, in their order.
std::span<const std::string_view> KnownTiers();

// Returns the place of a tier among the known ones, simple ones first; unknown ones come
// last.
size_t TierRank(std::string_view tier);
// The same for a granularity such as "per_tensor-per_column": those with few parts first,
// then part by part.
std::vector<size_t> GranularityRank(std::string_view granularity);
bool IsKnownTier(std::string_view tier);

// Returns the place of a data type where people read: integers by width, then
// floats (TensorProto's numbers mix them).
size_t TypeRank(DataType type);

// Returns the tiers of all operand forms, in their order.
std::vector<std::string> TiersOf(const CellRecord& cell);

void SortCells(const SelectionRecord& selection, std::vector<CellRecord>* cells);
void SortNodeTests(std::vector<NodeTestRecord>* node_tests);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_ORDER_H_
