// An operator that ONNX does not have, for what no operator of the build does: a FLOAT
// output, bounds on one of several outputs.
#ifndef QCONFORM_HARNESS_COMPARE_TESTING_MADE_UP_OPERATOR_H_
#define QCONFORM_HARNESS_COMPARE_TESTING_MADE_UP_OPERATOR_H_

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "harness/compare/cell_answers.h"
#include "oracle/core/operator.h"

namespace qconform {

// What the tests fill in. Its one operand is "x".
struct MadeUp {
  std::function<std::vector<Answer>(const Operands&, const ReadingSet&)> evaluate;
  std::vector<ReadingSet> readings = {{}};  // the canonical one first
  std::vector<OutputInfo> outputs = {{.name = "y"}};
  std::function<Dimensions(const Operands&)> dimensions = [](const Operands&) {
    return Dimensions();
  };
};

class MadeUpOperator : public Operator {
 public:
  explicit MadeUpOperator(MadeUp made_up) : made_up_(std::move(made_up)) {}

  // Returns the answers to one UINT8 x. `model` and this must outlive them.
  std::shared_ptr<ContentAnswers> Ask(Model& model, const Tensor& x) const {
    model.node.op_type = "MadeUp";
    model.node.inputs = {"x"};
    model.inputs = {{"x", x.type, x.shape}};
    OracleModel oracle(
        model,
        {.op = this, .since_version = 1, .note = "", .bound = Bind({}, 1).value()});
    return CellAnswers().Add(std::move(oracle), {x.view()}).value();
  }

  std::string_view op_type() const override { return "MadeUp"; }
  std::span<const OperandInfo> operands() const override { return kOperands; }
  std::span<const OutputInfo> outputs() const override { return made_up_.outputs; }
  std::vector<Clause> clauses() const override { return {}; }
  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute>,
                                                    int) const override {
    return std::unique_ptr<const BoundOperator>(std::make_unique<Bound>(made_up_));
  }

 private:
  static constexpr OperandInfo kOperands[] = {{.name = "x"}};

  class Bound : public BoundOperator {
   public:
    explicit Bound(const MadeUp& made_up) : made_up_(&made_up) {}

    Result<ModelValidity> Validate(const Operands&) const override {
      return ModelValidity();
    }
    Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                         const ReadingSet& readings) const override {
      return made_up_->evaluate(operands, readings);
    }
    Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
      return made_up_->readings;
    }
    Result<std::vector<ElementOperand>> OperandsOfElement(const Operands&, size_t,
                                                          int64_t) const override {
      return std::vector<ElementOperand>();
    }
    Result<std::vector<Tensor>> IsolateElement(const Operands&, size_t,
                                               int64_t) const override {
      return std::vector<Tensor>();
    }
    Result<Dimensions> DimensionsOf(const Operands& operands) const override {
      return made_up_->dimensions(operands);
    }

   private:
    const MadeUp* made_up_;
  };

  MadeUp made_up_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_TESTING_MADE_UP_OPERATOR_H_
