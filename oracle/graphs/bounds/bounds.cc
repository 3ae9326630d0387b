#include "oracle/graphs/bounds/bounds.h"

#include <memory>
#include <utility>
#include <vector>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "oracle/graphs/bounds/bounded_element.h"
#include "oracle/graphs/bounds/scaled_node.h"
#include "oracle/graphs/bounds/section_ends.h"
#include "oracle/graphs/code_sets.h"

namespace qconform {
namespace {

using Kind = BoundedElement::Kind;

// GR-17: the hull of what `of_code` gives of each code, and the elements themselves.
template <typename OfCode>
BoundedElement OfSet(const CodeSet& set, const OfCode& of_code) {
  std::vector<BoundedElement> all;
  for (const uint64_t code : set) all.push_back(of_code(code));
  BoundedElement hull = all.front();
  for (const BoundedElement& one : all) hull = United(hull, one);
  hull.of_each_code = std::make_shared<const std::vector<BoundedElement>>(std::move(all));
  return hull;
}

void FreeAll(std::span<ComposedValue> outputs) {
  for (ComposedValue& output : outputs) {
    for (ElementAnswer& element : output.elements) element.freedom = Freedom::kAnyCode;
  }
}

}  // namespace

SectionBounds::SectionBounds(const GraphStructure& structure, const Sections& sections,
                             bool is_wider)
    : sections_(sections),
      is_wider_(is_wider),
      values_(structure.values.size()),
      exact_(structure.values.size()) {}

Status SectionBounds::Widen(const GraphNode& node, const Composition& so_far,
                            std::span<ComposedValue> outputs) {
  if (node.is_dequantize()) {
    const bool is_needed = sections_.values[node.first_output].is_needed;
    return is_needed ? Dequantize(node, so_far, outputs.front()) : Ok();
  }
  if (node.is_float()) {
    Evaluate(node, so_far, outputs);
    return Ok();
  }
  const bool is_end = node.is_quantize() && sections_.is_inside[node.number];
  if (is_end && !HasComputedInput(node, 1)) {
    return WidenQuantized(node, so_far, values_[*node.inputs[0]], is_wider_,
                          outputs.front(), exact_[node.first_output]);
  }
  // A scale that is bounded, or an operator that looks at all of its operand.
  if (HasComputedInput(node, 0)) FreeAll(outputs);
  return Ok();
}

bool SectionBounds::HasComputedInput(const GraphNode& node, size_t first) const {
  for (size_t i = first; i < node.inputs.size(); ++i) {
    if (node.inputs[i] && sections_.values[*node.inputs[i]].is_computed) return true;
  }
  return false;
}

Status SectionBounds::Dequantize(const GraphNode& node, const Composition& so_far,
                                 const ComposedValue& output) {
  const auto scaled = ScaledNode::Create(node, so_far.OperandsOf(node));
  if (!scaled) return scaled.error();
  const ComposedValue& x = so_far.values()[*node.inputs[0]];
  const NumberFormat& format = FormatOf(output.view.type);
  const Decoder decode(FormatOf(x.view.type));
  const std::vector<uint64_t> codes = ReadCodes(x.view);
  std::vector<BoundedElement>& elements = values_[node.first_output];
  if (HasComputedInput(node, 1)) {
    elements.assign(codes.size(), OfKind(Kind::kFree));
    return Ok();
  }
  elements.reserve(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) {
    ExactValue negated;
    if (!scaled->zero_points.empty()) {
      negated = decode(scaled->zero_points[scaled->ZeroPointOf(i)]);
      negated.negative = !negated.negative;
    }
    const auto of_code = [&](uint64_t code) {
      return DequantizedElement(Add(ToUnrounded(decode(code)), negated),
                                scaled->ScaleOf(i), format);
    };
    if (output.elements[i].freedom == Freedom::kAnyCode) {
      elements.push_back(OfKind(Kind::kFree));
    } else if (!x.elements.empty() && IsSet(x.elements[i])) {
      const auto set = PossibleCodes(x, static_cast<int64_t>(i));
      elements.push_back(set ? OfSet(*set, of_code) : OfKind(Kind::kFree));
    } else {
      elements.push_back(of_code(codes[i]));
    }
  }
  return Ok();
}

void SectionBounds::Evaluate(const GraphNode& node, const Composition& so_far,
                             std::span<ComposedValue> outputs) {
  const Wiring& wiring = so_far.wirings()[node.number];
  const bool is_position =
      wiring.kind == WiredKind::kArgMax || wiring.kind == WiredKind::kArgMin;
  if (is_position && HasComputedInput(node, 0)) {
    const NumberFormat& format = FormatOf(so_far.values()[*node.inputs[0]].view.type);
    const FloatNodeBounds bounds(node, so_far, values_, format, false);
    WidenPositions(wiring, bounds, format, is_wider_, outputs.front());
  }
  if (is_position) return;
  for (size_t k = 0; k < outputs.size(); ++k) {
    const Sections::Value& known = sections_.values[node.first_output + k];
    if (!known.is_needed) continue;
    const NumberFormat& format = FormatOf(outputs[k].view.type);
    const FloatNodeBounds bounds(node, so_far, values_, format,
                                 known.is_quantized_behind);
    std::vector<BoundedElement>& elements = values_[node.first_output + k];
    const WiredOutput& wired = wiring.outputs[k];
    const size_t count = outputs[k].elements.size();
    elements.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      elements.push_back(Limited(bounds.Element(wiring, wired, i), format));
    }
    if (known.is_bounded_output) {
      WidenFloats(elements, is_wider_, outputs[k], exact_[node.first_output + k]);
    }
  }
}

}  // namespace qconform
