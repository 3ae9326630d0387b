// What reports have to know of an operator, as data: the harness writes it into each run,
// so that nothing here knows an operator by name. Reports of early versions do not have
// it; what held for them lies in reports/schema/early_operators.json.
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
  int types = 0;  // how many of the types, the first ones

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
  // Which of them is the main input, by which pages lay out cells.
  int main_type = 0;
  std::vector<std::string> operand_forms{};
  // Since_versions from which results follow other rules, so that a defect there need not
  // be one before. Each begins a group of findings.
  std::vector<int> rules_since{};
  std::vector<ClauseScope> clauses{};
  // Clauses that are newer than the group of their cells: their findings have a group of
  // their own.
  std::vector<ClauseSince> clauses_since{};

  // Returns how many of the first types a clause is about; 0: only the output's.
  size_t TypesOf(std::string_view clause) const;
  bool Has(std::string_view operand_form) const;
  // Returns the group of a finding, such as "since_10": of its cells' since_version, and
  // of the clause that they offend, which may be empty.
  std::string GroupOf(int since_version, std::string_view clause) const;

  friend bool operator==(const OperatorRecord&, const OperatorRecord&) = default;
};

// Returns the record of the operator among those that a run has; of a run that has none,
// what held for early versions. An operator that nobody describes has a plain record: its
// clauses are about outputs, and it has all operand forms.
const OperatorRecord& OperatorRecordOf(const std::vector<OperatorRecord>& operators,
                                       std::string_view op_type);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_OPERATOR_RECORD_H_
