#include <algorithm>
#include <string>

#include "cases/model/attributes.h"
#include "harness/operators/dequantize_linear/fault_model.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using Steps = DequantizeLinearSteps;

bool IsHalf(DataType type) {
  return type == DataType::kFloat16 || type == DataType::kBfloat16;
}

// DQ-02 to DQ-05, DQ-11.
Steps CanonicalSteps(int since_version, DataType x, DataType x_scale, DataType y) {
  Steps steps;
  if (x == DataType::kInt32) {
    steps.difference = Steps::Difference::kInFloat;
    return steps;
  }
  const bool is_16_to_half =
      (x == DataType::kInt16 || x == DataType::kUint16) && IsHalf(y);
  const bool converts = since_version >= 23 && x_scale != DataType::kFloat8E8M0 &&
                        (x_scale != y || is_16_to_half);
  steps.difference_in_p = converts;
  steps.scale_in_p = converts;
  return steps;
}

void Follow(const Reading& reading, Steps& steps) {
  using Difference = Steps::Difference;
  const std::string& name = reading.name;
  const auto convert = [&](bool difference, bool scale) {
    steps.difference_in_p = difference;
    steps.scale_in_p = scale;
  };
  if (reading.clause == "DQ-08" && name == "difference_in_p") {
    steps.difference_in_p = true;
  } else if (reading.clause == "DQ-05" && name == "scale_in_p") {
    steps.scale_in_p = true;
  } else if (name == "unconverted_operands") {
    convert(false, false);
  } else if (name == "operands_in_p") {
    convert(true, true);
  } else if (name == "scale_in_p") {
    convert(false, true);
  } else if (name == "difference_in_p") {
    convert(true, false);
  } else if (name == "f32_product") {
    steps.product = Steps::Product::kInFloat;
  } else if (name == "f64_product") {
    steps.difference = Difference::kExact;
    steps.product = Steps::Product::kInDouble;
  } else if (name == "exact_product") {
    steps.difference = Difference::kExact;
  } else if (name == "x_in_p") {
    steps.difference = Difference::kExact;
    steps.difference_in_p = true;
  } else if (name == "difference_in_float") {
    steps.difference = Difference::kInFloat;
  } else if (name == "difference_in_x_type") {
    steps.difference = Difference::kSaturatesInXType;
  } else if (name == "difference_in_x_type_overflowing") {
    steps.difference = Difference::kOverflowsInXType;
  } else if (name == "zero_point_ignored") {
    steps.difference = Difference::kZeroPointIgnored;
  } else if (name == "zero_sign_dropped") {
    steps.zero_sign_dropped = true;
  }
}

std::vector<ExactValue> Decoded(const TensorView& tensor) {
  const Decoder decode(FormatOf(tensor.type));
  std::vector<ExactValue> values;
  for (const uint64_t code : ReadCodes(tensor)) values.push_back(decode(code));
  return values;
}

ScalePlaces PlacesOf(const Node& node, const TensorView& x, const TensorView& x_scale) {
  ScalePlaces places;
  places.shape.assign(x.shape.begin(), x.shape.end());
  for (const int64_t size : x_scale.shape) places.scales *= size;
  const auto rank = static_cast<int64_t>(x.shape.size());
  places.given_axis = IntegerAttributeOr(node, "axis", 1);
  places.has_axis = std::ranges::any_of(node.attributes, [](const Attribute& attribute) {
    return attribute.name == "axis";
  });
  places.axis = places.given_axis + (places.given_axis < 0 ? rank : 0);
  places.axis = std::clamp<int64_t>(places.axis, 0, std::max<int64_t>(rank - 1, 0));
  const auto axis = static_cast<size_t>(places.axis);
  // A vector is per axis if it has a scale for each index (DQ-34).
  places.blocked = rank > 0 && x_scale.shape.size() == x.shape.size() &&
                   !(rank == 1 && x_scale.shape[0] == x.shape[0]);
  if (places.blocked) {
    places.block = std::max<int64_t>(IntegerAttributeOr(node, "block_size", 0), 1);
    places.blocks = x_scale.shape[axis];
  }
  const int bits = BitWidth(x.type);
  if (bits < 8) places.per_byte = bits == 4 ? 2 : 4;
  return places;
}

}  // namespace

Steps StepsOf(const ReadingSet& readings, int since_version, DataType x, DataType x_scale,
              DataType y) {
  Steps steps = CanonicalSteps(since_version, x, x_scale, y);
  for (const Reading& reading : readings.readings) Follow(reading, steps);
  return steps;
}

Result<DecodedDequantizeLinear> DecodeDequantizeLinear(const Node& node,
                                                       int since_version,
                                                       const Operands& operands,
                                                       const ReadingSet& readings) {
  const auto x = OperandAt(operands, 0);
  const auto x_scale = OperandAt(operands, 1);
  const auto zero_point = OperandAt(operands, 2);
  if (!x || !x_scale) return Error{"DequantizeLinear: x or x_scale is missing"};
  const auto given = DataTypeFromNumber(IntegerAttributeOr(node, "output_dtype", 0));
  const DataType y = given && *given != DataType::kUndefined ? *given : x_scale->type;
  DecodedDequantizeLinear decoded;
  decoded.x = &FormatOf(x->type);
  decoded.x_scale = &FormatOf(x_scale->type);
  decoded.y = &FormatOf(y);
  decoded.steps = StepsOf(readings, since_version, x->type, x_scale->type, y);
  decoded.x_bytes.assign(x->data.begin(), x->data.end());
  decoded.x_values = Decoded(*x);
  decoded.scales = Decoded(*x_scale);
  if (zero_point) {
    decoded.zero_point_bytes.assign(zero_point->data.begin(), zero_point->data.end());
    decoded.zero_points = Decoded(*zero_point);
  }
  decoded.places = PlacesOf(node, *x, *x_scale);
  return decoded;
}

}  // namespace qconform
