// Whether a backend reads an open clause the same way in all cells of an operator
// and since_version. Within a cell one reading must explain every bit; another
// cell may follow another reading, which is legal but worth knowing.
#ifndef QCONFORM_REPORTS_RECORD_MIXED_READINGS_H_
#define QCONFORM_REPORTS_RECORD_MIXED_READINGS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// A clause of which no single reading explains all cells. A cell's reading is the first
// that explains all of its bits; a conformant cell has the canonical one. CellRecord's
// not_told_apart names others that stand there as well.
struct MixedReadings {
  std::string op_type;
  int since_version = 0;
  std::string clause;  // its id
  // Name -> cells. "canonical": conformant cells in which a reading that other cells name
  // has other bits.
  std::map<std::string, int64_t> readings;
  std::map<std::string, std::string> cells;  // name -> one of these cells

  // "OP_TYPE-21, CLAUSE: round_then_add explains 1 cell (such as ...), 3 are
  // conformant without it (such as ...)"
  std::string Text() const;

  friend bool operator==(const MixedReadings&, const MixedReadings&) = default;
};

// Returns the mixed clauses, by operator, since_version and clause: those of which no
// reading stands in all cells. The cells are those that name a reading of the clause, and
// conformant cells that the clause concerns alike: `operators` say for each clause which
// these are (ClauseScope). An Error names a cell whose readings cannot be read.
Result<std::vector<MixedReadings>> FindMixedReadings(
    const std::vector<CellRecord>& cells,
    const std::vector<OperatorRecord>& operators = {});

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_MIXED_READINGS_H_
