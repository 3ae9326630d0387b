#include "cases/operators/quantize_linear/testing/wrong_models.h"
#include "cases/operators/quantize_linear/variant.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {

Setting Unpack(const OpCase& made) {
  Setting setting;
  const Cell& cell = made.key.cell;
  setting.x = &FormatOf(cell.types[0]);
  setting.scale = &FormatOf(cell.types[1]);
  setting.y = &FormatOf(cell.types[2]);
  setting.granularity = GranularityOf(cell);
  QuantizeLinearVariant variant =
      ParseQuantizeLinearVariant(cell, made.key.variant).value();
  const auto format = [](DataType type) {
    return type == DataType::kUndefined ? nullptr : &FormatOf(type);
  };
  setting.p = format(QuotientType(cell, variant));
  setting.saturate = variant.saturate != 0;
  variant.precision = DataType::kUndefined;
  setting.default_p = format(QuotientType(cell, variant));
  const Tensor& x = made.operands[0];
  setting.shape = x.shape;
  setting.rank = static_cast<int64_t>(x.shape.size());
  for (int64_t i = 0; i < ElementCount(x.shape).value(); ++i) {
    setting.x_codes.push_back(ReadCode(x.view(), i));
    setting.x_values.push_back(Decode(*setting.x, setting.x_codes.back()));
  }
  for (int64_t i = 0; i < ElementCount(made.operands[1].shape).value(); ++i) {
    setting.scales.push_back(
        Decode(*setting.scale, ReadCode(made.operands[1].view(), i)));
    const bool present = made.operands[2].type != DataType::kUndefined;
    setting.zero_points.push_back(
        present ? Decode(*setting.y, ReadCode(made.operands[2].view(), i))
                : ExactValue{});
  }
  setting.axis = 1;
  setting.default_axis = true;
  for (const Attribute& attribute : made.model.node.attributes) {
    const int64_t value = std::get<int64_t>(attribute.value);
    if (attribute.name == "axis") {
      setting.axis = value < 0 ? value + setting.rank : value;
      setting.default_axis = false;
    }
    if (attribute.name == "block_size" && value > 0) setting.block = value;
  }
  return setting;
}

}  // namespace qconform::generators
