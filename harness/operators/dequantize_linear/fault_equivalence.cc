#include "harness/operators/dequantize_linear/fault_facts.h"
#include "harness/operators/dequantize_linear/fault_read.h"
#include "harness/operators/dequantize_linear/faults.h"
#include "oracle/formats/number_format.h"

namespace qconform::dequantize_linear {
namespace {

using Switches = DequantizeLinearSwitches;

// Drops what does not act on the types of a cell, and gives mistakes that are one there
// the same switches.
Switches Normal(const DequantizeLinearFacts& f, Switches s) {
  const Switches plain;
  const NumberFormat& x = FormatOf(f.x);
  if (!PackingActs(s.packing, f.x_bits)) s.packing = plain.packing;
  if (!PackingActs(s.zero_point_packing, f.x_bits) || f.per_tensor) {
    s.zero_point_packing = plain.zero_point_packing;
  }
  if (!DecodingActs(s.decoding, x)) s.decoding = plain.decoding;
  if (!DecodingActs(s.zero_point_decoding, x)) {
    s.zero_point_decoding = plain.zero_point_decoding;
  }
  if (!f.integer) s.difference = plain.difference;
  if (!f.int32) {
    s.int32 = plain.int32;
    s.int32_type = plain.int32_type;
  }
  if (!f.power_of_two) s.power_of_two = plain.power_of_two;
  if (f.power_of_two || (s.scale == Switches::Scale::kThrough &&
                         !ScaleThroughActs(s.scale_type, f.x_scale, f.y))) {
    s.scale = plain.scale;
    s.scale_type = plain.scale_type;
  }
  if (f.per_tensor) s.zero_point_place = plain.zero_point_place;
  if (s.product == Switches::Product::kIn && !ProductInActs(s.product_type, f.y)) {
    s.product = plain.product;
    s.product_type = plain.product_type;
  }
  if (s.product == Switches::Product::kInFloat &&
      !ProductInFloatActs(f.x, f.x_scale, f.y)) {
    s.product = plain.product;
  }
  if (s.product == Switches::Product::kInTypeOfScale &&
      !TypeOfScaleActs(f.x_scale, f.y)) {
    s.product = plain.product;
  }
  // The type of the scale, by its name.
  if (s.product == Switches::Product::kInTypeOfScale) {
    s.product = Switches::Product::kIn;
    s.product_type = f.x_scale;
  }
  return s;
}

}  // namespace

std::string Faults::WhyIndistinguishable(const Cell& cell, const FaultSet& a,
                                         const FaultSet& b) const {
  const DequantizeLinearFacts facts = cell;
  const Switches normal = Normal(facts, a.As<Switches>());
  if (normal != Normal(facts, b.As<Switches>())) return "";
  return normal == Switches{} ? "does_not_act" : "same_type";
}

}  // namespace qconform::dequantize_linear
