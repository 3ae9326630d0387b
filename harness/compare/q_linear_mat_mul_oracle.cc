#include "oracle/scalar/q_linear_mat_mul.h"

#include <array>

#include "harness/compare/operator_oracle.h"
#include "oracle/formats/codes.h"
#include "oracle/scalar/q_linear_mat_mul_layout.h"

namespace qconform {
namespace {


// More elements of a and b than this are no evidence that anybody reads.
constexpr int64_t kMostPairs = 4;

// What the bounded reading of a choice is called, as SEMANTICS has it.
constexpr std::string_view kFloatMatmul = "MM-02:float_matmul";
constexpr std::string_view kFloat8Sums = "MM-10:bounded";

bool IsIntegerProblem(const QLinearMatMulProblem& problem) {
  return IsInteger(problem.a.type) && IsInteger(problem.b.type);
}

class QLinearMatMulOracle : public OperatorOracle {
 public:
  explicit QLinearMatMulOracle(int since_version) : since_version_(since_version) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    const Validation validation = qconform::Validate(Problem(operands));
    return ModelValidity{static_cast<ModelValidity::Kind>(validation.kind), validation.clause,
                         validation.reason};
  }

  Result<Answer> Evaluate(const Operands& operands,
                          const ReadingChoice& choice) const override {
    const auto* readings = std::get_if<QLinearMatMulReadings>(&choice.readings);
    return EvaluateQLinearMatMul(Problem(operands),
                                 readings ? *readings : QLinearMatMulReadings(),
                                 choice.bounded ? MatMulBounds::kAll : MatMulBounds::kNone);
  }

  // The named functions first, then, for each reading of the clauses that the
  // bounds take as given, the bound.
  Result<std::vector<ReadingChoice>> Choices(const Operands& operands) const override {
    const QLinearMatMulProblem problem = Problem(operands);
    std::vector<ReadingChoice> choices;
    const std::vector<QLinearMatMulReadings> combinations =
        ReadingCombinations(problem.y_scale.type, problem.y_zero_point.type);
    for (const QLinearMatMulReadings& readings : combinations) {
      choices.push_back({readings, ReadingsName(readings), ""});
    }
    const std::string bound(IsIntegerProblem(problem) ? kFloatMatmul : kFloat8Sums);
    for (const QLinearMatMulReadings& readings : combinations) {
      if (readings.requantization != QLinearMatMulReadings::Requantization::kCanonical) {
        continue;
      }
      const std::string name = ReadingsName(readings);
      choices.push_back({readings, name == "canonical" ? bound : bound + "+" + name, "", true});
    }
    return choices;
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands,
                                                        int64_t index) const override {
    const QLinearMatMulProblem problem = Problem(operands);
    const QLinearMatMulLayout layout = Resolve(problem).layout;
    const int64_t column = index % layout.y.columns;
    const int64_t row = index / layout.y.columns % layout.y.rows;
    const auto matrix = static_cast<size_t>(index / layout.y.columns / layout.y.rows);
    const int64_t a_line = layout.a_matrix[matrix] * layout.a.rows + row;
    const int64_t b_line = layout.b_matrix[matrix] * layout.b.columns + column;
    std::vector<ElementOperand> elements;
    const auto add = [&](std::string name, const TensorView& tensor, int64_t at) {
      elements.push_back({std::move(name), tensor.type, ReadCode(tensor, at)});
    };
    const auto line = [](const LineIndices& indices, int64_t at) {
      return indices.empty() ? 0 : indices[static_cast<size_t>(at)];
    };
    const int64_t k_size = layout.a.columns;
    for (int64_t k = 0; k < std::min(k_size, kMostPairs); ++k) {
      const std::string place = "[" + std::to_string(k) + " of " + std::to_string(k_size) + "]";
      add("a" + place, problem.a, a_line * k_size + k);
      add("b" + place, problem.b,
          (layout.b_matrix[matrix] * layout.b.rows + k) * layout.b.columns + column);
    }
    add("a_scale", problem.a_scale, line(layout.a_scale, a_line));
    add("a_zero_point", problem.a_zero_point, line(layout.a_zero_point, a_line));
    add("b_scale", problem.b_scale, line(layout.b_scale, b_line));
    add("b_zero_point", problem.b_zero_point, line(layout.b_zero_point, b_line));
    const int64_t y_line = static_cast<int64_t>(matrix) * layout.y.rows + row;
    add("y_scale", problem.y_scale, line(layout.y_scale, y_line));
    add("y_zero_point", problem.y_zero_point, line(layout.y_zero_point, y_line));
    return elements;
  }

 private:
  QLinearMatMulProblem Problem(const Operands& operands) const {
    QLinearMatMulProblem problem{.since_version = since_version_};
    const std::array<TensorView*, 8> into{
        &problem.a,       &problem.a_scale, &problem.a_zero_point, &problem.b,
        &problem.b_scale, &problem.b_zero_point, &problem.y_scale, &problem.y_zero_point};
    for (size_t i = 0; i < into.size(); ++i) {
      // One that is missing keeps kUndefined, which Validate tells of.
      if (const auto operand = OperandAt(operands, i)) *into[i] = *operand;
    }
    return problem;
  }

  int since_version_;
};

}  // namespace

Result<std::shared_ptr<const OperatorOracle>> MakeQLinearMatMulOracle(const Node&,
                                                                      int since_version) {
  return std::shared_ptr<const OperatorOracle>(
      std::make_shared<QLinearMatMulOracle>(since_version));
}

}  // namespace qconform
