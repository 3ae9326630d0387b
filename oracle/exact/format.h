// The judge's number formats, by their numbers in ONNX's TensorProto.DataType.
//
// A format is a finite set of rationals in ascending order, and specials. An
// integer format has all integers of its range. A float format has, for each
// sign, the multiples n 2^k with n < 2^precision and k >= min_exponent -
// precision + 1, up to `highest`; the code of a member is its rank in that
// order, with the sign in the top bit. Nothing here looks into exponent or
// mantissa bits.
//
// Sources: IEEE 754 (FLOAT, FLOAT16, DOUBLE), ONNX's pages on float8, float6,
// float4, int4 and int2, OCP MX (FLOAT8E8M0, FLOAT6E2M3, FLOAT6E3M2).
#ifndef QCONFORM_ORACLE_EXACT_FORMAT_H_
#define QCONFORM_ORACLE_EXACT_FORMAT_H_

#include <cstdint>
#include <vector>

#include "oracle/exact/value.h"

namespace qconform::exact {

// Numbers of TensorProto.DataType.
enum Type : int {
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

struct Format {
  enum class Set : uint8_t { kIntegers, kFloats, kPowersOfTwo };

  int type = 0;
  int bits = 0;
  Set set = Set::kIntegers;
  mpq_class lowest = 0;
  mpq_class highest = 0;
  // Floats only.
  int precision = 0;     // binary digits of a normal member
  int min_exponent = 0;  // 2^min_exponent is the smallest normal member
  mpq_class smallest_normal = 0;
  uint64_t highest_rank = 0;  // the code of `highest`
  bool has_infinity = false;
  bool has_nan = false;
  bool has_negative_zero = false;
  // Only formats of at most 8 bits that can be rounded to: the members >= 0 in
  // order, and one more for everything beyond `highest`: the next member if the
  // exponent were unbounded.
  std::vector<mpq_class> ladder;
};

// All formats, in the order of their numbers.
const std::vector<Format>& AllFormats();

// Precondition: `type` is one of Type.
const Format& GetFormat(int type);

// Returns the value of a code. Precondition: code < 2^bits.
Value ValueOf(const Format& format, uint64_t code);

// Returns the code of a member of the set, or of a special that the format
// has; for NaN, the code of largest magnitude with the sign of `value`.
// A negative zero becomes 0 if the format has none.
// Precondition: the value is in the set.
uint64_t CodeOf(const Format& format, const Value& value);

// The treatment of values that round to more than `highest`, and of
// infinities.
enum class Overflow : uint8_t { kSaturate, kSpecial /* infinity, else NaN */ };

// Returns the code that v rounds to, nearest, ties to the even code. Integer
// formats always saturate. Zero keeps its sign if the format has -0.
// Preconditions: v is not NaN if the format has none; not FLOAT8E8M0.
uint64_t Round(const Format& format, const Value& v, Overflow overflow);

// Returns round_P(v): the member nearest to v, ties to even; beyond `highest`
// the infinity. Precondition: a float format with an infinity.
Value RoundToPrecision(const Format& format, const Value& v);

bool IsNanCode(const Format& format, uint64_t code);

// Whether every code of the float format is a number, so that overflow and NaN have no
// code of their own: FLOAT4E2M1 and the two formats of 6 bits.
bool HasNumbersOnly(const Format& format);

// Whether every number of `part` is one of `format`. Precondition: `format` is a float.
bool Contains(const Format& format, const Format& part);

// Whether v is a non-zero number below the smallest normal; false for non-floats.
bool IsSubnormal(const Format& format, const Value& v);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_FORMAT_H_
