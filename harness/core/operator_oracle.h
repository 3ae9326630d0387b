// One operator's oracle behind one interface. Private to this folder: the rest
// of the harness asks OracleModel.
#ifndef QCONFORM_HARNESS_CORE_OPERATOR_ORACLE_H_
#define QCONFORM_HARNESS_CORE_OPERATOR_ORACLE_H_

#include <memory>
#include <vector>

#include "cases/model/model.h"
#include "harness/backends/operands.h"
#include "harness/compare/oracle_model.h"
#include "oracle/base/result.h"

namespace qconform {

class OperatorOracle {
 public:
  virtual ~OperatorOracle() = default;

  // `operands` in the order of the schema. Errors: an operand that the operator
  // needs is missing.
  virtual Result<ModelValidity> Validate(const Operands& operands) const = 0;
  virtual Result<Answer> Evaluate(const Operands& operands,
                                  const ReadingChoice& choice) const = 0;
  virtual Result<std::vector<ReadingChoice>> Choices(const Operands& operands) const = 0;
  virtual Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands,
                                                                int64_t index) const = 0;
  virtual Result<std::vector<Tensor>> ElementAlone(const Operands& operands,
                                                   int64_t index) const = 0;
};

// An Error where an attribute is of the wrong kind.
Result<std::shared_ptr<const OperatorOracle>> MakeQuantizeLinearOracle(const Node& node,
                                                                       int since_version);
Result<std::shared_ptr<const OperatorOracle>> MakeQLinearMatMulOracle(const Node& node,
                                                                      int since_version);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_OPERATOR_ORACLE_H_
