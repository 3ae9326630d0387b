// Which clauses of the ledger decide an element of a case.
#ifndef QCONFORM_HARNESS_CORE_CLAUSE_DECIDES_H_
#define QCONFORM_HARNESS_CORE_CLAUSE_DECIDES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "cases/core/case.h"
#include "oracle/core/answer.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

// One element of one case.
struct AskedElement {
  const OpCase& op_case;
  const ElementAnswer& element;
  DataType type = DataType::kUndefined;  // of the output
  int64_t elements = 0;                  // of the output

  bool has(int features) const { return (element.features & features) != 0; }
  bool is_integer() const { return IsInteger(type); }
};

// Whether a clause decides an element, by clause id: all clauses of an operator that
// elements can show. Models at the border of what is defined show the others.
using ClauseDecides = std::map<std::string, std::function<bool(const AskedElement&)>>;

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_CLAUSE_DECIDES_H_
