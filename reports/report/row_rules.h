// Rules that every row must follow, whatever a backend answered: its members must not
// contradict each other. Every reader of reports and journals checks them, so that an
// edited row, or one made from two rows, is rejected. Facts that only the lattice knows
// (the number of cases, the opset_versions) are checked where certificates are verified.
#ifndef QCONFORM_REPORTS_REPORT_ROW_RULES_H_
#define QCONFORM_REPORTS_REPORT_ROW_RULES_H_

#include <string>
#include <vector>

#include "oracle/base/result.h"
#include "reports/record/negative_record.h"
#include "reports/record/record.h"

namespace qconform {

struct Contradiction {
  std::string kind;      // what it is about: "row", "verdict", "counterexample"
  std::string sentence;  // "is conformant, but its parts make it nonconformant"

  friend bool operator==(const Contradiction&, const Contradiction&) = default;
};

// Returns the contradictions, at most one sentence per rule and part. `record` is that of
// the row's operator.
std::vector<Contradiction> ContradictionsIn(const CellRecord& row,
                                            const OperatorRecord& record);
std::vector<Contradiction> ContradictionsIn(const NegativeRecord& row);

// Returns an Error "PLACE: ROW SENTENCE" of the first of them; `place` is a file, or a
// line of one.
Status CheckRow(const std::string& place, const CellRecord& row,
                const OperatorRecord& record);
Status CheckRow(const std::string& place, const NegativeRecord& row);

// Returns an Error if a row has an opset_version that selects another definition. The
// rows themselves name the existing since_versions.
Status CheckOpsetVersions(const std::string& place, const std::vector<CellRecord>& rows);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_ROW_RULES_H_
