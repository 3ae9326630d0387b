#include "oracle/exact/quantize_linear.h"

#include <algorithm>
#include <cassert>

namespace qconform::exact {
namespace {

// QL-01, QL-06, QL-09.
Value Quotient(const Value& x, const Value& y_scale, const Format* division,
               bool unconverted_operands) {
  if (division == nullptr) return Divide(x, y_scale);
  if (unconverted_operands) return RoundToPrecision(*division, Divide(x, y_scale));
  return RoundToPrecision(*division, Divide(RoundToPrecision(*division, x),
                                            RoundToPrecision(*division, y_scale)));
}

bool LeavesRange(const Value& before, const Value& after) {
  return before.IsNumber() &&
         (after.IsInfinity() || (after.IsZero() && !before.IsZero()));
}

// G-02 for one P.
Tier TierIn(const Format& p, const Value& x, const Value& y_scale) {
  const Value p_x = RoundToPrecision(p, x);
  const Value p_scale = RoundToPrecision(p, y_scale);
  if (LeavesRange(x, p_x) || LeavesRange(y_scale, p_scale)) return Tier::kConversionRange;
  // Unrounded quotients: whatever of them rounds to a subnormal or to zero is
  // below the smallest normal already.
  const bool is_subnormal =
      IsSubnormal(p, x) || IsSubnormal(p, p_x) || IsSubnormal(p, p_scale) ||
      IsSubnormal(p, Divide(p_x, p_scale)) || IsSubnormal(p, Divide(x, y_scale));
  return is_subnormal ? Tier::kSubnormal : Tier::kRegular;
}

Tier TierOf(const Format& x_format, const Value& x, const Format& scale_format,
            const Value& y_scale, const std::vector<Division>& divisions) {
  if (!y_scale.IsNumber() || sgn(y_scale.number) <= 0 ||
      IsSubnormal(scale_format, y_scale)) {
    return Tier::kDegenerateScale;
  }
  Tier tier = IsSubnormal(x_format, x) ? Tier::kSubnormal : Tier::kRegular;
  for (const Division& division : divisions) {
    if (division.p != nullptr) tier = std::max(tier, TierIn(*division.p, x, y_scale));
  }
  return tier;
}

}  // namespace

int OutputType(const QuantizeLinearInput& input) {
  if (input.output_dtype != 0) return static_cast<int>(input.output_dtype);
  return input.y_zero_point ? input.y_zero_point->type : static_cast<int>(kUint8);
}

// Counts the indices of x up like an odometer.
std::vector<size_t> ScaleIndices(const QuantizeLinearInput& input) {
  const std::vector<int64_t>& shape = input.x.shape;
  const std::vector<int64_t>& scale_shape = input.y_scale.shape;
  std::vector<size_t> indices(input.x.codes.size(), 0);
  if (scale_shape.empty() || (scale_shape.size() == 1 && scale_shape[0] == 1)) {
    return indices;
  }
  const int64_t rank = static_cast<int64_t>(shape.size());
  const int64_t counted = input.axis < 0 ? input.axis + rank : input.axis;
  const size_t axis = rank == 1 ? 0 : static_cast<size_t>(counted);
  const bool per_axis = scale_shape.size() == 1 && scale_shape[0] == shape[axis];
  std::vector<int64_t> at(shape.size(), 0);
  for (size_t& index : indices) {
    if (per_axis) {
      index = static_cast<size_t>(at[axis]);
    } else {
      int64_t sum = 0;
      for (size_t d = 0; d < shape.size(); ++d) {
        sum = sum * scale_shape[d] + (d == axis ? at[d] / input.block_size : at[d]);
      }
      index = static_cast<size_t>(sum);
    }
    for (size_t d = shape.size(); d-- > 0;) {
      if (++at[d] < shape[d]) break;
      at[d] = 0;
    }
  }
  return indices;
}

Answer QuantizeLinear(const QuantizeLinearInput& input,
                      const QuantizeLinearReadings& readings) {
  const Format& x_format = GetFormat(input.x.type);
  const Format& scale_format = GetFormat(input.y_scale.type);
  const Format& target = GetFormat(OutputType(input));
  const std::vector<Division> divisions =
      Divisions(input.since_version, input.x.type, input.y_scale.type, input.precision);
  const auto chosen =
      std::find_if(divisions.begin(), divisions.end(),
                   [&](const Division& one) { return one.name == readings.division; });
  assert(chosen != divisions.end());
  const std::vector<size_t> scale_index = ScaleIndices(input);

  Answer answer;
  answer.type = target.type;
  answer.shape = input.x.shape;
  answer.elements.reserve(input.x.codes.size());
  for (size_t i = 0; i < input.x.codes.size(); ++i) {
    const Value x = ValueOf(x_format, input.x.codes[i]);
    const Value scale = ValueOf(scale_format, input.y_scale.codes[scale_index[i]]);
    std::optional<Value> zero_point;
    if (input.y_zero_point) {
      const std::vector<uint64_t>& codes = input.y_zero_point->codes;
      zero_point = ValueOf(target, codes[codes.size() == 1 ? 0 : scale_index[i]]);
    }
    const Value q = Quotient(x, scale, chosen->p, readings.unconverted_operands);
    Element element = QuantizeToTarget(target, q, zero_point, chosen->p,
                                       input.saturate != 0, readings.target);
    element.tier = TierOf(x_format, x, scale_format, scale, divisions);
    answer.elements.push_back(element);
  }
  return answer;
}

}  // namespace qconform::exact
