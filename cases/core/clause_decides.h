// Which clauses of the ledger decide an element of a case.
#ifndef QCONFORM_CASES_CORE_CLAUSE_DECIDES_H_
#define QCONFORM_CASES_CORE_CLAUSE_DECIDES_H_

#include <cstdint>

#include "cases/core/case.h"
#include "cases/core/operator_cases.h"
#include "oracle/core/answer.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

// One element of one case.
struct AskedElement {
  const OpCase& op_case;
  const ElementAnswer& element;
  DataType type = DataType::kUndefined;  // of the output
  int64_t elements = 0;                  // of the case, over all outputs

  bool has(int features) const { return (element.features & features) != 0; }
  bool is_integer() const { return IsInteger(type); }
};

}  // namespace qconform

#endif  // QCONFORM_CASES_CORE_CLAUSE_DECIDES_H_
