// Mistakes of QLinearMatMul as switches of one evaluation.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULT_SWITCHES_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULT_SWITCHES_H_

#include <cstdint>

#include "harness/core/integer_target.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

struct QLinearMatMulSwitches {
  enum class Sum : uint8_t {
    kExact,
    // Only integer operands:
    kPairsSaturate16,  // pairs of products saturate to INT16, as VPMADDUBSW does
    kWrap16,           // each product keeps 16 bits
    kSaturate16,       // the running sum saturates to INT16
    // The running sum is rounded to BFLOAT16. Only integer operands, as for scales_as:
    // the wider bound of MM-10 allows much of what both change in float8 sums.
    kBfloat16,
    kFloat16,  // the running sum is rounded to FLOAT16; any operands
  };
  // How an integer sum of integer operands is multiplied.
  enum class Multiplier : uint8_t {
    kExact,
    // 31 bits and a shift, with two roundings: the high half of a doubled product, then
    // the shift.
    kFixedPoint,
    kFixedPoint15,       // 15 bits and a shift, rounded once, ties up
    kNearestPowerOfTwo,  // the power of two whose logarithm is nearest
    // Only by FLOAT scales, each step rounded to FLOAT:
    kReciprocal,       // C * (a_scale * b_scale) * (1 / y_scale)
    kThroughFloat16,   // C * (a_scale * b_scale / y_scale), which is rounded to FLOAT16,
    kThroughBfloat16,  // or to BFLOAT16
    kTruncatedSum,     // C * (a_scale * b_scale / y_scale), where C is truncated
  };
  enum class Place : uint8_t { kRight, kFirst, kNext, kSwapped };
  enum class Swap : uint8_t { kNone, kAWithY, kBWithY };
  // kAway and kHalfUp (of ties), kBeforeRounding and kFused act only if all types are
  // integers: the bounds of float8 sums have both sides of a tie.
  using Rounding = FaultyRounding;
  using Order = FaultyOrder;
  using Overflow = FaultyOverflow;

  Sum sum = Sum::kExact;
  int lost_tail = 0;         // products after the last multiple of it do not count
  int uncorrected_tail = 0;  // there, zero points are not subtracted
  bool no_a_zero_point = false;
  bool no_b_zero_point = false;
  bool no_cross_term = false;    // K * a_zero_point * b_zero_point; integer operands
  bool first_batch = false;      // every matrix of an integer y is made of the first ones
  bool empty_is_zero = false;    // integer y: K = 0 gives code 0
  bool empty_unwritten = false;  // K = 0: y keeps what lay there
  Place a_scale = Place::kRight;
  Place b_scale = Place::kRight;
  Place a_zero_point = Place::kRight;
  Place b_zero_point = Place::kRight;
  DataType scales_as = DataType::kUndefined;  // rounded to a narrower type
  Multiplier multiplier = Multiplier::kExact;
  bool no_a_scale = false;  // taken as 1, if all types are integers; so are the others
  bool no_b_scale = false;
  bool no_y_scale = false;
  // If all types are integers:
  bool cross_term_subtracted = false;   // K * a_zero_point * b_zero_point
  bool b_minimum_is_minus_127 = false;  // of an INT8 b
  Swap swapped_scales = Swap::kNone;
  bool absolute_scales = false;
  bool y_zero_point_of_other_sign = false;           // an integer's
  bool sign_lost = false;                            // of v
  FaultyInteger integer_first = FaultyInteger::kNo;  // of v, if y is a float8
  Rounding rounding = Rounding::kEven;
  Order order = Order::kAfter;
  Overflow overflow = Overflow::kSaturate;
  // Float8 y.
  bool flush_result = false;
  bool never_saturates = false;
  bool last_unwritten = false;  // the last element keeps what lay there
  int tail_lanes = 0;  // mistakes only after the last multiple of this many columns

  friend bool operator==(const QLinearMatMulSwitches&,
                         const QLinearMatMulSwitches&) = default;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULT_SWITCHES_H_
