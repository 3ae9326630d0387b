#include "reports/record/operator_record.h"

#include <algorithm>
#include <cassert>

#include "reports/record/record_json.h"

namespace qconform {

std::string_view EarlyOperatorsText();  // generated

namespace {

const std::vector<OperatorRecord>& EarlyOperators() {
  static const std::vector<OperatorRecord> operators = [] {
    const auto json = ParseJson(EarlyOperatorsText(), "early_operators.json");
    assert(json);
    ReadState state("early_operators.json");
    std::vector<OperatorRecord> read;
    Convert(JsonPlace(*json, state), read);
    assert(!state.error);
    return read;
  }();
  return operators;
}

}  // namespace

size_t OperatorRecord::TypesOf(std::string_view clause) const {
  for (const ClauseScope& scope : clauses) {
    if (scope.clause == clause) return static_cast<size_t>(scope.types);
  }
  return 0;
}

bool OperatorRecord::Has(std::string_view operand_form) const {
  return operand_forms.empty() || std::find(operand_forms.begin(), operand_forms.end(),
                                            operand_form) != operand_forms.end();
}

std::string OperatorRecord::GroupOf(int since_version, std::string_view clause) const {
  int first = rules_since.empty() ? since_version : rules_since.front();
  for (const int since : rules_since) {
    if (since <= since_version) first = since;
  }
  for (const ClauseSince& one : clauses_since) {
    if (one.clause == clause) first = std::max(first, one.since_version);
  }
  return "since_" + std::to_string(first);
}

const OperatorRecord& OperatorRecordOf(const std::vector<OperatorRecord>& operators,
                                       std::string_view op_type) {
  static const OperatorRecord kPlain;
  for (const auto* list : {&operators, &EarlyOperators()}) {
    for (const OperatorRecord& record : *list) {
      if (record.op_type == op_type) return record;
    }
  }
  return kPlain;
}

}  // namespace qconform
