// Faults that several operators have, so that one name means one mistake everywhere.
#ifndef QCONFORM_HARNESS_CORE_COMMON_FAULTS_H_
#define QCONFORM_HARNESS_CORE_COMMON_FAULTS_H_

#include "harness/core/operator_faults.h"

namespace qconform::common_faults {

inline constexpr FaultText kTiesAway{"ties_away", "Ties are rounded away from zero.",
                                     "kernels built on roundf, std::round or llround"};
inline constexpr FaultText kTiesHalfUp{"ties_half_up",
                                       "Ties are rounded up: floor(q + 1/2), exactly.",
                                       "integer-only code that adds half and shifts"};
inline constexpr FaultText kTruncates{
    "truncates", "The quotient or product is rounded toward zero.",
    "a plain cast to an integer, such as ONNX Runtime's CPU kernel of FLOAT16"};
inline constexpr FaultText kRoundsDown{"rounds_down",
                                       "The quotient or product is rounded down.",
                                       "arithmetic shifts, floor"};
inline constexpr FaultText kRoundsUp{"rounds_up",
                                     "The quotient or product is rounded up."};
inline constexpr FaultText kZeroPointBeforeRounding{
    "zero_point_before_rounding",
    "The zero point is added before the quotient is rounded.",
    "affine formulas x * (1 / s) + z in one fused step"};
inline constexpr FaultText kClampBeforeZeroPoint{
    "clamp_before_zero_point",
    "The quotient is clamped to y's range before the zero point is added, and the sum "
    "again."};
inline constexpr FaultText kZeroPointIgnored{"zero_point_ignored",
                                             "The zero point is ignored.",
                                             "kernels for symmetric quantization alone"};
inline constexpr FaultText kAbsoluteScale{"absolute_scale",
                                          "The sign of the scale is ignored."};
inline constexpr FaultText kInt32MinimumOnOverflow{
    "int32_minimum_on_overflow",
    "What does not fit INT32 becomes -2^31 before it saturates.",
    "CVTPS2DQ without a clamp; ONNX's reference evaluator"};
inline constexpr FaultText kInt32MinimumWraps{
    "int32_minimum_wraps",
    "What does not fit INT32 becomes -2^31, and its sum with the zero point keeps 32 "
    "bits.",
    "CVTPS2DQ and an INT32 addition without a clamp; ONNX Runtime 1.30"};
inline constexpr FaultText kWrapsAtOutput{
    "wraps_at_output", "The sum keeps its low bits in place of saturating.",
    "a missing clamp"};
inline constexpr FaultText kInt32MinimumWrapsAtOutput{
    "int32_minimum_wraps_at_output",
    "What does not fit INT32 becomes -2^31; its sum with the zero point keeps y's low "
    "bits in place of saturating.",
    "casts to int32_t and to y's type on x86"};
inline constexpr FaultText kInt32SaturatedWrapsAtOutput{
    "int32_saturated_wraps_at_output",
    "What does not fit INT32 becomes its nearest end; its sum with the zero point keeps "
    "y's low bits in place of saturating.",
    "casts to int32_t and to y's type on Arm"};
inline constexpr FaultText kInt32SumWrapsAtOutput{
    "int32_sum_wraps_at_output",
    "A sum with the zero point that does not fit INT32 becomes its nearest end, and y "
    "keeps its low bits in place of saturating.",
    "casts of a float sum to int32_t and to y's type on Arm"};
inline constexpr FaultText kNarrowRange{
    "narrow_range", "Signed types lose their smallest value (-127 to 127).",
    "symmetric quantization"};
inline constexpr FaultText kUnsignedAsSigned{
    "unsigned_as_signed", "Unsigned types end where the signed one of their width does.",
    "one table for both"};
inline constexpr FaultText kFloatSubnormalsFlushed{
    "float_subnormals_flushed", "Results that are subnormal in y become zero.",
    "conversions to float8 built on exponent arithmetic alone"};
inline constexpr FaultText kNeverSaturates{
    "never_saturates", "saturate=1 does not saturate either, where y_scale is a float."};
inline constexpr FaultText kLastElementUnwritten{"last_element_unwritten",
                                                 "The last element of y is not written.",
                                                 "loops that end one too early"};
inline constexpr FaultText kTailTruncates4{
    "tail_truncates_4", "Elements behind the last multiple of 4 are truncated.",
    "a scalar loop behind the vectors"};
inline constexpr FaultText kTailTruncates8{
    "tail_truncates_8", "Elements behind the last multiple of 8 are truncated.",
    "a scalar loop behind the vectors"};
inline constexpr FaultText kTailTruncates16{
    "tail_truncates_16", "Elements behind the last multiple of 16 are truncated.",
    "a scalar loop behind the vectors"};

inline constexpr FaultText kReciprocalMultiply{
    "reciprocal_multiply", "x is multiplied by 1 / y_scale, both rounded to P.",
    "vector kernels that avoid a division"};

inline constexpr FaultText kFusedMultiplyAdd{
    "fused_multiply_add",
    "The multiplier, such as 1 / y_scale, is rounded to P; the product with it and the "
    "zero point are one multiply-add, rounded once.",
    "vector kernels built on FMA"};
inline constexpr FaultText kFakeQuantizeFormula{
    "fake_quantize_formula",
    "With lo and hi as the ends of y's range times y_scale, x is clamped to them, and y "
    "is round((x - lo) / (hi - lo) * levels), in FLOAT.",
    "kernels made from FakeQuantize layers"};
inline constexpr FaultText kSignLost{
    "sign_lost",
    "The quotient, the product or the difference loses its sign: only its magnitude "
    "counts.",
    "conversions of magnitudes whose sign is not put back"};
inline constexpr FaultText kRoundsToIntegerFirst{
    "rounds_to_integer_first",
    "A result for a float y is rounded to an integer before it is rounded to y.",
    "rounding steps that are meant for integer types"};
inline constexpr FaultText kConvertsToInt32First{
    "converts_to_int32_first",
    "A result for a float y is converted to INT32 before it is rounded to y.",
    "kernels for integer types that are used for float8"};

// Sums of products.
inline constexpr FaultText kInt16SaturatingProducts{
    "int16_saturating_products", "Pairs of products saturate to INT16.",
    "VPMADDUBSW on CPUs without VNNI"};
inline constexpr FaultText kCrossTermSubtracted{
    "cross_term_subtracted",
    "The correction by both zero points has the sign of the other corrections."};
inline constexpr FaultText kBMinimumIsMinus127{
    "b_minimum_is_minus_127", "INT8 B has -127 where it is -128.",
    "weights that are made symmetric when they are packed"};
inline constexpr FaultText kInt16WrappingProducts{
    "int16_wrapping_products", "Each product keeps 16 bits.", "16-bit multiplications"};
inline constexpr FaultText kInt16Accumulator{"int16_accumulator",
                                             "The running sum saturates to INT16.",
                                             "narrow DSP accumulators"};
inline constexpr FaultText kTermTailLost4{
    "k_tail_lost_4", "Products behind the last multiple of 4 in K do not count.",
    "dot products of four without a tail"};
inline constexpr FaultText kTermTailLost16{
    "k_tail_lost_16", "Products behind the last multiple of 16 in K do not count.",
    "vectors without a tail"};
inline constexpr FaultText kCrossTermMissing{
    "cross_term_missing",
    "The correction by both zero points of each product is missing.",
    "sums of rows and columns that are subtracted apart"};

inline constexpr FaultText kBfloat16Accumulator{"bfloat16_accumulator",
                                                "The running sum is rounded to BFLOAT16.",
                                                "matrix engines in BFLOAT16 mode"};
inline constexpr FaultText kTermTailUncorrected8{
    "k_tail_uncorrected_8",
    "After the last multiple of 8 in K zero points are not subtracted.",
    "a scalar loop after the vectors"};
inline constexpr FaultText kAZeroPointMissing{"a_zero_point_missing",
                                              "a_zero_point is not subtracted."};
inline constexpr FaultText kBZeroPointMissing{"b_zero_point_missing",
                                              "b_zero_point is not subtracted.",
                                              "kernels for symmetric weights only"};
inline constexpr FaultText kZeroPointsMissing{"zero_points_missing",
                                              "No zero point is subtracted."};
inline constexpr FaultText kEmptySumUnwritten{
    "empty_sum_unwritten", "K = 0 leaves y as it was.", "ONNX Runtime 1.30"};
inline constexpr FaultText kFirstBatchForAll{
    "first_batch_for_all", "All matrices of an integer y are made of the first ones.",
    "batch strides of zero"};
inline constexpr FaultText kFirstRowZeroPointForAll{
    "first_row_zero_point_for_all", "Every row takes the first zero point of a."};
inline constexpr FaultText kFirstColumnZeroPointForAll{
    "first_column_zero_point_for_all", "Every column takes the first zero point of b."};
inline constexpr FaultText kNextColumnZeroPoint{
    "next_column_zero_point", "Every column takes the zero point after its own."};

// Which scale an element takes, and what becomes of it.
inline constexpr FaultText kFirstScaleForAll{
    "first_scale_for_all", "Every element takes the first scale and zero point.",
    "kernels for per-tensor quantization alone"};
inline constexpr FaultText kFirstZeroPointForAll{
    "first_zero_point_for_all", "Every element takes the first zero point."};
inline constexpr FaultText kNextScale{"next_scale",
                                      "Every element takes the scale after its own."};
inline constexpr FaultText kNextZeroPoint{
    "next_zero_point", "Every element takes the zero point after its own."};
inline constexpr FaultText kScaleSharedInByte{
    "scale_shared_in_byte",
    "Elements of one byte, of three bytes if they cross them, or of a pair of whole "
    "bytes share the scale of the first.",
    "packed loops that load one scale a byte"};
inline constexpr FaultText kDefaultAxisIsZero{"default_axis_is_zero",
                                              "Without the attribute, axis is 0."};
inline constexpr FaultText kDefaultAxisIsLast{
    "default_axis_is_last", "Without the attribute, axis is the last one."};
inline constexpr FaultText kAxisCountedFromEnd{
    "axis_counted_from_end", "The axis is counted from the other end.",
    "frameworks with the opposite order of dimensions"};
inline constexpr FaultText kNegativeAxisAbsolute{"negative_axis_absolute",
                                                 "A negative axis loses its sign."};
inline constexpr FaultText kNegativeAxisOffByOne{
    "negative_axis_off_by_one", "A negative axis is one further from the end.",
    "counting from -1 as if it were -0"};
inline constexpr FaultText kScaleIndexCyclic{
    "scale_index_cyclic", "The scale's index is the element's, modulo their number.",
    "broadcasting along the last axis"};
inline constexpr FaultText kBlockOneLonger{
    "block_one_longer", "Blocks are one element longer than block_size."};
inline constexpr FaultText kRaggedBlockTakesPrevious{
    "ragged_block_takes_previous",
    "A last partial block takes the scale before its own."};
inline constexpr FaultText kBlockSizeDivided{
    "block_size_divided", "Blocks have floor(D / S) elements, block_size is not read."};
inline constexpr FaultText kBlockSizeDividedUp{
    "block_size_divided_up", "Blocks have ceil(D / S) elements, block_size is not read.",
    "kernels that share an axis out evenly"};
inline constexpr FaultText kBlocksInterleaved{
    "blocks_interleaved",
    "Neighbours along the axis take the scales of neighbouring blocks.",
    "tiled broadcasting where each scale has to be repeated"};
inline constexpr FaultText kBlockColumnIgnored{
    "block_column_ignored", "A block takes the scale of its first column."};
inline constexpr FaultText kZeroPointOfOtherSign{
    "zero_point_of_other_sign",
    "An integer's zero point, that of y, is read as the unsigned type of its width, or, "
    "if "
    "it is unsigned, as the signed one.",
    "code for one type that both use"};
inline constexpr FaultText kWrappingSubtraction{
    "wrapping_subtraction",
    "The difference of an operand and its zero point wraps in the operand's type.",
    "vector instructions for bytes and words"};
inline constexpr FaultText kInt8SaturatingSubtraction{
    "int8_saturating_subtraction",
    "The difference of an operand and its zero point saturates to INT8.",
    "vector instructions for bytes"};
inline constexpr FaultText kInt24Accumulator{"int24_accumulator",
                                             "The sum keeps 24 bits.",
                                             "24-bit multipliers of GPUs and FPGAs"};
inline constexpr FaultText kRoundedToHalvesFirst{
    "rounded_to_halves_first",
    "An integer's quotient or product is rounded to halves first, then to integers, each "
    "time to the nearest.",
    "fixed-point results that are shifted twice"};
inline constexpr FaultText kPowerOfTwoMultiplier{
    "nearest_power_of_two_multiplier",
    "The multiplier is rounded to the power of two whose logarithm is nearest.",
    "accelerators that only shift"};
inline constexpr FaultText kMultiplierThroughFloat16{
    "multiplier_through_float16",
    "The multiplier is rounded to FLOAT16; all other steps are in FLOAT.",
    "multipliers that are stored in half precision"};
inline constexpr FaultText kMultiplierThroughBfloat16{
    "multiplier_through_bfloat16",
    "The multiplier is rounded to BFLOAT16; all other steps are in FLOAT.",
    "multipliers that are stored as BFLOAT16"};
inline constexpr FaultText kFixedPointMultiplier{
    "fixed_point_multiplier",
    "The multiplier has 31 bits and a shift; the high half of the product and the shift "
    "are rounded.",
    "integer-only runtimes"};
inline constexpr FaultText kAxisIsZero{
    "axis_is_zero",
    "Per axis, the attribute axis is not read: elements have the scales along axis 0.",
    "kernels for weights whose output channels come first"};
inline constexpr FaultText kAxisIsOne{
    "axis_is_one",
    "Per axis, the attribute axis is not read: elements have the scales along axis 1.",
    "kernels for tensors of batches, channels, heights and widths"};
inline constexpr FaultText kAxisIsLast{
    "axis_is_last",
    "Per axis, the attribute axis is not read: elements have the scales along the last "
    "axis.",
    "kernels for tensors whose channels come last"};
inline constexpr FaultText kBlockSizeIs32{
    "block_size_is_32", "The attribute block_size is not read: blocks have 32 elements.",
    "kernels for formats of blocks of 32"};
inline constexpr FaultText kBlocksInFlatOrder{
    "blocks_in_flat_order",
    "Blocks are counted through the tensor as it lies in memory, whatever the axis is.",
    "kernels for flat buffers"};
inline constexpr FaultText kBlockOuterIgnored{
    "block_outer_ignored", "Blocks take the scales of the first slice before the axis.",
    "kernels for blocks of a matrix along its first axis"};
inline constexpr FaultText kScaleSharedByFour{
    "scale_shared_by_four",
    "Where a channel has four elements and more in a row, four that lie together take "
    "the "
    "scale of the first.",
    "vectors that cross the border of a channel"};
inline constexpr FaultText kScaleThroughFloat16{
    "scale_through_float16",
    "Scales of FLOAT are rounded to FLOAT16, unless y has that type.",
    "weights that are converted to half precision"};
inline constexpr FaultText kScaleThroughBfloat16{
    "scale_through_bfloat16",
    "Scales of FLOAT and FLOAT16 are rounded to BFLOAT16, unless y has that type.",
    "weights that are converted to BFLOAT16"};
inline constexpr FaultText kPackingSwapped{
    "packing_swapped",
    "Elements of a byte, or the four of three bytes, are packed from the highest bits "
    "down.",
    "formats that put the first element in the high nibble"};
inline constexpr FaultText kScaleToPowerOfTwo{
    "scale_to_power_of_two",
    "A positive scale of FLOAT is taken as the power of two whose logarithm is nearest.",
    "accelerators that shift"};
inline constexpr FaultText kFlushesSubnormalScale{
    "flushes_subnormal_scale", "A subnormal scale is taken as zero.", "DAZ; GPUs"};
inline constexpr FaultText kZeroScaleIsOne{"zero_scale_is_one",
                                           "A scale of zero is taken as one.",
                                           "guards against a division by zero"};
inline constexpr FaultText kScaleOfPreviousCall{
    "scale_of_previous_call", "All elements take the first scale of the call before.",
    "constants that are cached by the wrong key"};

}  // namespace qconform::common_faults

#endif  // QCONFORM_HARNESS_CORE_COMMON_FAULTS_H_
