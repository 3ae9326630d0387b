// The last step of both operators: from q to the code of y (QL-10 to QL-28).
#ifndef QCONFORM_ORACLE_EXACT_TARGET_H_
#define QCONFORM_ORACLE_EXACT_TARGET_H_

#include <optional>

#include "oracle/exact/answer.h"
#include "oracle/exact/format.h"

namespace qconform::exact {

// QL-24: the treatment of a zero point other than zero, for float targets.
enum class FloatZeroPoint : uint8_t {
  kCanonical,     // q + zp, rounded once
  kIgnored,       // zero_point_ignored
  kRoundThenAdd,  // round_then_add
  kAddedInP,      // added_in_p; canonical if there is no P
};

// QL-20a, QL-26, QL-28: a zero point of zero is added like any other, so that -0 + (+0)
// gives +0. A missing one is a zero point of +0 (QL-30). An implementation that adds the
// missing one also adds a present one, so there are three of the four combinations.
enum class ZeroPointOfZero : uint8_t {
  kNotAdded,           // canonical: a zero result has the sign of q
  kAddedWherePresent,  // zero_point_added
  kAlwaysAdded,        // missing_zero_point_added
};

struct TargetReadings {
  FloatZeroPoint float_zero_point = FloatZeroPoint::kCanonical;
  ZeroPointOfZero zero_point_of_zero = ZeroPointOfZero::kNotAdded;
  // QL-22: not the result of Cast in the model's opset, but the other one of NaN and the
  // largest finite.
  bool other_fnuz_infinity = false;
  bool zero_sign_dropped = false;   // QL-26, QL-28
  bool e5m2_infinity_kept = false;  // MM-11b

  friend bool operator==(const TargetReadings&, const TargetReadings&) = default;
};

// Returns code and freedom (the tier stays regular) of an element of y.
//   integers: clamp(rne(q) + zp); NaN gives the lowest, and is free (QL-10..12)
//   floats:   q + zp rounded once (QL-20..28)
// `cast_gives_nan`: whether Cast in the model's opset turns an infinity into NaN in the
// FNUZ formats, with saturation (QL-22); otherwise it is the largest finite. `zero_point`
// is absent if y has none. `division` is P, or null if there is none (QL-06). `saturates`
// is the attribute; integers, FLOAT4E2M1 and FLOAT6 ignore it (QL-14, QL-27).
// Precondition: `target` is one of T3's types.
Element QuantizeToTarget(bool cast_gives_nan, const Format& target, const Value& q,
                         const std::optional<Value>& zero_point, const Format* division,
                         bool saturates, const TargetReadings& readings);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_TARGET_H_
