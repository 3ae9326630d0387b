#include "cases/model/attributes.h"
#include "harness/operators/quantize_linear/fault_facts.h"
#include "harness/operators/quantize_linear/faults.h"
#include "oracle/operators/quantize_linear/clauses.h"

namespace qconform::quantize_linear {
namespace {

using Switches = QuantizeLinearSwitches;

// The precision of the division, by the attribute, types and version.
std::string_view PrecisionClause(const QuantizeLinearFacts& f, bool has_precision) {
  if (has_precision) return "QL-05";
  if (f.y_scale == DataType::kInt32) return "QL-06";
  if (f.y_scale == DataType::kFloat8E8M0) return "QL-07";
  if (f.since_version >= 23) return "QL-05";
  if (f.since_version < 19 && f.x == DataType::kInt32) return "QL-03";
  return f.x == DataType::kFloat ? "QL-02" : "QL-04";
}

std::string_view QuotientClause(const QuantizeLinearFacts& f, bool has_precision,
                                const Switches& s) {
  using Q = Switches::Quotient;
  switch (s.quotient) {
    case Q::kCanonical:
      break;
    case Q::kExact:
    case Q::kConvertedExact:
    case Q::kDivisionIn:
    case Q::kPromoted:
      return PrecisionClause(f, has_precision);
    case Q::kUnconverted:
    case Q::kTruncatedConversion:
      return f.since_version < 19 ? "QL-03" : "QL-09";
    case Q::kIntegerDivision:
      return "QL-06";
    case Q::kThrough:
      // QL-27 says so of its targets itself.
      return f.float6 ? ClausesOfTarget(f.y).rounding : "QL-01";
    case Q::kReciprocal:
    case Q::kReciprocalIn:
    case Q::kTruncated:
    case Q::kScaleThrough:
    case Q::kTruncatedX:
    case Q::kXThrough:
    case Q::kReciprocalThrough:
    case Q::kScaleToPowerOfTwo:
      return "QL-01";
  }
  if (s.fake_quantize || s.order == Switches::Order::kFused) return "QL-01";
  return s.default_precision ? "QL-05" : "";
}

std::string_view ScaleClause(const Switches& s) {
  if (s.flush_scale || s.absolute_scale || s.zero_scale_is_one) return "QL-40";
  return s.flush_x || s.flush_quotient ? "QL-01" : "";
}

// Rounding, the zero point and the range of y.
std::string_view TargetClause(const QuantizeLinearFacts& f, const Switches& s) {
  using Order = Switches::Order;
  using Overflow = Switches::Overflow;
  using Rounding = Switches::Rounding;
  const std::string_view grid = ClausesOfTarget(f.y).rounding;
  if (s.rounding != Rounding::kEven) return grid;
  if (s.order != Order::kAfter) return f.integer ? "QL-10" : "QL-24";
  if (s.zero_point_read == Switches::ZeroPointRead::kOtherFormat ||
      s.zero_point_read == Switches::ZeroPointRead::kLargestIsNan) {
    return "QL-24";
  }
  if (s.overflow == Overflow::kNarrowRange || s.overflow == Overflow::kSignedRange) {
    return "QL-13";
  }
  if (s.overflow != Overflow::kSaturate) return "QL-11";
  if (s.sign_lost || s.integer_first != FaultyInteger::kNo) return grid;
  if (s.nan_is_zero) return "QL-23";
  if (s.infinity_is_nan || s.saturate_to_infinity) return "QL-21";
  const bool float_step =
      s.flush_result || s.flush_before_rounding || s.always_saturates ||
      s.never_saturates || s.early_overflow || s.late_overflow || s.overflow_by_carry ||
      s.fnuz_doubled || s.negative_zero_code || s.negative_underflow_code ||
      s.drop_zero_sign || s.ends_at_240 || s.grid != Switches::Grid::kRight ||
      s.through != DataType::kUndefined || s.largest_is_free ||
      s.overflow_to_infinity_code || s.subnormal_sign_lost;
  return float_step ? grid : "";
}

}  // namespace

std::string_view Faults::BrokenClause(const Cell& cell, const Node& node,
                                      const FaultSet& set) const {
  using Place = Switches::Place;
  using Storage = Switches::Storage;
  const auto& s = set.As<Switches>();
  if (s.scale_place != Place::kRight || s.zero_point_place != Place::kRight) {
    return "QL-31";
  }
  const QuantizeLinearFacts facts = cell;
  const bool has_precision = IntegerAttributeOr(node, "precision", 0) != 0;
  for (const std::string_view clause : {QuotientClause(facts, has_precision, s),
                                        ScaleClause(s), TargetClause(facts, s)}) {
    if (!clause.empty()) return clause;
  }
  if (s.zero_point_read == Switches::ZeroPointRead::kOtherSign) return "QL-10";
  if (s.zero_point_read != Switches::ZeroPointRead::kRight) {
    return facts.float6 ? "QL-52" : "QL-50";
  }
  switch (s.storage) {
    case Storage::kRight:
    case Storage::kLastUnwritten:
      return "";
    case Storage::kNanSpoilsNeighbour:
      return ClausesOfTarget(facts.y).special_values;
    default:
      return facts.float6 ? "QL-52" : "QL-50";
  }
}

}  // namespace qconform::quantize_linear
