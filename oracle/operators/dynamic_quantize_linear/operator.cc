// DynamicQuantizeLinear as an Operator.
#include "oracle/core/operator.h"

#include <span>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/dynamic_quantize_linear/clauses.h"
#include "oracle/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"

namespace qconform::dynamic_quantize_linear {
namespace {

constexpr size_t kY = 0;

class Bound : public BoundOperator {
 public:
  Bound(int since_version, std::string unknown_attribute)
      : since_version_(since_version), unknown_attribute_(std::move(unknown_attribute)) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    return dynamic_quantize_linear::Validate(ProblemFor(operands));
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet& readings) const override {
    return EvaluateDynamicQuantizeLinear(ProblemFor(operands),
                                         DecodeReadings(readings.code));
  }

  Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
    std::vector<ReadingSet> sets;
    for (const dynamic_quantize_linear::Readings& readings : ReadingCombinations()) {
      const uint64_t code = EncodeReadings(readings);
      sets.push_back({.readings = NamesOf(readings), .code = code, .shared = code});
    }
    return sets;
  }

  // Of y: its x, and the ends of the range, from which scale and zero point follow.
  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands,
                                                        size_t output,
                                                        int64_t index) const override {
    const auto problem = ValidProblem(operands);
    if (!problem) return problem.error();
    const Range range = RangeOf(ReadCodes(problem->x));
    std::vector<ElementOperand> elements;
    if (output == kY) {
      elements.push_back({"x", DataType::kFloat, ReadCode(problem->x, index)});
    }
    elements.push_back({"max(x, 0)", DataType::kFloat, range.max});
    elements.push_back({"min(x, 0)", DataType::kFloat, range.min});
    return elements;
  }

  Result<std::optional<FreeInput>> FreeInputOf(
      const Operands& operands, size_t output, int64_t,
      const ElementAnswer& answer) const override {
    const auto problem = ValidProblem(operands);
    if (!problem) return problem.error();
    const auto free = [](const char* clause, const char* input) {
      return std::optional(FreeInput{.clause = clause, .input = input});
    };
    if (answer.freedom == Freedom::kSameCode) {
      return free("DYN-06", "finite x next to an x of -Inf");
    }
    if (answer.freedom != Freedom::kAnyCode) {
      if (!answer.zero_sign_is_free) return std::optional<FreeInput>();
      return free("DYN-04", "sign of a zero scale");
    }
    const Range range = RangeOf(ReadCodes(problem->x));
    if (range.is_empty) return free("DYN-07", "no elements");
    if (range.has_nan) return free("DYN-05", "NaN in x");
    if (range.is_zero()) return free("DYN-04", "all x are 0");
    const bool overflows =
        Decode(FormatOf(DataType::kFloat), ScaleOf(range, {})).value_class ==
        ValueClass::kInfinity;
    if (!overflows) return free("DYN-06", "a scale that underflows to 0");
    return free("DYN-06", output == kY ? "an infinite x" : "an x of -Inf");
  }

  // The element of x first, then those ends of the range that it is not itself.
  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t output,
                                             int64_t index) const override {
    const auto problem = ValidProblem(operands);
    if (!problem) return problem.error();
    const Range range = RangeOf(ReadCodes(problem->x));
    std::vector<uint64_t> kept;
    if (output == kY) kept.push_back(ReadCode(problem->x, index));
    for (const uint64_t end : {range.max, range.min}) {
      if (end != 0 && (kept.empty() || end != kept.front())) kept.push_back(end);
    }
    if (kept.empty()) kept.push_back(0);
    std::vector<Tensor> isolated{
        Tensor::Zeros(DataType::kFloat, {static_cast<int64_t>(kept.size())})};
    for (size_t i = 0; i < kept.size(); ++i) {
      WriteCode(isolated.front().mutable_view(), static_cast<int64_t>(i), kept[i]);
    }
    return isolated;
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    const Problem problem = ProblemFor(operands);
    const ModelValidity validity = ValidateWithoutData(problem);
    if (validity.kind == ModelValidity::Kind::kInvalid) return ErrorOf(validity);
    Dimensions dimensions;
    for (size_t axis = 0; axis < problem.x.shape.size(); ++axis) {
      dimensions.push_back({.name = "d" + std::to_string(axis),
                            .size = problem.x.shape[axis],
                            .operands = {{0, axis}},
                            .outputs = {{0, axis}}});
    }
    return dimensions;
  }

 private:
  static Error ErrorOf(const ModelValidity& validity) {
    return Error{"DynamicQuantizeLinear, " + validity.clause + ": " + validity.reason};
  }

  Problem ProblemFor(const Operands& operands) const {
    return ProblemOf(since_version_, unknown_attribute_, operands);
  }

  Result<Problem> ValidProblem(const Operands& operands) const {
    const Problem problem = ProblemFor(operands);
    const ModelValidity validity = dynamic_quantize_linear::Validate(problem);
    if (validity.kind == ModelValidity::Kind::kInvalid) return ErrorOf(validity);
    return problem;
  }

  int since_version_;
  std::string unknown_attribute_;
};

class DynamicQuantizeLinear : public Operator {
 public:
  std::string_view op_type() const override { return "DynamicQuantizeLinear"; }
  // The largest and the smallest x are the same in any order.
  bool depends_on_order() const override { return false; }

  std::span<const OperandInfo> operands() const override {
    static constexpr OperandInfo kOperands[] = {{.name = "x"}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"y"}, {"y_scale"}, {"y_zero_point"}};
    return kOutputs;
  }

  std::vector<Clause> clauses() const override { return AllClauses(); }

  std::string_view ClauseOffendedAt(size_t output, DataType, const ElementAnswer& element,
                                    uint64_t /*actual*/) const override {
    if (element.tier == Tier::kDegenerateScale) return "DYN-06";
    constexpr std::string_view kClauses[] = {"DYN-03", "DYN-01", "DYN-02"};
    return kClauses[output];
  }

  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute> attributes,
                                                    int since_version) const override {
    return std::unique_ptr<const BoundOperator>(std::make_unique<Bound>(
        since_version, attributes.empty() ? "" : attributes.front().name));
  }
};

}  // namespace

const Operator& GetOperator();
const Operator& GetOperator() {
  static const DynamicQuantizeLinear op;
  return op;
}

}  // namespace qconform::dynamic_quantize_linear
