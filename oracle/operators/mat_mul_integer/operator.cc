// MatMulInteger as an Operator: Y = (A - a_zero_point) x (B - b_zero_point), 2-D.
#include "oracle/core/operator.h"

#include <span>

#include "oracle/core/validation.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::mat_mul_integer {
namespace {

constexpr int kSinceVersions[] = {10};

int64_t ValueAt(const std::optional<TensorView>& tensor, int64_t index) {
  if (!tensor) return 0;
  const int64_t at = *ElementCount(tensor->shape) == 1 ? 0 : index;
  return ToInteger(FormatOf(tensor->type), ReadCode(*tensor, at));
}

class Bound : public BoundOperator {
 public:
  explicit Bound(int since_version) : since_version_(since_version) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    Validation validation("MI-07", since_version_, /*has_data=*/true);
    if (!validation.CheckDefinition("MatMulInteger", kSinceVersions)) {
      return validation.validity();
    }
    const auto a = OperandAt(operands, 0);
    const auto b = OperandAt(operands, 1);
    if (!a || !b) return Error{"MatMulInteger: A or B is missing"};
    if (a->shape.size() != 2 || b->shape.size() != 2 || a->shape[1] != b->shape[0]) {
      validation.Invalid("A has shape " + ShapeToString(a->shape) + ", B has shape " +
                         ShapeToString(b->shape));
    }
    return validation.validity();
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet&) const override {
    const auto validity = Validate(operands);
    if (!validity) return validity.error();
    if (validity->kind == ModelValidity::Kind::kInvalid) {
      return Error{"MatMulInteger, " + validity->clause + ": " + validity->reason};
    }
    const TensorView& a = *operands[0];
    const TensorView& b = *operands[1];
    const int64_t columns = b.shape[1];
    const int64_t terms = a.shape[1];
    Answer y{.type = DataType::kInt32, .shape = {a.shape[0], columns}, .elements = {}};
    for (int64_t row = 0; row < a.shape[0]; ++row) {
      for (int64_t column = 0; column < columns; ++column) {
        const int64_t a_zero = ValueAt(OperandAt(operands, 2), row);
        const int64_t b_zero = ValueAt(OperandAt(operands, 3), column);
        int64_t sum = 0;
        for (int64_t k = 0; k < terms; ++k) {
          sum +=
              (ToInteger(FormatOf(a.type), ReadCode(a, row * terms + k)) - a_zero) *
              (ToInteger(FormatOf(b.type), ReadCode(b, k * columns + column)) - b_zero);
        }
        ElementAnswer element{.code = static_cast<uint32_t>(sum)};
        if (sum == 0) element.features |= kFeatureZeroResult;
        if (a_zero != 0 || b_zero != 0) element.features |= kFeatureZeroPoint;
        if (sum != static_cast<int32_t>(sum)) {
          element.tier = Tier::kAccumulatorOverflow;
          element.freedom = Freedom::kAnyCode;
        }
        y.elements.push_back(element);
      }
    }
    return std::vector<Answer>{std::move(y)};
  }

  bool rounds(const Operands&) const override { return false; }

  Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
    return std::vector<ReadingSet>(1);
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
                                                        int64_t index) const override {
    const TensorView& a = *operands[0];
    const TensorView& b = *operands[1];
    const int64_t row = index / b.shape[1];
    const int64_t column = index % b.shape[1];
    std::vector<ElementOperand> elements;
    for (int64_t k = 0; k < a.shape[1]; ++k) {
      elements.push_back({"A", a.type, ReadCode(a, row * a.shape[1] + k)});
      elements.push_back({"B", b.type, ReadCode(b, k * b.shape[1] + column)});
    }
    return elements;
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t,
                                             int64_t index) const override {
    const TensorView& a = *operands[0];
    const TensorView& b = *operands[1];
    const int64_t terms = a.shape[1];
    const int64_t row = index / b.shape[1];
    const int64_t column = index % b.shape[1];
    std::vector<Tensor> isolated{
        Tensor::Zeros(a.type, {1, terms}), Tensor::Zeros(b.type, {terms, 1}), {}, {}};
    for (int64_t k = 0; k < terms; ++k) {
      WriteCode(isolated[0].mutable_view(), k, ReadCode(a, row * terms + k));
      WriteCode(isolated[1].mutable_view(), k, ReadCode(b, k * b.shape[1] + column));
    }
    for (const size_t i : {2, 3}) {
      const auto zero_point = OperandAt(operands, i);
      if (!zero_point) continue;
      const int64_t line = *ElementCount(zero_point->shape) == 1 ? 0
                           : i == 2                              ? row
                                                                 : column;
      isolated[i] = Tensor::Zeros(zero_point->type, {});
      WriteCode(isolated[i].mutable_view(), 0, ReadCode(*zero_point, line));
    }
    return isolated;
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    const TensorView& a = *operands[0];
    const TensorView& b = *operands[1];
    Dimensions dimensions{
        {.name = "m",
         .size = a.shape[0],
         .is_rows = true,
         .operands = {{0, 0}},
         .outputs = {{0, 0}}},
        {.name = "n", .size = b.shape[1], .operands = {{1, 1}}, .outputs = {{0, 1}}},
        {.name = "k",
         .size = a.shape[1],
         .is_summed = true,
         .operands = {{0, 1}, {1, 0}},
         .outputs = {}}};
    for (const size_t i : {2, 3}) {
      const auto zero_point = OperandAt(operands, i);
      if (!zero_point) continue;
      for (size_t axis = 0; axis < zero_point->shape.size(); ++axis) {
        if (zero_point->shape[axis] != 1) dimensions[i - 2].operands.push_back({i, axis});
      }
    }
    return dimensions;
  }

 private:
  int since_version_;
};

class MatMulInteger : public Operator {
 public:
  std::string_view op_type() const override { return "MatMulInteger"; }

  std::span<const OperandInfo> operands() const override {
    using enum OperandRole;
    static constexpr OperandInfo kOperands[] = {
        {.name = "A", .role = kData},
        {.name = "B", .role = kWeight},
        {.name = "a_zero_point", .role = kZeroPoint, .is_optional = true, .of = 0},
        {.name = "b_zero_point", .role = kZeroPoint, .is_optional = true, .of = 1}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"Y"}};
    return kOutputs;
  }

  std::vector<Clause> clauses() const override {
    return {
        {.id = "MI-01",
         .text = "Y = (A - a_zero_point) x (B - b_zero_point), exact.",
         .source = "description: \"The production MUST never overflow\"",
         .since_versions = {10}},
        {.id = "MI-02",
         .kind = ClauseKind::kFree,
         .text = "An exact sum outside INT32: free within the tier "
                 "`accumulator_overflow`.",
         .source = "description: \"accumulation may overflow if and only if in 32 bits\"",
         .since_versions = {10},
         .tier = Tier::kAccumulatorOverflow},
        {.id = "MI-07",
         .text = "Invalid models.",
         .source = "type constraints; numpy.matmul's rules",
         .since_versions = {10}}};
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
  static const MatMulInteger op;
  return op;
}

}  // namespace qconform::mat_mul_integer
