#include "cases/operators/quantize_linear/negative/models.h"

#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {

FedModel Build(const QuantizeLinearSpec& spec, int opset_version) {
  ModelBuilder builder("QuantizeLinear", opset_version);
  builder.AddInput("x", spec.x, kData);
  builder.AddInput("y_scale", spec.y_scale, ScalePattern(spec.y_scale));
  if (spec.y_zero_point) {
    builder.AddInput("y_zero_point", *spec.y_zero_point,
                     ZeroPointPattern(*spec.y_zero_point));
  } else if (spec.empty_zero_point) {
    builder.AddEmptyInput();
  }
  builder.AddAttribute("axis", spec.axis);
  builder.AddAttribute("block_size", spec.block_size);
  builder.AddAttribute("saturate", spec.saturate);
  builder.AddAttribute("output_dtype", spec.output_dtype);
  builder.AddAttribute("precision", spec.precision);
  return builder.Finish({{"y", spec.y, spec.x.ShapeInModel()}});
}

}  // namespace qconform::negative

namespace qconform::generators {

std::vector<NegativeModel> QuantizeLinearNegativeModels() {
  std::vector<NegativeModel> models;
  negative::AddQuantizeLinearShapes(models);
  negative::AddQuantizeLinearBlocks(models);
  negative::AddQuantizeLinearTypes(models);
  negative::AddQuantizeLinearAttributes(models);
  negative::AddQuantizeLinearFeeds(models);
  negative::AddQuantizeLinearLegal(models);
  negative::AddQuantizeLinearOpen(models);
  return models;
}

}  // namespace qconform::generators
