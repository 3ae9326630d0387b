// Identity8: y = x for 8-bit integers.
#include "oracle/core/operator.h"

#include "oracle/formats/codes.h"

namespace qconform::identity8 {
namespace {

constexpr uint32_t kLowest = 0x80;     // -128 of INT8
constexpr uint32_t kSymmetric = 0x81;  // -127

class Bound : public BoundOperator {
 public:
  Result<ModelValidity> Validate(const Operands& operands) const override {
    if (operands.empty() || !operands.front()) return Error{"Identity8: x is missing"};
    const DataType type = operands.front()->type;
    if (type == DataType::kInt8 || type == DataType::kUint8) return ModelValidity{};
    return ModelValidity{ModelValidity::Kind::kInvalid, "ID-03",
                         "x is " + std::string(DataTypeName(type))};
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet& readings) const override {
    const auto x = ValidX(operands);
    if (!x) return x.error();
    Answer y{.type = x->type,
             .shape = Shape(x->shape.begin(), x->shape.end()),
             .elements = {}};
    for (int64_t i = 0; i < ElementCount(x->shape).value_or(0); ++i) {
      auto code = static_cast<uint32_t>(ReadCode(*x, i));
      ElementAnswer element;
      if (x->type == DataType::kInt8 && code == kLowest) {
        element.features = kFeatureSaturatedLow;
        if (!readings.is_canonical()) code = kSymmetric;
      }
      if (code == 0) element.features |= kFeatureZeroResult;
      element.code = code;
      y.elements.push_back(element);
    }
    return std::vector<Answer>{std::move(y)};
  }

  bool rounds(const Operands&) const override { return false; }

  Result<std::vector<ReadingSet>> Readings(const Operands& operands) const override {
    const auto x = ValidX(operands);
    if (!x) return x.error();
    std::vector<ReadingSet> sets(1);
    if (x->type == DataType::kInt8) {
      sets.push_back({.readings = {{"ID-02", "symmetric"}}, .code = 1, .shared = 1});
    }
    return sets;
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
                                                        int64_t index) const override {
    const auto x = ValidX(operands);
    if (!x) return x.error();
    return std::vector<ElementOperand>{{"x", x->type, ReadCode(*x, index)}};
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t,
                                             int64_t index) const override {
    const auto x = ValidX(operands);
    if (!x) return x.error();
    std::vector<Tensor> isolated{Tensor::Zeros(x->type, {1})};
    WriteCode(isolated.front().mutable_view(), 0, ReadCode(*x, index));
    return isolated;
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    const auto x = ValidX(operands);
    if (!x) return x.error();
    Dimensions dimensions;
    for (size_t axis = 0; axis < x->shape.size(); ++axis) {
      dimensions.push_back({.name = "x_" + std::to_string(axis),
                            .size = x->shape[axis],
                            .operands = {{0, axis}},
                            .outputs = {{0, axis}}});
    }
    return dimensions;
  }

 private:
  Result<TensorView> ValidX(const Operands& operands) const {
    const auto validity = Validate(operands);
    if (!validity) return validity.error();
    if (validity->kind == ModelValidity::Kind::kInvalid) {
      return Error{validity->clause + ": " + validity->reason};
    }
    return *operands.front();
  }
};

class Identity8 : public Operator {
 public:
  std::string_view op_type() const override { return "Identity8"; }

  std::span<const OperandInfo> operands() const override {
    static constexpr OperandInfo kOperands[] = {{.name = "x"}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"y"}};
    return kOutputs;
  }

  std::vector<Clause> clauses() const override {
    return {
        {.id = "ID-01",
         .text = "y has the type, the shape and the values of x.",
         .source = "The example of docs/adding_an_operator.md.",
         .since_versions = {13}},
        {.id = "ID-02",
         .kind = ClauseKind::kParametric,
         .text = "Whether INT8 has the value -128.",
         .source = "The example says nothing.",
         .since_versions = {13},
         .readings = {{"full_range", "y = x", true},
                      {"symmetric", "y = max(x, -127)", false}},
         .feature = kFeatureSaturatedLow},
        {.id = "ID-03",
         .text = "x is INT8 or UINT8; a model with another type is invalid.",
         .source = "The type constraint T of the schema.",
         .since_versions = {13}},
    };
  }

  bool depends_on_order() const override { return false; }

  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute>,
                                                    int) const override {
    return std::unique_ptr<const BoundOperator>(std::make_unique<Bound>());
  }
};

}  // namespace

const Operator& GetOperator();
const Operator& GetOperator() {
  static const Identity8 op;
  return op;
}

}  // namespace qconform::identity8
