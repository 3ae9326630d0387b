#include "oracle/tensor/data_type.h"

#include <array>

namespace qconform {
namespace {

enum class Kind : uint8_t { kInteger, kFloat, kScale };

struct Row {
  DataType type;
  std::string_view name;
  int bits;
  Kind kind;
};

constexpr std::array<Row, 19> kRows{{
    {DataType::kFloat, "FLOAT", 32, Kind::kFloat},
    {DataType::kUint8, "UINT8", 8, Kind::kInteger},
    {DataType::kInt8, "INT8", 8, Kind::kInteger},
    {DataType::kUint16, "UINT16", 16, Kind::kInteger},
    {DataType::kInt16, "INT16", 16, Kind::kInteger},
    {DataType::kInt32, "INT32", 32, Kind::kInteger},
    {DataType::kFloat16, "FLOAT16", 16, Kind::kFloat},
    {DataType::kDouble, "DOUBLE", 64, Kind::kFloat},
    {DataType::kBfloat16, "BFLOAT16", 16, Kind::kFloat},
    {DataType::kFloat8E4M3FN, "FLOAT8E4M3FN", 8, Kind::kFloat},
    {DataType::kFloat8E4M3FNUZ, "FLOAT8E4M3FNUZ", 8, Kind::kFloat},
    {DataType::kFloat8E5M2, "FLOAT8E5M2", 8, Kind::kFloat},
    {DataType::kFloat8E5M2FNUZ, "FLOAT8E5M2FNUZ", 8, Kind::kFloat},
    {DataType::kUint4, "UINT4", 4, Kind::kInteger},
    {DataType::kInt4, "INT4", 4, Kind::kInteger},
    {DataType::kFloat4E2M1, "FLOAT4E2M1", 4, Kind::kFloat},
    {DataType::kFloat8E8M0, "FLOAT8E8M0", 8, Kind::kScale},
    {DataType::kUint2, "UINT2", 2, Kind::kInteger},
    {DataType::kInt2, "INT2", 2, Kind::kInteger},
}};

const Row* Find(DataType type) {
  for (const Row& row : kRows) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

}  // namespace

std::span<const DataType> AllDataTypes() {
  static constexpr auto kTypes = [] {
    std::array<DataType, kRows.size()> types{};
    for (size_t i = 0; i < kRows.size(); ++i) types[i] = kRows[i].type;
    return types;
  }();
  return kTypes;
}

std::string_view DataTypeName(DataType type) {
  const Row* row = Find(type);
  return row ? row->name : "UNDEFINED";
}

std::optional<DataType> ParseDataType(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

std::optional<DataType> DataTypeFromNumber(int64_t number) {
  for (const Row& row : kRows) {
    if (static_cast<int64_t>(row.type) == number) return row.type;
  }
  return std::nullopt;
}

int BitWidth(DataType type) {
  const Row* row = Find(type);
  return row ? row->bits : 0;
}

bool IsFloatingPoint(DataType type) {
  const Row* row = Find(type);
  return row && row->kind == Kind::kFloat;
}

bool IsFloat8(DataType type) { return BitWidth(type) == 8 && IsFloatingPoint(type); }

bool IsInteger(DataType type) {
  const Row* row = Find(type);
  return row && row->kind == Kind::kInteger;
}

}  // namespace qconform
