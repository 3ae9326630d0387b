// What holds of a row whatever a backend answered: its members must not contradict each
// other. Every reader of reports and journals asks this, so that what was edited, or cut
// together from two rows, is no report. What only the lattice knows (how many cases,
// which opset_versions) is checked where certificates are verified.
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

// Returns what contradicts itself, in no more than one sentence per rule and part.
// `record` is that of the row's operator.
std::vector<Contradiction> ContradictionsIn(const CellRecord& row,
                                            const OperatorRecord& record);
std::vector<Contradiction> ContradictionsIn(const NegativeRecord& row);

// Returns an Error "PLACE: ROW SENTENCE" of the first of them; `place` is a file, or a
// line of one.
Status CheckRow(const std::string& place, const CellRecord& row,
                const OperatorRecord& record);
Status CheckRow(const std::string& place, const NegativeRecord& row);

// Returns an Error where a row has an opset_version that selects another definition: the
// rows themselves name the since_versions that there are.
Status CheckOpsetVersions(const std::string& place, const std::vector<CellRecord>& rows);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_ROW_RULES_H_
