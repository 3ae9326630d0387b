#include "oracle/operators/quantize_linear/layout.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>

namespace qconform {
namespace {

constexpr ScaledNames kNames{.x = "x", .scale = "y_scale", .zero_point = "y_zero_point"};

// QL-31 to QL-33.
ScaleRules RulesOf(int since_version) {
  return {.names = kNames,
          .has_axis = since_version >= 13,
          .has_blocks = since_version >= 21,
          .rank_1_is_per_tensor = since_version >= 21,
          .open_clause = "QL-33",
          .zero_point_shape_clause = "QL-33"};
}

// --- what each since_version has ------------------------------------------------

bool IsOneOf(DataType type, std::initializer_list<DataType> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

constexpr int kSinceVersions[] = {10, 13, 19, 21, 23, 24, 25, 28};

bool AllowsX(int since_version, DataType type) {
  using enum DataType;
  if (since_version < 19) return IsOneOf(type, {kFloat, kInt32});
  return IsOneOf(type, {kFloat, kFloat16, kBfloat16, kInt32});
}

bool AllowsScale(int since_version, DataType type, DataType x) {
  if (since_version < 19) return type == DataType::kFloat;
  if (since_version < 23) return type == x;
  if (type == DataType::kFloat8E8M0) return since_version >= 24;
  return AllowsX(since_version, type);
}

// The output types, and the definition that brought each.
struct OutputType {
  DataType type;
  int since_version;
};
constexpr OutputType kOutputTypes[] = {
    {DataType::kUint8, 10},        {DataType::kInt8, 10},
    {DataType::kFloat8E4M3FN, 19}, {DataType::kFloat8E4M3FNUZ, 19},
    {DataType::kFloat8E5M2, 19},   {DataType::kFloat8E5M2FNUZ, 19},
    {DataType::kUint16, 21},       {DataType::kInt16, 21},
    {DataType::kUint4, 21},        {DataType::kInt4, 21},
    {DataType::kFloat4E2M1, 23},   {DataType::kUint2, 25},
    {DataType::kInt2, 25},         {DataType::kFloat6E2M3, 28},
    {DataType::kFloat6E3M2, 28},
};

bool AllowsY(int since_version, DataType type) {
  const OutputType* row = std::ranges::find(kOutputTypes, type, &OutputType::type);
  return row != std::end(kOutputTypes) && since_version >= row->since_version;
}

// --- the resolution --------------------------------------------------------------

class Resolver {
 public:
  Resolver(const QuantizeLinearProblem& problem, bool has_data)
      : problem_(problem), validation_("QL-34", problem.since_version, has_data) {}

  QuantizeLinearResolution Run() {
    if (ResolveOperands() && ResolveAttributes() && ResolveTypes()) {
      ResolveScales(RulesOf(problem_.since_version), OperandsOf(problem_),
                    problem_.attributes.axis, problem_.attributes.block_size, validation_,
                    layout_);
    }
    return {validation_.validity(), layout_};
  }

 private:
  bool Invalid(std::string reason) { return validation_.Invalid(std::move(reason)); }

  std::string Since() const { return validation_.since(); }

  bool ResolveOperands() {
    return validation_.CheckDefinition("QuantizeLinear", kSinceVersions) &&
           validation_.CheckOperand("x", problem_.x) &&
           validation_.CheckOperand("y_scale", problem_.y_scale) &&
           (!problem_.y_zero_point ||
            validation_.CheckOperand("y_zero_point", *problem_.y_zero_point));
  }

  bool ResolveAttributes() {
    const QuantizeLinearAttributes& given = problem_.attributes;
    if (!validation_.CheckAttribute("axis", 13, given.axis.has_value()) ||
        !validation_.CheckAttribute("saturate", 19, given.saturate != 1) ||
        !validation_.CheckAttribute("block_size", 21, given.block_size != 0) ||
        !validation_.CheckAttribute("output_dtype", 21, given.output_dtype != 0) ||
        !validation_.CheckAttribute("precision", 23, given.precision != 0)) {
      return false;
    }
    if (given.saturate != 0 && given.saturate != 1) {
      validation_.Open("QL-14", "saturate is " + std::to_string(given.saturate) +
                                    ": the text knows 0 and 1 alone");
    }
    const std::optional<DataType> precision = DataTypeFromNumber(given.precision);
    if (given.precision != 0 &&
        (!precision || !IsOneOf(*precision, {DataType::kFloat, DataType::kFloat16,
                                             DataType::kBfloat16, DataType::kDouble}))) {
      validation_.Open(
          "QL-08", "precision is " + std::to_string(given.precision) +
                       ": only FLOAT, FLOAT16, BFLOAT16 and DOUBLE have a plain meaning");
    }
    return true;
  }

  bool ResolveTypes() {
    const int since = problem_.since_version;
    const DataType x = problem_.x.type;
    const DataType scale = problem_.y_scale.type;
    if (!AllowsX(since, x)) {
      return Invalid("x has type " + std::string(DataTypeName(x)) +
                     ", which is not in T1 of " + Since());
    }
    if (!AllowsScale(since, scale, x)) {
      std::string right = since < 19 ? "it must be FLOAT"
                          : since < 23
                              ? "it must be that of x, " + std::string(DataTypeName(x))
                              : "it must be in T2";
      return Invalid("y_scale has type " + std::string(DataTypeName(scale)) + " in " +
                     Since() + ": " + right);
    }
    // QL-30.
    DataType& y = layout_.y;
    y = DataType::kUint8;
    if (problem_.y_zero_point) {
      y = problem_.y_zero_point->type;
      if (!AllowsY(since, y)) {
        return Invalid("y_zero_point has type " + std::string(DataTypeName(y)) +
                       ", which is no output type of " + Since());
      }
    }
    const int64_t number = problem_.attributes.output_dtype;
    if (number == 0) return true;
    const std::optional<DataType> output_dtype = DataTypeFromNumber(number);
    if (!output_dtype || !AllowsY(since, *output_dtype)) {
      return Invalid("output_dtype is " + std::to_string(number) +
                     ", which is no output type of " + Since());
    }
    if (problem_.y_zero_point && *output_dtype != y) {
      return Invalid("output_dtype is " + std::string(DataTypeName(*output_dtype)) +
                     ": with a y_zero_point it must be that one's type, " +
                     std::string(DataTypeName(y)));
    }
    y = *output_dtype;
    return true;
  }

  const QuantizeLinearProblem& problem_;
  Validation validation_;
  QuantizeLinearLayout layout_;
};

}  // namespace

ScaledOperands OperandsOf(const QuantizeLinearProblem& problem) {
  return {problem.x, problem.y_scale, problem.y_zero_point};
}

std::vector<ElementOperand> OperandsOfElement(const QuantizeLinearProblem& problem,
                                              int64_t index) {
  return OperandsOfScaledElement(kNames, OperandsOf(problem), Resolve(problem).layout,
                                 index);
}

std::span<const int> QuantizeLinearSinceVersions() { return kSinceVersions; }

QuantizeLinearResolution Resolve(const QuantizeLinearProblem& problem) {
  return Resolver(problem, /*has_data=*/true).Run();
}

QuantizeLinearResolution ResolveWithoutData(const QuantizeLinearProblem& problem) {
  return Resolver(problem, /*has_data=*/false).Run();
}

ModelValidity Validate(const QuantizeLinearProblem& problem) {
  return Resolve(problem).validation;
}

}  // namespace qconform
