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
    "truncates", "The quotient is rounded toward zero.",
    "a plain cast to an integer, such as ONNX Runtime's CPU kernel of FLOAT16"};
inline constexpr FaultText kRoundsDown{"rounds_down", "The quotient is rounded down.",
                                       "arithmetic shifts, floor"};
inline constexpr FaultText kRoundsUp{"rounds_up", "The quotient is rounded up."};
inline constexpr FaultText kZeroPointBeforeRounding{
    "zero_point_before_rounding",
    "The zero point is added before the quotient is rounded.",
    "affine formulas x * (1 / s) + z in one fused step"};
inline constexpr FaultText kClampBeforeZeroPoint{
    "clamp_before_zero_point",
    "The quotient is clamped to y's range before the zero point is added, and the sum "
    "again."};
inline constexpr FaultText kZeroPointIgnored{"zero_point_ignored",
                                             "The zero point is not added.",
                                             "kernels for symmetric quantization alone"};
inline constexpr FaultText kAbsoluteScale{"absolute_scale",
                                          "The sign of the scale is ignored."};
inline constexpr FaultText kInt32MinimumOnOverflow{
    "int32_minimum_on_overflow",
    "What does not fit INT32 becomes -2^31 before it saturates.",
    "CVTPS2DQ without a clamp; ONNX's reference evaluator"};
inline constexpr FaultText kWrapsAtOutput{
    "wraps_at_output", "The sum keeps its low bits in place of saturating.",
    "a missing clamp"};
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
inline constexpr FaultText kTailTruncates16{
    "tail_truncates_16", "Elements behind the last multiple of 16 are truncated.",
    "a scalar loop behind the vectors"};

}  // namespace qconform::common_faults

#endif  // QCONFORM_HARNESS_CORE_COMMON_FAULTS_H_
