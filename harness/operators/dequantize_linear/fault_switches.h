// Mistakes of DequantizeLinear as switches of one evaluation. A fault sets one or a few
// of them; a diagnosis tries faults one by one and in pairs.
#ifndef QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_SWITCHES_H_
#define QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_SWITCHES_H_

#include <cstdint>

#include "harness/core/faulty_places.h"
#include "oracle/formats/number_format.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

struct DequantizeLinearSwitches {
  // How the codes of x, or of x_zero_point, are read from their bytes. Only elements of
  // less than 8 bits share bytes.
  enum class Packing : uint8_t {
    kRight,
    kSwapped,          // elements of a byte, or of three, in reverse order
    kLastByteNotRead,  // the elements of a last byte that is not full are 0
    kOneInByte,        // each from a byte of its own
    kRowsPadded,       // each row from a byte of its own on
    // Of elements that cross bytes, which are those of 6 bits (DQ-50):
    kTwoInByte,         // as if they had 4 bits
    kHighestBitFirst,   // the stream begins at the highest bit of each byte
    kInWords,           // five in 32 bits
    kBigEndianGroup,    // three bytes in reverse order
    kSecondCut,         // the second of four lacks what lies in its second byte
    kThirdCut,          // so does the third
    kLastGroupNotRead,  // the last ones that do not fill three bytes are 0
    kFirstByteOnly,     // the low bits of the byte in which each begins
  };
  // What a code of x or x_zero_point is worth.
  enum class Decoding : uint8_t {
    kRight,
    kUnsigned,           // signed integers
    kSigned,             // unsigned integers
    kOtherNegativeZero,  // FNUZ as the format of the same fields that is not, and reverse
    kOtherFields,        // E4M3 as E5M2, E2M3 as E3M2, and reverse
    kBiasOneMore,
    kInfinityIsFinite,
    kNanIsNumber,
    kSubnormalIsZero,
    kSubnormalIsNormal,   // with the hidden bit
    kAsInteger,           // a float's code as two's complement
    kTopExponentSpecial,  // formats without Inf: as IEEE formats have it
  };
  enum class ZeroPoint : uint8_t {
    kSubtracted,
    kIgnored,
    kAdded,
    kReversed,   // x_zero_point - x
    kMagnitude,  // |x - x_zero_point|
    kNegated,    // -(x_zero_point - x), which is -0 where both are equal
    // x * x_scale - x_zero_point * x_scale, both rounded to P; of scales that are floats,
    // not of INT32.
    kDistributed,
  };
  // What the difference of integers of at most 16 bits becomes.
  enum class Difference : uint8_t {
    kExact,
    kWrapped,       // in the type of x
    kSaturated,     // in the type of x
    kWrappedInt16,  // of UINT16
    kUnsigned32,
  };
  // What becomes of an INT32 x.
  enum class Int32 : uint8_t {
    kRight,
    kTruncated,     // to FLOAT, toward zero; only where y is FLOAT
    kThroughInt16,  // saturated
    kLow24Bits,     // sign-extended
  };
  // What a code of FLOAT8E8M0 is worth.
  enum class PowerOfTwo : uint8_t {
    kRight,
    kOneBinadeMore,
    kOneBinadeLess,
    kNanIsNumber,  // 2^128
    kCode0IsZero,  // where y is not FLOAT16
    kAsInteger,
    kSigned,  // 2^c for the code c as INT8
  };
  // What becomes of the scale; not of FLOAT8E8M0.
  enum class Scale : uint8_t {
    kRight,
    kAbsolute,
    kZeroIsOne,
    kFlushed,
    kThrough,       // rounded to scale_type
    kToPowerOfTwo,  // the power of two that is nearest to a positive FLOAT scale
  };
  enum class Product : uint8_t {
    kRight,
    kIn,       // the operands and the product are rounded to product_type
    kInFloat,  // the product is rounded to FLOAT first, if ProductInFloatActs
    // Of a FLOAT scale and a FLOAT y:
    kThrough,              // the exact product is rounded to product_type on the way
    kDividedByReciprocal,  // d / (1 / x_scale), each rounded to FLOAT
    kInTypeOfScale,  // `output_dtype` is ignored until y is stored; FLOAT16 and BFLOAT16
  };

  Packing packing = Packing::kRight;
  Packing zero_point_packing = Packing::kRight;
  Decoding decoding = Decoding::kRight;             // of x and x_zero_point
  Decoding zero_point_decoding = Decoding::kRight;  // of x_zero_point only
  ZeroPoint zero_point = ZeroPoint::kSubtracted;
  Difference difference = Difference::kExact;
  Int32 int32 = Int32::kRight;
  DataType int32_type = DataType::kUndefined;  // INT32 x is rounded to it
  PowerOfTwo power_of_two = PowerOfTwo::kRight;
  Scale scale = Scale::kRight;
  DataType scale_type = DataType::kUndefined;
  Product product = Product::kRight;
  DataType product_type = DataType::kUndefined;
  RoundingMode rounding = RoundingMode::kNearestEven;  // of the product to y
  bool flush_result = false;
  bool overflow_saturates = false;  // a finite product gives the largest finite for Inf
  bool nan_is_zero = false;
  bool zero_sign_dropped = false;  // as the readings of that name do
  bool other_half_type = false;    // FLOAT16 is stored as BFLOAT16, and reverse
  bool last_unwritten = false;     // the last element keeps what lay there
  FaultyPlace scale_place = FaultyPlace::kRight;
  FaultyPlace zero_point_place = FaultyPlace::kRight;
  // If not 0, the mistakes are made only after the last multiple of this many elements,
  // where a kernel has another loop; those of `rounding` only if TailRoundingActs.
  int tail_lanes = 0;

  friend bool operator==(const DequantizeLinearSwitches&,
                         const DequantizeLinearSwitches&) = default;
};

// Whether Scale::kThrough acts: on scales of more digits, where y has not the type
// itself.
constexpr bool ScaleThroughActs(DataType scale_type, DataType scale, DataType y) {
  return y != scale_type && scale != scale_type &&
         (scale == DataType::kFloat || scale == DataType::kFloat16);
}

// Whether Product::kIn acts.
constexpr bool ProductInActs(DataType product_type, DataType y) {
  return y != product_type;
}

// Whether Product::kInFloat acts: where FLOAT does not hold every product, and y has 16
// bits.
constexpr bool ProductInFloatActs(DataType x, DataType scale, DataType y) {
  const bool is_wide = x == DataType::kInt16 || x == DataType::kUint16;
  if (y == DataType::kFloat16 && is_wide && scale == DataType::kFloat16) return true;
  return y != DataType::kFloat && scale == DataType::kFloat;
}

// Whether Product::kThrough and kDividedByReciprocal act.
constexpr bool IsFloatByFloat(DataType scale, DataType y) {
  return scale == DataType::kFloat && y == DataType::kFloat;
}

// Whether Product::kInTypeOfScale acts.
constexpr bool TypeOfScaleActs(DataType scale, DataType y) {
  return scale != y && (scale == DataType::kFloat16 || scale == DataType::kBfloat16);
}

// Whether a product of an x of this type without a zero point and of this scale may have
// more digits than y.
bool TailRoundingActs(const NumberFormat& x, const NumberFormat& scale,
                      const NumberFormat& y);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_SWITCHES_H_
