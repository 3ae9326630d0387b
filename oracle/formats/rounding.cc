// The one rounding routine.
#include <algorithm>
#include <bit>
#include <cassert>

#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

uint64_t SignOf(const NumberFormat& format, bool negative) {
  return negative ? uint64_t{1} << (format.bits - 1) : 0;
}

uint64_t CodeMask(const NumberFormat& format) {
  return format.bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << format.bits) - 1;
}

uint64_t NanCode(const NumberFormat& format) {
  if (format.nan != NanEncoding::kNone) return CanonicalNan(format);
  if (format.kind == NumberKind::kFloat) return format.code_for_nan;
  return static_cast<uint64_t>(IntegerMin(format)) & CodeMask(format);
}

// What lies beyond the range, infinities included.
uint64_t OverflowCode(const NumberFormat& format, bool negative, OverflowPolicy policy) {
  if (format.kind == NumberKind::kInteger) {
    assert(policy == OverflowPolicy::kSaturate);
    const int64_t end = negative ? IntegerMin(format) : IntegerMax(format);
    return static_cast<uint64_t>(end) & CodeMask(format);
  }
  if (policy == OverflowPolicy::kNonSaturating) {
    if (format.has_infinity) return Infinity(format, negative);
    if (format.nan == NanEncoding::kAllOnes) {
      return CanonicalNan(format) | SignOf(format, negative);
    }
    if (format.nan == NanEncoding::kNegativeZero) return CanonicalNan(format);
  }
  return LargestFinite(format) | SignOf(format, negative);
}

}  // namespace

int SmallestNormalExponent(const NumberFormat& format) {
  assert(format.kind == NumberKind::kFloat);
  return 1 - format.exponent_bias;
}

Rounder::Rounder(const NumberFormat& format, RoundingMode mode, OverflowPolicy policy)
    : format_(&format),
      mode_(mode),
      is_float_(format.kind == NumberKind::kFloat),
      mantissa_bits_(format.mantissa_bits),
      zero_{0, format.has_negative_zero ? SignOf(format, true) : 0},
      nan_(NanCode(format)),
      code_mask_(CodeMask(format)) {
  assert(format.kind != NumberKind::kPowerOfTwo);
  const uint64_t largest = LargestFinite(format);
  if (is_float_) {
    smallest_unit_ = SmallestNormalExponent(format) - format.mantissa_bits;
    largest_top_ = static_cast<int>(largest >> format.mantissa_bits) - format.exponent_bias;
    limits_[0] = limits_[1] = largest;
  } else {
    smallest_unit_ = 0;
    largest_top_ = format.bits - 1;
    limits_[0] = largest;
    limits_[1] = uint64_t{0} - static_cast<uint64_t>(IntegerMin(format));
  }
  for (const bool negative : {false, true}) {
    overflow_[negative] = OverflowCode(format, negative, policy);
    signs_[negative] = SignOf(format, negative);
  }
}

Rounded RoundWithFacts(const NumberFormat& format, const Unrounded& value, RoundingMode mode,
                       OverflowPolicy policy) {
  return Rounder(format, mode, policy)(value);
}

uint64_t Round(const NumberFormat& format, const Unrounded& value, RoundingMode mode,
               OverflowPolicy policy) {
  return Rounder(format, mode, policy)(value).code;
}

}  // namespace qconform
