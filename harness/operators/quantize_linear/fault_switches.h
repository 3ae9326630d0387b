// Mistakes of QuantizeLinear as switches of one evaluation. A fault sets one or a few of
// them; a diagnosis tries faults one by one and in pairs.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_SWITCHES_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_SWITCHES_H_

#include <cstdint>

#include "harness/core/faulty_places.h"
#include "harness/core/integer_target.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

struct QuantizeLinearSwitches {
  // (1), (2): how the quotient comes about.
  enum class Quotient : uint8_t {
    kCanonical,
    kExact,           // neither the operands nor the quotient are rounded to P
    kConvertedExact,  // only the operands are rounded to P
    // Only the quotient is rounded to P; no effect on FLOAT8E8M0 scales and 2-bit y.
    kUnconverted,
    // x * (1 / y_scale), each rounded to P; no effect on INT32 and FLOAT8E8M0 scales.
    kReciprocal,
    kReciprocalIn,  // the same in `type`, if ReciprocalInActs
    kDivisionIn,    // x / y_scale in `type`
    // The right quotient by a FLOAT scale, rounded to `type` too: a FLOAT quotient, or
    // the DOUBLE quotient of a FLOAT x.
    kThrough,
    kTruncated,  // rounded to P toward zero
    // An x of more digits than P is converted toward zero; only y of at least 8 bits.
    kTruncatedConversion,
    kIntegerDivision,  // INT32 by INT32: truncated
    kPromoted,         // in the type of both operands, if PromotedActs and there is no
                       // `precision`
    // By a scale that is rounded to `type`: of FLOAT, or of FLOAT16 to BFLOAT16.
    kScaleThrough,
    // Of a FLOAT x by a FLOAT scale:
    kXThrough,           // x is rounded to `type` first
    kReciprocalThrough,  // x * (1 / y_scale), the reciprocal rounded to `type`; P is
                         // FLOAT
    kScaleToPowerOfTwo,  // by the power of two that is nearest to a positive FLOAT scale
    kTruncatedX,         // an x of FLOAT is converted to BFLOAT16 toward zero first
  };
  using Rounding = FaultyRounding;
  using Order = FaultyOrder;
  using Overflow = FaultyOverflow;
  using Place = FaultyPlace;
  enum class Storage : uint8_t {
    kRight,
    kSwapped,       // elements of a byte, or of three, in reverse order
    kLastByteLost,  // a last byte that is not full stays zero
    kNanSpoilsNeighbour,
    kLastUnwritten,     // the last element keeps what lay there
    kNibbleRowsPadded,  // of 2 and 4 bits: each row begins at a byte of its own
    // Of elements that cross bytes, which are those of 6 bits (QL-52):
    kOneInByte,         // each in the low bits of a byte of its own
    kTwoInByte,         // as if they had 4 bits
    kHighestBitFirst,   // the stream begins at the highest bit of each byte
    kInWords,           // five in 32 bits
    kSecondCut,         // the second of four loses what lies in its second byte
    kThirdCut,          // so does the third
    kLastGroupLost,     // the last ones that do not fill three bytes stay zero
    kSignAtBit7,        // the sign of a byte, not of 6 bits
    kRowsAtBytes,       // each row begins at the byte in which its first bit lies
    kScalesAtBytes,     // the same of the elements of a channel or of a row of blocks
    kTwoInByteCut,      // as if they had 4 bits, of which each keeps only the low ones
    kInLongWords,       // ten in 64 bits
    kReversedInGroup,   // the first of three bytes' four elements in the highest bits
    kBigEndianGroup,    // three bytes in reverse order
    kRowsPadded,        // each row begins at a byte of its own
    kRowsClearByte,     // each row clears the byte that it shares with the one before
    kByteSignAtBit7,    // each in a byte of its own, with the sign of a byte
    kByteSignExtended,  // each in a byte of its own, as INT8
    kLastOneLost,       // one that is left after groups of four stays zero
    kLastTwoLost,       // so do two
    kLastThreeLost,     // so do three
    kLastGroupAtTop,    // the last ones lie at the top of their last byte
  };
  // Of which elements the mistake of `overflow` is made.
  enum class OverflowPlace : uint8_t {
    kEverywhere,
    // By float scales, of 4 bits, those that do not share their byte with one of the same
    // scale.
    kPartialBytes,
    kStridedBlocks,  // by blocks along another axis than the last
    // Of UINT8, full vectors of 64 elements; those behind them saturate in INT32, and
    // wrap there.
    kVectorsOf64,
  };
  // How zero points are read.
  enum class ZeroPointRead : uint8_t {
    kRight,
    kOtherSign,       // of integers: signed ones as unsigned, and reverse
    kNibblesInBytes,  // of 2 and 4 bits: each from the low bits of a byte of its own
    // Of FLOAT6, whose elements cross bytes:
    kOneInByte,      // each from the low bits of a byte of its own
    kLastGroupLost,  // the last ones that do not fill three bytes are zero
    kOtherFormat,    // as codes of the other FLOAT6 type
    kLargestIsNan,   // the code of the largest, of either sign, is NaN
  };
  // To which grid a FLOAT6 result is rounded.
  enum class Grid : uint8_t {
    kRight,
    kOtherFormat,  // that of the other FLOAT6 type
    kOtherBias,    // with the bias of the other one
  };

  Quotient quotient = Quotient::kCanonical;
  DataType type = DataType::kUndefined;
  bool default_precision = false;  // `precision` is ignored
  // For an integer y: an INT32 x, and y_scale, on the way to a P of BFLOAT16. `overflow`
  // acts on INT32 x then, where there is the attribute `precision`.
  bool int32_through_float = false;
  // The mistakes of `quotient` and flush_quotient are in the path without `precision`;
  // with it the kernel divides as it should.
  bool without_precision = false;
  bool flush_x = false;  // where x and y_scale have one type
  bool flush_scale = false;
  bool flush_quotient = false;
  bool absolute_scale = false;
  bool zero_scale_is_one = false;
  // An integer y from the ends of its range: FaultyQuotients::LevelOf.
  bool fake_quantize = false;
  bool sign_lost = false;  // of an integer's quotient, and of what is rounded to a float
  FaultyInteger integer_first = FaultyInteger::kNo;  // of the quotient of a float y
  Rounding rounding = Rounding::kEven;
  Order order = Order::kAfter;
  Overflow overflow = Overflow::kSaturate;
  OverflowPlace overflow_place = OverflowPlace::kEverywhere;
  // Float8 and float4.
  bool flush_result = false;
  bool flush_before_rounding = false;  // what is below the least normal number
  bool always_saturates = false;       // saturate=0 is ignored
  bool never_saturates = false;        // saturate=1 is ignored, where y_scale is a float
  bool early_overflow = false;  // float x beyond the largest finite: before rounding
  bool late_overflow =
      false;  // E4M3FN: the code of NaN's neighbour for what overflows (448)
  // What lies below the next power of two and overflows. E4M3FN: the largest finite for
  // what rounds to NaN's code and is not below it. E5M2: NaN instead of an infinity.
  bool overflow_by_carry = false;
  bool fnuz_doubled = false;             // FNUZ: all results are twice as large
  bool negative_zero_code = false;       // FNUZ: -0 becomes 0x80, which is NaN
  bool negative_underflow_code = false;  // so does only what is rounded to -0
  bool drop_zero_sign = false;           // of a float x
  bool ends_at_240 = false;              // E4M3FN
  bool nan_is_zero = false;
  bool infinity_is_nan = false;
  bool saturate_to_infinity = false;
  // FLOAT6.
  ZeroPointRead zero_point_read = ZeroPointRead::kRight;
  Grid grid = Grid::kRight;
  DataType through = DataType::kUndefined;  // the sum is rounded to this type first
  bool largest_is_free = false;             // the largest code is left out, as if a NaN
  bool overflow_to_infinity_code = false;   // which an IEEE format of these fields has
  bool subnormal_sign_lost = false;
  Place scale_place = Place::kRight;
  Place zero_point_place = Place::kRight;
  Storage storage = Storage::kRight;
  // If not 0, the mistakes are made only after the last multiple of this many elements,
  // where a kernel has another loop.
  int tail_lanes = 0;

  friend bool operator==(const QuantizeLinearSwitches&,
                         const QuantizeLinearSwitches&) = default;
};

// Whether Quotient::kReciprocalIn acts: products of BFLOAT16 miss too few ties to show.
constexpr bool ReciprocalInActs(DataType x, DataType y_scale) {
  return x != y_scale || x == DataType::kFloat16;
}

inline constexpr int kFirstWithPrecision = 23;  // since_version

// Whether Quotient::kPromoted acts: for an integer y. A power of two has no digits.
inline bool PromotedActs(int since_version, DataType x, DataType y_scale, DataType y) {
  if (since_version < kFirstWithPrecision || !IsInteger(y) || x == y_scale) return false;
  if (x == DataType::kInt32) return true;
  return y_scale == DataType::kFloat16 || y_scale == DataType::kBfloat16;
}

// Whether Quotient::kScaleThrough acts.
constexpr bool ScaleThroughActs(DataType type, DataType y_scale) {
  return y_scale == DataType::kFloat ||
         (y_scale == DataType::kFloat16 && type == DataType::kBfloat16);
}

// Whether elements of these bits cross bytes.
constexpr bool CrossesBytes(int bits) { return bits < 8 && 8 % bits != 0; }

// How many elements of less than 8 bits fill whole bytes: 4 of 2 or 6 bits, 2 of 4.
constexpr int ElementsOfWholeBytes(int bits) { return bits == 4 ? 2 : 4; }

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_SWITCHES_H_
