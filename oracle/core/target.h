// From an exact or rounded value to a code of y: zero point, rounding to y's
// grid, overflow, and the codes of special values. This is the last step of every
// operator that quantizes, whether its values are quotients or products.
//
//   integers  y = clamp(rne(v) + zp, qmin, qmax)
//   floats    y = round_y(v + zp)
#ifndef QCONFORM_ORACLE_CORE_TARGET_H_
#define QCONFORM_ORACLE_CORE_TARGET_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "oracle/core/answer.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// How a zero point other than zero is added to a float target's value v. P is the type to
// which v was rounded.
enum class FloatZeroPoint : uint8_t {
  kCanonical,     // v + zp exactly, one rounding
  kIgnored,       // zero_point_ignored
  kRoundThenAdd,  // round_then_add
  kAddedInP,      // added_in_p
};

// Returns the name of the reading as the ledger has it, "zero_point_ignored"; "" for
// kCanonical.
std::string_view ReadingName(FloatZeroPoint reading);

struct TargetParameters {
  RoundingMode rounding = RoundingMode::kNearestEven;  // to y's grid
  // Integers: y = clamp(round(v + zp), qmin, qmax), v + zp being rounded to P.
  bool zero_point_before_rounding = false;
  FloatZeroPoint float_zero_point = FloatZeroPoint::kCanonical;
  bool zero_point_added = false;          // a zero point of zero is added too
  bool missing_zero_point_added = false;  // and so is one that is missing
  // Formats with NaN; all others saturate.
  OverflowPolicy overflow = OverflowPolicy::kSaturate;
  // For the FNUZ formats. Without it infinities that saturate become the largest finite.
  bool fnuz_infinity_nan = false;
  bool e5m2_infinity = false;      // only for infinities, not for finite overflow
  bool zero_sign_dropped = false;  // formats without NaN
};

struct PreparedZeroPoint {
  bool present = false;
  bool zero = true;
  int64_t integer = 0;  // integer targets
  ExactValue value{};   // float targets
};

// Whether a zero point is a float and has a value other than zero.
bool IsFloatOffset(const TensorView& zero_point);

class Target {
 public:
  // `precision` is the P of added_in_p and of zero_point_before_rounding; kUndefined:
  // sums stay exact there.
  Target(DataType y, const TargetParameters& parameters, DataType precision);

  PreparedZeroPoint PrepareZeroPoint(uint64_t code) const;

  // Sets code and freedom of `answer`, and adds features.
  void Round(const Unrounded& value, const PreparedZeroPoint& zero_point,
             ElementAnswer& answer) const;

  const NumberFormat& format() const { return *y_; }

 private:
  void RoundToInteger(const Unrounded& value, const PreparedZeroPoint& zero_point,
                      ElementAnswer& answer) const;
  void RoundToFloat(const Unrounded& value, const PreparedZeroPoint& zero_point,
                    ElementAnswer& answer) const;
  Rounded Encode(const Unrounded& value) const;
  Unrounded AddZeroPoint(const Unrounded& value, const ExactValue& zero_point) const;
  Unrounded AddInP(const Unrounded& value, const ExactValue& zero_point) const;

  const NumberFormat* y_;
  TargetParameters parameters_;
  bool is_integer_;
  int64_t smallest_ = 0;  // integers
  int64_t largest_ = 0;
  uint64_t code_mask_;
  bool overflow_is_seen_;  // it has a code of its own
  Rounder round_;
  std::optional<Rounder> round_sum_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_TARGET_H_
