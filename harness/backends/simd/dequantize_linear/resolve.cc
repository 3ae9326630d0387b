// The meaning of a node: DQ-04 (which operands are converted), DQ-30 to DQ-36.

#include <algorithm>
#include <string>

#include "harness/backends/simd/dequantize_linear/dequantize_linear.h"

namespace qconform::simd {
namespace {

Refusal Invalid(std::string clause, std::string reason) {
  return {Refusal::Kind::kInvalid, std::move(clause), std::move(reason)};
}

std::string Name(DataType type) { return std::string(DataTypeName(type)); }

bool IsOneOf(DataType type, std::initializer_list<DataType> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool IsXType(int since_version, DataType type) {
  using enum DataType;
  if (IsOneOf(type, {kUint8, kInt8, kInt32})) return true;
  if (IsFloat8(type)) return since_version >= 19;
  if (IsOneOf(type, {kUint16, kInt16, kUint4, kInt4})) return since_version >= 21;
  if (type == kFloat4E2M1) return since_version >= 23;
  if (IsOneOf(type, {kUint2, kInt2})) return since_version >= 25;
  return since_version >= 28 && IsOneOf(type, {kFloat6E2M3, kFloat6E3M2});
}

bool IsScaleType(int since_version, DataType type) {
  using enum DataType;
  if (type == kFloat) return true;
  if (IsOneOf(type, {kFloat16, kBfloat16})) return since_version >= 19;
  return type == kFloat8E8M0 && since_version >= 24;
}

std::optional<Refusal> CheckTypes(int since_version, const TensorView& x,
                                  const TensorView& x_scale,
                                  const std::optional<TensorView>& x_zero_point) {
  const auto version = [&] { return "since_version " + std::to_string(since_version); };
  if (!IsXType(since_version, x.type)) {
    return Invalid("DQ-36",
                   "x of type " + Name(x.type) + " is not in T1 of " + version());
  }
  if (!IsScaleType(since_version, x_scale.type)) {
    return Invalid("DQ-36", "x_scale of type " + Name(x_scale.type) +
                                " is not allowed by " + version());
  }
  if (x_zero_point && x_zero_point->type != x.type) {
    return Invalid("DQ-36", "x_zero_point of type " + Name(x_zero_point->type) +
                                " differs from x's type " + Name(x.type));
  }
  return std::nullopt;
}

std::optional<Refusal> CheckAttributes(int since_version,
                                       const DequantizeLinearAttributes& a) {
  const auto absent = [&](std::string_view name, int first) {
    return Invalid("DQ-36", "since_version " + std::to_string(since_version) +
                                " has no attribute " + std::string(name) +
                                " (it came with " + std::to_string(first) + ")");
  };
  if (a.axis && since_version < 13) return absent("axis", 13);
  if (a.block_size != 0 && since_version < 21) return absent("block_size", 21);
  if (a.output_dtype != 0 && since_version < 23) return absent("output_dtype", 23);
  return std::nullopt;
}

}  // namespace

std::variant<DequantizeLinearArgs, Refusal> ResolveDequantizeLinear(
    int since_version, const DequantizeLinearAttributes& attributes, const TensorView& x,
    const TensorView& x_scale, const std::optional<TensorView>& x_zero_point) {
  if (auto refusal = CheckTypes(since_version, x, x_scale, x_zero_point)) return *refusal;
  if (auto refusal = CheckAttributes(since_version, attributes)) return *refusal;
  DequantizeLinearArgs args{.x = x, .x_scale = x_scale, .x_zero_point = x_zero_point};

  using enum DataType;
  args.output_dtype = x_scale.type;
  if (attributes.output_dtype != 0) {
    const auto asked = DataTypeFromNumber(attributes.output_dtype);
    if (!asked || !IsOneOf(*asked, {kFloat, kFloat16, kBfloat16})) {
      return Invalid("DQ-32", "output_dtype " + std::to_string(attributes.output_dtype) +
                                  ": FLOAT, FLOAT16 or BFLOAT16 is needed");
    }
    args.output_dtype = *asked;
  } else if (x_scale.type == kFloat8E8M0) {
    return Invalid("DQ-31", "x_scale of type FLOAT8E8M0 needs an output_dtype");
  }
  const bool is_wide = BitWidth(x.type) == 16 && args.output_dtype != kFloat;
  args.converts_operands = since_version >= 23 && x_scale.type != kFloat8E8M0 &&
                           (x_scale.type != args.output_dtype || is_wide);

  ScaleShape scale = {.name = "x_scale",
                      .shape = x_scale.shape,
                      .axis = attributes.axis.value_or(1),
                      .block_size = attributes.block_size};
  if (auto reason = ResolveScaleShape(x.shape, since_version >= 21, scale)) {
    return Invalid("DQ-36", *std::move(reason));
  }
  args.axis = scale.axis;
  args.block_size = scale.block_size;
  if (x_zero_point) {
    auto reason = CheckZeroPointShape("x_zero_point", x_zero_point->shape, scale);
    if (reason) return Invalid("DQ-36", *std::move(reason));
  }
  return args;
}

}  // namespace qconform::simd
