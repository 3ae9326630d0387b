// A model bound to the oracle of its operator: from the names and attributes of a node to
// the definition that judges it.
#ifndef QCONFORM_HARNESS_CORE_ORACLE_MODEL_H_
#define QCONFORM_HARNESS_CORE_ORACLE_MODEL_H_

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cases/model/model.h"
#include "harness/core/bound_model.h"
#include "harness/core/case_answer.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

class OracleModel {
 public:
  // An Error if qconform does not judge the operator, the opset_version is older than it,
  // or an attribute is of the wrong kind. `model` must outlive the result.
  static Result<OracleModel> Create(const Model& model);

  // Takes a model that is bound already, and must outlive the result.
  OracleModel(const Model& model, BoundModel bound)
      : model_(&model), bound_(std::move(bound)) {}

  const Model& model() const { return *model_; }

  const Operator& op() const { return *bound_.op; }
  int since_version() const { return bound_.since_version; }

  // Why the definition is not the one that the model's opset_version selects, as a
  // sentence; empty if it is.
  const std::string& note() const { return bound_.note; }

  // Models of a cell with equal keys have the same Readings().
  int64_t ReadingsKey() const { return bound_.bound->ReadingsKey(); }

  // What follows asks the BoundOperator, with the operands that the node's inputs name
  // among `inputs` and the model's constants; an Error also if they cannot be found.

  Result<ModelValidity> Validate(std::span<const TensorView> inputs) const;

  // Returns the answer of all outputs.
  Result<CaseAnswer> Evaluate(std::span<const TensorView> inputs,
                              const ReadingSet& readings = {}) const;

  Result<std::vector<ReadingSet>> Readings(std::span<const TensorView> inputs) const;

  Result<std::optional<Reading>> ReadingOfRefusal(
      std::span<const TensorView> inputs) const;

  Result<std::vector<ReadingLeftOut>> ReadingsLeftOut(
      std::span<const TensorView> inputs) const;

  Result<std::vector<ElementOperand>> OperandsOfElement(
      std::span<const TensorView> inputs, ElementPlace place) const;

  Result<std::optional<FreeInput>> FreeInputOf(std::span<const TensorView> inputs,
                                               ElementPlace place,
                                               const ElementAnswer& answer) const;

  Result<std::vector<KnownAnswer>> KnownAnswers(std::span<const TensorView> inputs,
                                                const FreeInput& free) const;

  Result<std::vector<Tensor>> IsolateElement(std::span<const TensorView> inputs,
                                             ElementPlace place) const;
  Result<std::vector<Attribute>> IsolatedAttributes(std::span<const TensorView> inputs,
                                                    ElementPlace place) const;

  Result<Dimensions> DimensionsOf(std::span<const TensorView> inputs) const;

 private:
  // Calls `ask(*bound_.bound, operands)`.
  template <typename Ask>
  auto With(std::span<const TensorView> inputs, Ask ask) const;

  const Model* model_;
  BoundModel bound_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_ORACLE_MODEL_H_
