#include "harness/operators/dequantize_linear/fault_facts.h"
#include "harness/operators/dequantize_linear/faults.h"

namespace qconform::dequantize_linear {
namespace {

using Switches = DequantizeLinearSwitches;

// The clause that says what the codes of x are worth.
std::string_view ValueClause(const DequantizeLinearFacts& f) {
  if (!f.is_float) return "DQ-01";
  return f.x_bits == 6 ? "DQ-12" : "DQ-07";
}

// The clause that names the product.
std::string_view ProductClause(const DequantizeLinearFacts& f) {
  if (f.int32) return "DQ-05";
  if (f.power_of_two) return "DQ-11";
  const bool wide = f.integer && f.x_bits == 16 && f.half;
  if (f.since_version >= 23 && (f.x_scale != f.y || wide)) return "DQ-04";
  return f.since_version == 21 && wide ? "DQ-03" : "DQ-02";
}

std::string_view DifferenceClause(const DequantizeLinearFacts& f, const Switches& s) {
  if (s.int32 != Switches::Int32::kRight || s.int32_type != DataType::kUndefined) {
    return "DQ-05";
  }
  if (s.zero_point == Switches::ZeroPoint::kDistributed && !f.is_float) return "DQ-02";
  if (s.zero_point == Switches::ZeroPoint::kNegated)
    return f.is_float ? "DQ-07" : "DQ-10";
  if (s.zero_point != Switches::ZeroPoint::kSubtracted) {
    return f.is_float ? "DQ-08" : "DQ-01";
  }
  return s.difference != Switches::Difference::kExact ? "DQ-01" : "";
}

std::string_view ScaleClause(const Switches& s) {
  if (s.power_of_two != Switches::PowerOfTwo::kRight) return "DQ-11";
  switch (s.scale) {
    case Switches::Scale::kRight:
      return "";
    case Switches::Scale::kThrough:
    case Switches::Scale::kToPowerOfTwo:
      return "DQ-02";
    default:
      return "DQ-09";
  }
}

}  // namespace

std::string_view Faults::BrokenClause(const Cell& cell, const Node&,
                                      const FaultSet& set) const {
  const auto& s = set.As<Switches>();
  const DequantizeLinearFacts f = cell;
  if (s.packing != Switches::Packing::kRight ||
      s.zero_point_packing != Switches::Packing::kRight) {
    return "DQ-50";
  }
  if (s.scale_place != FaultyPlace::kRight || s.zero_point_place != FaultyPlace::kRight) {
    return "DQ-33";
  }
  if (s.decoding != Switches::Decoding::kRight ||
      s.zero_point_decoding != Switches::Decoding::kRight) {
    return ValueClause(f);
  }
  for (const std::string_view clause : {DifferenceClause(f, s), ScaleClause(s)}) {
    if (!clause.empty()) return clause;
  }
  if (s.product == Switches::Product::kInTypeOfScale) return "DQ-30";
  if (s.other_half_type) return "DQ-30";
  if (s.zero_sign_dropped) return f.is_float ? ValueClause(f) : "DQ-10";
  if (s.nan_is_zero || s.flush_result) return "DQ-09";
  if (s.product != Switches::Product::kRight || s.overflow_saturates ||
      s.rounding != RoundingMode::kNearestEven) {
    return ProductClause(f);
  }
  return "";
}

}  // namespace qconform::dequantize_linear
