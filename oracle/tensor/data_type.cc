#include "oracle/tensor/data_type.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace qconform {
namespace {

constexpr NumberFormat Integer(DataType type, std::string_view name, int bits,
                               bool is_signed) {
  return {.type = type,
          .name = name,
          .kind = NumberKind::kInteger,
          .bits = bits,
          .is_signed = is_signed};
}

// A signed float whose mantissa takes the bits that sign and exponent leave.
constexpr NumberFormat Float(DataType type, std::string_view name, int bits,
                             int exponent_bits, int exponent_bias, NanEncoding nan,
                             bool has_infinity, uint8_t code_for_nan = 0) {
  return {.type = type,
          .name = name,
          .kind = NumberKind::kFloat,
          .bits = bits,
          .is_signed = true,
          .exponent_bits = exponent_bits,
          .mantissa_bits = bits - 1 - exponent_bits,
          .exponent_bias = exponent_bias,
          .nan = nan,
          .has_infinity = has_infinity,
          .has_negative_zero = nan != NanEncoding::kNegativeZero,
          .code_for_nan = code_for_nan};
}

using enum DataType;
using enum NanEncoding;

// The table of formats, in the order in which tables show the types.
constexpr std::array kFormats{
    Integer(kUint8, "UINT8", 8, false),
    Integer(kInt8, "INT8", 8, true),
    Integer(kUint16, "UINT16", 16, false),
    Integer(kInt16, "INT16", 16, true),
    Integer(kInt32, "INT32", 32, true),
    Integer(kInt64, "INT64", 64, true),
    Integer(kUint4, "UINT4", 4, false),
    Integer(kInt4, "INT4", 4, true),
    Integer(kUint2, "UINT2", 2, false),
    Integer(kInt2, "INT2", 2, true),
    Float(kFloat8E4M3FN, "FLOAT8E4M3FN", 8, 4, 7, kAllOnes, false),
    Float(kFloat8E4M3FNUZ, "FLOAT8E4M3FNUZ", 8, 4, 8, kNegativeZero, false),
    Float(kFloat8E5M2, "FLOAT8E5M2", 8, 5, 15, kIeee, true),
    Float(kFloat8E5M2FNUZ, "FLOAT8E5M2FNUZ", 8, 5, 16, kNegativeZero, false),
    NumberFormat{.type = kFloat8E8M0,
                 .name = "FLOAT8E8M0",
                 .kind = NumberKind::kPowerOfTwo,
                 .bits = 8,
                 .exponent_bits = 8,
                 .exponent_bias = 127,
                 .nan = kAllOnes},
    Float(kFloat6E2M3, "FLOAT6E2M3", 6, 2, 1, kNone, false, 0x20),
    Float(kFloat6E3M2, "FLOAT6E3M2", 6, 3, 3, kNone, false, 0x20),
    Float(kFloat4E2M1, "FLOAT4E2M1", 4, 2, 1, kNone, false, 0x7),
    Float(kFloat, "FLOAT", 32, 8, 127, kIeee, true),
    Float(kFloat16, "FLOAT16", 16, 5, 15, kIeee, true),
    Float(kBfloat16, "BFLOAT16", 16, 8, 127, kIeee, true),
    Float(kDouble, "DOUBLE", 64, 11, 1023, kIeee, true),
};

// The table found by the number of the type; a row without bits is no type.
constexpr auto kByNumber = [] {
  std::array<NumberFormat, 32> table{};
  for (const NumberFormat& format : kFormats) {
    table[static_cast<size_t>(format.type)] = format;
  }
  return table;
}();

const NumberFormat& RowOf(DataType type) {
  const auto number = static_cast<size_t>(type);
  return kByNumber[number < kByNumber.size() ? number : 0];
}

}  // namespace

const NumberFormat& FormatOf(DataType type) {
  assert(RowOf(type).bits != 0);
  return RowOf(type);
}

std::span<const DataType> AllDataTypes() {
  static constexpr auto kTypes = [] {
    std::array<DataType, kFormats.size()> types{};
    std::ranges::transform(kFormats, types.begin(), &NumberFormat::type);
    return types;
  }();
  return kTypes;
}

std::string_view DataTypeName(DataType type) {
  const NumberFormat& row = RowOf(type);
  return row.bits != 0 ? row.name : "UNDEFINED";
}

std::optional<DataType> ParseDataType(std::string_view name) {
  const auto row = std::ranges::find(kFormats, name, &NumberFormat::name);
  return row != kFormats.end() ? std::optional(row->type) : std::nullopt;
}

std::optional<DataType> DataTypeFromNumber(int64_t number) {
  const auto type_number = [](const NumberFormat& row) {
    return static_cast<int64_t>(row.type);
  };
  const auto row = std::ranges::find(kFormats, number, type_number);
  return row != kFormats.end() ? std::optional(row->type) : std::nullopt;
}

int BitWidth(DataType type) { return RowOf(type).bits; }

bool IsFloatingPoint(DataType type) {
  const NumberFormat& row = RowOf(type);
  return row.bits != 0 && row.kind == NumberKind::kFloat;
}

bool IsFloat8(DataType type) { return BitWidth(type) == 8 && IsFloatingPoint(type); }

bool HasNan(DataType type) {
  return IsFloatingPoint(type) && RowOf(type).nan != NanEncoding::kNone;
}

bool IsInteger(DataType type) {
  const NumberFormat& row = RowOf(type);
  return row.bits != 0 && row.kind == NumberKind::kInteger;
}

}  // namespace qconform
