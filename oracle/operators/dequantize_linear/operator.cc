// DequantizeLinear as an Operator: y = (x - x_zero_point) * x_scale.
#include "oracle/core/operator.h"

#include <algorithm>
#include <string>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::dequantize_linear {
namespace {

constexpr size_t kX = 0;
constexpr size_t kScale = 1;
constexpr size_t kZeroPoint = 2;

struct Attributes {
  int64_t axis = 1;
  int64_t block_size = 0;
  int64_t output_dtype = 0;
};

// x seen as [outer, axis, inner].
struct Layout {
  DataType y = DataType::kUndefined;
  int64_t axis_of_x = 0;
  int64_t axis = 1;
  int64_t inner = 1;
  bool per_tensor = true;
  bool blocked = false;
  int64_t block = 1;
  int64_t blocks = 1;

  int64_t ScaleIndex(int64_t index) const {
    if (per_tensor) return 0;
    const int64_t i = index / inner % axis;
    if (!blocked) return i;
    return (index / inner / axis * blocks + i / block) * inner + index % inner;
  }
};

class Bound : public BoundOperator {
 public:
  explicit Bound(const Attributes& attributes) : attributes_(attributes) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    const auto layout = LayoutOf(operands);
    if (layout.ok()) return ModelValidity{};
    if (!OperandAt(operands, kX) || !OperandAt(operands, kScale)) return layout.error();
    return ModelValidity{ModelValidity::Kind::kInvalid, "DQ-36", layout.error().message};
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet&) const override {
    const auto layout = LayoutOf(operands);
    if (!layout) return layout.error();
    const TensorView& x = *operands[kX];
    Answer y{.type = layout->y,
             .shape = Shape(x.shape.begin(), x.shape.end()),
             .elements = {}};
    const NumberFormat& format = FormatOf(layout->y);
    for (int64_t i = 0; i < ElementCount(x.shape).value_or(0); ++i) {
      const auto elements = OperandsOfElement(operands, 0, i);
      const auto decode = [&](size_t k) {
        return Decode(FormatOf((*elements)[k].type), (*elements)[k].code);
      };
      Unrounded difference = ToUnrounded(decode(kX));
      if (elements->size() > kZeroPoint) {
        ExactValue zero_point = decode(kZeroPoint);
        zero_point.negative = !zero_point.negative;
        difference = Add(difference, zero_point);
      }
      const Unrounded product = MultiplyWide(difference, decode(kScale));
      ElementAnswer element;
      element.code = static_cast<uint32_t>(Round(
          format, product, RoundingMode::kNearestEven, OverflowPolicy::kNonSaturating));
      if (product.value_class == ValueClass::kNan) {
        element.freedom = Freedom::kAnyNan;
        element.features |= kFeatureNan;
      }
      y.elements.push_back(element);
    }
    return std::vector<Answer>{std::move(y)};
  }

  Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
    return std::vector<ReadingSet>(1);
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
                                                        int64_t index) const override {
    const auto layout = LayoutOf(operands);
    if (!layout) return layout.error();
    const int64_t scale_index = layout->ScaleIndex(index);
    std::vector<ElementOperand> elements{
        {"x", operands[kX]->type, ReadCode(*operands[kX], index)},
        {"x_scale", operands[kScale]->type, ReadCode(*operands[kScale], scale_index)}};
    if (const auto zero_point = OperandAt(operands, kZeroPoint)) {
      elements.push_back(
          {"x_zero_point", zero_point->type, ReadCode(*zero_point, scale_index)});
    }
    return elements;
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t output,
                                             int64_t index) const override {
    const auto elements = OperandsOfElement(operands, output, index);
    if (!elements) return elements.error();
    std::vector<Tensor> isolated;
    for (const ElementOperand& element : *elements) {
      isolated.push_back(
          Tensor::Zeros(element.type, isolated.empty() ? Shape{1} : Shape{}));
      WriteCode(isolated.back().mutable_view(), 0, element.code);
    }
    return isolated;
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    const auto layout = LayoutOf(operands);
    if (!layout) return layout.error();
    Dimensions dimensions;
    const auto x_shape = operands[kX]->shape;
    for (size_t axis = 0; axis < x_shape.size(); ++axis) {
      Dimension dimension{.name = "x_" + std::to_string(axis),
                          .size = x_shape[axis],
                          .operands = {{kX, axis}},
                          .outputs = {{0, axis}}};
      const bool is_axis = static_cast<int64_t>(axis) == layout->axis_of_x;
      for (const size_t operand : {kScale, kZeroPoint}) {
        if (layout->per_tensor || !OperandAt(operands, operand)) continue;
        if (layout->blocked) {
          dimension.operands.push_back({operand, axis, is_axis ? layout->block : 1});
        } else if (is_axis) {
          dimension.operands.push_back({operand, 0});
        }
      }
      dimensions.push_back(std::move(dimension));
    }
    return dimensions;
  }

 private:
  Result<Layout> LayoutOf(const Operands& operands) const {
    const auto x = OperandAt(operands, kX);
    const auto scale = OperandAt(operands, kScale);
    if (!x || !scale) return Error{"DequantizeLinear needs the inputs x and x_scale"};
    Layout layout;
    const auto given = DataTypeFromNumber(attributes_.output_dtype);
    layout.y = attributes_.output_dtype != 0 && given ? *given : scale->type;
    if (layout.y == DataType::kFloat8E8M0) return Error{"y has no legal type"};
    layout.inner = ElementCount(x->shape).value_or(0);
    if (scale->shape.empty()) return layout;
    const auto rank = static_cast<int64_t>(x->shape.size());
    layout.axis_of_x = attributes_.axis < 0 ? attributes_.axis + rank : attributes_.axis;
    if (layout.axis_of_x < 0 || layout.axis_of_x >= rank) return Error{"axis"};
    const auto place = static_cast<size_t>(layout.axis_of_x);
    layout.per_tensor = false;
    layout.axis = x->shape[place];
    layout.inner = 1;
    for (size_t i = place + 1; i < x->shape.size(); ++i) layout.inner *= x->shape[i];
    layout.blocked = attributes_.block_size > 0;
    layout.block = attributes_.block_size;
    if (layout.blocked) layout.blocks = scale->shape[place];
    return layout;
  }

  Attributes attributes_;
};

class DequantizeLinear : public Operator {
 public:
  std::string_view op_type() const override { return "DequantizeLinear"; }
  bool depends_on_order() const override { return false; }

  std::span<const OperandInfo> operands() const override {
    static constexpr OperandInfo kOperands[] = {
        {.name = "x", .role = OperandRole::kData},
        {.name = "x_scale", .role = OperandRole::kScale, .of = kX},
        {.name = "x_zero_point",
         .role = OperandRole::kZeroPoint,
         .is_optional = true,
         .of = kX}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"y"}};
    return kOutputs;
  }

  std::span<const std::string_view> granularity_attributes() const override {
    static constexpr std::string_view kNames[] = {"axis", "block_size"};
    return kNames;
  }

  std::vector<Clause> clauses() const override {
    return {{.id = "DQ-02",
             .text = "y = round_P(d * s), one rounding.",
             .source = "The formula of all versions.",
             .since_versions = {10, 13, 19, 21, 23, 24, 25, 28}}};
  }

  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute> attributes,
                                                    int) const override {
    Attributes read;
    for (const auto& [name, value] :
         {std::pair{"axis", &read.axis}, std::pair{"block_size", &read.block_size},
          std::pair{"output_dtype", &read.output_dtype}}) {
      const auto given = IntegerAttribute(attributes, name);
      if (!given) return given.error();
      if (given->has_value()) *value = **given;
    }
    return std::unique_ptr<const BoundOperator>(std::make_unique<Bound>(read));
  }
};

}  // namespace

const Operator& GetOperator();
const Operator& GetOperator() {
  static const DequantizeLinear op;
  return op;
}

}  // namespace qconform::dequantize_linear
