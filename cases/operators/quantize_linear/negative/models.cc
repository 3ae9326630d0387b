#include "cases/operators/quantize_linear/negative/models.h"

#include "cases/operators/quantize_linear/negative/spec.h"
#include "cases/quantization/negative/scaled.h"

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

namespace {

FedModel BuildScaled(const ScaledSpec& scaled, int opset_version) {
  QuantizeLinearSpec spec{.x = scaled.x.OfType(DataType::kFloat),
                          .y_scale = scaled.scale.OfType(DataType::kFloat),
                          .axis = scaled.axis,
                          .block_size = scaled.block_size};
  if (scaled.zero_point) {
    spec.y_zero_point = scaled.zero_point->OfType(DataType::kUint8);
  }
  return Build(spec, opset_version);
}

// QL-31 to QL-34.
const ScaledOperator& Scaled() {
  static const ScaledOperator op{.build = BuildScaled,
                                 .scale = "y_scale",
                                 .zero_point = "y_zero_point",
                                 .every = kEvery,
                                 .without_axis = {10},
                                 .with_axis = kWithAxis,
                                 .with_blocks = kWithBlocks,
                                 .rank_one_axis = {13, 19},
                                 .rank_one_open = kWithBlocks,
                                 .rank_one_blocks_open = kWithBlocks,
                                 .invalid = "QL-34",
                                 .legal_shapes = "QL-32",
                                 .legal_axes = "QL-31",
                                 .open_mixed_shapes = "QL-33",
                                 .open_shapes = "QL-33"};
  return op;
}

}  // namespace
}  // namespace qconform::negative

namespace qconform::generators {

std::vector<NegativeModel> QuantizeLinearNegativeModels() {
  std::vector<NegativeModel> models;
  using negative::Scaled;
  negative::AddScaledShapes(Scaled(), models);
  negative::AddScaledBlocks(Scaled(), models);
  negative::AddQuantizeLinearTypes(models);
  negative::AddQuantizeLinearAttributes(models);
  negative::AddScaledFeeds(Scaled(), models);
  negative::AddQuantizeLinearFeeds(models);
  negative::AddScaledLegal(Scaled(), models);
  negative::AddQuantizeLinearLegal(models);
  negative::AddScaledOpen(Scaled(), models);
  negative::AddQuantizeLinearOpen(models);
  return models;
}

}  // namespace qconform::generators
