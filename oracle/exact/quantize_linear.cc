#include "oracle/exact/quantize_linear.h"

#include <algorithm>
#include <cassert>

namespace qconform::exact {
namespace {

// P where all readings are canonical; null for the exact quotient of QL-06.
const Format* CanonicalDivision(int since_version, int x, int y_scale, int64_t precision) {
  if (since_version >= 23 && precision != 0) {  // QL-05
    return &GetFormat(static_cast<int>(precision));
  }
  if (y_scale == kInt32) return nullptr;                     // QL-06
  if (y_scale == kFloat8E8M0) return &GetFormat(kFloat);     // QL-07
  if (x == kInt32) return &GetFormat(y_scale);               // QL-03, QL-05
  return &GetFormat(since_version >= 23 ? y_scale : x);      // QL-02, QL-04, QL-05
}

const Format* Division(const QuantizeLinearInput& input, DivisionPrecision reading) {
  switch (reading) {
    case DivisionPrecision::kF64Division:
      return &GetFormat(kDouble);
    case DivisionPrecision::kF32Quotient:
      return &GetFormat(kFloat);
    case DivisionPrecision::kXTypeDivision:
      return &GetFormat(input.x.type);
    case DivisionPrecision::kCanonical:
      break;
  }
  return CanonicalDivision(input.since_version, input.x.type, input.y_scale.type,
                           input.precision);
}

// QL-01, QL-06, QL-09.
Value Quotient(const Value& x, const Value& y_scale, const Format* division,
               bool unconverted_operands) {
  if (division == nullptr) return Divide(x, y_scale);
  if (unconverted_operands) return RoundToPrecision(*division, Divide(x, y_scale));
  return RoundToPrecision(*division, Divide(RoundToPrecision(*division, x),
                                            RoundToPrecision(*division, y_scale)));
}

bool LeavesRange(const Value& before, const Value& after) {
  return before.IsNumber() && (after.IsInfinity() || (after.IsZero() && !before.IsZero()));
}

// G-02, by the canonical P.
Tier TierOf(const Format& x_format, const Value& x, const Format& scale_format,
            const Value& y_scale, const Format* division) {
  if (!y_scale.IsNumber() || sgn(y_scale.number) <= 0 || IsSubnormal(scale_format, y_scale)) {
    return Tier::kDegenerateScale;
  }
  if (division == nullptr) {
    return IsSubnormal(x_format, x) ? Tier::kSubnormal : Tier::kRegular;
  }
  const Value p_x = RoundToPrecision(*division, x);
  const Value p_scale = RoundToPrecision(*division, y_scale);
  if (LeavesRange(x, p_x) || LeavesRange(y_scale, p_scale)) return Tier::kConversionRange;
  // The unrounded quotient: whatever of it rounds to a subnormal or to zero is
  // below the smallest normal already.
  if (IsSubnormal(x_format, x) || IsSubnormal(*division, p_x) ||
      IsSubnormal(*division, p_scale) || IsSubnormal(*division, Divide(p_x, p_scale))) {
    return Tier::kSubnormal;
  }
  return Tier::kRegular;
}

// QL-31: which element of y_scale belongs to each element of x, found by
// counting the indices of x up like an odometer.
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

}  // namespace

int OutputType(const QuantizeLinearInput& input) {
  if (input.output_dtype != 0) return static_cast<int>(input.output_dtype);
  return input.y_zero_point ? input.y_zero_point->type : static_cast<int>(kUint8);
}

std::vector<QuantizeLinearReadings> AllowedReadings(int since_version, int x, int y_scale,
                                                    int y, int64_t precision) {
  const Format* canonical = CanonicalDivision(since_version, x, y_scale, precision);
  const bool x_is_a_p = x == kFloat || x == kFloat16 || x == kBfloat16;
  const bool precision_is_given = since_version >= 23 && precision != 0;

  struct Way {
    DivisionPrecision name;
    const Format* division;
  };
  std::vector<Way> ways = {{DivisionPrecision::kCanonical, canonical}};
  const bool is_ql03 = since_version <= 13 && x == kInt32;
  const bool is_ql04 = (since_version == 19 || since_version == 21) &&
                       (x == kFloat16 || x == kBfloat16);
  const bool is_ql06 = y_scale == kInt32 && !precision_is_given;
  const bool is_ql07 = y_scale == kFloat8E8M0 && !precision_is_given;
  if (is_ql03) ways.push_back({DivisionPrecision::kF64Division, &GetFormat(kDouble)});
  if (is_ql04 || is_ql06) {
    ways.push_back({DivisionPrecision::kF32Quotient, &GetFormat(kFloat)});
  }
  // Where x is FLOAT it names what another reading names already.
  if ((is_ql06 || is_ql07) && x_is_a_p && x != kFloat) {
    ways.push_back({DivisionPrecision::kXTypeDivision, &GetFormat(x)});
  }

  const Format& target = GetFormat(y);
  const bool is_float = target.set == Format::Set::kFloats;
  const bool is_fnuz = target.has_nan && !target.has_negative_zero;
  std::vector<QuantizeLinearReadings> all;
  for (const Way& way : ways) {
    const bool differ =
        way.division != nullptr && (!Contains(*way.division, GetFormat(x)) ||
                                    !Contains(*way.division, GetFormat(y_scale)));
    // QL-09 speaks of since 23, QL-03 of the quotient in FLOAT.
    const bool may_stay = differ && (since_version >= 23 ||
                                     (is_ql03 && way.division->type == kFloat));
    for (int unconverted = 0; unconverted <= (may_stay ? 1 : 0); ++unconverted) {
      for (int zero_point = 0; zero_point <= (is_float ? 3 : 0); ++zero_point) {
        for (int added = 0; added <= (target.has_negative_zero ? 1 : 0); ++added) {
          for (int nan = 0; nan <= (is_fnuz ? 1 : 0); ++nan) {
            for (int dropped = 0; dropped <= (y == kFloat4E2M1 ? 1 : 0); ++dropped) {
              QuantizeLinearReadings readings;
              readings.division = way.name;
              readings.unconverted_operands = unconverted != 0;
              readings.target.float_zero_point = static_cast<FloatZeroPoint>(zero_point);
              readings.target.zero_point_added = added != 0;
              readings.target.fnuz_infinity_nan = nan != 0;
              readings.target.zero_sign_dropped = dropped != 0;
              all.push_back(readings);
            }
          }
        }
      }
    }
  }
  return all;
}

Answer QuantizeLinear(const QuantizeLinearInput& input,
                      const QuantizeLinearReadings& readings) {
  const Format& x_format = GetFormat(input.x.type);
  const Format& scale_format = GetFormat(input.y_scale.type);
  const Format& target = GetFormat(OutputType(input));
  const Format* canonical = Division(input, DivisionPrecision::kCanonical);
  const Format* division = Division(input, readings.division);
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
    const Value q = Quotient(x, scale, division, readings.unconverted_operands);
    Element element = QuantizeToTarget(target, q, zero_point, division,
                                       input.saturate != 0, readings.target);
    element.tier = TierOf(x_format, x, scale_format, scale, canonical);
    answer.elements.push_back(element);
  }
  return answer;
}

}  // namespace qconform::exact
