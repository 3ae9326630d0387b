// Whether a backend reads an open clause the same way in all cells of an operator
// and since_version. Within a cell one reading must explain every bit; between
// cells another one is legal, and worth knowing.
#ifndef QCONFORM_REPORTS_RECORD_MIXED_READINGS_H_
#define QCONFORM_REPORTS_RECORD_MIXED_READINGS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/record/record.h"

namespace qconform {

// A clause that no one reading explains all cells of. A cell's reading is the first that
// explains all of its bits, and a conformant cell's the canonical one; CellRecord's
// not_told_apart names others that stand there as well.
struct MixedReadings {
  std::string op_type;
  int since_version = 0;
  std::string clause;  // its id
  // Name -> cells. "canonical": conformant cells where a reading that is named elsewhere
  // has other bits.
  std::map<std::string, int64_t> readings;
  std::map<std::string, std::string> cells;  // name -> one of these cells

  // "OP_TYPE-21, CLAUSE: round_then_add explains 1 cell (such as ...), 3 are
  // conformant without it (such as ...)"
  std::string Text() const;

  friend bool operator==(const MixedReadings&, const MixedReadings&) = default;
};

// Returns the mixed ones, by operator, since_version and clause: those where no reading
// stands in all cells. Besides the cells that name a reading of the clause these are
// conformant cells that are like one of them: which those are, `operators` say clause by
// clause (ClauseScope).
std::vector<MixedReadings> FindMixedReadings(
    const std::vector<CellRecord>& cells,
    const std::vector<OperatorRecord>& operators = {});

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_MIXED_READINGS_H_
