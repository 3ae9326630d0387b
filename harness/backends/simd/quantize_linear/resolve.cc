// The meaning of a node: QL-01 to QL-09 (the canonical P), QL-30 to QL-34.

#include <algorithm>
#include <string>

#include "harness/backends/simd/quantize_linear/quantize_linear.h"

namespace qconform::simd {
namespace {

Refusal Invalid(std::string reason) {
  return {Refusal::Kind::kInvalid, "QL-34", std::move(reason)};
}

std::string Name(DataType type) { return std::string(DataTypeName(type)); }

bool IsOneOf(DataType type, std::initializer_list<DataType> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool IsXType(int since_version, DataType type) {
  return IsOneOf(type, {DataType::kFloat, DataType::kInt32}) ||
         (since_version >= 19 &&
          IsOneOf(type, {DataType::kFloat16, DataType::kBfloat16}));
}

bool IsScaleType(int since_version, DataType x, DataType type) {
  if (since_version < 19) return type == DataType::kFloat;
  if (since_version < 23) return type == x;
  return IsXType(since_version, type) ||
         (since_version >= 24 && type == DataType::kFloat8E8M0);
}

bool IsYType(int since_version, DataType type) {
  if (IsOneOf(type, {DataType::kUint8, DataType::kInt8})) return true;
  if (IsFloat8(type)) return since_version >= 19;
  if (IsOneOf(type,
              {DataType::kUint16, DataType::kInt16, DataType::kUint4, DataType::kInt4})) {
    return since_version >= 21;
  }
  if (type == DataType::kFloat4E2M1) return since_version >= 23;
  if (IsOneOf(type, {DataType::kUint2, DataType::kInt2})) return since_version >= 25;
  return since_version >= 28 &&
         IsOneOf(type, {DataType::kFloat6E2M3, DataType::kFloat6E3M2});
}

std::optional<Refusal> CheckTypes(int since_version, const TensorView& x,
                                  const TensorView& y_scale) {
  const auto version = [&] { return "since_version " + std::to_string(since_version); };
  if (!IsXType(since_version, x.type)) {
    return Invalid("x of type " + Name(x.type) + " is not in T1 of " + version());
  }
  if (!IsScaleType(since_version, x.type, y_scale.type)) {
    return Invalid("y_scale of type " + Name(y_scale.type) + " with x of type " +
                   Name(x.type) + " is not allowed by " + version());
  }
  return std::nullopt;
}

std::optional<Refusal> CheckAttributes(int since_version,
                                       const QuantizeLinearAttributes& a) {
  const auto absent = [&](std::string_view name, int first) {
    return Invalid("since_version " + std::to_string(since_version) +
                   " has no attribute " + std::string(name) + " (it came with " +
                   std::to_string(first) + ")");
  };
  if (a.axis && since_version < 13) return absent("axis", 13);
  if (a.saturate != 1 && since_version < 19) return absent("saturate", 19);
  if (a.block_size != 0 && since_version < 21) return absent("block_size", 21);
  if (a.output_dtype != 0 && since_version < 21) return absent("output_dtype", 21);
  if (a.precision != 0 && since_version < 23) return absent("precision", 23);
  return std::nullopt;
}

// QL-30. Returns kUndefined and writes the refusal where there is none.
DataType OutputType(int since_version, const QuantizeLinearAttributes& a,
                    const std::optional<TensorView>& y_zero_point,
                    std::optional<Refusal>& refusal) {
  DataType type = y_zero_point ? y_zero_point->type : DataType::kUint8;
  if (a.output_dtype != 0) {
    const std::optional<DataType> asked = DataTypeFromNumber(a.output_dtype);
    if (!asked) {
      refusal = Invalid("output_dtype " + std::to_string(a.output_dtype) + " is no type");
      return DataType::kUndefined;
    }
    if (y_zero_point && *asked != type) {
      refusal = Invalid("output_dtype " + Name(*asked) +
                        " differs from y_zero_point's type " + Name(type));
      return DataType::kUndefined;
    }
    type = *asked;
  }
  if (!IsYType(since_version, type)) {
    refusal = Invalid("y of type " + Name(type) + " does not exist in since_version " +
                      std::to_string(since_version));
    return DataType::kUndefined;
  }
  return type;
}

// QL-01 to QL-09, canonical. kUndefined is the exact quotient.
std::optional<DataType> DivisionPrecision(const QuantizeLinearAttributes& a, DataType x,
                                          DataType y_scale, int since_version) {
  if (a.precision != 0) {
    const std::optional<DataType> type = DataTypeFromNumber(a.precision);
    if (type && IsOneOf(*type, {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                DataType::kDouble})) {
      return type;
    }
    return std::nullopt;
  }
  const DataType type = since_version < 19   ? DataType::kFloat
                        : since_version < 23 ? x
                                             : y_scale;
  if (type == DataType::kInt32) return DataType::kUndefined;   // QL-06
  if (type == DataType::kFloat8E8M0) return DataType::kFloat;  // QL-07
  return type;
}

}  // namespace

std::variant<QuantizeLinearArgs, Refusal> ResolveQuantizeLinear(
    int since_version, const QuantizeLinearAttributes& attributes, const TensorView& x,
    const TensorView& y_scale, const std::optional<TensorView>& y_zero_point) {
  if (auto refusal = CheckTypes(since_version, x, y_scale)) return *refusal;
  if (auto refusal = CheckAttributes(since_version, attributes)) return *refusal;
  QuantizeLinearArgs args{.x = x, .y_scale = y_scale, .y_zero_point = y_zero_point};
  args.saturate = attributes.saturate != 0;
  args.fnuz_infinity_is_nan = since_version < 24;
  std::optional<Refusal> refusal;
  args.output_dtype = OutputType(since_version, attributes, y_zero_point, refusal);
  if (refusal) return *refusal;
  const std::optional<DataType> precision =
      DivisionPrecision(attributes, x.type, y_scale.type, since_version);
  if (!precision) {
    return Refusal{Refusal::Kind::kUnsupported, "QL-08",
                   "precision " + std::to_string(attributes.precision) +
                       ": FLOAT, FLOAT16, BFLOAT16 and DOUBLE are supported"};
  }
  args.division_precision = *precision;
  // QL-31 to QL-34.
  ScaleShape scale = {.name = "y_scale",
                      .shape = y_scale.shape,
                      .axis = attributes.axis.value_or(1),
                      .block_size = attributes.block_size};
  if (auto reason = ResolveScaleShape(x.shape, since_version >= 21, scale)) {
    return Invalid(*std::move(reason));
  }
  args.axis = scale.axis;
  args.block_size = scale.block_size;
  if (y_zero_point) {
    auto reason = CheckZeroPointShape("y_zero_point", y_zero_point->shape, scale);
    if (reason) return Invalid(*std::move(reason));
  }
  return args;
}

}  // namespace qconform::simd
