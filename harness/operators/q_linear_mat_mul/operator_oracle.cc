#include "harness/core/operator_oracle.h"

#include <algorithm>
#include <span>

#include "harness/operators/q_linear_mat_mul/problem.h"
#include "oracle/formats/codes.h"
#include "oracle/operators/q_linear_mat_mul/layout.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {
namespace {

// More elements of a and b than this are no evidence that anybody reads.
constexpr int64_t kMostPairs = 4;

// What the bounded reading of a choice is called, as SEMANTICS has it.
constexpr std::string_view kFloatMatmul = "MM-02:float_matmul";
constexpr std::string_view kScaleTypeMatmul = "MM-02:scale_type_matmul";
constexpr std::string_view kFloat8Sums = "MM-10:bounded";
constexpr std::string_view kReducedSums = "MM-10:reduced_precision_accumulation";

bool IsIntegerProblem(const QLinearMatMulProblem& problem) {
  return IsInteger(problem.a.type) && IsInteger(problem.b.type);
}

// Where the operands of one element of y (row-major) lie.
class Place {
 public:
  Place(const QLinearMatMulProblem& problem, int64_t index)
      : problem_(problem), layout_(Resolve(problem).layout) {
    const MatMulStack& y = layout_.y;
    column_ = index % y.columns;
    const int64_t row = index / y.columns % y.rows;
    const auto matrix = static_cast<size_t>(index / y.columns / y.rows);
    a_line_ = layout_.a_matrix[matrix] * layout_.a.rows + row;
    b_matrix_ = layout_.b_matrix[matrix];
    const int64_t b_line = b_matrix_ * layout_.b.columns + column_;
    const int64_t y_line = static_cast<int64_t>(matrix) * y.rows + row;
    a_scale = At(layout_.a_scale, a_line_);
    a_zero_point = At(layout_.a_zero_point, a_line_);
    b_scale = At(layout_.b_scale, b_line);
    b_zero_point = At(layout_.b_zero_point, b_line);
    y_scale = At(layout_.y_scale, y_line);
    y_zero_point = At(layout_.y_zero_point, y_line);
  }

  int64_t terms() const { return layout_.a.columns; }
  int64_t AIndex(int64_t k) const { return a_line_ * terms() + k; }
  int64_t BIndex(int64_t k) const {
    return (b_matrix_ * layout_.b.rows + k) * layout_.b.columns + column_;
  }

  // C of integer operands, modulo 2^32.
  uint32_t Sum() const {
    const auto value = [](const TensorView& tensor, int64_t at) {
      const auto code = static_cast<uint8_t>(ReadCode(tensor, at));
      const bool is_signed = tensor.type == DataType::kInt8;
      return static_cast<uint32_t>(is_signed ? static_cast<int8_t>(code) : int32_t{code});
    };
    const uint32_t a_zero = value(problem_.a_zero_point, a_zero_point);
    const uint32_t b_zero = value(problem_.b_zero_point, b_zero_point);
    uint32_t sum = 0;
    for (int64_t k = 0; k < terms(); ++k) {
      sum += (value(problem_.a, AIndex(k)) - a_zero) *
             (value(problem_.b, BIndex(k)) - b_zero);
    }
    return sum;
  }

  int64_t a_scale, a_zero_point, b_scale, b_zero_point, y_scale, y_zero_point;

 private:
  static int64_t At(const LineIndices& indices, int64_t line) {
    return indices.empty() ? 0 : indices[static_cast<size_t>(line)];
  }

  const QLinearMatMulProblem& problem_;
  QLinearMatMulLayout layout_;
  int64_t a_line_ = 0;
  int64_t b_matrix_ = 0;
  int64_t column_ = 0;
};

class QLinearMatMulOracle : public OperatorOracle {
 public:
  explicit QLinearMatMulOracle(int since_version) : since_version_(since_version) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    const Validation validation = qconform::Validate(Problem(operands));
    return ModelValidity{static_cast<ModelValidity::Kind>(validation.kind),
                         validation.clause, validation.reason};
  }

  Result<Answer> Evaluate(const Operands& operands,
                          const ReadingChoice& choice) const override {
    const auto* readings = std::get_if<QLinearMatMulReadings>(&choice.readings);
    return EvaluateQLinearMatMul(Problem(operands),
                                 readings ? *readings : QLinearMatMulReadings(),
                                 choice.scale_type ? *choice.scale_type
                                 : choice.bounded  ? MatMulBounds::kAll
                                                   : MatMulBounds::kNone);
  }

  // The named functions first, then, for each reading of the clauses that the
  // bounds take as given, the bound; the wider ones last.
  Result<std::vector<ReadingChoice>> Choices(const Operands& operands) const override {
    const QLinearMatMulProblem problem = Problem(operands);
    std::vector<ReadingChoice> choices;
    const std::vector<QLinearMatMulReadings> combinations =
        ReadingCombinations(problem.y_scale.type, problem.y_zero_point.type);
    for (const QLinearMatMulReadings& readings : combinations) {
      choices.push_back({readings, ReadingsName(readings), ""});
    }
    const bool integers = IsIntegerProblem(problem);
    AddBounds(problem, combinations, integers ? kFloatMatmul : kFloat8Sums, choices);
    if (problem.y_scale.type != DataType::kFloat) {
      for (const MatMulBounds steps :
           {MatMulBounds::kScaleType, MatMulBounds::kScaleTypeSum,
            MatMulBounds::kScaleTypeQuotient, MatMulBounds::kScaleTypeSumAndQuotient}) {
        const size_t first = choices.size();
        AddBounds(problem, combinations, kScaleTypeMatmul, choices);
        for (size_t i = first; i < choices.size(); ++i) choices[i].scale_type = steps;
      }
    }
    if (integers) return choices;
    const size_t wider = choices.size();
    AddBounds(problem, combinations, kReducedSums, choices);
    for (size_t i = wider; i < choices.size(); ++i) choices[i].reduced = true;
    return choices;
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands,
                                                        int64_t index) const override {
    const QLinearMatMulProblem problem = Problem(operands);
    const Place place(problem, index);
    std::vector<ElementOperand> elements;
    const auto add = [&](std::string name, const TensorView& tensor, int64_t at) {
      elements.push_back({std::move(name), tensor.type, ReadCode(tensor, at)});
    };
    const int64_t k_size = place.terms();
    for (int64_t k = 0; k < std::min(k_size, kMostPairs); ++k) {
      const std::string name =
          "[" + std::to_string(k) + " of " + std::to_string(k_size) + "]";
      add("a" + name, problem.a, place.AIndex(k));
      add("b" + name, problem.b, place.BIndex(k));
    }
    if (IsIntegerProblem(problem)) {
      elements.push_back({"C", DataType::kInt32, place.Sum()});
    }
    add("a_scale", problem.a_scale, place.a_scale);
    add("a_zero_point", problem.a_zero_point, place.a_zero_point);
    add("b_scale", problem.b_scale, place.b_scale);
    add("b_zero_point", problem.b_zero_point, place.b_zero_point);
    add("y_scale", problem.y_scale, place.y_scale);
    add("y_zero_point", problem.y_zero_point, place.y_zero_point);
    return elements;
  }

  Result<std::vector<Tensor>> ElementAlone(const Operands& operands,
                                           int64_t index) const override {
    const QLinearMatMulProblem problem = Problem(operands);
    const Place place(problem, index);
    const int64_t k_size = place.terms();
    std::vector<Tensor> alone;
    const auto add = [&](const TensorView& tensor, int64_t at) {
      alone.push_back(Tensor::Zeros(tensor.type, {}));
      WriteCode(alone.back().mutable_view(), 0, ReadCode(tensor, at));
    };
    Tensor a = Tensor::Zeros(problem.a.type, {1, k_size});
    Tensor b = Tensor::Zeros(problem.b.type, {k_size, 1});
    for (int64_t k = 0; k < k_size; ++k) {
      WriteCode(a.mutable_view(), k, ReadCode(problem.a, place.AIndex(k)));
      WriteCode(b.mutable_view(), k, ReadCode(problem.b, place.BIndex(k)));
    }
    alone.push_back(std::move(a));
    add(problem.a_scale, place.a_scale);
    add(problem.a_zero_point, place.a_zero_point);
    alone.push_back(std::move(b));
    add(problem.b_scale, place.b_scale);
    add(problem.b_zero_point, place.b_zero_point);
    add(problem.y_scale, place.y_scale);
    add(problem.y_zero_point, place.y_zero_point);
    return alone;
  }

 private:
  QLinearMatMulProblem Problem(const Operands& operands) const {
    return MatMulProblemOf(since_version_, operands);
  }

  // Adds the bound called `bound` for each reading of what it takes as given.
  static void AddBounds(const QLinearMatMulProblem& problem,
                        std::span<const QLinearMatMulReadings> combinations,
                        std::string_view bound, std::vector<ReadingChoice>& choices) {
    const auto add = [&](const QLinearMatMulReadings& readings) {
      const std::string name = ReadingsName(readings);
      choices.push_back({readings,
                         std::string(bound) + (name == "canonical" ? "" : "+" + name), "",
                         true});
    };
    for (QLinearMatMulReadings readings : combinations) {
      if (readings.requantization != QLinearMatMulReadings::Requantization::kCanonical) {
        continue;
      }
      add(readings);
      // An exact v has no P to add in, but what the bounds hold has: FLOAT, or that of
      // its reading of MM-02.
      if (!IsFloat8(problem.y_zero_point.type) ||
          readings.float_zero_point != FloatZeroPoint::kCanonical) {
        continue;
      }
      readings.float_zero_point = FloatZeroPoint::kAddedInP;
      add(readings);
    }
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
