// MatMulInteger as an Operator.
#include "oracle/core/operator.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/matmul/dimensions.h"
#include "oracle/operators/mat_mul_integer/clauses.h"
#include "oracle/operators/mat_mul_integer/mat_mul_integer.h"

namespace qconform::mat_mul_integer {
namespace {

constexpr size_t kA = 0, kB = 1, kAZeroPoint = 2, kBZeroPoint = 3;

// More elements of A and B than this are no evidence that anybody reads.
constexpr int64_t kMostPairs = 4;

class Bound : public BoundOperator {
 public:
  Bound(int since_version, std::string unknown_attribute)
      : since_version_(since_version), unknown_attribute_(std::move(unknown_attribute)) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    const Problem problem = ProblemFor(operands);
    return Resolve(problem).validation;
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet&) const override {
    return EvaluateBy(operands, Accumulator::kModulo32);
  }

  bool rounds(const Operands&) const override { return false; }

  Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
    return std::vector<ReadingSet>(1);
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
                                                        int64_t index) const override {
    const Problem problem = ProblemFor(operands);
    const auto layout = ValidLayout(Resolve(problem));
    if (!layout) return layout.error();
    const MatMulElement place(*layout, index);
    std::vector<ElementOperand> elements;
    const auto add = [&](std::string name, const TensorView& tensor, int64_t at) {
      elements.push_back({std::move(name), tensor.type, ReadCode(tensor, at)});
    };
    const int64_t terms = layout->terms();
    for (int64_t k = 0; k < std::min(terms, kMostPairs); ++k) {
      const std::string name =
          "[" + std::to_string(k) + " of " + std::to_string(terms) + "]";
      add("A" + name, problem.a, place.AIndex(k));
      add("B" + name, problem.b, place.BIndex(k));
    }
    if (problem.a_zero_point) {
      add("a_zero_point", *problem.a_zero_point, AZeroPoint(*layout, place));
    }
    if (problem.b_zero_point) {
      add("b_zero_point", *problem.b_zero_point, BZeroPoint(*layout, place));
    }
    return elements;
  }

  Result<std::optional<FreeInput>> FreeInputOf(
      const Operands&, size_t, int64_t, const ElementAnswer& answer) const override {
    if (answer.freedom != Freedom::kAnyCode) return std::optional<FreeInput>();
    if (answer.tier != Tier::kAccumulatorOverflow) {
      return std::optional(FreeInput{"MI-05", "a zero point by other than lines"});
    }
    return std::optional(FreeInput{"MI-02", "sums beyond INT32", true});
  }

  Result<std::vector<KnownAnswer>> KnownAnswers(const Operands& operands,
                                                const FreeInput& free) const override {
    return KnownAnswersOf(free, kInt32Accumulators, [&](Accumulator accumulator) {
      return EvaluateBy(operands, accumulator);
    });
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t,
                                             int64_t index) const override {
    const Problem problem = ProblemFor(operands);
    const auto layout = ValidLayout(Resolve(problem));
    if (!layout) return layout.error();
    const MatMulElement place(*layout, index);
    const int64_t terms = layout->terms();
    std::vector<Tensor> isolated(4);
    isolated[kA] = Tensor::Zeros(problem.a.type, {1, terms});
    isolated[kB] = Tensor::Zeros(problem.b.type, {terms, 1});
    for (int64_t k = 0; k < terms; ++k) {
      WriteCode(isolated[kA].mutable_view(), k, ReadCode(problem.a, place.AIndex(k)));
      WriteCode(isolated[kB].mutable_view(), k, ReadCode(problem.b, place.BIndex(k)));
    }
    const auto isolate = [&](size_t operand, const std::optional<TensorView>& zero_point,
                             int64_t at) {
      if (!zero_point) return;
      isolated[operand] = Tensor::Zeros(zero_point->type, {});
      WriteCode(isolated[operand].mutable_view(), 0, ReadCode(*zero_point, at));
    };
    isolate(kAZeroPoint, problem.a_zero_point, AZeroPoint(*layout, place));
    isolate(kBZeroPoint, problem.b_zero_point, BZeroPoint(*layout, place));
    return isolated;
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    const Problem problem = ProblemFor(operands);
    const auto layout = ValidLayout(ResolveWithoutData(problem));
    if (!layout) return layout.error();
    std::vector<MatMulParameterPlace> parameters;
    const auto add = [&](size_t operand, const std::optional<TensorView>& zero_point,
                         bool by_row) {
      if (zero_point) parameters.push_back({operand, zero_point->shape, by_row});
    };
    // A zero point that fits no lines belongs to no dimension.
    if (!layout->is_free) {
      add(kAZeroPoint, problem.a_zero_point, true);
      add(kBZeroPoint, problem.b_zero_point, false);
    }
    return MatMulDimensions(*layout, {kA, problem.a.shape}, {kB, problem.b.shape},
                            parameters);
  }

 private:
  static int64_t AZeroPoint(const Layout& layout, const MatMulElement& place) {
    return IndexOfLine(layout.a_zero_point, place.a_line());
  }
  static int64_t BZeroPoint(const Layout& layout, const MatMulElement& place) {
    return IndexOfLine(layout.b_zero_point, place.b_line());
  }

  Problem ProblemFor(const Operands& operands) const {
    return ProblemOf(since_version_, unknown_attribute_, operands);
  }

  Result<std::vector<Answer>> EvaluateBy(const Operands& operands,
                                         Accumulator accumulator) const {
    return AnswersOf(EvaluateMatMulInteger(ProblemFor(operands), accumulator));
  }

  int since_version_;
  std::string unknown_attribute_;
};

class MatMulInteger : public Operator {
 public:
  std::string_view op_type() const override { return "MatMulInteger"; }
  bool depends_on_order() const override { return false; }

  std::span<const OperandInfo> operands() const override {
    using enum OperandRole;
    static constexpr OperandInfo kOperands[] = {
        {.name = "A", .role = kData},
        {.name = "B", .role = kWeight},
        {.name = "a_zero_point", .role = kZeroPoint, .is_optional = true, .of = kA},
        {.name = "b_zero_point", .role = kZeroPoint, .is_optional = true, .of = kB}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"Y"}};
    return kOutputs;
  }

  std::vector<Clause> clauses() const override { return AllClauses(); }

  std::string_view ClauseOffendedAt(size_t, DataType, const ElementAnswer&,
                                    uint64_t /*actual*/) const override {
    return "MI-01";
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
  static const MatMulInteger op;
  return op;
}

}  // namespace qconform::mat_mul_integer
