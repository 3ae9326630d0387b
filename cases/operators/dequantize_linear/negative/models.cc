#include "cases/operators/dequantize_linear/negative/models.h"

#include "cases/operators/dequantize_linear/negative/spec.h"
#include "cases/quantization/negative/scaled.h"

namespace qconform::negative::dequantize_linear {

FedModel Build(const Spec& spec, int opset_version) {
  ModelBuilder builder("DequantizeLinear", opset_version);
  builder.AddInput("x", spec.x, kData);
  builder.AddInput("x_scale", spec.x_scale, ScalePattern(spec.x_scale));
  if (spec.x_zero_point) {
    builder.AddInput("x_zero_point", *spec.x_zero_point,
                     ZeroPointPattern(*spec.x_zero_point));
  } else if (spec.empty_zero_point) {
    builder.AddEmptyInput();
  }
  builder.AddAttribute("axis", spec.axis);
  builder.AddAttribute("block_size", spec.block_size);
  builder.AddAttribute("output_dtype", spec.output_dtype);
  builder.AddAttribute("saturate", spec.saturate);
  builder.AddAttribute("precision", spec.precision);
  return builder.Finish({{"y", spec.y, spec.x.ShapeInModel()}});
}

namespace {

FedModel BuildScaled(const ScaledSpec& scaled, int opset_version) {
  Spec spec{.x = scaled.x.OfType(DataType::kInt8),
            .x_scale = scaled.scale.OfType(DataType::kFloat),
            .axis = scaled.axis,
            .block_size = scaled.block_size};
  if (scaled.zero_point) {
    spec.x_zero_point = scaled.zero_point->OfType(DataType::kInt8);
  }
  return Build(spec, opset_version);
}

const ScaledOperator& Scaled() {
  static const ScaledOperator op{
      .build = BuildScaled,
      .scale = "x_scale",
      .zero_point = "x_zero_point",
      .every = kEvery,
      .without_axis = {10},
      .with_axis = kWithAxis,
      .with_blocks = kWithBlocks,
      .rank_one_axis = {13, 21, 23, 24, 25, 28},
      // "When the rank of the input is 1, per-tensor quantization is applied".
      .rank_one_open = {19},
      .rank_one_blocks_open = {},
      .invalid = "DQ-36",
      .legal_shapes = "DQ-33",
      .legal_axes = "DQ-33",
      .open_mixed_shapes = "DQ-14",
      .open_shapes = "DQ-34"};
  return op;
}

}  // namespace
}  // namespace qconform::negative::dequantize_linear

namespace qconform::generators {

std::vector<NegativeModel> DequantizeLinearNegativeModels() {
  using negative::dequantize_linear::Scaled;
  std::vector<NegativeModel> models;
  negative::AddScaledShapes(Scaled(), models);
  negative::AddScaledBlocks(Scaled(), models);
  negative::dequantize_linear::AddTypes(models);
  negative::dequantize_linear::AddAttributes(models);
  negative::AddScaledFeeds(Scaled(), models);
  negative::dequantize_linear::AddFeeds(models);
  negative::AddScaledLegal(Scaled(), models);
  negative::dequantize_linear::AddLegal(models);
  negative::AddScaledOpen(Scaled(), models);
  negative::dequantize_linear::AddOpen(models);
  return models;
}

}  // namespace qconform::generators
