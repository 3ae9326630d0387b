#include "oracle/exact/operators/quantize_linear/quantize_linear.h"

#include <algorithm>
#include <cassert>

#include "oracle/exact/scale_layout.h"

namespace qconform::exact {
namespace {

// QL-22: the tables of Cast of 19, 21 and 23 say NaN, those of 24 and later the largest
// finite.
bool CastGivesNan(int since_version) { return since_version < 24; }

// x and y_scale as they are, with their exact quotient.
struct Operands {
  Value x;
  Value y_scale;
  Value quotient;
};

Value ConvertedX(const Division& division, const Operands& operands) {
  return division.rounds_x ? RoundToPrecision(*division.p, operands.x) : operands.x;
}

Value ConvertedScale(const Division& division, const Operands& operands) {
  return division.rounds_y_scale ? RoundToPrecision(*division.p, operands.y_scale)
                                 : operands.y_scale;
}

// QL-01, QL-06, QL-09.
Value Quotient(const Division& division, const Operands& operands,
               bool unconverted_operands) {
  if (division.p == nullptr) return operands.quotient;
  const bool converts =
      !unconverted_operands && (division.rounds_x || division.rounds_y_scale);
  return RoundToPrecision(*division.p, converts
                                           ? Divide(ConvertedX(division, operands),
                                                    ConvertedScale(division, operands))
                                           : operands.quotient);
}

bool LeavesRange(const Value& before, const Value& after) {
  return before.IsNumber() &&
         (after.IsInfinity() || (after.IsZero() && !before.IsZero()));
}

// G-02 for one P.
Tier TierIn(const Division& division, const Operands& operands) {
  const Format& p = *division.p;
  const Value x = ConvertedX(division, operands);
  const Value y_scale = ConvertedScale(division, operands);
  if (LeavesRange(operands.x, x) || LeavesRange(operands.y_scale, y_scale)) {
    return Tier::kConversionRange;
  }
  // Unrounded quotients: whatever of them rounds to a subnormal or to zero is
  // below the smallest normal already.
  const bool is_subnormal =
      IsSubnormal(p, operands.x) || IsSubnormal(p, x) || IsSubnormal(p, y_scale) ||
      IsSubnormal(p, operands.quotient) || IsSubnormal(p, Divide(x, y_scale));
  return is_subnormal ? Tier::kSubnormal : Tier::kRegular;
}

Tier TierOf(const Format& x_format, const Format& scale_format, const Operands& operands,
            const std::vector<Division>& divisions) {
  const Value& scale = operands.y_scale;
  if (!scale.IsNumber() || sgn(scale.number) <= 0 || IsSubnormal(scale_format, scale)) {
    return Tier::kDegenerateScale;
  }
  Tier tier = IsSubnormal(x_format, operands.x) ? Tier::kSubnormal : Tier::kRegular;
  for (const Division& division : divisions) {
    if (division.p != nullptr) tier = std::max(tier, TierIn(division, operands));
  }
  return tier;
}

}  // namespace

int OutputType(const QuantizeLinearInput& input) {
  if (input.output_dtype != 0) return static_cast<int>(input.output_dtype);
  return input.y_zero_point ? input.y_zero_point->type : static_cast<int>(kUint8);
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
  const std::vector<size_t> scale_index =
      ScaleIndices(input.x.shape, input.y_scale.shape, input.axis, input.block_size);

  Answer answer;
  answer.type = target.type;
  answer.shape = input.x.shape;
  answer.elements.reserve(input.x.codes.size());
  for (size_t i = 0; i < input.x.codes.size(); ++i) {
    Operands operands;
    operands.x = ValueOf(x_format, input.x.codes[i]);
    operands.y_scale = ValueOf(scale_format, input.y_scale.codes[scale_index[i]]);
    operands.quotient = Divide(operands.x, operands.y_scale);
    std::optional<Value> zero_point;
    if (input.y_zero_point) {
      const std::vector<uint64_t>& codes = input.y_zero_point->codes;
      zero_point = ValueOf(target, codes[codes.size() == 1 ? 0 : scale_index[i]]);
    }
    const Value q = Quotient(*chosen, operands, readings.unconverted_operands);
    Element element =
        QuantizeToTarget(CastGivesNan(input.since_version), target, q, zero_point,
                         chosen->p, input.saturate != 0, readings.target);
    element.tier = TierOf(x_format, scale_format, operands, divisions);
    answer.elements.push_back(element);
  }
  return answer;
}

}  // namespace qconform::exact
