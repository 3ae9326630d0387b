// Requantization of a sum of products by three scales (MM-02, MM-20):
//
//   v = C * a_scale * b_scale / y_scale
#ifndef QCONFORM_ORACLE_EXACT_REQUANTIZATION_H_
#define QCONFORM_ORACLE_EXACT_REQUANTIZATION_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/exact/accumulator.h"
#include "oracle/exact/format.h"
#include "oracle/exact/value.h"

namespace qconform::exact {

// MM-02: how v comes about. f32(...) is rounding to FLOAT; m is the multiplier
// a_scale * b_scale / y_scale.
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

struct RequantizationReadings {
  Requantization requantization = Requantization::kCanonical;
  MultiplierOrder order = MultiplierOrder::kAbFirst;  // where there is an m
  bool product_in_double = false;                     // kScaleTypeMultiplier alone
  // kF32DequantizeQuantize, kF64Chain: C meets b_scale before a_scale. Without
  // rounding the order changes nothing, not even with 0, Inf and NaN: a product of
  // extended reals is NaN if and only if it has a NaN, or a zero and an infinity.
  bool b_scale_first = false;

  friend bool operator==(const RequantizationReadings&,
                         const RequantizationReadings&) = default;
};

// Returns all readings of MM-02 for scales of this type, the canonical one first.
std::vector<RequantizationReadings> AllowedRequantizations(int scale_type);

// Returns the type in which v is computed; null if v is exact.
const Format* TypeOfV(const RequantizationReadings& readings);

// The scales of one element.
struct RequantizationScales {
  int type = 0;  // of all three
  Value a, b, y;
};

// Returns v.
Value Requantize(const Value& c, const RequantizationScales& scales,
                 const RequantizationReadings& readings);

// The operands A and B of `float_matmul`, where they are not 0: from 2^low to below
// 2^high. Sums of their products are below 2^sum_high.
struct OperandMagnitudes {
  int a_low = 0, a_high = 0;
  int b_low = 0, b_high = 0;
  int sum_high = 0;
};

// Returns the least e with n <= 2^e. Precondition: n > 0.
int CeilLog2(int64_t n);

// Whether an element with these scales is of the tier `degenerate_scale` (MM-20, G-02).
bool IsDegenerate(const RequantizationScales& scales,
                  const OperandMagnitudes& magnitudes);

// Returns gamma(n) = n u / (1 - n u), u = 2^-24. Precondition: 0 <= n < 2^24.
mpq_class Gamma(int64_t n);

// Returns how many roundings, of at most `most`, move the v of `float_matmul` from
// integer operands with this sum of |A_i B_i|: 0 or 1 where no sum is rounded (MM-02).
int64_t FloatMatMulRoundings(const mpq_class& magnitude,
                             const RequantizationScales& scales, int64_t most);

// Returns v moved by `part` of `magnitude` to either side; nothing if C, v or the
// multiplier is no number.
std::optional<std::pair<mpq_class, mpq_class>> IntervalAroundV(
    const Value& c, const mpq_class& magnitude, const RequantizationScales& scales,
    const mpq_class& part);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_REQUANTIZATION_H_
