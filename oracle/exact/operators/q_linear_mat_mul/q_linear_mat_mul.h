// QLinearMatMul, by the judge: exact sums of exact products, rational scales.
//
//   C = (a - a_zero_point) x (b - b_zero_point)
//   y = saturate(round_half_even(C * a_scale * b_scale / y_scale) + y_zero_point)
//
// Clauses MM-01 to MM-20 of docs/semantics.md. Models are not validated.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_

#include <cstdint>
#include <vector>

#include "oracle/exact/answer.h"
#include "oracle/exact/target.h"

namespace qconform::exact {

// QL-22: float8 outputs are of since_version 21, whose Cast makes NaN of an infinity.
inline constexpr bool kCastGivesNan = true;

struct QLinearMatMulInput {
  Codes a, a_scale, a_zero_point;
  Codes b, b_scale, b_zero_point;
  Codes y_scale, y_zero_point;
};

// MM-02: how v = C * a_scale * b_scale / y_scale comes about. f32(...) is
// rounding to FLOAT; m is the multiplier a_scale * b_scale / y_scale.
enum class Requantization : uint8_t {
  kCanonical,                      // exact
  kF32Multiplier,                  // f32(f32(C) * m), m in FLOAT
  kF32DequantizeQuantize,          // f32(f32(f32(f32(C) * a) * b) / y), or b before a
  kF32CombinedDequantizeQuantize,  // f32(f32(f32(C) * f32(a * b)) / y)
  kF64Product,                     // f64(C * m), m in FLOAT
  kF64Chain,                       // f64(f64(f64(C * a) * b) / y), or b before a
  kScaleTypeMultiplier,  // m in the scales' type, the product in FLOAT or DOUBLE
};

// Which two scales of the multiplier meet first.
enum class MultiplierOrder : uint8_t {
  kAbFirst,  // (a * b) / y
  kByFirst,  // a * (b / y)
  kAyFirst,  // (a / y) * b
};

struct QLinearMatMulReadings {
  Requantization requantization = Requantization::kCanonical;
  MultiplierOrder order = MultiplierOrder::kAbFirst;  // where there is an m
  bool product_in_double = false;                     // kScaleTypeMultiplier alone
  // kF32DequantizeQuantize, kF64Chain: C meets b_scale before a_scale. Without
  // rounding the order changes nothing, not even with 0, Inf and NaN: a product of
  // extended reals is NaN if and only if it has a NaN, or a zero and an infinity.
  bool b_scale_first = false;
  TargetReadings target = {};

  friend bool operator==(const QLinearMatMulReadings&,
                         const QLinearMatMulReadings&) = default;
};

// Returns all combinations that the clauses allow for scales and an output of
// these types, the canonical one first (G-01). Those that cannot apply to the
// types are left out.
std::vector<QLinearMatMulReadings> AllowedReadings(int scale, int y);

// One element of the product, before requantization.
struct Accumulator {
  Value c;                      // modulo 2^32 where integers overflow (MM-01b)
  bool overflows = false;       // the exact C lies outside INT32, integer operands
  mpq_class magnitude = 0;      // sum of |A_i B_i| over the finite products
  int64_t terms = 0;            // K
  bool has_zero_point = false;  // of a row or column, other than zero
  size_t a_index = 0;           // of a_scale
  size_t b_index = 0;
  std::vector<Value> a;  // A_i, exact
  std::vector<Value> b;  // B_i
};

// Returns C, row-major. Scales and zero points are scalars, [1], [M] or [N],
// or [...,M,1] and [...,1,N] (MM-04); missing or broadcast batch dimensions of
// theirs count as numpy broadcasts them (MM-06).
std::vector<Accumulator> Accumulate(const QLinearMatMulInput& input);

// Returns v for one accumulator (MM-02, MM-20).
Value Requantize(const Value& c, const Value& a_scale, const Value& b_scale,
                 const Value& y_scale, int scale_type,
                 const QLinearMatMulReadings& readings);

// Returns y. y_scale and y_zero_point have one element (MM-05). The second form
// takes Accumulate(input), so that many readings can share it.
Answer QLinearMatMul(const QLinearMatMulInput& input,
                     const QLinearMatMulReadings& readings = {});
Answer QLinearMatMul(const QLinearMatMulInput& input,
                     const std::vector<Accumulator>& accumulators,
                     const QLinearMatMulReadings& readings);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_
