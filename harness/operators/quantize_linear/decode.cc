#include <algorithm>

#include "harness/operators/quantize_linear/fault_model.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/prepared.h"
#include "oracle/operators/quantize_linear/parameters.h"
#include "oracle/operators/quantize_linear/problem.h"

namespace qconform {
namespace {

const NumberFormat* FormatOrNone(DataType type) {
  return type == DataType::kUndefined ? nullptr : &FormatOf(type);
}

std::vector<ExactValue> Decoded(const TensorView& tensor) {
  const Decoder decode(FormatOf(tensor.type));
  std::vector<ExactValue> values;
  for (const uint64_t code : ReadCodes(tensor)) values.push_back(decode(code));
  return values;
}

// Exact conversion to P where there is one, then the quotient.
void DivideAll(DecodedQuantizeLinear& decoded) {
  const auto rounder = [](const NumberFormat& format) {
    return Rounder(format, RoundingMode::kNearestEven, OverflowPolicy::kNonSaturating);
  };
  const NumberFormat* p = decoded.precision;
  const auto convert = [&](const ExactValue& value) {
    return Decode(*p, rounder(*p)(ToUnrounded(value)).code);
  };
  const bool converts = p != nullptr && decoded.converts_operands;
  const bool converts_scale = converts && !HoldsAllOf(*p, *decoded.y_scale);
  const bool converts_x = converts && !HoldsAllOf(*p, *decoded.x);
  std::vector<Divisor> divisors;
  for (const ExactValue& scale : decoded.scales) {
    divisors.emplace_back(converts_scale ? convert(scale) : scale);
  }
  const QuantizeLinearLayout& layout = decoded.layout;
  decoded.quotients.reserve(decoded.x_values.size());
  size_t index = 0;
  for (int64_t o = 0; o < layout.outer; ++o) {
    for (int64_t i = 0; i < layout.axis; ++i) {
      for (int64_t j = 0; j < layout.inner; ++j, ++index) {
        const ExactValue& x = decoded.x_values[index];
        const Divisor& divisor =
            divisors[static_cast<size_t>(layout.ScaleIndex(o, i, j))];
        Unrounded q = Divide(converts_x ? convert(x) : x, divisor);
        if (p != nullptr && q.value_class == ValueClass::kFinite) {
          q = ValueOf(rounder(*p)(q), q.negative);
        }
        decoded.quotients.push_back(q);
      }
    }
  }
}

}  // namespace

Result<DecodedQuantizeLinear> DecodeQuantizeLinear(
    const Node& node, int since_version, const Operands& operands,
    const QuantizeLinearReadings& readings) {
  const auto attributes = ReadQuantizeLinearAttributes(node.attributes);
  if (!attributes) return attributes.error();
  const auto problem = QuantizeLinearProblemOf(since_version, *attributes, operands);
  if (!problem) return problem.error();
  const TensorView& x = problem->x;
  const TensorView& y_scale = problem->y_scale;
  const QuantizeLinearResolution resolution = Resolve(*problem);
  if (resolution.validation.kind == ModelValidity::Kind::kInvalid) {
    return Error{resolution.validation.clause + ": " + resolution.validation.reason};
  }
  DecodedQuantizeLinear decoded;
  decoded.since_version = since_version;
  decoded.has_zero_point = problem->y_zero_point.has_value();
  decoded.readings = readings;
  decoded.layout = resolution.layout;
  decoded.x = &FormatOf(x.type);
  decoded.y_scale = &FormatOf(y_scale.type);
  decoded.y = &FormatOf(resolution.layout.y);
  const auto parameters = [&](int64_t precision) {
    return ParametersOf(readings, since_version, x.type, y_scale.type,
                        resolution.layout.y, precision, attributes->saturate);
  };
  decoded.precision = FormatOrNone(parameters(attributes->precision).precision);
  decoded.converts_operands = parameters(attributes->precision).convert_operands;
  decoded.default_precision = FormatOrNone(parameters(0).precision);
  decoded.has_precision = attributes->precision != 0;
  decoded.saturate = attributes->saturate != 0;
  decoded.x_values = Decoded(x);
  decoded.scales = Decoded(y_scale);
  decoded.zero_points = {ExactValue{}};
  if (problem->y_zero_point) decoded.zero_points = Decoded(*problem->y_zero_point);
  ScalePlaces& places = decoded.places;
  places.shape.assign(x.shape.begin(), x.shape.end());
  places.scales = static_cast<int64_t>(decoded.scales.size());
  places.blocked =
      decoded.layout.granularity == QuantizeLinearLayout::Granularity::kBlocked;
  places.block = decoded.layout.block;
  places.blocks = decoded.layout.blocks;
  places.has_axis = attributes->axis.has_value();
  places.given_axis = attributes->axis.value_or(1);
  const auto rank = static_cast<int64_t>(places.shape.size());
  places.axis = places.given_axis + (places.given_axis < 0 ? rank : 0);
  places.axis = std::clamp<int64_t>(places.axis, 0, std::max<int64_t>(rank - 1, 0));
  if (decoded.y->bits < 8) places.per_byte = ElementsOfWholeBytes(decoded.y->bits);
  DivideAll(decoded);
  return decoded;
}

}  // namespace qconform
