// QLinearMatMul as an Operator.
#include "oracle/core/operator.h"

#include <algorithm>
#include <span>

#include "oracle/core/accumulator.h"
#include "oracle/formats/codes.h"
#include "oracle/matmul/layout.h"
#include "oracle/operators/q_linear_mat_mul/clauses.h"
#include "oracle/operators/q_linear_mat_mul/dimensions.h"
#include "oracle/operators/q_linear_mat_mul/layout.h"
#include "oracle/operators/q_linear_mat_mul/parameters.h"
#include "oracle/operators/q_linear_mat_mul/problem.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform::q_linear_mat_mul {
namespace {

// More elements of a and b than this are no evidence that anybody reads.
constexpr int64_t kMostPairs = 4;

bool IsIntegerProblem(const QLinearMatMulProblem& problem) {
  return IsInteger(problem.a.type) && IsInteger(problem.b.type);
}

// Where the operands of one element of y (row-major) lie.
class Place {
 public:
  Place(const QLinearMatMulProblem& problem, int64_t index)
      : problem_(problem), layout_(Resolve(problem).layout), element_(layout_, index) {
    a_scale = IndexOfLine(layout_.a_scale, element_.a_line());
    a_zero_point = IndexOfLine(layout_.a_zero_point, element_.a_line());
    b_scale = IndexOfLine(layout_.b_scale, element_.b_line());
    b_zero_point = IndexOfLine(layout_.b_zero_point, element_.b_line());
    y_scale = IndexOfLine(layout_.y_scale, element_.y_line());
    y_zero_point = IndexOfLine(layout_.y_zero_point, element_.y_line());
  }

  int64_t terms() const { return layout_.terms(); }
  int64_t AIndex(int64_t k) const { return element_.AIndex(k); }
  int64_t BIndex(int64_t k) const { return element_.BIndex(k); }

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
  const QLinearMatMulProblem& problem_;
  QLinearMatMulLayout layout_;
  MatMulElement element_;
};

// Adds the bound `named` for each reading of what the bounds take as given.
void AddBounds(const QLinearMatMulProblem& problem,
               std::span<const QLinearMatMulReadings> combinations, const Reading& named,
               ReadingSet::Kind kind, MatMulBounds bounds,
               std::vector<ReadingSet>& sets) {
  const auto add = [&](const QLinearMatMulReadings& readings) {
    std::vector<Reading> names{named};
    std::ranges::move(NamesOf(readings), std::back_inserter(names));
    const bool wider = kind == ReadingSet::Kind::kWider;
    sets.push_back({.readings = std::move(names),
                    .kind = kind,
                    .code = EncodeReadings({readings, bounds, wider})});
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

class Bound : public BoundOperator {
 public:
  explicit Bound(int since_version) : since_version_(since_version) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    return qconform::Validate(Problem(operands));
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet& readings) const override {
    const QLinearMatMulReadingCode code = DecodeQLinearMatMulReadings(readings.code);
    return AnswersOf(
        EvaluateQLinearMatMul(Problem(operands), code.readings, code.bounds));
  }

  // The named functions first, then, for each reading of the clauses that the
  // bounds take as given, the bound; the wider ones last.
  Result<std::vector<ReadingSet>> Readings(const Operands& operands) const override {
    using enum ReadingSet::Kind;
    const QLinearMatMulProblem problem = Problem(operands);
    std::vector<ReadingSet> sets;
    const std::vector<QLinearMatMulReadings> combinations =
        ReadingCombinations(problem.y_scale.type, problem.y_zero_point.type);
    for (const QLinearMatMulReadings& readings : combinations) {
      sets.push_back({.readings = NamesOf(readings),
                      .code = EncodeReadings({.readings = readings})});
    }
    const auto add = [&](const char* clause, const char* name, ReadingSet::Kind kind,
                         MatMulBounds bounds) {
      AddBounds(problem, combinations, {clause, name}, kind, bounds, sets);
    };
    const bool integers = IsIntegerProblem(problem);
    if (integers) {
      add("MM-02", "float_matmul", kBounded, MatMulBounds::kAll);
    } else {
      add("MM-10", "bounded", kBounded, MatMulBounds::kAll);
    }
    if (problem.y_scale.type != DataType::kFloat) {
      for (const MatMulBounds steps :
           {MatMulBounds::kScaleType, MatMulBounds::kScaleTypeSum,
            MatMulBounds::kScaleTypeQuotient, MatMulBounds::kScaleTypeSumAndQuotient}) {
        add("MM-02", "scale_type_matmul", kArising, steps);
      }
    }
    if (!integers) {
      add("MM-10", "reduced_precision_accumulation", kWider, MatMulBounds::kAll);
    }
    return sets;
  }

  Result<std::vector<ReadingLeftOut>> ReadingsLeftOut(
      const Operands& operands) const override {
    return qconform::ReadingsLeftOut(Problem(operands).a_scale.type);
  }

  // QL-24.
  Result<std::optional<Reading>> ReadingOfRefusal(
      const Operands& operands) const override {
    if (!IsFloatOffset(Problem(operands).y_zero_point)) return std::optional<Reading>();
    return std::optional(Reading{"QL-24", "refused"});
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
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

  // MM-01b: sums beyond INT32; MM-12: the sign of a zero; QL-12: NaN to an integer.
  Result<std::optional<FreeInput>> FreeInputOf(
      const Operands&, size_t, int64_t, const ElementAnswer& answer) const override {
    if (answer.freedom != Freedom::kAnyCode) {
      if (!answer.zero_sign_is_free) return std::optional<FreeInput>();
      return std::optional(FreeInput{"MM-12", "sign of a zero"});
    }
    const bool is_nan = (answer.features & kFeatureNan) != 0;
    if (answer.tier == Tier::kAccumulatorOverflow && !is_nan) {
      return std::optional(FreeInput{"MM-01b", "sums beyond INT32", true});
    }
    const bool by_scales = answer.tier == Tier::kDegenerateScale;
    const std::string cause = by_scales ? "NaN by the scales" : "NaN in a or b";
    return std::optional(FreeInput{"QL-12", cause + " to an integer"});
  }

  // The accumulators of MM-01b; the canonical one first.
  Result<std::vector<KnownAnswer>> KnownAnswers(const Operands& operands,
                                                const FreeInput& free) const override {
    return KnownAnswersOf(free, kAllAccumulators, [&](Accumulator accumulator) {
      return AnswersOf(
          EvaluateQLinearMatMulWith(Problem(operands), {.accumulator = accumulator}));
    });
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t,
                                             int64_t index) const override {
    const QLinearMatMulProblem problem = Problem(operands);
    const Place place(problem, index);
    const int64_t k_size = place.terms();
    std::vector<Tensor> isolated;
    const auto add = [&](const TensorView& tensor, int64_t at) {
      isolated.push_back(Tensor::Zeros(tensor.type, {}));
      WriteCode(isolated.back().mutable_view(), 0, ReadCode(tensor, at));
    };
    Tensor a = Tensor::Zeros(problem.a.type, {1, k_size});
    Tensor b = Tensor::Zeros(problem.b.type, {k_size, 1});
    for (int64_t k = 0; k < k_size; ++k) {
      WriteCode(a.mutable_view(), k, ReadCode(problem.a, place.AIndex(k)));
      WriteCode(b.mutable_view(), k, ReadCode(problem.b, place.BIndex(k)));
    }
    isolated.push_back(std::move(a));
    add(problem.a_scale, place.a_scale);
    add(problem.a_zero_point, place.a_zero_point);
    isolated.push_back(std::move(b));
    add(problem.b_scale, place.b_scale);
    add(problem.b_zero_point, place.b_zero_point);
    add(problem.y_scale, place.y_scale);
    add(problem.y_zero_point, place.y_zero_point);
    return isolated;
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    return QLinearMatMulDimensions(Problem(operands));
  }

 private:
  QLinearMatMulProblem Problem(const Operands& operands) const {
    return QLinearMatMulProblemOf(since_version_, operands);
  }

  int since_version_;
};

class QLinearMatMul : public Operator {
 public:
  std::string_view op_type() const override { return "QLinearMatMul"; }

  std::span<const OperandInfo> operands() const override {
    using enum OperandRole;
    static constexpr OperandInfo kOperands[] = {
        {.name = "a", .role = kData},
        {.name = "a_scale", .role = kScale, .of = 0},
        {.name = "a_zero_point", .role = kZeroPoint, .of = 0},
        {.name = "b", .role = kWeight},
        {.name = "b_scale", .role = kScale, .of = 3},
        {.name = "b_zero_point", .role = kZeroPoint, .of = 3},
        {.name = "y_scale", .role = kScale},
        {.name = "y_zero_point", .role = kZeroPoint}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"y"}};
    return kOutputs;
  }

  std::vector<Clause> clauses() const override { return QLinearMatMulClauses(); }

  std::string_view ClauseOffendedAt(size_t, DataType, const ElementAnswer& element,
                                    uint64_t /*actual*/) const override {
    constexpr uint16_t kSpecial = kFeatureNan | kFeatureInfinity;
    if ((element.features & kSpecial) == 0) return "MM-03";
    return element.tier == Tier::kDegenerateScale ? "MM-20" : "MM-11";
  }

  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute>,
                                                    int since_version) const override {
    return std::unique_ptr<const BoundOperator>(std::make_unique<Bound>(since_version));
  }
};

}  // namespace

const Operator& GetOperator();
const Operator& GetOperator() {
  static const QLinearMatMul op;
  return op;
}

}  // namespace qconform::q_linear_mat_mul
