// The oracle's view of a model: from names and attributes to the problem that
// oracle/scalar evaluates. The only place that maps an op_type to its oracle.
#ifndef QCONFORM_HARNESS_COMPARE_ORACLE_MODEL_H_
#define QCONFORM_HARNESS_COMPARE_ORACLE_MODEL_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

class OperatorOracle;

// Returns whether the operator (of ONNX's own domain) has an oracle.
bool HasOracle(std::string_view op_type);

// monostate: the operator's canonical ones.
using Readings =
    std::variant<std::monostate, QuantizeLinearReadings, QLinearMatMulReadings>;

// One consistent choice of readings for the operator of a model (G-01).
struct ReadingChoice {
  Readings readings;
  std::string name = "canonical";  // or "QL-24:zero_point_ignored", ...
  // Choices of models with different `precision` belong together where these
  // are equal: the clauses about the quotient do not meet in one model.
  std::string shared{};
  // Whatever lies within the answer's derived bounds is explained (MM-02, MM-10).
  bool bounded = false;
  // Bounded too, by the wider ones of `reduced_precision_accumulation` (MM-10).
  bool reduced = false;
  // Bounded too, by one of the four choices of `scale_type_matmul` (MM-02).
  std::optional<MatMulBounds> scale_type{};
};

// Whether the specification defines a model (QL-30 to QL-34, MM-04 to MM-07).
struct ModelValidity {
  enum class Kind : uint8_t { kValid, kOpen, kInvalid };
  Kind kind = Kind::kValid;
  std::string clause;
  std::string reason;
};

// One operand of one element of y, as evidence shows it.
struct ElementOperand {
  std::string name;  // "x", "y_scale", "y_zero_point"
  DataType type = DataType::kUndefined;
  uint64_t code = 0;
};

class OracleModel {
 public:
  // An Error where the operator has no oracle, the opset_version is older than it,
  // or an attribute is of the wrong kind. `model` must outlive the result.
  static Result<OracleModel> Create(const Model& model);

  int since_version() const { return since_version_; }

  // Why the definition is not the one that the model's opset_version selects, as a
  // sentence; empty if it is.
  const std::string& note() const { return note_; }

  // An Error only where the operands cannot be found.
  Result<ModelValidity> Validate(std::span<const TensorView> inputs) const;

  // Returns y. An Error where the model is invalid, citing the clause.
  Result<Answer> Evaluate(std::span<const TensorView> inputs) const;
  Result<Answer> Evaluate(std::span<const TensorView> inputs,
                          const ReadingChoice& choice) const;

  // Returns the operands that element `index` of y (row-major) is computed of.
  Result<std::vector<ElementOperand>> OperandsOfElement(
      std::span<const TensorView> inputs, int64_t index) const;

  // Returns the operands, in the order of the schema, of a problem whose one
  // element of y is element `index` of this one, per tensor.
  Result<std::vector<Tensor>> ElementAlone(std::span<const TensorView> inputs,
                                           int64_t index) const;

  // Returns every admissible choice, the canonical one first.
  Result<std::vector<ReadingChoice>> Choices(std::span<const TensorView> inputs) const;

 private:
  OracleModel(const Model& model, int since_version, std::string note,
              std::shared_ptr<const OperatorOracle> oracle)
      : model_(&model),
        since_version_(since_version),
        note_(std::move(note)),
        oracle_(std::move(oracle)) {}

  const Model* model_;
  int since_version_;
  std::string note_;
  std::shared_ptr<const OperatorOracle> oracle_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_ORACLE_MODEL_H_
