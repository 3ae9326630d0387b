// DataType: ONNX's element types, with the names and numbers of
// TensorProto.DataType (onnx.proto).
#ifndef QCONFORM_ORACLE_TENSOR_DATA_TYPE_H_
#define QCONFORM_ORACLE_TENSOR_DATA_TYPE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace qconform {

enum class DataType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kFloat16 = 10,
  kDouble = 11,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
  kFloat6E2M3 = 27,
  kFloat6E3M2 = 28,
};

enum class NumberKind : uint8_t { kInteger, kFloat, kPowerOfTwo /* FLOAT8E8M0 */ };

// Which codes are NaN.
enum class NanEncoding : uint8_t {
  kNone,          // integers, FLOAT6E2M3, FLOAT6E3M2, FLOAT4E2M1
  kIeee,          // exponent all ones, mantissa not zero
  kAllOnes,       // exponent and mantissa all ones (FLOAT8E4M3FN), E8M0: 0xFF
  kNegativeZero,  // the code of -0 (the FNUZ formats)
};

// Everything that distinguishes one type from another: a row of the one table of
// formats in data_type.cc. Names, ranges, boundaries, special codes, sizes and the
// kernels' encoders follow from these fields; the judge (oracle/exact) has its own
// definition. Sources: IEEE 754-2019 (FLOAT16, FLOAT, DOUBLE), ONNX's technical pages
// float8, float6, float4, int4 and int2, the OCP MX specification (FLOAT8E8M0).
struct NumberFormat {
  DataType type = DataType::kUndefined;
  std::string_view name = {};  // ONNX's spelling
  NumberKind kind = NumberKind::kInteger;
  // Of one element. Elements narrower than a byte follow each other in the bits of
  // raw_data, the lowest bit first (QL-50, QL-52).
  int bits = 0;
  bool is_signed = false;
  // Floats only.
  int exponent_bits = 0;
  int mantissa_bits = 0;
  int exponent_bias = 0;
  NanEncoding nan = NanEncoding::kNone;
  bool has_infinity = false;
  bool has_negative_zero = false;
  // Of a float format without NaN: the code that ONNX's technical page gives for NaN.
  uint8_t code_for_nan = 0;
};

// Precondition: type is not kUndefined.
const NumberFormat& FormatOf(DataType type);

// All types above but kUndefined, in the order in which tables show them.
std::span<const DataType> AllDataTypes();

// Returns ONNX's spelling ("FLOAT8E4M3FN"); "UNDEFINED" for kUndefined and for
// numbers that the project does not know.
std::string_view DataTypeName(DataType type);

// Returns the type of that exact spelling, or nothing.
std::optional<DataType> ParseDataType(std::string_view name);

// Returns the type with that number in TensorProto.DataType, or nothing.
std::optional<DataType> DataTypeFromNumber(int64_t number);

// Returns the bits of one element: 2 to 64 (0 for kUndefined).
int BitWidth(DataType type);

// FLOAT, FLOAT16, BFLOAT16, DOUBLE, the float8 and float6 types and FLOAT4E2M1.
bool IsFloatingPoint(DataType type);
// FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ (not FLOAT8E8M0).
bool IsFloat8(DataType type);
// A float format that has a code for NaN. Only overflow of such a format can be shown
// without saturating.
bool HasNan(DataType type);
// INT2 to INT64 and UINT2 to UINT16.
bool IsInteger(DataType type);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_TENSOR_DATA_TYPE_H_
