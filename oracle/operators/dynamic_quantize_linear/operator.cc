// DynamicQuantizeLinear as an Operator: y, y_scale and y_zero_point from x.
#include "oracle/core/operator.h"

#include <algorithm>
#include <span>

#include "oracle/core/target.h"
#include "oracle/core/validation.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::dynamic_quantize_linear {
namespace {

constexpr int kSinceVersions[] = {11};

const NumberFormat& Float() { return FormatOf(DataType::kFloat); }

ExactValue RoundToFloat(const Unrounded& value) {
  return Decode(Float(), Round(Float(), value, RoundingMode::kNearestEven,
                               OverflowPolicy::kNonSaturating));
}

class Bound : public BoundOperator {
 public:
  explicit Bound(int since_version) : since_version_(since_version) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    Validation validation("DYN-10", since_version_, /*has_data=*/true);
    if (!validation.CheckDefinition("DynamicQuantizeLinear", kSinceVersions)) {
      return validation.validity();
    }
    const auto x = OperandAt(operands, 0);
    if (!x) return Error{"DynamicQuantizeLinear: x is missing"};
    if (x->type != DataType::kFloat) {
      validation.Invalid("x is " + std::string(DataTypeName(x->type)));
    }
    return validation.validity();
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet&) const override {
    const auto validity = Validate(operands);
    if (!validity) return validity.error();
    if (validity->kind == ModelValidity::Kind::kInvalid) {
      return Error{"DynamicQuantizeLinear, " + validity->clause + ": " +
                   validity->reason};
    }
    const TensorView& x = *operands[0];
    const std::vector<uint64_t> codes = ReadCodes(x);
    uint64_t max = 0;
    uint64_t min = 0;
    for (const uint64_t code : codes) {
      if (ValueOrder(Float(), code) > ValueOrder(Float(), max)) max = code;
      if (ValueOrder(Float(), code) < ValueOrder(Float(), min)) min = code;
    }
    const ExactValue low = Decode(Float(), min);
    ExactValue minus_low = low;
    minus_low.negative = !minus_low.negative;
    const ExactValue range =
        RoundToFloat(Add(ToUnrounded(Decode(Float(), max)), minus_low));
    const ExactValue most{
        .value_class = ValueClass::kFinite, .significand = 255, .exponent = 0};
    const uint64_t scale_code =
        Round(Float(), Divide(range, most), RoundingMode::kNearestEven,
              OverflowPolicy::kNonSaturating);
    const ExactValue scale = Decode(Float(), scale_code);
    const Target target(DataType::kUint8, {}, DataType::kFloat);
    ElementAnswer zero_point;
    ExactValue offset = RoundToFloat(Divide(low, scale));
    offset.negative = !offset.negative;
    target.Round(ToUnrounded(offset), {}, zero_point);
    Answer y{.type = DataType::kUint8,
             .shape = Shape(x.shape.begin(), x.shape.end()),
             .elements = {}};
    const PreparedZeroPoint prepared = target.PrepareZeroPoint(zero_point.code);
    for (const uint64_t code : codes) {
      ElementAnswer element;
      target.Round(ToUnrounded(RoundToFloat(Divide(Decode(Float(), code), scale))),
                   prepared, element);
      y.elements.push_back(element);
    }
    std::vector<Answer> answers{std::move(y)};
    answers.push_back({.type = DataType::kFloat,
                       .shape = {},
                       .elements = {{.code = static_cast<uint32_t>(scale_code)}}});
    answers.push_back({.type = DataType::kUint8, .shape = {}, .elements = {zero_point}});
    return answers;
  }

  Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
    return std::vector<ReadingSet>(1);
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
                                                        int64_t index) const override {
    const TensorView& x = *operands[0];
    return std::vector<ElementOperand>{{"x", x.type, ReadCode(x, index)}};
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t,
                                             int64_t) const override {
    const TensorView& x = *operands[0];
    Tensor isolated = Tensor::Zeros(x.type, Shape(x.shape.begin(), x.shape.end()));
    std::ranges::copy(x.data, isolated.data.begin());
    return std::vector<Tensor>{std::move(isolated)};
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    const TensorView& x = *operands[0];
    Dimensions dimensions;
    for (size_t axis = 0; axis < x.shape.size(); ++axis) {
      dimensions.push_back({.name = "d" + std::to_string(axis),
                            .size = x.shape[axis],
                            .operands = {{0, axis}},
                            .outputs = {{0, axis}}});
    }
    return dimensions;
  }

 private:
  int since_version_;
};

class DynamicQuantizeLinear : public Operator {
 public:
  std::string_view op_type() const override { return "DynamicQuantizeLinear"; }

  std::span<const OperandInfo> operands() const override {
    static constexpr OperandInfo kOperands[] = {{.name = "x"}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"y"}, {"y_scale"}, {"y_zero_point"}};
    return kOutputs;
  }

  std::vector<Clause> clauses() const override {
    return {{.id = "DYN-01",
             .text = "y_scale = f32(f32(max(0, max x) - min(0, min x)) / 255).",
             .source = "the schema's function body",
             .since_versions = {11}},
            {.id = "DYN-10",
             .text = "x is FLOAT; a model with another type is invalid.",
             .source = "type constraint T1",
             .since_versions = {11}}};
  }

  bool depends_on_order() const override { return false; }

  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute>,
                                                    int since_version) const override {
    return std::unique_ptr<const BoundOperator>(std::make_unique<Bound>(since_version));
  }
};

}  // namespace

const Operator& GetOperator();
const Operator& GetOperator() {
  static const DynamicQuantizeLinear op;
  return op;
}

}  // namespace qconform::dynamic_quantize_linear
