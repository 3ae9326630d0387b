#include "oracle/operators/dequantize_linear/layout.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "oracle/core/validation.h"

namespace qconform::dequantize_linear {
namespace {

constexpr ScaledNames kOperandNames{
    .x = "x", .scale = "x_scale", .zero_point = "x_zero_point"};

constexpr int kSinceVersions[] = {10, 13, 19, 21, 23, 24, 25, 28};

// DQ-14, DQ-33, DQ-34. Only the attribute axis of 19 says that for x of rank 1 per tensor
// is applied.
ScaleRules RulesOf(int since_version) {
  return {.names = kOperandNames,
          .has_axis = since_version >= 13,
          .has_blocks = since_version >= 21,
          .rank_1_is_per_tensor = since_version == 19,
          .open_clause = "DQ-34",
          .zero_point_shape_clause = "DQ-14"};
}

// The types of x, and the definition that brought each.
struct QuantizedType {
  DataType type;
  int since_version;
};
constexpr QuantizedType kQuantizedTypes[] = {
    {DataType::kUint8, 10},          {DataType::kInt8, 10},
    {DataType::kInt32, 10},          {DataType::kFloat8E4M3FN, 19},
    {DataType::kFloat8E4M3FNUZ, 19}, {DataType::kFloat8E5M2, 19},
    {DataType::kFloat8E5M2FNUZ, 19}, {DataType::kUint16, 21},
    {DataType::kInt16, 21},          {DataType::kUint4, 21},
    {DataType::kInt4, 21},           {DataType::kFloat4E2M1, 23},
    {DataType::kUint2, 25},          {DataType::kInt2, 25},
    {DataType::kFloat6E2M3, 28},     {DataType::kFloat6E3M2, 28},
};

bool AllowsX(int since_version, DataType type) {
  const QuantizedType* row =
      std::ranges::find(kQuantizedTypes, type, &QuantizedType::type);
  return row != std::end(kQuantizedTypes) && since_version >= row->since_version;
}

bool IsOneOf(DataType type, std::initializer_list<DataType> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool IsFullPrecision(DataType type) {
  return IsOneOf(type, {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

bool AllowsScale(int since_version, DataType type) {
  if (since_version < 19) return type == DataType::kFloat;
  if (type == DataType::kFloat8E8M0) return since_version >= 24;
  return IsFullPrecision(type);
}

class Resolver {
 public:
  Resolver(const Problem& problem, bool has_data)
      : problem_(problem),
        has_data_(has_data),
        validation_("DQ-36", problem.since_version, has_data) {}

  Resolution Run() {
    if (ResolveOperands() && ResolveTypes()) {
      ResolveZeroPoints();
      ResolveScales(RulesOf(problem_.since_version), OperandsOf(problem_),
                    problem_.attributes.axis, problem_.attributes.block_size, validation_,
                    layout_);
    }
    return {validation_.validity(), layout_};
  }

 private:
  bool Invalid(std::string reason) { return validation_.Invalid(std::move(reason)); }

  bool ResolveOperands() {
    const Attributes& given = problem_.attributes;
    return validation_.CheckDefinition("DequantizeLinear", kSinceVersions) &&
           validation_.CheckOperand("x", problem_.x) &&
           validation_.CheckOperand("x_scale", problem_.x_scale) &&
           (!problem_.x_zero_point ||
            validation_.CheckOperand("x_zero_point", *problem_.x_zero_point)) &&
           CheckNames() &&
           validation_.CheckAttribute("axis", 13, given.axis.has_value()) &&
           validation_.CheckAttribute("block_size", 21, given.block_size != 0) &&
           validation_.CheckAttribute("output_dtype", 23, given.output_dtype != 0);
  }

  bool CheckNames() {
    const std::string& unknown = problem_.attributes.unknown;
    if (unknown.empty()) return true;
    return Invalid("attribute " + unknown + " does not exist in any definition");
  }

  bool ResolveTypes() {
    const int since = problem_.since_version;
    const DataType x = problem_.x.type;
    const DataType scale = problem_.x_scale.type;
    const auto is_not_in = [&](const char* name, DataType type, const char* types) {
      return Invalid(std::string(name) + " has type " + std::string(DataTypeName(type)) +
                     ", which is not in " + types + " of " + validation_.since());
    };
    if (!AllowsX(since, x)) return is_not_in("x", x, since < 19 ? "T" : "T1");
    if (!AllowsScale(since, scale)) {
      if (since >= 19) return is_not_in("x_scale", scale, "T2");
      return Invalid("x_scale has type " + std::string(DataTypeName(scale)) + " in " +
                     validation_.since() + ": it must be FLOAT");
    }
    if (problem_.x_zero_point && problem_.x_zero_point->type != x) {
      return Invalid("x_zero_point has type " +
                     std::string(DataTypeName(problem_.x_zero_point->type)) +
                     ": it must be that of x, " + std::string(DataTypeName(x)));
    }
    return ResolveOutputType();
  }

  // DQ-30 to DQ-32.
  bool ResolveOutputType() {
    const int64_t number = problem_.attributes.output_dtype;
    layout_.y = problem_.x_scale.type;
    if (number == 0) {
      if (layout_.y != DataType::kFloat8E8M0) return true;
      return validation_.InvalidBy(
          "DQ-31",
          "x_scale is FLOAT8E8M0 and there is no output_dtype: y would be of "
          "that type, which is not in T3");
    }
    const std::optional<DataType> output_dtype = DataTypeFromNumber(number);
    if (!output_dtype || !IsFullPrecision(*output_dtype)) {
      return validation_.InvalidBy("DQ-32",
                                   "output_dtype is " + std::to_string(number) +
                                       ": only FLOAT, FLOAT16 and BFLOAT16 are in T3");
    }
    layout_.y = *output_dtype;
    return true;
  }

  // DQ-06.
  void ResolveZeroPoints() {
    if (has_data_ && HasFreeZeroPoint(problem_)) {
      validation_.Open("DQ-06", "x is INT32 and x_zero_point is not 0");
    }
  }

  const Problem& problem_;
  const bool has_data_;
  Validation validation_;
  Layout layout_;
};

}  // namespace

std::span<const int> SinceVersions() { return kSinceVersions; }

ScaledOperands OperandsOf(const Problem& problem) {
  return {problem.x, problem.x_scale, problem.x_zero_point};
}

const ScaledNames& OperandNames() { return kOperandNames; }

Resolution Resolve(const Problem& problem) {
  return Resolver(problem, /*has_data=*/true).Run();
}

Resolution ResolveWithoutData(const Problem& problem) {
  return Resolver(problem, /*has_data=*/false).Run();
}

Result<Layout> ValidLayout(const Resolution& resolution) {
  const ModelValidity& validity = resolution.validity;
  if (validity.kind == ModelValidity::Kind::kInvalid) {
    return Error{"DequantizeLinear, " + validity.clause + ": " + validity.reason};
  }
  return resolution.layout;
}

ModelValidity Validate(const Problem& problem) { return Resolve(problem).validity; }

bool HasFreeZeroPoint(const Problem& problem) {
  return problem.x.type == DataType::kInt32 && problem.x_zero_point &&
         std::ranges::any_of(problem.x_zero_point->data,
                             [](std::byte byte) { return byte != std::byte{0}; });
}

bool IsRank1PerAxis(const Problem& problem) {
  return problem.since_version >= 21 && problem.x.shape.size() == 1 &&
         problem.x_scale.shape.size() == 1;
}

}  // namespace qconform::dequantize_linear
