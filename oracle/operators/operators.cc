// The tables of all operators of the build.
#include <iterator>
#include <vector>

#include "oracle/core/clauses.h"
#include "oracle/core/operator.h"

namespace qconform {

const Operator* FindOperator(std::string_view op_type) {
  for (const Operator* op : Operators()) {
    if (op->op_type() == op_type) return op;
  }
  return nullptr;
}

std::span<const Clause> Clauses() {
  static const std::vector<Clause> kClauses = [] {
    std::vector<Clause> of_operators;
    for (const Operator* op : Operators()) {
      for (Clause& clause : op->clauses()) {
        clause.op_type = op->op_type();
        of_operators.push_back(std::move(clause));
      }
    }
    for (Clause& clause : GraphClauses()) of_operators.push_back(std::move(clause));
    std::vector<Clause> clauses = GeneralClauses(of_operators);
    clauses.insert(clauses.end(), std::make_move_iterator(of_operators.begin()),
                   std::make_move_iterator(of_operators.end()));
    return clauses;
  }();
  return kClauses;
}

const Clause* FindClause(std::string_view id) {
  for (const Clause& clause : Clauses()) {
    if (clause.id == id) return &clause;
  }
  return nullptr;
}

}  // namespace qconform
