#include "oracle/graphs/bounds/section_ends.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "oracle/base/attribute.h"
#include "oracle/core/target.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/graphs/bounds/real.h"
#include "oracle/graphs/bounds/scaled_node.h"

namespace qconform {
namespace {

using enum Direction;
using Kind = BoundedElement::Kind;

constexpr size_t kMostCodes = 4096;  // of a set; the element is free if there are more

// The codes of one QuantizeLinear.
class Quantizer {
 public:
  Quantizer(const ScaledNode& scaled, const TargetParameters& parameters, bool is_wider,
            ComposedValue& output)
      : scaled_(scaled),
        x_format_(FormatOf(scaled.x.type)),
        format_(FormatOf(output.view.type)),
        target_(output.view.type, parameters, DataType::kUndefined),
        is_wider_(is_wider),
        output_(output) {
    for (const uint64_t code : scaled.zero_points) {
      zero_points_.push_back(target_.PrepareZeroPoint(code));
    }
    if (zero_points_.empty()) zero_points_.emplace_back();
  }

  // Widens an element. Returns whether it is in the exact case.
  bool Widen(BoundedElement element, size_t index) {
    if (element.of_each_code != nullptr) {
      for (const BoundedElement& one : *element.of_each_code) Widen(one, index);
      return false;
    }
    // GR-13: a constant of Pad has m = 1, this division.
    if (element.count == 0) element.has_slack = true;
    ElementAnswer& answer = output_.elements[index];
    if (answer.freedom == Freedom::kAnyCode) return false;
    if (element.kind == Kind::kFree) {
      answer.freedom = Freedom::kAnyCode;
      return false;
    }
    const ExactValue& scale = scaled_.ScaleOf(index);
    if (element.kind == Kind::kGiven || scale.value_class != ValueClass::kFinite ||
        IsNan(format_, answer.code)) {
      return false;
    }
    const Real y_scale = ToReal(scale);
    const PreparedZeroPoint& zero_point =
        zero_points_[scaled_.zero_points.empty() ? 0 : scaled_.ZeroPointOf(index)];
    const Behind behind{.operations = 1, .is_exact = IsExactDivision(element, y_scale)};
    const auto within = WithinOf(element, x_format_, behind);
    if (!within) {
      answer.freedom = Freedom::kAnyCode;
      return false;
    }
    const RealInterval inner = Divide(*within, PointOf(y_scale));
    uint32_t low = Round(inner.low, zero_point);
    uint32_t high = Round(inner.high, zero_point);
    if (is_wider_) {
      const RealInterval outer =
          Divide(WiderOf(element, x_format_, behind, *within), PointOf(y_scale));
      const uint32_t lowest = Round(outer.low, zero_point);
      const uint32_t highest = Round(outer.high, zero_point);
      // GR-05: one code of the canonical answer; sums have no such limit.
      const bool is_sum = element.terms > 0;
      low = is_sum ? lowest : LowerOf(lowest, low, answer.code);
      high = is_sum ? highest : UpperOf(highest, high, answer.code);
    }
    if (IsNan(format_, low) || IsNan(format_, high)) {
      answer.freedom = Freedom::kAnyCode;
      return false;
    }
    Include(index, low, high);
    return behind.is_exact && within->is_point();
  }

 private:
  uint32_t Round(const Real& quotient, const PreparedZeroPoint& zero_point) const {
    ElementAnswer rounded;
    target_.Round(ToUnrounded(quotient), zero_point, rounded);
    return rounded.code;
  }

  // GR-16.
  bool IsExactDivision(const BoundedElement& element, const Real& y_scale) const {
    if (!IsPowerOfTwo(y_scale) || !IsNormal(y_scale, x_format_)) return false;
    if (element.magnitude.is_zero()) return true;
    const int exponent = TopOf(y_scale);
    const Real most = ToReal(Decode(x_format_, LargestFinite(x_format_)));
    return element.least - exponent >= SmallestNormalExponent(x_format_) &&
           Compare(element.magnitude, Multiply(most, PowerOfTwo(exponent), kDown)) <= 0;
  }

  int64_t OrderOf(uint64_t code) const { return ValueOrder(format_, code); }

  // The code that is further away from the canonical one: at most its neighbour, unless
  // `narrow`, which the narrower bounds allow, is beyond that.
  uint32_t LowerOf(uint32_t wide, uint32_t narrow, uint32_t canonical) const {
    if (IsNan(format_, wide) || IsNan(format_, narrow)) return narrow;
    const auto beside = static_cast<uint32_t>(NextDown(format_, canonical));
    if (OrderOf(wide) >= OrderOf(beside)) return wide;
    return OrderOf(narrow) < OrderOf(beside) ? narrow : beside;
  }
  uint32_t UpperOf(uint32_t wide, uint32_t narrow, uint32_t canonical) const {
    if (IsNan(format_, wide) || IsNan(format_, narrow)) return narrow;
    const auto beside = static_cast<uint32_t>(NextUp(format_, canonical));
    if (OrderOf(wide) <= OrderOf(beside)) return wide;
    return OrderOf(narrow) > OrderOf(beside) ? narrow : beside;
  }

  // Adds the codes between two to those that an element may have.
  void Include(size_t index, uint32_t low, uint32_t high) {
    ElementAnswer& answer = output_.elements[index];
    const auto key = static_cast<int64_t>(index);
    if (OrderOf(low) == OrderOf(answer.code) && OrderOf(high) == OrderOf(answer.code)) {
      // Zeros of both signs: what lies near zero has either.
      if (low != high || low != answer.code) answer.zero_sign_is_free = true;
      return;
    }
    if (OrderOf(high) - OrderOf(low) >= static_cast<int64_t>(kMostCodes)) {
      IncludeInterval(index, low, high);
      return;
    }
    CodeSet codes{answer.code};
    if (answer.freedom == Freedom::kOneOf) codes = output_.one_of.at(key);
    uint64_t code = low;
    while (true) {
      codes.push_back(code);
      const uint64_t next = NextUp(format_, code);
      if (OrderOf(code) >= OrderOf(high) || next == code) break;
      code = next;
    }
    std::ranges::sort(codes);
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    AddOtherZero(codes);
    if (codes.size() == 1) return;
    answer.freedom = Freedom::kOneOf;
    output_.one_of[key] = std::move(codes);
  }

  // The same of more codes than a set has. What follows is free; the output itself has
  // the interval.
  void IncludeInterval(size_t index, uint32_t low, uint32_t high) {
    if (output_.bounds.empty()) {
      for (const ElementAnswer& each : output_.elements) {
        output_.bounds.push_back({.low = each.code,
                                  .high = each.code,
                                  .wider_low = each.code,
                                  .wider_high = each.code});
      }
    }
    ElementAnswer& answer = output_.elements[index];
    if (OrderOf(answer.code) < OrderOf(low)) low = answer.code;
    if (OrderOf(answer.code) > OrderOf(high)) high = answer.code;
    output_.bounds[index] = {
        .low = low, .high = high, .wider_low = low, .wider_high = high};
    answer.freedom = Freedom::kAnyCode;
  }

  // A zero among several codes has either sign.
  void AddOtherZero(CodeSet& codes) const {
    if (!format_.has_negative_zero) return;
    const uint64_t minus = uint64_t{1} << (format_.bits - 1);
    const bool has_plus = std::ranges::binary_search(codes, uint64_t{0});
    const bool has_minus = std::ranges::binary_search(codes, minus);
    if (has_plus == has_minus) return;
    codes.push_back(has_plus ? minus : 0);
    std::ranges::sort(codes);
  }

  const ScaledNode& scaled_;
  const NumberFormat& x_format_;
  const NumberFormat& format_;
  Target target_;
  bool is_wider_;
  ComposedValue& output_;
  std::vector<PreparedZeroPoint> zero_points_;
};

}  // namespace

Status WidenQuantized(const GraphNode& node, const Composition& so_far,
                      std::span<const BoundedElement> elements, bool is_wider,
                      ComposedValue& output, std::vector<bool>& exact) {
  const auto scaled = ScaledNode::Create(node, so_far.OperandsOf(node));
  if (!scaled) return scaled.error();
  const auto saturate = IntegerAttribute(node.node.attributes, "saturate");
  if (!saturate) return saturate.error();
  TargetParameters parameters;
  if (saturate->value_or(1) == 0) parameters.overflow = OverflowPolicy::kNonSaturating;
  Quantizer quantizer(*scaled, parameters, is_wider, output);
  exact.assign(output.elements.size(), false);
  for (size_t i = 0; i < output.elements.size(); ++i) {
    exact[i] = quantizer.Widen(elements[i], i);
  }
  return Ok();
}

void WidenFloats(std::span<const BoundedElement> elements, bool is_wider,
                 ComposedValue& output, std::vector<bool>& exact) {
  const NumberFormat& format = FormatOf(output.view.type);
  const auto order = [&](uint32_t code) { return ValueOrder(format, code); };
  output.bounds.resize(elements.size());
  exact.assign(elements.size(), false);
  for (size_t i = 0; i < elements.size(); ++i) {
    const BoundedElement& element = elements[i];
    ElementAnswer& answer = output.elements[i];
    CodeBounds& bounds = output.bounds[i];
    bounds = {.low = answer.code,
              .high = answer.code,
              .wider_low = answer.code,
              .wider_high = answer.code};
    if (element.kind == Kind::kFree) answer.freedom = Freedom::kAnyCode;
    if (element.kind != Kind::kNumber || IsNan(format, answer.code)) continue;
    const auto within = WithinOf(element, format, {});
    if (!within) {
      answer.freedom = Freedom::kAnyCode;
      continue;
    }
    exact[i] = within->is_point();
    const RealInterval ends = is_wider ? WiderOf(element, format, {}, *within) : *within;
    const auto low =
        static_cast<uint32_t>(Round(format, ToUnrounded(ends.low), RoundingMode::kUp,
                                    OverflowPolicy::kNonSaturating));
    const auto high =
        static_cast<uint32_t>(Round(format, ToUnrounded(ends.high), RoundingMode::kDown,
                                    OverflowPolicy::kNonSaturating));
    if (order(low) < order(bounds.low)) bounds.low = low;
    if (order(high) > order(bounds.high)) bounds.high = high;
    bounds.wider_low = bounds.low;
    bounds.wider_high = bounds.high;
  }
}

// GR-18: positions whose interval reaches the greatest of the lower ends.
void WidenPositions(const Wiring& wiring, const FloatNodeBounds& bounds,
                    const NumberFormat& format, bool is_wider, ComposedValue& output) {
  const WiredOutput& wired = wiring.outputs.front();
  const bool greatest = wiring.kind == WiredKind::kArgMax;
  for (size_t i = 0; i < output.elements.size(); ++i) {
    ElementAnswer& answer = output.elements[i];
    std::vector<RealInterval> ends;
    bool is_free = answer.freedom == Freedom::kAnyCode;
    for (size_t s = wired.first[i]; s < wired.first[i + 1] && !is_free; ++s) {
      const BoundedElement element = bounds.Operand(wired.sources[s]);
      std::optional<RealInterval> within;
      if (element.kind == Kind::kNumber) within = WithinOf(element, format, {});
      is_free = !within.has_value();
      if (is_free) break;
      if (is_wider) within = WiderOf(element, format, {}, *within);
      ends.push_back(greatest ? *within : Negated(*within));
    }
    if (is_free || ends.empty()) {
      answer.freedom = Freedom::kAnyCode;
      continue;
    }
    Real reached = ends.front().low;
    for (const RealInterval& one : ends) reached = Greatest(reached, one.low);
    CodeSet positions{ReadCode(output.view, static_cast<int64_t>(i))};
    for (size_t s = 0; s < ends.size(); ++s) {
      if (Compare(ends[s].high, reached) < 0) continue;
      positions.push_back(static_cast<uint64_t>(wired.positions[wired.first[i] + s]));
    }
    std::ranges::sort(positions);
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    if (positions.size() == 1) continue;
    answer.freedom = Freedom::kOneOf;
    output.one_of[static_cast<int64_t>(i)] = std::move(positions);
  }
}

}  // namespace qconform
