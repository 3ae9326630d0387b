// The last step of both operators: from q to the code of y (QL-10 to QL-26).
#ifndef QCONFORM_ORACLE_EXACT_TARGET_H_
#define QCONFORM_ORACLE_EXACT_TARGET_H_

#include <optional>

#include "oracle/exact/answer.h"
#include "oracle/exact/format.h"

namespace qconform::exact {

// QL-24: what becomes of a zero point other than zero, float targets.
enum class FloatZeroPoint : uint8_t {
  kCanonical,     // q + zp, rounded once
  kIgnored,       // zero_point_ignored
  kRoundThenAdd,  // round_then_add
  kAddedInP,      // added_in_p; canonical where there is no P
};

struct TargetReadings {
  FloatZeroPoint float_zero_point = FloatZeroPoint::kCanonical;
  bool zero_point_added = false;    // QL-20a
  bool fnuz_infinity_nan = false;   // QL-22
  bool zero_sign_dropped = false;   // QL-26
  bool e5m2_infinity_kept = false;  // MM-11b

  friend bool operator==(const TargetReadings&, const TargetReadings&) = default;
};

// Returns code and freedom (the tier stays regular) of an element of y.
//   integers: clamp(rne(q) + zp); NaN gives the lowest, and is free (QL-10..12)
//   floats:   q + zp rounded once (QL-20..26)
// `zero_point` is absent where y has none. `division` is P, or null where there
// is none (QL-06). `saturates` is the attribute; integers and FLOAT4E2M1 ignore it
// (QL-14). Precondition: `target` is one of T3's types.
Element QuantizeToTarget(const Format& target, const Value& q,
                         const std::optional<Value>& zero_point, const Format* division,
                         bool saturates, const TargetReadings& readings);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_TARGET_H_
