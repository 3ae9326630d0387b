// Mistakes of DynamicQuantizeLinear as switches of one evaluation.
#ifndef QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FAULT_SWITCHES_H_
#define QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FAULT_SWITCHES_H_

#include <cstdint>

#include "harness/core/integer_target.h"

namespace qconform {

struct DynamicQuantizeLinearSwitches {
  // The ends of the range.
  enum class Range : uint8_t {
    kRight,
    kWithoutZero,         // min x and max x, of which 0 may lie outside
    kOfMagnitudes,        // -max |x| to max |x|
    kOnlyMagnitude,       // 0 to max |x|
    kMinWithoutZero,      // min x and max(0, max x)
    kMaxWithoutZero,      // min(0, min x) and max x
    kFromSmallestNormal,  // its end is no less than the smallest normal FLOAT
    kFloat16,             // both ends are rounded to FLOAT16
    kBfloat16,            // both ends are rounded to BFLOAT16
  };
  // What the range is divided by.
  enum class Divisor : uint8_t { k255, k256, k254, k127 };
  enum class Scale : uint8_t {
    kRight,
    kReciprocal,      // range * f32(1 / 255)
    kFused,           // exactly, rounded once (a reading of DYN-01)
    kFusedInDouble,   // the same (another one)
    kTwoQuotients,    // max / 255 - min / 255
    kTruncated,       // toward zero
    kFloat16,         // rounded to FLOAT16
    kBfloat16,        // rounded to BFLOAT16
    kAtLeastEpsilon,  // 2^-23, where it is smaller
    kPowerOfTwo,      // the next one
    kFiniteRange,     // a range that overflows is the largest FLOAT
  };
  // What it is where all of x is 0 (readings of DYN-04).
  enum class ZeroScale : uint8_t { kRight, kOne255th, kOne };
  // y_zero_point from v = 0 - min / y_scale.
  enum class ZeroPoint : uint8_t {
    kRight,
    kTruncated,
    kAway,        // ties
    kUp,          // everything
    kReciprocal,  // v = 0 - min * (1 / y_scale)
    kExactRange,  // v = -min * 255 / (max - min), in DOUBLE
    kFromMax,     // 255 - max / y_scale
    kNegated,     // v = min / y_scale
    kWraps,       // v is not clipped
    kSignedClip,  // v is clipped to 0 to 127
    kMiddle,      // 128
  };
  // What is rounded for an element of y.
  enum class Quotient : uint8_t {
    kRight,
    kReciprocal,       // x * f32(1 / y_scale)
    kReciprocalRange,  // x * f32(255 / range)
    kExactRange,       // x * 255 / (max - min), in DOUBLE
    kUnroundedScale,   // x / ((max - min) / 255), the scale in DOUBLE; rounded to FLOAT
    kInDouble,         // x / y_scale in DOUBLE
    kTruncated,        // x / y_scale rounded toward zero to FLOAT
    kDistance,         // (x - min) / y_scale, no zero point
    kFakeQuantize,     // (x - lo) / (hi - lo) * 255, with lo and hi of y's ends
    kFloatZeroPoint,   // x / y_scale + (0 - min / y_scale), no zero point
  };
  // What is given in place of y_scale and y_zero_point, that y is made of.
  enum class Outputs : uint8_t {
    kRight,
    kInverseScale,      // 1 / y_scale
    kZeroPointZero,     // 0
    kZeroPointNegated,  // modulo 256
    kZeroPointFrom128,  // that of INT8: less 128
  };

  Range range = Range::kRight;
  int range_tail = 0;  // elements after the last multiple of it are not scanned
  bool range_without_last = false;
  Divisor divisor = Divisor::k255;
  Scale scale = Scale::kRight;
  ZeroScale zero_scale = ZeroScale::kRight;
  ZeroPoint zero_point = ZeroPoint::kRight;
  Quotient quotient = Quotient::kRight;
  bool sign_lost = false;  // of the quotient
  FaultyRounding rounding = FaultyRounding::kEven;
  FaultyOrder order = FaultyOrder::kAfter;
  FaultyOverflow overflow = FaultyOverflow::kSaturate;
  Outputs outputs = Outputs::kRight;
  bool flush_x = false;        // subnormal x are 0
  bool flush_scale = false;    // a subnormal y_scale is 0
  bool previous_call = false;  // y by scale and zero point of the call before
  bool last_unwritten = false;
  int tail_lanes = 0;  // mistakes with y only after the last multiple of it

  friend bool operator==(const DynamicQuantizeLinearSwitches&,
                         const DynamicQuantizeLinearSwitches&) = default;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FAULT_SWITCHES_H_
