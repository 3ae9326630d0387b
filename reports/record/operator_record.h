// The facts about an operator that reports need, as data: the harness writes them into
// each run, so that nothing here knows an operator by name. Reports of early versions do
// not have them; reports/schema/early_operators.json has the facts for these.
#ifndef QCONFORM_REPORTS_RECORD_OPERATOR_RECORD_H_
#define QCONFORM_REPORTS_RECORD_OPERATOR_RECORD_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace qconform {

// An open clause that concerns cells alike whose first types are equal. Clauses that are
// not listed concern cells of equal output type alike.
struct ClauseScope {
  std::string clause;
  int types = 0;  // the number of first types

  friend bool operator==(const ClauseScope&, const ClauseScope&) = default;
};

// A clause that did not exist before a since_version.
struct ClauseSince {
  std::string clause;
  int since_version = 0;

  friend bool operator==(const ClauseSince&, const ClauseSince&) = default;
};

struct OperatorRecord {
  std::string op_type;
  // The operands and outputs whose types a cell's id has, in its order.
  std::vector<std::string> types{};
  // The index of the main input, by which pages arrange cells.
  int main_type = 0;
  std::vector<std::string> operand_forms{};
  // Since_versions from which results follow other rules, so that a defect there need not
  // be one in earlier versions. Each begins a group of findings.
  std::vector<int> rules_since{};
  std::vector<ClauseScope> clauses{};
  // Clauses that are newer than the group of their cells: their findings have a group of
  // their own.
  std::vector<ClauseSince> clauses_since{};

  // Returns how many of the first types a clause concerns; 0: only the output's.
  size_t TypesOf(std::string_view clause) const;
  bool Has(std::string_view operand_form) const;
  // Returns the group of a finding, such as "since_10": of its cells' since_version, and
  // of the clause that they offend, which may be empty.
  std::string GroupOf(int since_version, std::string_view clause) const;

  friend bool operator==(const OperatorRecord&, const OperatorRecord&) = default;
};

// Returns the record of the operator from those of a run; if the run has none, the record
// for early versions. An operator without a description has a plain record: its clauses
// concern outputs, and it has all operand forms.
const OperatorRecord& OperatorRecordOf(const std::vector<OperatorRecord>& operators,
                                       std::string_view op_type);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_OPERATOR_RECORD_H_
