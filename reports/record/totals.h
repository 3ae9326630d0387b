// Totals: counted from the rows only, so that anyone can count again.
#ifndef QCONFORM_REPORTS_RECORD_TOTALS_H_
#define QCONFORM_REPORTS_RECORD_TOTALS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "oracle/base/result.h"
#include "reports/record/mixed_readings.h"
#include "reports/record/record.h"

namespace qconform {

// One line of a table of totals; which dimensions are set depends on the table.
struct TotalsRow {
  std::string op_type;
  int since_version = 0;
  int opset_version = 0;
  std::string tier;
  DataType output_type = DataType::kUndefined;
  VerdictCounts counts;

  friend bool operator==(const TotalsRow&, const TotalsRow&) = default;
};

// What a backend did with one class of inputs that a clause leaves free.
struct UnspecifiedRow {
  std::string op_type;
  std::string clause;       // its id
  std::string input_class;  // "NaN to an integer"
  // What was seen in one cell ("qmin", or "0, qmin") -> cells. More than one: it
  // differs between cells.
  std::map<std::string, int64_t> behaviours;
  std::map<std::string, std::string> examples;  // the same -> one of these cells
  // What came with other bits when asked again, such as "threads" -> cells.
  std::map<std::string, int64_t> varies_with;

  // "OP_TYPE CLAUSE NaN to an integer: qmin in 3 cells, 0 in 1 cell (such as
  // ...); the same each time"
  std::string Text() const;

  friend bool operator==(const UnspecifiedRow&, const UnspecifiedRow&) = default;
};

struct Totals {
  int64_t selected = 0;  // the denominator: cells of the selection (of the shard)
  VerdictCounts cells;   // total() < selected where rows are missing
  NodeVerdictCounts node_tests;
  int64_t cases = 0;
  int64_t elements = 0;
  int64_t mismatches = 0;
  int64_t declined = 0;
  int64_t free = 0;

  std::vector<TotalsRow> by_tier;           // op_type, tier
  std::vector<TotalsRow> by_since_version;  // op_type, since_version
  std::vector<TotalsRow> by_opset_version;  // op_type, opset_version
  std::vector<TotalsRow> by_output_type;    // op_type, output_type
  // op_type, since_version, output_type: the terminal's matrix
  std::vector<TotalsRow> by_since_version_and_output_type;

  std::map<std::string, int64_t> readings;   // name -> cells that it explains
  std::map<std::string, int64_t> diagnoses;  // name -> cells that it explains
  std::vector<UnspecifiedRow> unspecified;   // by operator, clause, input class
  // Clauses that are read in more than one way, by operator and since_version.
  std::vector<MixedReadings> mixed_readings;

  friend bool operator==(const Totals&, const Totals&) = default;
};

// Name -> cells that do not deviate and that it explains. Totals::readings counts the
// others too, in which some tiers follow a reading and others deviate.
std::map<std::string, int64_t> AdmissibleBy(const std::vector<CellRecord>& cells);

// Rows of each table come in the order of the selection's operators, then ascending
// (tiers: regular first). An Error names a cell whose readings cannot be read.
Result<Totals> CountTotals(const RunInfo& run, const std::vector<CellRecord>& cells,
                           const std::vector<NodeTestRecord>& node_tests);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_TOTALS_H_
