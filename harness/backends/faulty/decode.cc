#include "harness/backends/faulty/decode.h"

#include <utility>

#include "harness/core/operands.h"
#include "harness/core/operator_faults.h"
#include "oracle/base/expected.h"

namespace qconform {

Result<std::shared_ptr<const DecodedCase>> DecodeCase(const Model& model,
                                                      int since_version,
                                                      std::span<const TensorView> inputs,
                                                      const CaseAnswer& answer,
                                                      const ReadingSet& readings) {
  const OperatorFaults* faults = FindOperatorFaults(model.node.op_type);
  if (faults == nullptr && !model.node.is_graph()) {
    return Expected("operator", "one that qconform judges",
                    "'" + model.node.op_type + "'");
  }
  const auto operands = ResolveOperands(model, inputs);
  if (!operands) return operands.error();
  Codes canonical;
  canonical.reserve(answer.elements.size());
  for (const ElementAnswer& element : answer.elements) canonical.push_back(element.code);
  if (faults == nullptr) {  // a graph that belongs to no family
    return std::make_shared<const DecodedCase>(kGraphOpType, std::move(canonical));
  }
  return faults->Decode(model.node, since_version, *operands, std::move(canonical),
                        readings);
}

}  // namespace qconform
