// Mistakes of QLinearConv as switches of one evaluation.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_FAULT_SWITCHES_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_FAULT_SWITCHES_H_

#include <cstdint>

#include "harness/convolution/wrong_convolution.h"
#include "harness/core/integer_target.h"

namespace qconform {

struct QLinearConvSwitches {
  enum class Bias : uint8_t {
    kRight,
    kIgnored,
    kAfterRequantization,  // to the rounded result
    kScaled,               // by x_scale * w_scale, rounded, before it is added to the sum
    kUnscaled,             // divided by x_scale * w_scale, as if it were a real number
    kFirst,
    kNext,
    kWithinGroup,  // the index within its group
    kInt16,        // saturates to INT16
    kLow16Bits,    // keeps 16 bits
    kTwice,
  };
  enum class Multiplier : uint8_t {
    kExact,
    // 31 bits and a shift, with two roundings: the high half of a doubled product, then
    // the shift.
    kFixedPoint,
    kFixedPoint15,       // the same with 15 bits
    kPowerOfTwo,         // the power of two next below
    kNearestPowerOfTwo,  // the power of two whose logarithm is nearest
    kThroughFloat16,     // a FLOAT multiplier, rounded to FLOAT16,
    kThroughBfloat16,    // or to BFLOAT16; the product is one of FLOAT
    kWithoutXScale,
    kWithoutYScale,
  };
  enum class ZeroPoint : uint8_t { kRight, kOfX, kBeforeScaling };
  using Channel = ConvolutionMistakes::Channel;
  using Rounding = FaultyRounding;
  using Order = FaultyOrder;
  using Overflow = FaultyOverflow;

  ConvolutionMistakes sum = {};
  Bias bias = Bias::kRight;
  Channel w_scale = Channel::kRight;
  Multiplier multiplier = Multiplier::kExact;
  bool absolute_scales = false;
  bool sign_lost = false;  // of v
  ZeroPoint y_zero_point = ZeroPoint::kRight;
  Rounding rounding = Rounding::kEven;
  Order order = Order::kAfter;
  Overflow overflow = Overflow::kSaturate;
  bool clamps_at_zero_point = false;  // as if an activation were fused
  bool last_unwritten = false;        // the last element keeps what lay there

  friend bool operator==(const QLinearConvSwitches&,
                         const QLinearConvSwitches&) = default;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_FAULT_SWITCHES_H_
